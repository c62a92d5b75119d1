public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the mode.
    public struct ModeCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.ModeCalls {
    /// The mode now, and until when, as the daemon answers.
    public func state() async throws(GateError) -> ModeState {
        try await client.call(Methods.Mode.get, GetModeRequest()).state
    }

    /// Goes one step round (F-02 … F-07): parent mode is left at once; from child mode a question is shown, and this waits for
    /// its answer. The presenters of the device show it; where none of them can, this program does.
    ///
    /// Cancelling the task takes the question back. There is no time limit but the question's own.
    ///
    /// - Parameter present: how this program shows a question. `nil`: it can't.
    /// - Returns: the mode afterwards.
    /// - Throws: `ABORTED` (`noPresenter`) where nobody can show it, `FAILED_PRECONDITION` (`wrongAnswer`, `refused`,
    ///   `notSetUp`; `verifying` where somebody else's question is open), `CANCELLED` (`dismissed`),
    ///   `DEADLINE_EXCEEDED` (`expired`), `ABORTED` (`closed`) where the mode was changed meanwhile, `RESOURCE_EXHAUSTED`
    ///   (`lockedOut`, `guessesUsedUp`).
    @discardableResult
    public func toggle(presenting present: PresentationHandler? = nil) async throws(GateError) -> ModeState {
        try await toggle(Presenting(present)).outcome(presenting: present) { $0.mode }
    }

    /// Extends parent mode to end this long from now, after a question that is shown as `toggle` does; at once for an
    /// administrator.
    ///
    /// - Parameters:
    ///   - duration: `nil`: the length of a lease as configured.
    ///   - present: how this program shows a question. `nil`: it can't.
    /// - Returns: the mode afterwards.
    /// - Throws: as `toggle`, and `FAILED_PRECONDITION` (`notParent`) outside parent mode.
    @discardableResult
    public func extend(
        for duration: Duration? = nil, presenting present: PresentationHandler? = nil
    ) async throws(GateError) -> ModeState {
        try await extend(for: duration, Presenting(present)).outcome(presenting: present) { $0.mode }
    }

    /// Begins a `toggle`, whose question this program shows, even if others could.
    ///
    /// - Throws: as `toggle`, but for what comes of the question.
    public func beginToggle() async throws(GateError) -> BegunRequest<ModeState> { try await toggle(.here) }

    /// Begins an `extend`, as `beginToggle`.
    ///
    /// - Throws: as `extend`, but for what comes of the question.
    public func beginExtend(for duration: Duration? = nil) async throws(GateError) -> BegunRequest<ModeState> {
        try await extend(for: duration, .here)
    }

    private func toggle(_ presenting: Presenting) async throws(GateError) -> BegunRequest<ModeState> {
        let request = ToggleRequest(presenting: presenting)
        let (response, open) = try await client.begin(Methods.Mode.toggle, request, presenting) { $0.presentation }
        return open.map { .open($0) } ?? .settled(response.state)
    }

    private func extend(
        for duration: Duration?, _ presenting: Presenting
    ) async throws(GateError) -> BegunRequest<ModeState> {
        let request = ExtendRequest(duration: duration, presenting: presenting)
        let (response, open) = try await client.begin(Methods.Mode.extend, request, presenting) { $0.presentation }
        return open.map { .open($0) } ?? .settled(response.state)
    }

    /// Goes to child mode, at once. What another user is being asked goes on (`verifying`).
    ///
    /// - Returns: the mode afterwards.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`): parent mode that others entered can be ended three times, and once more after
    ///   each hour.
    @discardableResult
    public func lock() async throws(GateError) -> ModeState {
        try await client.call(Methods.Mode.lock, LockRequest()).state
    }

    /// Takes back the question that this client has open (F-03). In the other modes it changes nothing.
    ///
    /// - Returns: the mode afterwards.
    @discardableResult
    public func cancel() async throws(GateError) -> ModeState {
        try await client.call(Methods.Mode.cancel, CancelVerifyingRequest()).state
    }

    /// Sets the mode without a question. For administrators.
    ///
    /// - Parameters:
    ///   - mode: `child` or `parent`.
    ///   - duration: how long parent mode lasts; `nil`: the length of a lease as configured. Must be `nil` for child mode.
    ///   - reason: for the journal; 1 to 200 bytes.
    /// - Returns: the mode afterwards.
    /// - Throws: `INVALID_ARGUMENT` if the mode, the duration or the reason can't be set.
    @discardableResult
    public func override(
        _ mode: Mode, for duration: Duration? = nil, reason: String
    ) async throws(GateError) -> ModeState {
        let request = OverrideModeRequest(mode: mode, duration: duration, reason: reason)
        return try await client.call(Methods.Mode.override, request).state
    }
}
