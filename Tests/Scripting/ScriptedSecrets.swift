import GateCore
import GateCredentials
public import GateModel

/// The secrets of scripts, and how they are checked: with the same libraries as the daemon's.
public enum ScriptedSecrets {
    /// The authenticator's.
    public static let key = GateSecret("a key of scripts alone, 32 bytes".utf8)

    public static func step(at moment: WallTime) -> UInt64 { TOTPKey.step(at: moment) }

    /// The code that the authenticator shows.
    public static func code(at moment: WallTime) throws -> String {
        let code = try TOTPKey(key).code(at: step(at: moment))
        return code.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The hash that the daemon keeps of a passcode.
    static func hash(of passcode: String) throws -> String {
        var random = SystemRandomNumberGenerator()
        return try PasscodeHash(of: GateSecret(passcode.utf8), using: &random).text
    }

    static func outcome(of password: GateSecret, hash: String?) -> PasswordOutcome {
        guard let hash else { return .wrong }
        do {
            return try PasswordHash(text: hash).matches(password) ? .right : .wrong
        } catch {
            return .failed
        }
    }

    static func outcome(of check: SecretCheck) -> SecretOutcome {
        do {
            switch check {
            case .passcode(let typed, let hash):
                return try PasscodeHash(text: hash).matches(typed) ? .right(step: nil) : .wrong
            case .totp(let typed, let key, let moment, let usedStep):
                let step = try TOTPKey(key).step(of: typed, at: moment, usedStep: usedStep)
                return step.map { .right(step: $0) } ?? .wrong
            }
        } catch {
            return .failed
        }
    }
}
