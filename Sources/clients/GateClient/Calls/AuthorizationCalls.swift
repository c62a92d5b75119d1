public import GateModel
package import GateProtocol

extension GateClient {
    /// Calls about gated actions.
    public struct AuthorizationCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.AuthorizationCalls {
    /// Whether an authorization would be granted now, and what is missing for it. It shows nothing and changes nothing.
    /// An action that the policy does not name is denied.
    ///
    /// - Parameter subject: for a broker: the process that would act; `nil`: this one.
    /// - Throws: with a subject, `PERMISSION_DENIED` (`notPermitted`) if this user is not a broker, and `NOT_FOUND`
    ///   (`unknown`) if there is no such process.
    public func check(
        _ gatedAction: String, for subject: Subject? = nil
    ) async throws(GateError) -> AuthorizationOutlook {
        try await check(AuthorizationRequest(gatedAction: gatedAction, subject: subject))
    }

    /// Whether this request would be granted now, and what is missing for it, like `check(_:for:)`. In addition, a
    /// grown-up's yes to exactly its details counts, if it can be used any number of times: a check uses nothing up.
    ///
    /// - Throws: the errors of `check(_:for:)`.
    public func check(_ request: AuthorizationRequest) async throws(GateError) -> AuthorizationOutlook {
        let request = CheckRequest(
            gatedAction: request.gatedAction, subject: request.subject, details: request.details)
        return try await client.call(Methods.Authorization.check, request).outlook
    }

    /// Asks for a grant, which this program or the owner of the resource can redeem once. The grant ends after a
    /// minute, or with this client's connection.
    ///
    /// A presenter of the device shows the questions; if none can, this program does. The call waits for the answers
    /// without a time limit. Cancelling the task withdraws the request. If a question shown by this program is
    /// withdrawn because the state has changed, the request is made once more.
    ///
    /// - Parameters:
    ///   - request: the gated action, what exactly is going to be done, and who redeems the grant.
    ///   - present: shows a question in this program. `nil`: this program can't show any.
    /// - Throws: `FAILED_PRECONDITION` (`denied`, `outOfHours`, `wrongAnswer`, `refused`, `notSetUp`); `ABORTED` with
    ///   `noPresenter` if a person has to be asked and can't be, or with `notParent` if parent mode is required;
    ///   `CANCELLED` (`dismissed`); `DEADLINE_EXCEEDED` (`expired`); `RESOURCE_EXHAUSTED` (`lockedOut`,
    ///   `guessesUsedUp`, `limit`); `INVALID_ARGUMENT` if the details are not one line. If the request may wait, also
    ///   `FAILED_PRECONDITION` (`asked`): the question waits, as the ask whose number is the parameter "ask". The same
    ///   request finds the answer later: it is granted, or refused with `refused`.
    public func grant(
        _ request: AuthorizationRequest, presenting present: PresentationHandler? = nil
    ) async throws(GateError) -> Grant {
        let begun = try await beginGrant(request, Presenting(present))
        do throws(GateError) {
            return try await begun.outcome(presenting: present, of: Self.grant)
        } catch {
            // The question that was shown here was withdrawn, because the state has changed and may decide otherwise.
            guard begun.presentation != nil, error.isOfAnotherState, !Task.isCancelled else { throw error }
            return try await beginGrant(request, Presenting(present)).outcome(presenting: present, of: Self.grant)
        }
    }

    /// Begins a request for a grant whose questions this program shows, even if presenters of the device could.
    ///
    /// - Throws: the errors of `grant`, except those that answers lead to.
    public func beginGrant(_ request: AuthorizationRequest) async throws(GateError) -> BegunRequest<Grant> {
        try await beginGrant(request, .here)
    }

    private func beginGrant(
        _ request: AuthorizationRequest, _ presenting: Presenting
    ) async throws(GateError) -> BegunRequest<Grant> {
        let (response, open) = try await client.begin(
            Methods.Authorization.authorize, AuthorizeRequest(request: request, presenting: presenting), presenting
        ) { $0.presentation }
        if let open { return .open(open) }
        guard let grant = response.grant else { throw Self.noGrantSent }
        return .settled(grant)
    }

    private static func grant(of completion: PresentationCompletion) throws(GateError) -> Grant {
        guard let grant = completion.grant else { throw noGrantSent }
        return grant
    }

    private static let noGrantSent = GateError(
        .internal, .unspecified,
        "The daemon sent no grant and no reason. Are gated and this program of the same version?")

    /// Redeems a grant, once, for exactly the action and details that it was given for. Only the redeemer that its
    /// request named may do this; if it named none, only the client that got the grant.
    ///
    /// - Parameters:
    ///   - proof: the grant's proof, from the requester.
    ///   - details: exactly the text that the person was shown.
    /// - Returns: the process that requested the grant, as the kernel attests it.
    /// - Throws: `FAILED_PRECONDITION` (`noGrant`) if the grant is used up or expired, or is for something else;
    ///   `PERMISSION_DENIED` (`notPermitted`) if another user or another client has to redeem it.
    @discardableResult
    public func redeem(
        _ proof: Grant.Proof, gatedAction: String, details: String
    ) async throws(GateError) -> GrantRequester {
        let request = RedeemRequest(proof: proof, gatedAction: gatedAction, details: details)
        let response = try await client.call(Methods.Authorization.redeem, request)
        return GrantRequester(uid: response.requesterUID, pid: response.requesterPID)
    }

    /// The policy's gated actions, by name.
    public func gatedActions() async throws(GateError) -> [GatedActionSummary] {
        try await client.allPages(of: Methods.Authorization.listGatedActions) { ListGatedActionsRequest(pageToken: $0) }
    }

    /// The rule before a gated action, with its odds. If the rule has too many conditions for one answer, or the policy
    /// does not name the action any more, the result has only what the list says.
    package func rule(of gatedAction: GatedActionSummary) async throws(GateError) -> GateRule {
        do throws(GateError) {
            let response = try await client.call(
                Methods.Authorization.getGatedAction, GetGatedActionRequest(name: gatedAction.name))
            return GateRule(
                gatedAction: gatedAction, strength: response.strength, requirement: Requirement(response.conditions))
        } catch {
            guard error.reason == .limit || error.code == .notFound else { throw error }
            return GateRule(gatedAction: gatedAction, strength: nil)
        }
    }

    /// The kept grants of this user; for administrators, those of all users.
    public func keptGrants() async throws(GateError) -> [KeptGrantSummary] {
        try await client.allPages(of: Methods.Authorization.listGrants) { ListGrantsRequest(pageToken: $0) }
    }

    /// Ends kept grants, so that people are asked again. What grown-ups have allowed in answer to asks stays: `asks`
    /// lists it, and `answerAsk` takes it back.
    ///
    /// - Parameters:
    ///   - gatedAction: `nil`: all of them.
    ///   - uid: the user whose grants end; `nil`: this one. Only administrators may name another user.
    @discardableResult
    public func revokeGrants(
        for gatedAction: String? = nil, of uid: UInt32? = nil
    ) async throws(GateError) -> RevokedGrants {
        let request = RevokeRequest(uid: uid, gatedAction: gatedAction ?? "")
        let response = try await client.call(Methods.Authorization.revoke, request)
        return RevokedGrants(count: response.count, revision: response.revision)
    }

    /// The counted wrong answers and the lockouts of all users. For administrators.
    public func lockouts() async throws(GateError) -> [LockoutSummary] {
        try await client.allPages(of: Methods.Authorization.listLockouts) { ListLockoutsRequest(pageToken: $0) }
    }

    /// Resets the counters of wrong answers, which ends lockouts. For administrators.
    ///
    /// - Parameters:
    ///   - uid: `nil`: all users.
    ///   - gate: where the wrong answers were given; `nil`: anywhere. `Lockout.Gate(text:)` reads what a person types.
    @discardableResult
    public func clearLockouts(
        of uid: UInt32? = nil, at gate: Lockout.Gate? = nil
    ) async throws(GateError) -> ClearedLockouts {
        let request = ClearLockoutRequest(uid: uid, gate: gate)
        let response = try await client.call(Methods.Authorization.clearLockout, request)
        return ClearedLockouts(count: response.count, revision: response.revision)
    }
}

/// Kept grants that were ended.
public struct RevokedGrants: Hashable, Sendable {
    /// The number of grants.
    public var count: Int
    /// The revision from which on their users are asked again.
    public var revision: Revision

    package init(count: Int, revision: Revision) {
        self.count = count
        self.revision = revision
    }
}

/// Counters of wrong answers that were reset.
public struct ClearedLockouts: Hashable, Sendable {
    /// The number of counters. Each one is of one user at one gate.
    public var count: Int
    /// The revision from which on the counters are reset.
    public var revision: Revision

    package init(count: Int, revision: Revision) {
        self.count = count
        self.revision = revision
    }
}

extension AuthorizeResponse {
    /// The grant; `nil` if a person has to be asked first.
    package var grant: Grant? {
        switch result {
        case .grant(let grant): grant
        case .presentation: nil
        }
    }

    /// What this program has to show first; `nil` if there is nothing to show.
    package var presentation: Presentation? {
        switch result {
        case .grant: nil
        case .presentation(let presentation): presentation
        }
    }
}
