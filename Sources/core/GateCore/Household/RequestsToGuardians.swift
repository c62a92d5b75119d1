package import GateModel

/// The rules of a device that asks. If the policy leaves a question to grown-ups (`answered-by: grown-up`), and it does
/// not ask for a secret, a guardian may also answer it on another device. The first answer counts.
extension GateState {
    package var brokersConnection: UInt64? { householdBook.reaching }

    /// Whether guardians on other devices can be asked: a connection reaches the broker, and the list has another
    /// device with a guardian. If the connection is lost later, questions stay open, because it may be back in time.
    var canAskGuardians: Bool { brokersConnection != nil && hasGuardiansElsewhere }

    var hasGuardiansElsewhere: Bool {
        guard let settings = configuration.household else { return false }
        return householdList?.members.contains { $0.isGuardians && $0.id != settings.device && !$0.sealingKey.isEmpty }
            ?? false
    }

    package var requestsForGuardians: [RequestForGuardians] {
        guard hasGuardiansElsewhere, quarantinedFile == nil else { return [] }
        let open: [RequestForGuardians] = queue.open.compactMap { open in
            guard isForGuardians(open), case .challenge(let specification) = open.step, let words = words(of: open)
            else {
                return nil
            }
            return RequestForGuardians(words: words, kind: specification.kind, deadline: open.deadline)
        }
        return asksForGuardians + open
    }

    /// The question of the presentation with this id as guardians read it; `nil` if guardians are not asked.
    package func wordsForGuardians(_ id: UInt64) -> RequestWords? {
        queue.presentation(id).flatMap { isForGuardians($0) ? words(of: $0) : nil }
    }

    private func words(of open: QueuedPresentation) -> RequestWords? {
        configuration.household.map {
            RequestWords(
                household: $0.household, device: $0.device, number: open.id, purpose: open.purpose, asked: open.asked)
        }
    }

    /// Whether guardians elsewhere may answer this presentation. A question of another device is not passed on.
    private func isForGuardians(_ open: QueuedPresentation) -> Bool {
        open.step.isForGuardians && open.asked.device.isEmpty
    }

    /// `nil` if the guardian's answer counts. `shown`: the SHA-256 of this device's question with that number; `nil`:
    /// no such question is open.
    func refusal(of answer: RequestAnswer, shown: [UInt8]?) -> CommandResult.Refusal? {
        guard let shown, wordsForGuardians(answer.number) != nil else {
            return CommandResult.Refusal(
                .closed, "That question is no longer open: it was answered, was taken back, or has expired.")
        }
        guard shown == answer.shown else {
            return CommandResult.Refusal(
                .shown, "The device asks something else than what was shown. Look at the question again.")
        }
        return nil
    }

    /// Applies a guardian's answer, which was checked before.
    mutating func take(
        _ answer: RequestAnswer, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        guard let open = queue.presentation(answer.number) else { return }
        if answer.isApproved {
            _ = answeredRight(open, by: context.peer, &context, &draft)
        } else {
            end(open.request, .refused, by: context.peer, at: context.now, &draft)
        }
    }
}

package struct RequestForGuardians: Hashable, Sendable {
    package var words: RequestWords
    package var kind: Challenge.Kind
    /// For an ask `never`: it ends by the wall clock, at `words.ask?.until`.
    package var deadline: BootTime
    /// When an ask was asked; `nil` for a question of an open call.
    package var askedAt: WallTime?

    /// How long it remains open.
    package func left(at now: BootTime, _ time: WallTime) -> Duration {
        words.ask.map { $0.until.duration(since: time) } ?? now.duration(to: deadline)
    }
}
