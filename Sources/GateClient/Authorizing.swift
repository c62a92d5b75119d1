public import GateModel
package import GateProtocol

// Gated actions: may this be done, now, by this program?

extension GateClient {
    /// The outcome that an authorization would have now. Shows nothing and changes nothing; an action that no policy
    /// names is denied.
    public func check(_ gatedAction: String) async throws(GateError) -> AuthorizationOutlook {
        try await call(Methods.Authorization.check, CheckRequest(gatedAction: gatedAction)).outlook
    }

    /// Runs the body if, and only if, it may be run: after a person was asked, where the policy says so (F-16 … F-18).
    ///
    /// ```swift
    /// try await gate.authorize("link.open", details: url) { open(url) }
    /// ```
    ///
    /// The body runs exactly once, after the question is gone from the screen and the grant was taken (F-22), so it may show
    /// something of its own. It does not run when this throws an error that is not its own, nor once the task is cancelled
    /// (F-23). The mode stays what it was.
    ///
    /// - Parameters:
    ///   - gatedAction: its name in the policy, like "link.open".
    ///   - details: exactly what is going to be done: the URL, the command line, the amount. Shown to the person. One line,
    ///     at most 4,096 bytes.
    ///   - present: how this program shows a question where no presenter of the device can. `nil`: it can't.
    /// - Throws: what `grant` throws, and what the body throws.
    public nonisolated(nonsending) func authorize<R: Sendable>(
        _ gatedAction: String, details: String = "", presenting present: Present? = nil,
        _ body: nonisolated(nonsending) () async throws -> R
    ) async throws -> R {
        let request = AuthorizationRequest(gatedAction: gatedAction, details: details)
        let grant = try await grant(request, presenting: present)
        _ = try await redeem(grant.proof, gatedAction: gatedAction, details: details)
        guard !Task.isCancelled else { throw GateError.cancelled }
        return try await body()
    }

    /// A grant, to be redeemed once, here or by the owner of the resource. It lives no longer than this client's
    /// connection, and a minute at most.
    ///
    /// The presenters of the device show what has to be shown, as long as it takes; where none of them can, this program
    /// does. Cancelling the task takes the request back.
    ///
    /// - Parameter present: how this program shows a question. `nil`: it can't.
    /// - Throws: `FAILED_PRECONDITION` (`denied`, `wrongAnswer`, `refused`, `notSetUp`), `ABORTED` (`noPresenter`) where a
    ///   person is needed and can't be asked, or (`notParent`) where parent mode is, `CANCELLED` (`dismissed`), `DEADLINE_EXCEEDED` (`expired`),
    ///   `RESOURCE_EXHAUSTED` (`lockedOut`, `limit`), `INVALID_ARGUMENT` where the details are not one line.
    public func grant(
        _ request: AuthorizationRequest, presenting present: Present? = nil
    ) async throws(GateError) -> Grant {
        let refusal: GateError
        do throws(GateError) {
            let asked = AuthorizeRequest(request: request, presentsItself: false)
            return try Self.grant(of: try await call(Methods.Authorization.authorize, asked, timeout: nil).result)
        } catch {
            refusal = error
        }
        guard refusal.reason == .noPresenter, let present else { throw refusal }
        do throws(GateError) {
            return try await grantPresented(request, by: present)
        } catch {
            // Withdrawn: the state has changed under it, and may decide otherwise now. Asked once more, and no oftener.
            guard error.reason == .closed, !Task.isCancelled else { throw error }
            return try await grantPresented(request, by: present)
        }
    }

    /// The first of two steps: asks for the grant, where this program shows what has to be shown, even if others could.
    /// It is up to the caller to complete or dismiss it; `OpenPresentation.next` says what comes after an answer.
    package func beginAuthorize(
        _ request: AuthorizationRequest
    ) async throws(GateError) -> (response: AuthorizeResponse, open: OpenPresentation?) {
        try await begin(
            Methods.Authorization.authorize, AuthorizeRequest(request: request, presentsItself: true)
        ) { response in
            switch response.result {
            case .presentation(let presentation): presentation
            case .grant: nil
            }
        }
    }

    /// Takes a grant, once, for exactly what it was given for. For its redeemer; where none was named, for the client that
    /// got it.
    ///
    /// - Returns: who had asked for it, as the kernel says.
    /// - Throws: `FAILED_PRECONDITION` (`noGrant`) where there is none any more, or it is for something else;
    ///   `PERMISSION_DENIED` (`notPermitted`) where it is somebody else's to take.
    @discardableResult
    package func redeem(
        _ proof: Grant.Proof, gatedAction: String, details: String
    ) async throws(GateError) -> RedeemResponse {
        try await call(
            Methods.Authorization.redeem, RedeemRequest(proof: proof, gatedAction: gatedAction, details: details))
    }

    private func grantPresented(
        _ request: AuthorizationRequest, by present: @escaping Present
    ) async throws(GateError) -> Grant {
        let (response, open) = try await beginAuthorize(request)
        guard let open else { return try Self.grant(of: response.result) }
        switch try await open.answeredToTheEnd(by: present).result {
        case .grant(let grant): return grant
        case .next, nil: throw Self.noGrantSent
        }
    }

    private static func grant(of result: AuthorizeResponse.Result) throws(GateError) -> Grant {
        switch result {
        case .grant(let grant): grant
        case .presentation: throw noGrantSent
        }
    }

    private static let noGrantSent = GateError(
        .internal, .unspecified, "The daemon sent no grant, and did not say why.")
}
