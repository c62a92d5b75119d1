import GateCore
import GateCredentials
import GateModel
import Logging
import NIOCore

/// How many passwords and passcodes are being hashed, or wait for it, and for whom: nobody may keep all others from signing
/// in by asking for much.
struct HashingBill: Hashable, Sendable {
    private var count = 0
    private var countOfUser: [Owner: Int] = [:]

    var isEmpty: Bool { count == 0 }

    /// Puts one more on the bill of the one who asked for it. False where there are too many: of all, or of this user. An
    /// administrator, and the daemon itself, may have as many as there are.
    mutating func began(for peer: Peer, limits: Limits) -> Bool {
        guard count < limits.passwordsAtOnce + limits.passwordsWaiting else { return false }
        let ofUser = countOfUser[peer.owner, default: 0]
        guard peer.roles.contains(.administrator) || ofUser < limits.passwordsPerUser else { return false }
        count += 1
        countOfUser[peer.owner] = ofUser + 1
        return true
    }

    mutating func ended(for owner: Owner) {
        guard let ofUser = countOfUser[owner] else { preconditionFailure("the hashing for a user ended twice") }
        count -= 1
        countOfUser[owner] = ofUser > 1 ? ofUser - 1 : nil
    }
}

extension Authority {
    /// Anyone who guesses keeps two threads busy; the event loop comes before them.
    static let passwordNiceness: CInt = 10

    /// Does slow work with a password or a passcode away from the event loop, and calls `then` on it. False where too many
    /// wait for that already; then nothing is done.
    /// - Parameter peer: who asked for it.
    func onPasswordThread<Outcome: Sendable>(
        for peer: Peer, _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) -> Bool {
        guard hashingBill.began(for: peer, limits: limits) else {
            statistics.refused += 1
            return false
        }
        let (then, owner) = (NIOLoopBound(then, eventLoop: eventLoop), peer.owner)
        passwordThreads.submit { [self] in
            let outcome = work()
            eventLoop.execute {
                self.assumeIsolated {
                    $0.hashingBill.ended(for: owner)
                    then.value(outcome)
                    $0.resumeIdleWaiters()
                }
            }
        }
        return true
    }

    /// Hashes what a call sets up, then goes on, unless the caller is gone or took it back.
    func hash<Hash: Sendable, Response>(
        for call: Call<Response>,
        _ hash: @escaping @Sendable (inout SystemRandomNumberGenerator) throws(CredentialError) -> Hash,
        then: @escaping (Hash) -> Void
    ) {
        let isTaken = onPasswordThread(for: call.peer) {
            // The salt is not the state's business: it comes from the system, not from what scripts repeat.
            var random = SystemRandomNumberGenerator()
            return Result { () throws(CredentialError) in try hash(&random) }
        } then: { [logger] (hashed: Result<Hash, CredentialError>) in
            guard call.caller.isWaiting else { return }
            switch hashed {
            case .failure(let error):
                logger.error("a password could not be hashed: \(error)")
                call.fail(GateError(.internal, .failed, error.description))
            case .success(let hash):
                then(hash)
            }
        }
        if !isTaken {
            call.fail(
                GateError(
                    .resourceExhausted, .limit, "Too many passwords are being checked just now. Try again.",
                    parameters: ["what": "passwords"]))
        }
    }
}
