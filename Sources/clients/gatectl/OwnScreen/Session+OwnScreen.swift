import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

/// Turns Gate's own screen on and off, for `screen` and `setup`.
extension Session {
    static let screenUnit = "gate-screen.service"

    /// Whether the screen's unit is installed on this device, and systemd is running.
    static var hasScreenUnit: Bool { SystemdUnit(screenUnit).isInstalled }

    /// Names the screen in the policy, reloads that, starts the unit, and returns what was done, in lines.
    func turnScreenOn(_ file: ScreenPolicyFile) async throws(GateError) -> [String] {
        try Self.requireRoot()
        guard Self.hasScreenUnit else {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized("Gate's own screen is not installed here. docs/install.md says how."))
        }
        var done: [String] = []
        if try file.write() {
            do throws(GateError) {
                _ = try await gate.call(Methods.Control.reload, ReloadRequest())
            } catch {
                _ = try? file.remove()
                throw error
            }
            done.append(localized("{path} names it for passcodes, codes and sign-ins.", ["path": file.path]))
        }
        guard Program.exitStatus(of: ["systemctl", "enable", "--now", Self.screenUnit]) == 0 else {
            throw OwnScreenStart.doesNotStart
        }
        done.append(try OwnScreenStart.ofThisDevice().sentence)
        done.append(localized("`gatectl screen off` takes both back."))
        return done
    }

    func turnScreenOff(_ file: ScreenPolicyFile) async throws(GateError) -> [String] {
        try Self.requireRoot()
        var done: [String] = []
        if Self.hasScreenUnit, Program.exitStatus(of: ["systemctl", "disable", "--now", Self.screenUnit]) == 0 {
            done.append(localized("{unit} is stopped and disabled.", ["unit": Self.screenUnit]))
        }
        if try file.remove() {
            _ = try await gate.call(Methods.Control.reload, ReloadRequest())
            done.append(localized("{path} is removed.", ["path": file.path]))
        }
        return done.isEmpty ? [localized("Gate's own screen was off.")] : done
    }

    /// Asks until a valid word is typed; `nil` if the person typed nothing, and so wants none.
    /// - Throws: `INVALID_ARGUMENT` for an invalid word if there is no terminal to ask again on.
    func askScreenWord(_ prompt: LinePrompt) async throws(GateError) -> ScreenWord? {
        while true {
            let typed = try await prompt.line(localized("The word (2 to 40 characters; empty: none)"))
            if typed.allSatisfy(\.isWhitespace) { return nil }
            do throws(ScreenWord.Problem) {
                return try ScreenWord(typed)
            } catch {
                guard prompt.terminal != nil else {
                    throw GateError(.invalidArgument, .invalidRequest, saying: error.sentence)
                }
                prompt.say(error.sentence)
            }
        }
    }

    func keepScreenWord(_ word: ScreenWord) throws(GateError) {
        try Self.requireRoot()
        guard let group = LocalAccounts.groupID(named: ScreenWord.userName) else {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized("There is no group gate-screen here. Make it with `systemd-sysusers`."))
        }
        try ScreenWordFile().write(word, for: group)
    }

    static func requireRoot() throws(GateError) {
        guard geteuid() == 0 else {
            throw GateError(
                .permissionDenied, .notPermitted, saying: localized("Only root can do that: put `sudo` in front."))
        }
    }
}
