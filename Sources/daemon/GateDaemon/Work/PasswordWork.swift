import GateCore
import GateCredentials
import GateModel
import Logging

/// Counts the passwords and passcodes that are being hashed or wait for that, for each owner, so that one user can't
/// keep others from signing in.
struct HashingBill: Hashable, Sendable {
    private var count = 0
    private var countOfUser: [Owner: Int] = [:]

    var isEmpty: Bool { count == 0 }

    /// Counts one more hash for this peer. Returns false if there are too many in all, or too many of this peer's
    /// owner. For administrators and the daemon itself, only the total counts.
    mutating func began(for peer: Peer, limits: DaemonLimits) -> Bool {
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

/// Hashes passwords and passcodes away from the event loop. Confined to that loop.
final class PasswordWork {
    /// Somebody who guesses keeps these threads busy; the event loop takes precedence.
    static let niceness: CInt = 10

    private let context: LoopContext
    private let threads: any BlockingThreads
    private let decoy: PasswordDecoy
    private var bill = HashingBill()

    init(_ context: LoopContext, threads: any BlockingThreads, decoy: PasswordDecoy) {
        (self.context, self.threads, self.decoy) = (context, threads, decoy)
    }

    /// Does the work, then calls `then`. Returns false and does nothing if too much work waits already.
    func submit<Outcome: Sendable>(
        for peer: Peer, _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) -> Bool {
        guard bill.began(for: peer, limits: context.limits) else {
            context.statistics.refused += 1
            return false
        }
        context.openWork.began()
        threads.submit(on: context.eventLoop, work) { [self] in
            bill.ended(for: peer.owner)
            then($0)
            context.openWork.ended()
        }
        return true
    }

    /// Hashes a new password or passcode, then calls `then`, unless the call has ended meanwhile.
    func hash<Hash: Sendable, Response>(
        for call: Call<Response>,
        _ hash: @escaping @Sendable (inout SystemRandomNumberGenerator) throws(CredentialError) -> Hash,
        then: @escaping (Hash) -> Void
    ) {
        let isTaken = submit(for: call.peer) {
            // The salt comes from the system's generator. The state's own generator may be one that repeats, in tests.
            var random = SystemRandomNumberGenerator()
            return Result { () throws(CredentialError) in try hash(&random) }
        } then: { [context] (hashed: Result<Hash, CredentialError>) in
            guard call.caller.isWaiting else { return }
            switch hashed {
            case .failure(let error):
                context.logger.error("a password could not be hashed: \(error)")
                call.fail(GateError(.internal, .failed, error.description))
            case .success(let hash):
                then(hash)
            }
        }
        if !isTaken { call.fail(.tooManyPasswords) }
    }

    /// Checks a password. The outcome is `failed` if too many are being checked already.
    func check(_ typed: GateSecret, against hash: String?, for peer: Peer, then: @escaping (PasswordOutcome) -> Void) {
        let isTaken = submit(for: peer, { [decoy] in PasswordOutcome(of: typed, hash: hash, decoy: decoy) }, then: then)
        if !isTaken { then(.failed) }
    }

    /// Checks a passcode, or an authenticator's code. A code is checked at once, since that takes no time.
    func perform(_ check: SecretCheck, for peer: Peer, then: @escaping (SecretOutcome) -> Void) {
        switch check {
        case .totp(let code, let key, let now, let usedStep):
            then(SecretOutcome(ofCode: code, key: key, at: now, usedStep: usedStep))
        case .passcode(let typed, let hash):
            let isTaken = submit(for: peer, { SecretOutcome(ofPasscode: typed, hash: hash) }, then: then)
            if !isTaken { then(.failed) }
        }
    }
}

extension SecretOutcome {
    init(ofPasscode typed: GateSecret, hash: String) {
        do throws(CredentialError) {
            self = try PasscodeHash(text: hash).matches(typed) ? .right(step: nil) : .wrong
        } catch {
            self = .failed
        }
    }

    init(ofCode code: GateSecret, key: GateSecret, at now: WallTime, usedStep: UInt64) {
        do throws(CredentialError) {
            let step = try TOTPKey(key).step(of: code, at: now, usedStep: usedStep)
            self = step.map { .right(step: $0) } ?? .wrong
        } catch {
            self = .failed
        }
    }
}

extension GateError {
    fileprivate static let tooManyPasswords = GateError(
        .resourceExhausted, .limit, "Too many passwords are being checked just now. Try again.",
        parameters: ["what": "passwords"])
}
