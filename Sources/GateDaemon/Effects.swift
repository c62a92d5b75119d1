import GateCore
import GateCredentials
import GateModel
import NIOCore
import NIOPosix

/// What the core asks its surroundings to do, once what it did is durable.
extension Authority {
    /// In order.
    func perform(_ effects: [Effect], of transition: Transition, state: GateState) {
        for effect in effects {
            switch effect {
            case .settle(let wait, let reply):
                guard let answer = waitingCalls.settled(wait) else { continue }
                answer(.success(Settled(reply: reply, revision: transition.revision, state: state)))
            case .checkSecret(let presentation, let check):
                perform(check, for: presentation)
            }
        }
    }

    private func perform(_ check: SecretCheck, for presentation: UInt64) {
        switch check {
        case .totp(let code, let key, let now, let usedStep):
            report(
                .secretChecked(
                    presentation: presentation, SecretOutcome(ofCode: code, key: key, at: now, usedStep: usedStep)),
                as: .daemon)
        case .passcode(let typed, let hash):
            let isTaken = onPasscodeThread {
                SecretOutcome(ofPasscode: typed, hash: hash)
            } then: { [self] outcome in
                report(.secretChecked(presentation: presentation, outcome), as: .daemon)
            }
            if !isTaken { report(.secretChecked(presentation: presentation, .failed), as: .daemon) }
        }
    }

    /// Does slow work with a passcode away from the event loop, and calls `then` on it. False where too many wait for that
    /// already; then nothing is done.
    func onPasscodeThread<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) -> Bool {
        guard passcodesInHand < limits.passcodesAtOnce + limits.passcodesWaiting else {
            statistics.refused += 1
            return false
        }
        passcodesInHand += 1
        passcodeThreads.start()
        let then = NIOLoopBound(then, eventLoop: eventLoop)
        passcodeThreads.submit { [self] state in
            // Cancelled only after the event loop has stopped to take anything.
            guard case .active = state else { return }
            let outcome = work()
            eventLoop.execute {
                self.assumeIsolated {
                    $0.passcodesInHand -= 1
                    then.value(outcome)
                    $0.resumeIdleWaiters()
                }
            }
        }
        return true
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
