import GateCore
import GateCredentials
import GateModel
import NIOConcurrencyHelpers

/// The hash of a random password, which belongs to no account. If an account does not exist, what is typed is compared
/// with this hash, so that the attempt takes as long as for an account that exists. It is made before the first
/// password is checked, whether the account exists or not. So the first check takes longer, but reveals no more than
/// others. Making it at the start would cost time and memory on devices where nobody ever signs in.
final class PasswordDecoy: Sendable {
    // Not `Mutex`: the thread sanitizer does not see its futex and reports a race.
    private let made = NIOLockedValueBox<PasswordHash?>(nil)

    var isMade: Bool { made.withLockedValue { $0 != nil } }

    /// Slow the first time, and others that need it meanwhile block. Never call this on an event loop.
    func hash() throws(CredentialError) -> PasswordHash {
        try made.withLockedValue { made in
            Result { () throws(CredentialError) in
                if let made { return made }
                var random = SystemRandomNumberGenerator()
                let new = try PasswordHash.ofNobody(using: &random)
                made = new
                return new
            }
        }.get()
    }
}

extension PasswordOutcome {
    /// Checks a password. Slow. It takes the same work whether the account exists or not, and whatever was typed.
    /// - Parameter hash: `nil` if there is no such account.
    init(of typed: GateSecret, hash: String?, decoy: PasswordDecoy) {
        do throws(CredentialError) {
            let nobodys = try decoy.hash()
            let isRight = try (hash.map { PasswordHash(text: $0) } ?? nobodys).matches(typed)
            self = isRight && hash != nil ? .right : .wrong
        } catch {
            self = .failed
        }
    }
}
