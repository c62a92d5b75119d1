public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the mode. A call that may change the mode returns the mode afterwards.
    public struct ModeCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.ModeCalls {
    /// The mode, and when it ends, as the daemon knows it now.
    public func state() async throws(GateError) -> ModeState {
        try await client.call(Methods.Mode.get, GetModeRequest()).state
    }

    /// Leaves parent mode at once. In child mode it asks to enter parent mode: a question is shown, and the call waits
    /// for the answer, without a time limit but the question's own. The presenters of the device show it; if none can,
    /// this program does. Cancelling the task withdraws the question.
    /// - Parameter present: shows a question in this program. `nil`: this program can't show any.
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`, `refused`, `notSetUp`, or `verifying` if another program of this
    ///   user has already asked); `CANCELLED` (`dismissed`); `DEADLINE_EXCEEDED` (`expired`); `ABORTED` with
    ///   `noPresenter` if no program can show the question, or with `closed` if the mode was changed meanwhile;
    ///   `RESOURCE_EXHAUSTED` (`lockedOut`, `guessesUsedUp`).
    @discardableResult
    public func toggle(presenting present: PresentationHandler? = nil) async throws(GateError) -> ModeState {
        try await toggle(Presenting(present)).outcome(presenting: present) { $0.mode }
    }

    /// Lets parent mode last until this long from now. Asks as `toggle` does; an administrator is not asked.
    /// - Parameter duration: `nil`: the configured length of a lease.
    /// - Throws: the errors of `toggle`; `FAILED_PRECONDITION` (`notParent`) outside parent mode.
    @discardableResult
    public func extend(
        for duration: Duration? = nil, presenting present: PresentationHandler? = nil
    ) async throws(GateError) -> ModeState {
        try await extend(for: duration, Presenting(present)).outcome(presenting: present) { $0.mode }
    }

    /// Begins a `toggle` whose question this program shows, even if presenters of the device could.
    /// - Throws: the errors of `toggle`, except those that answers lead to.
    public func beginToggle() async throws(GateError) -> BegunRequest<ModeState> { try await toggle(.here) }

    /// Begins an `extend` whose question this program shows, even if presenters of the device could.
    /// - Throws: the errors of `extend`, except those that answers lead to.
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

    /// Goes to child mode at once. Questions of this user for parent mode are withdrawn; only an administrator can
    /// withdraw those of other users.
    /// - Throws: `FAILED_PRECONDITION` (`verifying`) if another user is being asked; `RESOURCE_EXHAUSTED` (`limit`) if
    ///   this user has ended others' parent mode or session three times; one more time is allowed after each hour.
    @discardableResult
    public func lock() async throws(GateError) -> ModeState {
        try await client.call(Methods.Mode.lock, LockRequest()).state
    }

    /// Withdraws the question for parent mode that this client has asked. An administrator's client that has asked none
    /// withdraws those of all. In child and parent mode nothing changes.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) if only other programs are being asked.
    @discardableResult
    public func cancel() async throws(GateError) -> ModeState {
        try await client.call(Methods.Mode.cancel, CancelVerifyingRequest()).state
    }

    /// Sets the mode without a question. For administrators.
    /// - Parameters:
    ///   - mode: `child` or `parent`.
    ///   - duration: how long parent mode lasts; `nil`: the configured length of a lease. Must be `nil` for child mode.
    ///   - reason: for the journal; 1 to 200 bytes.
    /// - Throws: `INVALID_ARGUMENT` if the mode, the duration or the reason is not allowed.
    @discardableResult
    public func override(
        _ mode: Mode, for duration: Duration? = nil, reason: String
    ) async throws(GateError) -> ModeState {
        let request = OverrideModeRequest(mode: mode, duration: duration, reason: reason)
        return try await client.call(Methods.Mode.override, request).state
    }
}
