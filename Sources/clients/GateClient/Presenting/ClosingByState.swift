public import GateModel
import GateProtocol

extension OpenPresentation {
    /// Waits until the state closes the presentation: somebody has signed in, has paid, or the form is completed. For
    /// programs that show their own requests. Cancelling the task leaves the presentation open.
    /// - Returns: what comes next, as after an answer.
    /// - Throws: `CANCELLED` (`dismissed`) if it was dismissed meanwhile; `DEADLINE_EXCEEDED` (`expired`); `ABORTED`
    ///   (`closed`) if it was withdrawn.
    public func awaitClosing() async throws(GateError) -> PresentationCompletion {
        let request = AwaitClosingRequest(cookie: presentation.cookie)
        let response = try await connection.call(Methods.Presentations.awaitClosing, request, timeout: nil)
        return PresentationCompletion(
            CompleteResponse(revision: response.revision, state: response.state, result: response.result), of: self)
    }

    /// Signs a person in with what was typed into this sign-in. The state then closes the presentation, so return
    /// `PresentationAnswer.closedByState`. If this throws, show the error, and let the person try again.
    /// - Parameters:
    ///   - name: exactly as the account was registered.
    ///   - password: 1 to 128 bytes of UTF-8.
    /// - Throws: the errors of `SignInCalls.logIn`.
    @discardableResult
    public func logIn(name: String, password: GateSecret) async throws(GateError) -> SignInState {
        let request = LogInRequest(name: name, password: password)
        return try await connection.call(
            Methods.SignIn.logIn, request, timeout: connection.options.hashingTimeout
        ).state
    }

    /// Like `logIn`, but if the daemon is busy with other passwords, the same name and password are sent again after a
    /// moment. A person who has typed them does not have to type them again because of another program. Nothing is sent
    /// again once the presentation is closed.
    /// - Throws: the errors of `logIn`; `ABORTED` (`closed`) if the presentation was closed meanwhile.
    package func logInAfterOthers(name: String, password: GateSecret) async throws(GateError) {
        var retries = LogInRetries()
        while true {
            do throws(GateError) {
                try await logIn(name: name, password: password)
                return
            } catch {
                guard let pause = retries.pause(after: error), (try? await Task.sleep(for: pause)) != nil else {
                    throw error
                }
                // The daemon refuses this report if the presentation is closed.
                try await report(.shown)
            }
        }
    }

    /// Whether the state closes this presentation, instead of an answer.
    public var isClosedByState: Bool {
        switch content {
        case .signIn, .paywall, .form: true
        case .challenge, .whatsNew, .unrecognized: false
        }
    }
}
