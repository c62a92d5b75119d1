import GateModel

// The two kinds of a no to an ask. A plain one refuses the same words for a day. "Not until tomorrow" refuses everything
// that the person asks of the same gated action, until the next day begins.

extension GateState {
    /// Records a no to an ask.
    mutating func refuse(
        _ number: UInt64, _ ask: inout AskRecord, _ answer: AskAnswer, _ context: Context,
        _ draft: inout TransitionDraft
    ) {
        var text = text(of: number, ask)
        switch answer {
        case .yes, .no: ask.refused(at: context.wallTime)
        case .notUntilTomorrow:
            ask.refused(untilTomorrow: tomorrow(for: ask.gatedAction, context))
            text += ", not until tomorrow"
        }
        record(.askSet(number, ask), &draft)
        draft.journal(.refused, by: context.peer, text)
        if answer == .notUntilTomorrow { endOthers(than: number, ask, context, &draft) }
    }

    /// What else the person asks of this gated action needs no answer any more, and would keep them from asking.
    private mutating func endOthers(
        than number: UInt64, _ ask: AskRecord, _ context: Context, _ draft: inout TransitionDraft
    ) {
        for (other, waiting) in records.asks.inOrder
        where waiting.state == .waiting && waiting.isAskedLike(ask.gatedAction, of: ask.uid, ask.person) {
            let open = questions(about: waiting)
            endAsk(other, waiting, at: context.wallTime, &draft)
            draft.journal(.refused, by: context.peer, "\(text(of: other, waiting)), not until tomorrow")
            for question in open { end(question.request, .refused, by: context.peer, at: context.now, &draft) }
        }
    }

    /// Until when everything is refused that this person asks of the request's gated action; `nil` if it is not.
    func tomorrow(for request: AuthorizationRequest, of requester: Peer, _ person: GatePerson) -> WallTime? {
        guard !records.asks.isEmpty else { return nil }
        return records.asks.newest {
            $0.state == .untilTomorrow && $0.isAskedLike(request.gatedAction, of: requester.uid, person.name)
        }?.ask.end
    }

    /// When the next day begins: at the time at which the day of an allowance of the gated action begins, and at midnight
    /// without an allowance.
    private func tomorrow(for gatedAction: String, _ context: Context) -> WallTime {
        let conditions = configuration.gatedActions.requirement(of: gatedAction)?.conditions ?? []
        let starts = conditions.compactMap {
            if case .allowance(let allowance) = $0 { allowance.dayStart } else { nil }
        }
        return UsageDay(at: context.wallTime, in: context.zone, start: starts.first ?? 0).times.upperBound
    }

    /// The wall clock was set from `time`, by `step`. The end of each "not until tomorrow" moves with the clock;
    /// otherwise setting the clock forward and back would end it early. An end that is more than a day away or past
    /// stays, because it was written by another clock: one that a boot has got wrong, and that is corrected now.
    mutating func moveTomorrow(from time: WallTime, by step: Duration, _ draft: inout TransitionDraft) {
        let range = time...time.advanced(by: Limits.longestUntilTomorrow)
        for (number, found) in records.asks.all(where: { $1.state == .untilTomorrow && range.contains($1.end) }) {
            var ask = found
            ask.end = ask.end.advanced(by: step)
            record(.askSet(number, ask), &draft)
        }
    }
}

extension AskRecord {
    /// Whether it is an ask of this person for this gated action, with whatever words.
    fileprivate func isAskedLike(_ gatedAction: String, of uid: UInt32, _ person: String) -> Bool {
        self.uid == uid && self.person.hasBytes(of: person) && self.gatedAction == gatedAction
    }
}
