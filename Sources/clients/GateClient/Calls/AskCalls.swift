public import GateModel
import GateProtocol

/// Asks: requests that wait for a grown-up's answer. Only a request with `AuthorizationRequest.mayWait` becomes one.
extension GateClient.AuthorizationCalls {
    /// The asks that wait or were answered, sorted by number: those of all people for presenters of grown-ups and for
    /// administrators, and only their own for everybody else.
    public func asks() async throws(GateError) -> [Ask] {
        try await client.allPages(of: Methods.Authorization.listAsks) { ListAsksRequest(pageToken: $0) }
    }

    /// Answers an ask, which then needs no answer on a screen any more. If the program that asked still waits, it gets
    /// the answer at once, and that uses up a yes for `AskChoice.once`. Every other yes lets any program of the same
    /// user do what was asked for, as often and as long as the choice says. A program that takes the answer should say
    /// so.
    ///
    /// - Parameters:
    ///   - number: the ask's number.
    ///   - answer: yes, with one of the ask's `choices`, or no, which also takes back a yes as long as it holds.
    /// - Returns: the revision from which on the answer counts.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) for all but presenters of grown-ups and administrators;
    ///   `NOT_FOUND` (`unknown`) if the ask is over, or already has this answer; `INVALID_ARGUMENT` (`invalidRequest`)
    ///   if the policy does not offer the choice now; `RESOURCE_EXHAUSTED` (`limit`) if too much is allowed for longer
    ///   than once already.
    @discardableResult
    public func answerAsk(_ number: UInt64, _ answer: AskAnswer) async throws(GateError) -> AnsweredAsk {
        let request = AnswerAskRequest(number: number, answer)
        return AnsweredAsk(revision: try await client.call(Methods.Authorization.answerAsk, request).revision)
    }

    /// Answers an ask with the first of its choices, or with no: see `answerAsk(_:_:)`.
    ///
    /// - Parameters:
    ///   - number: the ask's number.
    ///   - isAllowed: true for yes, false for no.
    /// - Returns: the revision from which on the answer counts.
    /// - Throws: as `answerAsk(_:_:)`.
    @discardableResult
    public func answerAsk(_ number: UInt64, isAllowed: Bool) async throws(GateError) -> AnsweredAsk {
        try await answerAsk(number, isAllowed ? .yes() : .no)
    }

    /// Takes an ask back, or the yes to it that holds. For the person who asked, and for administrators.
    ///
    /// - Parameter number: the ask's number.
    /// - Returns: the revision from which on nobody can answer it.
    /// - Throws: `NOT_FOUND` (`unknown`) if the ask is over, was refused, or is one that `asks` does not list for this
    ///   user; `PERMISSION_DENIED` (`notPermitted`) if it is listed, but somebody else asked.
    @discardableResult
    public func withdrawAsk(_ number: UInt64) async throws(GateError) -> WithdrawnAsk {
        let request = WithdrawAskRequest(number: number)
        return WithdrawnAsk(revision: try await client.call(Methods.Authorization.withdrawAsk, request).revision)
    }

    /// Asks a grown-up for more time for a gated action whose schedule is closed, or whose allowance is used up. This
    /// returns at once, with the state of the ask: it waits for an answer, at most until the day ends; or a grown-up
    /// has allowed an amount, which ends at `Ask.ends`; or a grown-up has refused it. The same call finds the ask
    /// again, and `askUpdates` reports the answer. In the last five minutes of a yes it makes a new ask.
    ///
    /// Until a yes ends, the person's schedules and allowances do not close this gated action. Everything else that it
    /// requires still counts, and what is used is counted as used.
    ///
    /// - Parameters:
    ///   - gatedAction: the name of the gated action, like "games.play". Its `moreTime` has to have something in it.
    ///   - choice: how much time the person would like: one of the amounts in `moreTime`, and the one that a yes
    ///     without a choice allows. `nil` leaves the amount to the grown-up.
    /// - Returns: the ask.
    /// - Throws: `FAILED_PRECONDITION` (`denied`) if the policy does not name the gated action; `FAILED_PRECONDITION`
    ///   (`notSetUp`) if it offers no more time, or if nobody on the list of people has this user; `INVALID_ARGUMENT`
    ///   (`invalidRequest`) for an amount that it does not offer; `RESOURCE_EXHAUSTED` (`limit`) if too much was asked.
    public func moreTime(for gatedAction: String, _ choice: AskChoice? = nil) async throws(GateError) -> Ask {
        try await client.call(
            Methods.Authorization.askMoreTime, AskMoreTimeRequest(gatedAction: gatedAction, choice: choice)
        ).ask
    }
}

/// An ask that was answered.
public struct AnsweredAsk: Hashable, Sendable {
    /// The revision from which on the answer counts.
    public var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }
}

/// An ask that was taken back.
public struct WithdrawnAsk: Hashable, Sendable {
    /// The revision from which on it is over.
    public var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }
}
