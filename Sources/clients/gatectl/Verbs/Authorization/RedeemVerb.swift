import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct RedeemVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "redeem",
        abstract: localized("Use up a grant that somebody else got for this user."),
        discussion: """
            This is for the program that carries out the action. It reads the proof that `gatectl authorize \
            --redeemer` has printed, from standard input, because everybody could see it on the command line. Status \
            0: do it now, once; 1: there is no such grant, or it is for something else.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("What is about to be done: photos.delete.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gatedAction: String

    @Option(help: ArgumentHelp("The details, exactly as they were asked for.", valueName: "text"))
    var details = ""

    func perform(_ session: Session) async throws(GateError) {
        let proof = try Self.proof(from: try await Self.standardInput())
        let request = RedeemRequest(proof: proof, gatedAction: gatedAction, details: details)
        let response = try await session.gate.call(Methods.Authorization.redeem, request)
        try session.output.result(
            response, at: response.revision,
            localized(
                "taken; uid {uid} pid {process} had asked",
                ["uid": "\(response.requesterUID)", "process": "\(response.requesterPID)"]))
    }

    /// The first line of standard input; empty if there is none.
    private static func standardInput() async throws(GateError) -> String {
        let prompt = try LinePrompt(readsStandardInput: true, orElse: "")
        do throws(GateError) {
            return try await prompt.line("Proof")
        } catch {
            guard error.reason == .dismissed else { throw error }
            return ""
        }
    }

    /// - Throws: `INVALID_ARGUMENT`, whose message repeats nothing of the line.
    static func proof(from line: String) throws(GateError) -> Grant.Proof {
        let digits = line.split { $0.isWhitespace }
        guard digits.count == 1, let bytes = Hex.decoded(digits[0]), bytes.count == Grant.Proof.byteCount else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "Standard input holds no proof: one line of {count} hexadecimal digits.",
                    ["count": "\(Grant.Proof.byteCount * 2)"]))
        }
        return Grant.Proof(bytes: bytes)
    }
}
