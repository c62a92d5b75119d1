public import GateModel
import GateProtocol

// Sign-ins, paywalls and forms: there is no answer to them. The state closes them (F-49, F-64).

extension OpenPresentation {
    /// Waits until the state closes this: somebody has signed in, it was paid for, the form is completed. For programs that show themselves what
    /// they asked for. Cancelling the task ends the waiting, and leaves the presentation open.
    ///
    /// - Returns: what comes next, as after an answer.
    /// - Throws: `CANCELLED` (`dismissed`) where it was dismissed meanwhile, `DEADLINE_EXCEEDED` (`expired`), `ABORTED`
    ///   (`closed`) where it was withdrawn.
    public func awaitClosing() async throws(GateError) -> PresentationCompletion {
        let request = AwaitClosingRequest(cookie: presentation.cookie)
        let response = try await call(Methods.Presentations.awaitClosing, request, timeout: nil)
        return PresentationCompletion(
            CompleteResponse(revision: response.revision, state: response.state, result: response.result), of: self)
    }

    /// Signs somebody in, with what was typed into this sign-in. The state closes it then: return
    /// `PresentationAnswer.closedByState`. Where this throws, show why, and let the person try again.
    ///
    /// - Parameters:
    ///   - name: as it was registered, to the letter.
    ///   - password: UTF-8, 1 to 128 bytes.
    /// - Throws: as `SignInCalls.logIn`.
    @discardableResult
    public func logIn(name: String, password: GateSecret) async throws(GateError) -> SignInState {
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
