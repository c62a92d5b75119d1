public import GateModel
package import GateProtocol

extension GateClient {
    /// Calls about gated actions.
    public struct AuthorizationCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.AuthorizationCalls {
    /// How an authorization would go now, and what is missing. Shows nothing and changes nothing; an action that no policy
    /// names is denied.
    ///
    /// - Parameter subject: for a broker: the process that would do it; `nil`: this one.
    /// - Throws: with a subject, `PERMISSION_DENIED` (`notPermitted`) where this user is no broker, and `NOT_FOUND` (`unknown`) where there
    ///   is no such process.
    public func check(
        _ gatedAction: String, for subject: Subject? = nil
    ) async throws(GateError) -> AuthorizationOutlook {
        let request = CheckRequest(gatedAction: gatedAction, subject: subject)
        return try await client.call(Methods.Authorization.check, request).outlook
    }

    /// Asks for a grant, to be redeemed once, here or by the owner of the resource. It lives no longer than this client's
    /// connection, and a minute at most.
    ///
    /// The presenters of the device show what has to be shown, as long as it takes; where none of them can, this program
    /// does. Cancelling the task takes the request back.
    ///
    /// - Parameters:
    ///   - request: the gated action, what exactly is going to be done, and who takes the grant.
    ///   - present: how this program shows a question. `nil`: it can't.
    /// - Throws: `FAILED_PRECONDITION` (`denied`, `wrongAnswer`, `refused`, `notSetUp`), `ABORTED` (`noPresenter`) where a
    ///   person is needed and can't be asked, or (`notParent`) where parent mode is, `CANCELLED` (`dismissed`),
    ///   `DEADLINE_EXCEEDED` (`expired`), `RESOURCE_EXHAUSTED` (`lockedOut`, `guessesUsedUp`, `limit`), `INVALID_ARGUMENT` where the details are not
    ///   one line.
    public func grant(
        _ request: AuthorizationRequest, presenting present: PresentationHandler? = nil
    ) async throws(GateError) -> Grant {
        let begun = try await beginGrant(request, Presenting(present))
        do throws(GateError) {
            return try await begun.outcome(presenting: present, of: Self.grant)
        } catch {
            // The question that was shown here was withdrawn, since the state has changed and may decide otherwise now. It is asked once more.
            guard begun.presentation != nil, error.isOfAnotherState, !Task.isCancelled else { throw error }
            return try await beginGrant(request, Presenting(present)).outcome(presenting: present, of: Self.grant)
        }
    }

    /// Begins to ask for a grant, where this program shows what has to be shown, even if others could.
    ///
    /// - Throws: as `grant`, but for what comes of the questions.
    public func beginGrant(_ request: AuthorizationRequest) async throws(GateError) -> BegunRequest<Grant> {
        try await beginGrant(request, .here)
    }

    private func beginGrant(
        _ request: AuthorizationRequest, _ presenting: Presenting
    ) async throws(GateError) -> BegunRequest<Grant> {
        let (response, open) = try await client.beginAuthorize(request, presenting)
        if let open { return .open(open) }
        switch response.result {
        case .grant(let grant): return .settled(grant)
        case .presentation: throw Self.noGrantSent
        }
    }

    private static func grant(of completion: PresentationCompletion) throws(GateError) -> Grant {
        guard let grant = completion.grant else { throw noGrantSent }
        return grant
    }

    private static let noGrantSent = GateError(
        .internal, .unspecified, "The daemon sent no grant, and did not say why.")

    /// Takes a grant, once, for exactly what it was given for. For its redeemer; where none was named, for the client that
    /// got it.
    ///
    /// - Parameters:
    ///   - proof: what the requester has handed over.
    ///   - gatedAction: what is going to be done.
    ///   - details: the same text, to the letter, that the person was shown.
    /// - Returns: the process that had asked for it, as the kernel says.
    /// - Throws: `FAILED_PRECONDITION` (`noGrant`) if the grant is used up or expired, or is for something else;
    ///   `PERMISSION_DENIED` (`notPermitted`) where it is somebody else's to take.
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
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(
                Methods.Authorization.listGatedActions, ListGatedActionsRequest(pageToken: token))
        }
    }

    /// The kept grants of this user; for administrators, of all users.
    public func keptGrants() async throws(GateError) -> [KeptGrantSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(Methods.Authorization.listGrants, ListGrantsRequest(pageToken: token))
        }
    }

    /// Ends kept grants, so that their user is asked again.
    ///
    /// - Parameters:
    ///   - gatedAction: `nil`: all of them.
    ///   - uid: whose; `nil`: this user's. Others' are for administrators.
    @discardableResult
    public func revokeGrants(
        for gatedAction: String? = nil, of uid: UInt32? = nil
    ) async throws(GateError) -> RevokedGrants {
        let request = RevokeRequest(uid: uid, gatedAction: gatedAction ?? "")
        let response = try await client.call(Methods.Authorization.revoke, request)
        return RevokedGrants(count: response.count, revision: response.revision)
    }

    /// The wrong answers and lockouts of all users. For administrators.
    public func lockouts() async throws(GateError) -> [LockoutSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(
                Methods.Authorization.listLockouts, ListLockoutsRequest(pageToken: token))
        }
    }

    /// Forgets wrong answers. For administrators.
    ///
    /// - Parameters:
    ///   - uid: whose; `nil`: everybody's.
    ///   - gate: where they were given; `nil`: at every gate. `Lockout.Gate(text:)` reads what a person types.
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

/// Wrong answers that were forgotten.
public struct ClearedLockouts: Hashable, Sendable {
    /// The number of counters: each is of one user at one gate.
    public var count: Int
    /// The revision from which on they do not count.
    public var revision: Revision

    package init(count: Int, revision: Revision) {
        self.count = count
        self.revision = revision
    }
}

extension GateClient {
    /// The first of two steps, with the reply as it came.
    package func beginAuthorize(
        _ request: AuthorizationRequest, _ presenting: Presenting
    ) async throws(GateError) -> (response: AuthorizeResponse, open: OpenPresentation?) {
        try await begin(
            Methods.Authorization.authorize, AuthorizeRequest(request: request, presenting: presenting), presenting
        ) { response in
            switch response.result {
            case .presentation(let presentation): presentation
            case .grant: nil
            }
        }
    }
}
