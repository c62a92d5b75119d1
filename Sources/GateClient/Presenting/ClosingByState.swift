public import GateModel
package import GateProtocol

// Sign-ins, paywalls and forms: there is no answer to them. The state closes them (F-49, F-64).

extension OpenPresentation {
    /// Waits until the state closes this: somebody has signed in, it was paid for, the form is completed. For programs that show themselves what
    /// they asked for. What is returned says what comes next, as after an answer.
    ///
    /// - Throws: `CANCELLED` (`dismissed`) where it was dismissed meanwhile, `DEADLINE_EXCEEDED` (`expired`), `ABORTED`
    ///   (`closed`) where it was withdrawn.
    package func awaitClosing() async throws(GateError) -> AwaitClosingResponse {
        try await call(
            Methods.Presentations.awaitClosing, AwaitClosingRequest(cookie: presentation.cookie), timeout: nil)
    }

    /// The presentation to show after the state has closed this one; `nil`: none.
    package func next(after response: AwaitClosingResponse) -> OpenPresentation? {
        next(after: CompleteResponse(response))
    }

    /// Signs somebody in, with what was typed into this sign-in. The state closes it then: return
    /// `PresentationAnswer.closedByState`. Where this throws, show why, and let the person try again.
    ///
    /// - Throws: as `GateClient.logIn`.
    @discardableResult
    public func logIn(name: String, password: Secret) async throws(GateError) -> SignInState {
        let request = LogInRequest(name: name, password: password)
        return try await call(Methods.SignIn.logIn, request, timeout: shared.options.hashingTimeout).state
    }

    /// Whether the state closes it, rather than an answer.
    public var isClosedByState: Bool {
        switch content {
        case .signIn, .paywall, .form: true
        case .challenge, .whatsNew, .unrecognized: false
        }
    }
}

extension CompleteResponse {
    init(_ response: AwaitClosingResponse) {
        self.init(revision: response.revision, state: response.state, result: response.result)
    }
}
