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
/// What is no answer at all ("90x", no passcode) is asked again: this is called once more, with the same question and its
/// `refusal`. After ten times the question is dismissed.
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
    private enum Turn: Sendable {
        case answered(PresentationAnswer)
        case completed(Result<CompleteResponse, GateError>)
        case closed(GateError)
    }

    /// How often a question is shown whose answers are none. A `present` that never looks at the refusal must not go on
    /// for ever, and keep others from the screen.
    private static let maximumAttempts = 10

    /// Has it shown and answered, and what comes after it too.
    func answeredToTheEnd(by present: @escaping Present) async throws(GateError) -> CompleteResponse {
        var current = self
        while true {
            let response = try await current.answered(by: present)
            guard let next = current.next(after: response) else { return response }
            current = next
        }
    }

    /// Has it shown and answered, as often as it takes to get an answer that is one. When this ends, `present` has too,
    /// and nothing is left open that nobody will answer.
    func answered(by present: @escaping Present) async throws(GateError) -> CompleteResponse {
        do throws(GateError) {
            return try await untilAnswered(by: present).get()
        } catch {
            if mayLeaveOpen(error) {
                Task { _ = try? await dismiss() }
            }
            throw error
        }
    }

    private func untilAnswered(by present: @escaping Present) async -> Result<CompleteResponse, GateError> {
        await withTaskGroup(of: Turn.self) { group in
            defer { group.cancelAll() }
            var shown = self
            var attempts = 1
            var isAnswered = false
            var closing: GateError?
            group.addTask { .closed(await waitUntilClosed()) }
            group.addTask { .answered(await present(self)) }
            while let turn = await group.next() {
                switch turn {
                case .answered(let answer):
                    if Task.isCancelled { return .failure(.cancelled) }
                    isAnswered = true
                    group.addTask { .completed(await completed(answer)) }
                case .closed(let error):
                    // The reply to an answer that is on its way says more than that the question is gone.
                    guard isAnswered else { return .failure(error) }
                    closing = error
                case .completed(.success(let response)):
                    return .success(response)
                case .completed(.failure(let error)):
                    guard await canBeAsked(after: error), attempts < Self.maximumAttempts else {
                        return .failure(error)
                    }
                    if Task.isCancelled { return .failure(.cancelled) }
                    if let closing { return .failure(closing) }
                    attempts += 1
                    isAnswered = false
                    shown.refusal = error
                    group.addTask { [shown] in .answered(await present(shown)) }
                }
            }
            return .failure(.cancelled)
        }
    }

    private func completed(_ answer: PresentationAnswer) async -> Result<CompleteResponse, GateError> {
        do throws(GateError) {
            switch answer {
            case .answer(let answer):
                return .success(try await complete(answer))
            case .dismiss:
                try await dismiss()
                return .failure(GateError(.cancelled, .dismissed, "The question was dismissed."))
            }
        } catch {
            return .failure(error)
        }
    }

    /// Whether there is sense in showing the question once more.
    private func canBeAsked(after error: GateError) async -> Bool {
        guard error.leavesQuestionOpen else { return false }
        // The daemon says so where an answer could not be checked; a lost connection looks the same, and took the question
        // with it.
        guard error.code == .unavailable else { return true }
        return (try? await reachDaemon()) != nil
    }

    /// Whether the question may still be open after an error, though nobody will answer it any more. To dismiss one that is
    /// closed does no harm.
    private func mayLeaveOpen(_ error: GateError) -> Bool {
        switch error.code {
        case .invalidArgument, .unavailable: true
        // What a presenter gives up is not dismissed: the next presenter gets it.
        case .cancelled: error.reason != .dismissed && origin == .requested
        // The daemon did not answer, as opposed to the person.
        case .deadlineExceeded: error.reason != .expired
        case .unknown, .notFound, .alreadyExists, .permissionDenied, .resourceExhausted, .failedPrecondition, .aborted,
            .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }
}
