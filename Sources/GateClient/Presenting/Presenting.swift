public import GateModel
package import GateProtocol

/// A person's answer to a presentation.
public enum PresentationAnswer: Hashable, Sendable {
    /// The answer that they chose, typed or gave by a gesture.
    case answer(Answer)
    /// Closed it without an answer.
    case dismiss
    /// There is nothing to bring back: the state closes it. For sign-ins, where `OpenPresentation.logIn` has the person's
    /// name and password, for paywalls, where a store has their money, and for forms, which `OpenPresentation.form` fills in
    /// and completes.
    case closedByState
}

/// Shows a question, a sign-in, a paywall, a form or what is new, and returns what the person did. Its task is cancelled when that can no longer be
/// answered, or the state has closed it; it has to take it off the screen then, and return.
///
/// What is no answer at all ("90x", no passcode) is asked again: this is called once more, with the same question and its
/// `refusal`. After ten times the question is dismissed.
///
/// A `hold` is reported as it happens: `report(.pressed)`, then the answer `.released`.
///
/// A sign-in calls `logIn` on what it shows, as often as it takes; a form `form`, and answers and completes that. They and a
/// paywall may stay until the task is cancelled: that happens when somebody has signed in, the form is completed, or it was
/// paid for. What is new is answered with `Answer.acknowledged`. What is not `isDismissible` and is dismissed all the same comes
/// again, with a refusal that says so.
public typealias Present = @Sendable (OpenPresentation) async -> PresentationAnswer

// The mode, for programs that ask a person for it.

extension GateClient {
    /// One step round (F-02 … F-07): parent mode is left at once; from child mode a question is shown, and this waits for
    /// its answer. The presenters of the device show it; where none of them can, this program does.
    ///
    /// - Parameter present: how this program shows a question. `nil`: it can't.
    /// - Throws: `ABORTED` (`noPresenter`) where nobody can show it, `FAILED_PRECONDITION` (`wrongAnswer`, `refused`,
    ///   `notSetUp`; `verifying` where somebody else's question is open), `CANCELLED` (`dismissed`),
    ///   `DEADLINE_EXCEEDED` (`expired`), `ABORTED` (`closed`) where the mode was changed meanwhile, `RESOURCE_EXHAUSTED`
    ///   (`lockedOut`).
    @discardableResult
    public func toggle(presenting present: Present? = nil) async throws(GateError) -> ModeState {
        do throws(GateError) {
            return try await call(Methods.Mode.toggle, ToggleRequest(presentsItself: false), timeout: nil).state
        } catch {
            guard error.reason == .noPresenter, let present else { throw error }
            let (response, open) = try await beginToggle()
            return try await open?.answeredToTheEnd(by: present).state ?? response.state
        }
    }

    /// Extends parent mode to end this long from now, after a question that is shown as `toggle` does; at once for an
    /// administrator.
    ///
    /// - Parameters:
    ///   - duration: `nil`: the length of a lease as configured.
    ///   - present: how this program shows a question. `nil`: it can't.
    /// - Throws: as `toggle`, and `FAILED_PRECONDITION` (`notParent`) outside parent mode.
    @discardableResult
    public func extend(
        for duration: Duration? = nil, presenting present: Present? = nil
    ) async throws(GateError) -> ModeState {
        do throws(GateError) {
            let request = ExtendRequest(duration: duration, presentsItself: false)
            return try await call(Methods.Mode.extend, request, timeout: nil).state
        } catch {
            guard error.reason == .noPresenter, let present else { throw error }
            let (response, open) = try await beginExtend(for: duration)
            return try await open?.answeredToTheEnd(by: present).state ?? response.state
        }
    }

    /// The first of two steps: asks for the question, which this program shows, even if others could. It is up to the
    /// caller to complete or dismiss it.
    package func beginToggle() async throws(GateError) -> (response: ToggleResponse, open: OpenPresentation?) {
        try await begin(Methods.Mode.toggle, ToggleRequest(presentsItself: true)) { $0.presentation }
    }

    /// The first of two steps, as `beginToggle`.
    package func beginExtend(
        for duration: Duration? = nil
    ) async throws(GateError) -> (response: ExtendResponse, open: OpenPresentation?) {
        try await begin(Methods.Mode.extend, ExtendRequest(duration: duration, presentsItself: true)) {
            $0.presentation
        }
    }

    /// A question belongs to the connection that has asked for it.
    func begin<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, presentation: (Response) -> Presentation?
    ) async throws(GateError) -> (response: Response, open: OpenPresentation?) {
        let current = try await connection.connected()
        let response = try await current.call(method, request, timeout: options.callTimeout, of: connection)
        let open = presentation(response).map { OpenPresentation($0, .requested, on: current, of: connection) }
        return (response, open)
    }
}
