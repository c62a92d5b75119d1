public import GateModel
public import GateProtocol

/// What a person did with a question.
public enum PresentationAnswer: Hashable, Sendable {
    /// What they chose, typed or did.
    case answer(Answer)
    /// Closed it without an answer.
    case dismiss
}

/// Shows a question and returns what the person did. Its task is cancelled when the question can no longer be answered; it
/// has to take it off the screen then, and return.
///
/// A `hold` is reported as it happens: `report(.pressed)`, then the answer `.released`.
public typealias Present = @Sendable (OpenPresentation) async -> PresentationAnswer

// The mode, for whoever asks a person for it.

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

    /// Runs parent mode for so long from now on, after a question that is shown as `toggle` does; at once for an
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

    /// The first of two steps: asks for the question, which this program shows, whoever else could. It is up to the caller
    /// to complete or dismiss it.
    public func beginToggle() async throws(GateError) -> (response: ToggleResponse, open: OpenPresentation?) {
        try await begin(Methods.Mode.toggle, ToggleRequest(presentsItself: true)) { $0.presentation }
    }

    /// The first of two steps, as `beginToggle`.
    public func beginExtend(
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

extension OpenPresentation {
    private enum Ending: Sendable {
        case answered(PresentationAnswer)
        case closed(GateError)
    }

    /// Has it shown and answered, and what comes after it too.
    func answeredToTheEnd(by present: @escaping Present) async throws(GateError) -> CompleteResponse {
        var current = self
        while true {
            let response = try await current.answered(by: present)
            guard let next = current.next(after: response) else { return response }
            current = next
        }
    }

    /// Has it shown and answered. When this ends, `present` has too.
    func answered(by present: @escaping Present) async throws(GateError) -> CompleteResponse {
        let ending = await withTaskGroup(of: Ending.self) { group in
            group.addTask { .answered(await present(self)) }
            group.addTask { .closed(await waitUntilClosed()) }
            defer { group.cancelAll() }
            return await group.next() ?? .closed(.cancelled)
        }
        do throws(GateError) {
            if Task.isCancelled { throw .cancelled }
            switch ending {
            case .answered(.answer(let answer)):
                return try await complete(answer)
            case .answered(.dismiss):
                try await dismiss()
                throw GateError(.cancelled, .dismissed, "The question was dismissed.")
            case .closed(let error):
                throw error
            }
        } catch {
            if leavesOpen(error) {
                Task { _ = try? await dismiss() }
            }
            throw error
        }
    }

    /// Whether the question is still open after an error, though nobody will answer it any more.
    private func leavesOpen(_ error: GateError) -> Bool {
        switch error.code {
        case .invalidArgument: true
        // What a presenter gives up is not dismissed: the next presenter gets it.
        case .cancelled: error.reason != .dismissed && origin == .requested
        case .unavailable: origin == .requested
        case .unknown, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied, .resourceExhausted,
            .failedPrecondition, .aborted, .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }
}
