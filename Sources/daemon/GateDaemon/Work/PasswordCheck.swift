import GateCore
import GateCredentials
import GateModel
import NIOConcurrencyHelpers

/// The hash of nobody's password, which a log-in to an account that there is not is compared with.
///
/// It is made once, before the first password is checked, no matter whose that is: so the first check takes longer, and
/// tells no more than any other. An earlier one would cost every start its time and memory, where nobody may ever sign
/// in.
final class PasswordDecoy: Sendable {
    // Not `Mutex`: the thread sanitizer doesn't see its futex, and reports a race.
    private let made = NIOLockedValueBox<PasswordHash?>(nil)

    var isMade: Bool { made.withLockedValue { $0 != nil } }

    /// Slow, the first time; anyone else who needs it meanwhile waits. Never on an event loop.
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
    /// The same work whether there is such an account or not, and whatever was typed. Slow.
    /// - Parameter hash: nil: there is no such account.
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
