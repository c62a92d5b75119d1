import GateModel

/// Whether the typed text was the secret.
public enum SecretOutcome: Hashable, Sendable {
    /// `step`: the time step of a code; `nil` for a passcode.
    case right(step: UInt64?)
    case wrong
    /// The check itself failed, so nothing is counted.
    case failed
}

/// The checks of typed secrets. Hashing is slow and needs libraries, so the daemon does it (`Effect.checkSecret`) and
/// reports the outcome as `PresentationCommand.secretChecked`.
extension GateState {
    mutating func beginCheck(
        of secret: GateSecret, asked challenge: Challenge.Kind, _ open: QueuedPresentation, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard let kind = SecretKind(asking: challenge) else {
            preconditionFailure("only the answers to secrets are checked elsewhere")
        }
        if let refusal = guessRefusal(at: kind, askedBy: open.requester, for: context.peer) { throw refusal }
        let reference: SecretReference
        switch kind {
        case .passcode:
            guard let hash = records.passcodeHash else { throw .notSetUp(kind) }
            reference = .passcode(hash: hash)
            draft.check(.passcode(secret, hash: hash), presentation: open.id)
        case .totp:
            guard let totp = records.totp else { throw .notSetUp(kind) }
            reference = .totp(key: totp.key)
            draft.check(
                .totp(secret, key: totp.key, at: context.wallTime, usedStep: totp.usedStep), presentation: open.id)
        }
        let (wait, guess) = (requests.callWaits(), guessKey(at: kind, askedBy: open.requester, of: context.peer))
        guessBegan(at: guess, &draft)
        queue.update(open.id) {
            $0.checkBegan(
                QueuedPresentation.Check(
                    requester: open.requester, answerer: context.peer, wait: wait, reference: reference, guess: guess))
        }
        return .waiting(wait)
    }

    /// Takes the outcome of a check. If the question is gone, the outcome still counts as a guess, and has no other
    /// effect.
    mutating func secretChecked(
        _ id: UInt64, _ outcome: SecretOutcome, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Reply {
        guard let check = changeOffers(&draft, { $0.checkEnded(of: id, at: context.now) }) else { return .done }
        draft.author = check.answerer
        let judged = judged(outcome, against: check.reference)
        switch judged {
        case .right(let step):
            useUp(step, &draft)
            guessWasRight(
                at: check.guess, check.reference.kind, askedBy: check.requester, by: check.answerer, &draft)
        case .wrong: break
        case .failed: guessTakenBack(at: check.guess, &draft)
        }
        guard let open = queue.presentation(id) else { return .done }
        let reply: Reply
        switch judged {
        case .right: reply = answeredRight(open, by: check.answerer, &context, &draft)
        case .wrong: reply = answeredWrong(open, by: check.answerer, at: context.now, &draft)
        case .failed:
            // Its presenter may have gone during the check, and nobody else may be able to show it. No peer is charged
            // for that.
            redecide(by: nil, at: context.now, &context, &draft)
            reply = .refused(.checkFailed)
        }
        draft.settle(check.wait, reply)
        return .done
    }

    /// The outcome that counts. It is a failed check if the secret was replaced meanwhile, and wrong if the code has
    /// been used since.
    private func judged(_ outcome: SecretOutcome, against reference: SecretReference) -> SecretOutcome {
        switch (outcome, reference) {
        case (.failed, _):
            return .failed
        case (.right, .passcode(let hash)), (.wrong, .passcode(let hash)):
            return records.passcodeHash == hash ? outcome : .failed
        case (.wrong, .totp(let key)):
            return records.totp?.key == key ? .wrong : .failed
        case (.right(let step), .totp(let key)):
            guard let totp = records.totp, totp.key == key else { return .failed }
            return step.map { $0 > totp.usedStep } ?? false ? outcome : .wrong
        }
    }

    /// Marks the code of this time step as used, since each code is good once.
    private mutating func useUp(_ step: UInt64?, _ draft: inout TransitionDraft) {
        guard let step, let totp = records.totp else { return }
        record(.totpSet(TOTPEnrolment(key: totp.key, usedStep: max(step, totp.usedStep))), &draft)
    }
}
