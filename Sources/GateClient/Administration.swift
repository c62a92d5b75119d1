public import GateModel
public import GateProtocol

// What is in force, what was given and what was wrong: to read for many, to change for administrators.

extension GateClient {
    /// The policy and the roles as they are now, one line each.
    public func policy() async throws(GateError) -> [String] {
        try await call(Methods.Control.policy, PolicyRequest()).inForce
    }

    /// The policy's gated actions, by name.
    public func gatedActions() async throws(GateError) -> [ListedGatedAction] {
        try await allPages { token throws(GateError) in
            let response = try await call(
                Methods.Authorization.listGatedActions, ListGatedActionsRequest(pageToken: token))
            return (response.gatedActions, response.nextPageToken)
        }
    }

    /// Kept grants: of this user; for administrators, of all.
    public func grants() async throws(GateError) -> [ListedGrant] {
        try await allPages { token throws(GateError) in
            let response = try await call(Methods.Authorization.listGrants, ListGrantsRequest(pageToken: token))
            return (response.grants, response.nextPageToken)
        }
    }

    /// Ends kept grants, so that their user is asked again.
    ///
    /// - Parameters:
    ///   - gatedAction: `nil`: all of them.
    ///   - uid: whose; `nil`: this user's. Others' are for administrators.
    @discardableResult
    public func revoke(_ gatedAction: String? = nil, of uid: UInt32? = nil) async throws(GateError) -> RevokeResponse {
        try await call(Methods.Authorization.revoke, RevokeRequest(uid: uid, gatedAction: gatedAction ?? ""))
    }

    /// The wrong answers and lockouts of all users. For administrators.
    public func lockouts() async throws(GateError) -> [ListedLockout] {
        try await allPages { token throws(GateError) in
            let response = try await call(Methods.Authorization.listLockouts, ListLockoutsRequest(pageToken: token))
            return (response.lockouts, response.nextPageToken)
        }
    }

    /// Forgets wrong answers. For administrators.
    ///
    /// - Parameters:
    ///   - uid: whose; `nil`: everybody's.
    ///   - gate: "mode", the name of a gated action, "passcode", "totp", "sign-in" or "sign-in NAME"; `nil`: at every gate.
    @discardableResult
    public func clearLockouts(
        of uid: UInt32? = nil, at gate: String? = nil
    ) async throws(GateError) -> ClearLockoutResponse {
        try await call(
            Methods.Authorization.clearLockout, ClearLockoutRequest(uid: uid, gate: gate.map(Lockout.Gate.init(text:))))
    }

    /// Which secrets are set up.
    public func secrets() async throws(GateError) -> [SecretKind] {
        try await call(Methods.Secrets.get, GetSecretsRequest()).kinds
    }

    /// Sets the passcode, which replaces the one before. For administrators.
    ///
    /// - Parameter passcode: UTF-8, 4 to 128 bytes.
    @discardableResult
    public func setPasscode(_ passcode: Secret) async throws(GateError) -> SetPasscodeResponse {
        try await call(Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode))
    }

    /// Sets up an authenticator, which replaces the one before. For administrators.
    ///
    /// - Parameters:
    ///   - key: 20 to 64 random bytes that the caller has made and the authenticator was given.
    ///   - code: what the authenticator shows for it now.
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`) where the code is not the key's.
    @discardableResult
    public func enrolTOTP(key: Secret, code: Secret) async throws(GateError) -> EnrolTOTPResponse {
        try await call(Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: key, code: code))
    }

    /// Forgets a secret. For administrators.
    @discardableResult
    public func removeSecret(_ kind: SecretKind) async throws(GateError) -> RemoveSecretResponse {
        try await call(Methods.Secrets.remove, RemoveSecretRequest(kind: kind))
    }

    /// The presentations that are open, in order. Presenters and administrators see all; others what they have asked for.
    public func openPresentations() async throws(GateError) -> [PresentationSummary] {
        try await call(Methods.Presentations.list, ListPresentationsRequest()).presentations
    }

    /// Closes a presentation, whatever it is. A sign-in cover stays away until somebody has signed in and out again, or the
    /// policy is read again (F-70). For administrators.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) where it is gone already.
    @discardableResult
    public func withdraw(presentation id: UInt64) async throws(GateError) -> WithdrawResponse {
        try await call(Methods.Presentations.withdraw, WithdrawRequest(id: id))
    }

    /// The elements of all pages, one after the other.
    func allPages<Element>(
        _ page: (_ token: String) async throws(GateError) -> (elements: [Element], nextToken: String)
    ) async throws(GateError) -> [Element] {
        var all: [Element] = []
        var token = ""
        while true {
            let (elements, next) = try await page(token)
            all += elements
            guard !next.isEmpty else { return all }
            // A page that adds nothing would go on for ever.
            guard !elements.isEmpty, next != token else {
                throw GateError(.internal, .unspecified, "The daemon sent a list without an end.")
            }
            token = next
        }
    }
}
