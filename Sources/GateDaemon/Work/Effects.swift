import GateCore
import GateCredentials
import GateModel

/// The effects of the core on its surroundings, once they are durable.
extension Authority {
    /// In order.
    /// - Parameter peer: whose command it was; work that is slow is on its bill.
    func perform(_ effects: [Effect], of transition: Transition, by peer: Peer, state: GateState) {
        for effect in effects {
            switch effect {
            case .settle(let wait, let reply):
                guard let answer = waitingCalls.settled(wait) else { continue }
                answer(.success(Settled(reply: reply, revision: transition.revision, state: state)))
            case .checkSecret(let presentation, let check):
                perform(check, for: presentation, by: peer)
            case .checkPassword(let id, let typed, let hash):
                let isTaken = onPasswordThread(for: peer) { [passwordDecoy] in
                    PasswordOutcome(of: typed, hash: hash, decoy: passwordDecoy)
                } then: { [self] outcome in
                    report(.passwordChecked(id, outcome), as: .daemon)
                }
                if !isTaken { report(.passwordChecked(id, .failed), as: .daemon) }
            }
        }
    }

    private func perform(_ check: SecretCheck, for presentation: UInt64, by peer: Peer) {
        switch check {
        case .totp(let code, let key, let now, let usedStep):
            report(
                .secretChecked(
                    presentation: presentation, SecretOutcome(ofCode: code, key: key, at: now, usedStep: usedStep)),
                as: .daemon)
        case .passcode(let typed, let hash):
            let isTaken = onPasswordThread(for: peer) {
                SecretOutcome(ofPasscode: typed, hash: hash)
            } then: { [self] outcome in
                report(.secretChecked(presentation: presentation, outcome), as: .daemon)
            }
            if !isTaken { report(.secretChecked(presentation: presentation, .failed), as: .daemon) }
        }
    }
}

extension SecretOutcome {
    init(ofPasscode typed: Secret, hash: String) {
        do throws(CredentialError) {
            self = try PasscodeHash(text: hash).matches(typed) ? .right(step: nil) : .wrong
        } catch {
            self = .failed
        }
    }

    init(ofCode code: Secret, key: Secret, at now: WallTime, usedStep: UInt64) {
        do throws(CredentialError) {
            let step = try TOTPKey(key).step(of: code, at: now, usedStep: usedStep)
            self = step.map { .right(step: $0) } ?? .wrong
        } catch {
            self = .failed
        }
    }
}
