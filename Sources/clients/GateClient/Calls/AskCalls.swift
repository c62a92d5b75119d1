public import GateModel
import GateProtocol

/// Requests that wait for a grown-up. `AuthorizationRequest.mayWait` makes one.
extension GateClient.AuthorizationCalls {
    /// The asks of this user that wait or were answered, by number; for grown-ups who may answer, those of all people.
    public func asks() async throws(GateError) -> [Ask] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(Methods.Authorization.listAsks, ListAsksRequest(pageToken: token))
        }
    }

    /// Answers an ask in the place of a grown-up's screen. After a yes the person who asked can do it once, within as
    /// long as the policy lets the question wait.
    ///
    /// - Parameters:
    ///   - number: the ask's number.
    ///   - isAllowed: false: no. It also takes back a yes that was not used.
    /// - Returns: the revision from which on the answer counts.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) for all but presenters of grown-ups and administrators;
    ///   `NOT_FOUND` (`unknown`) if it is over, or was answered so already.
    @discardableResult
    public func answerAsk(_ number: UInt64, isAllowed: Bool) async throws(GateError) -> AnsweredAsk {
        let request = AnswerAskRequest(number: number, isAllowed: isAllowed)
        return AnsweredAsk(revision: try await client.call(Methods.Authorization.answerAsk, request).revision)
    }

    /// Takes an ask back, or the yes to it that was not used. For the person who asked, and for administrators.
    ///
    /// - Parameter number: the ask's number.
    /// - Returns: the revision from which on nobody can answer it.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) if it is somebody else's; `NOT_FOUND` (`unknown`) if it is over
    ///   or was refused.
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
