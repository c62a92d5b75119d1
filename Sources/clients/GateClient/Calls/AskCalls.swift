public import GateModel
import GateProtocol

/// Asks: requests that wait for a grown-up's answer. Only a request with `AuthorizationRequest.mayWait` becomes one.
extension GateClient.AuthorizationCalls {
    /// The asks that wait or were answered, sorted by number: those of all people for presenters of grown-ups and for
    /// administrators, and only their own for everybody else.
    public func asks() async throws(GateError) -> [Ask] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(Methods.Authorization.listAsks, ListAsksRequest(pageToken: token))
        }
    }

    /// Answers an ask, which then needs no answer on a screen any more. If the program that asked still waits, it gets
    /// the answer at once. Otherwise a yes lets the person do once what they asked for, and expires after as long as
    /// the policy lets the question wait.
    ///
    /// - Parameters:
    ///   - number: the ask's number.
    ///   - isAllowed: true for yes. False for no, which also takes back a yes that was not used.
    /// - Returns: the revision from which on the answer counts.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) for all but presenters of grown-ups and administrators;
    ///   `NOT_FOUND` (`unknown`) if the ask is over, or already has this answer.
    @discardableResult
    public func answerAsk(_ number: UInt64, isAllowed: Bool) async throws(GateError) -> AnsweredAsk {
        let request = AnswerAskRequest(number: number, isAllowed: isAllowed)
        return AnsweredAsk(revision: try await client.call(Methods.Authorization.answerAsk, request).revision)
    }

    /// Takes an ask back, or the yes to it that was not used. For the person who asked, and for administrators.
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
