package import GateModel

/// The rules of a device that asks: a question that the policy leaves to grown-ups (`answered-by: grown-up`), and that is no secret's, may be
/// answered by a guardian elsewhere, too (H-04). The first answer counts.
extension GateState {
    /// The connection that has a broker for the household's words; `nil`: none has.
    package var brokersConnection: UInt64? { householdBook.reaching }

    /// Whether guardians are asked what is for grown-ups: something carries it, and the list has a guardian's device beside this one.
    /// What they were asked stays open where the broker is lost: it may be back before the time is over.
    var canAskGuardians: Bool { brokersConnection != nil && hasGuardiansElsewhere }

    var hasGuardiansElsewhere: Bool {
        guard let settings = configuration.household else { return false }
        return householdList?.members.contains { $0.isGuardians && $0.id != settings.device && !$0.sealingKey.isEmpty }
            ?? false
    }

    /// The questions that guardians may answer elsewhere, in their order.
    package var requestsForGuardians: [RequestForGuardians] {
        guard hasGuardiansElsewhere, quarantinedFile == nil else { return [] }
        return queue.open.compactMap { open in
            guard isForGuardians(open), case .challenge(let specification) = open.step, let words = words(of: open)
            else {
                return nil
            }
            return RequestForGuardians(words: words, kind: specification.kind, deadline: open.deadline)
        }
    }

    /// The words of the presentation with this id, as guardians read them; `nil`: no guardian is asked.
    package func wordsForGuardians(_ id: UInt64) -> RequestWords? {
        queue.presentation(id).flatMap { isForGuardians($0) ? words(of: $0) : nil }
    }

    private func words(of open: QueuedPresentation) -> RequestWords? {
        configuration.household.map {
            RequestWords(
                household: $0.household, device: $0.device, number: open.id, purpose: open.purpose, asked: open.asked)
        }
    }

    /// Whether guardians are asked it: a question that came from another device is not asked on.
    private func isForGuardians(_ open: QueuedPresentation) -> Bool {
        open.step.isForGuardians && open.asked.device.isEmpty
    }

    /// Why a guardian's answer counts for nothing; `nil`: it counts.
    ///
    /// - Parameter shown: the SHA-256 of what this device asks under that number; `nil`: it asks nothing.
    func refusal(of answer: RequestAnswer, shown: [UInt8]?) -> CommandResult.Refusal? {
        guard let shown, wordsForGuardians(answer.number) != nil else {
            return CommandResult.Refusal(
                .closed, "That question is not open any more: it was answered, taken back, or its time is over.")
        }
        guard shown == answer.shown else {
            return CommandResult.Refusal(.shown, "The device has asked something else than what was shown.")
        }
        return nil
    }

    /// Does what the guardian has said; whether it counts was checked.
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

/// A question of this device that guardians may answer elsewhere.
package struct RequestForGuardians: Hashable, Sendable {
    package var words: RequestWords
    package var kind: Challenge.Kind
    package var deadline: BootTime
}
