import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

struct CheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: localized("Say whether a gated action would be granted now."),
        discussion: """
            Status 0: yes, at once; 2: a person would have to do something first; 1: no. Nothing is shown to anybody, \
            and nothing changes.

            With --details, a grown-up's yes to exactly these words counts, if it can be used any number of times. A \
            yes that counts once is for `gatectl authorize`.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("The gated action, as the policy names it: link.open.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gatedAction: String

    @Option(help: ArgumentHelp("Exactly what would be done, as for `gatectl authorize`.", valueName: "text"))
    var details = ""

    @OptionGroup var asking: SubjectOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Authorization.check,
            CheckRequest(gatedAction: gatedAction, subject: try asking.found(), details: details))
        let outlook = response.outlook
        let sentence = RefusalText.sentence(outlook)
        var text = sentence.isEmpty ? outlook.outcome.text : ListText.pair(outlook.outcome.text, sentence)
        if case .challenge(let kind)? = outlook.need { text = ListText.noted(text, ChallengeWords.name(of: kind)) }
        try session.output.result(response, text)
        Glibc.exit(outlook.outcome.exitStatus)
    }
}

extension AuthorizationOutlook.Outcome {
    var exitStatus: Int32 {
        switch self {
        case .granted: 0
        case .denied: 1
        case .personNeeded: 2
        }
    }

    var text: String {
        switch self {
        case .granted: localized("granted")
        case .denied: localized("denied")
        case .personNeeded: localized("a person is needed")
        }
    }
}
