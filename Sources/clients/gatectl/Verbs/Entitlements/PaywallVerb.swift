import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

struct PaywallVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paywall",
        abstract: localized("Show a paywall, unless the entitlement is active."),
        discussion: """
            For example: gatectl paywall require premium -- supertux2
            And: gatectl paywall request premium --style full-screen-cover
            """,
        subcommands: [PaywallRequireVerb.self, PaywallRequestVerb.self])
}

struct PaywallOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("The store: storekit or revenuecat. Default: as the policy says.", valueName: "name"))
    var provider: ClaimProvider?

    @Option(help: ArgumentHelp("How it is shown. Default: as the policy says.", valueName: "style"))
    var style: Presentation.Style?

    @Argument(help: "Its name in the policy. Default: the policy's entitlement for paywalls.")
    var entitlement: String?

    var request: PaywallRequest { PaywallRequest(entitlement: entitlement, provider: provider, style: style) }
}

struct PaywallRequireVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "require",
        abstract: "Wait until something is paid for, and then run a command.",
        discussion: """
            For example: gatectl paywall require premium -- supertux2

            If it is active already, nothing is shown. Otherwise a paywall is shown: on another screen if there is \
            one (`gatectl present`), else on this terminal; it closes by itself when somebody has paid. Status 0: \
            active, or paid; 3: dismissed; 2: nobody could show it; 124: nobody paid in time. The command runs in \
            the place of gatectl, as with `gatectl run`.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var paywall: PaywallOptions

    @Argument(parsing: .postTerminator, help: "The command to run then, and its arguments; after a --.")
    var command: [String] = []

    func perform(_ session: Session) async throws(GateError) {
        // Look for the command first, so that nobody pays and then hears that there is nothing to run.
        let start = command.isEmpty ? nil : try CommandStart(command)
        let (gate, request) = (session.gate, paywall.request)
        let outcome = try await session.asking(readsStandardInput: false) { presenting throws(GateError) in
            try await gate.beginPaywall(request, presenting)
        }
        if let start { throw start.replaceThisProcess() }
        let response =
            switch outcome {
            case .settled(let response): response
            case .answered(let response):
                RequirePremiumResponse(revision: response.revision, result: .outcome(.paid))
            }
        guard case .outcome(let paid) = response.result else {
            throw GateError(.internal, .unspecified, saying: localized("The daemon did not say how the paywall ended."))
        }
        try session.output.result(response, at: response.revision, paid.text)
    }
}

struct PaywallRequestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "The same, but only on other screens, and without a command.",
        discussion: "For example: gatectl paywall request premium. If no screen can show it: status 2.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var paywall: PaywallOptions

    func perform(_ session: Session) async throws(GateError) {
        let (gate, request) = (session.gate, RequestPaywallRequest(paywall: paywall.request))
        let response = try await session.waitingForOthers(saysSo: Terminal.ofThisProcess() != nil) {
            () throws(GateError) in
            try await gate.call(Methods.Entitlements.requestPaywall, request, timeout: nil)
        }
        try session.output.result(response, at: response.revision, response.outcome.text)
    }
}

extension PaywallOutcome {
    var text: String {
        switch self {
        case .activeAlready: localized("active already")
        case .paid: localized("paid")
        }
    }
}
