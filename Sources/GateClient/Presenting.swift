public import GateModel
public import GateProtocol

/// What a person did with a question.
public enum PresentationAnswer: Hashable, Sendable {
    /// Chosen or typed; for arithmetic, decimal digits.
    case answer(String)
    /// Closed it without an answer.
    case dismiss
}

// For programs that show their questions themselves.

extension GateClient {
    /// One step round, where this program shows the question (F-02 … F-07).
    ///
    /// - Parameter present: shows the question and returns what the person did. It is not called where parent mode is
    ///   left. Its task is cancelled when the question can no longer be answered; take it off the screen then.
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`), `CANCELLED` (`dismissed`), `DEADLINE_EXCEEDED` (`expired`),
    ///   `ABORTED` (`closed`) where the mode was changed meanwhile, `RESOURCE_EXHAUSTED` (`lockedOut`).
    @discardableResult
    public func toggle(
        _ present: @escaping @Sendable (Presentation) async -> PresentationAnswer
    ) async throws(GateError) -> ModeState {
        let (response, open) = try await beginToggle()
        return try await open?.shown(by: present) ?? response.state
    }

    /// Runs parent mode for so long from now on, where this program shows the question.
    ///
    /// - Parameters:
    ///   - duration: `nil`: the length of a lease as configured.
    ///   - present: as for `toggle`. It is not called for administrators, who need no question.
    /// - Throws: as `toggle`, and `FAILED_PRECONDITION` (`notParent`) outside parent mode.
    @discardableResult
    public func extend(
        for duration: Duration? = nil, _ present: @escaping @Sendable (Presentation) async -> PresentationAnswer
    ) async throws(GateError) -> ModeState {
        let (response, open) = try await beginExtend(for: duration)
        return try await open?.shown(by: present) ?? response.state
    }

    /// The same in two steps: asks for the question, and leaves it to the caller to complete or dismiss it.
    public func beginToggle() async throws(GateError) -> (response: ToggleResponse, open: OpenPresentation?) {
        let current = try await connection.connected()
        let response = try await current.call(
            Methods.Mode.toggle, ToggleRequest(presentsItself: true), timeout: options.callTimeout, of: connection)
        let open = response.presentation.map { OpenPresentation($0, on: current, of: connection) }
        return (response, open)
    }

    /// The same in two steps: asks for the question, and leaves it to the caller to complete or dismiss it.
    public func beginExtend(
        for duration: Duration? = nil
    ) async throws(GateError) -> (response: ExtendResponse, open: OpenPresentation?) {
        let current = try await connection.connected()
        let response = try await current.call(
            Methods.Mode.extend, ExtendRequest(duration: duration, presentsItself: true),
            timeout: options.callTimeout, of: connection)
        let open = response.presentation.map { OpenPresentation($0, on: current, of: connection) }
        return (response, open)
    }
}

extension OpenPresentation {
    private enum Ending: Sendable {
        case answered(PresentationAnswer)
        case closed(GateError)
    }

    /// Has it shown and answered.
    func shown(
        by present: @escaping @Sendable (Presentation) async -> PresentationAnswer
    ) async throws(GateError) -> ModeState {
        let ending = await withTaskGroup(of: Ending.self) { group in
            group.addTask { .answered(await present(presentation)) }
            group.addTask { .closed(await waitUntilClosed()) }
            defer { group.cancelAll() }
            return await group.next() ?? .closed(.cancelled)
        }
        do throws(GateError) {
            if Task.isCancelled { throw .cancelled }
            switch ending {
            case .answered(.answer(let text)):
                return try await complete(text).state
            case .answered(.dismiss):
                try await dismiss()
                throw GateError(.cancelled, .dismissed, "The question was dismissed.")
            case .closed(let error):
                throw error
            }
        } catch {
            // What is still open is not left behind: neither after cancellation nor after an answer that was none.
            if error.reason != .dismissed, error.code == .cancelled || error.code == .invalidArgument {
                Task { _ = try? await dismiss() }
            }
            throw error
        }
    }
}
