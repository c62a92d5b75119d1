import GateClient
import GateProtocol

/// Answers `gatectl status` without options quickly, since shells put it into their prompts and launchers ask often. It
/// skips the parser of the command line and the event loop, whose start takes four times as long as all the rest. It
/// prints no errors. If anything is unusual, `StatusVerb` asks again and says what is wrong.
enum QuickStatus {
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
            // Short, because `StatusVerb` still waits as long as usual for a daemon that hangs.
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
