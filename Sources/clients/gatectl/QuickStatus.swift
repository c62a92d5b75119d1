import GateClient
import GateModel
import GateProtocol

/// `gatectl status` without an option, which shells put into their prompts and launchers ask often. Reading the command line
/// and starting an event loop take four times as long as all the rest; here is neither to do.
///
/// Says nothing of its own: whatever is not as usual is left to `StatusVerb`, which asks again and tells what is wrong.
enum QuickStatus {
    /// Whether the answer was printed.
    static func isPrinted(for arguments: [String]) -> Bool {
        guard arguments.dropFirst() == ["status"], let answers = answers() else { return false }
        do throws(GateError) {
            try answers.print(to: Output(isJSON: false))
            return true
        } catch {
            return false
        }
    }

    private static let patience = Duration.seconds(1)

    private static func answers() -> StatusAnswers? {
        do throws(GateError) {
            // A daemon that hangs is waited for by the verb, as long as it always waits.
            let gate = try BlockingGateClient(
                GateClientOptions(programName: "gatectl", connectTimeout: patience, callTimeout: patience))
            return StatusAnswers(
                mode: try gate.call(Methods.Mode.get, GetModeRequest()),
                signIn: try gate.call(Methods.SignIn.get, GetSignInRequest()),
                entitlements: try gate.call(Methods.Entitlements.get, GetEntitlementsRequest()))
        } catch {
            return nil
        }
    }
}
