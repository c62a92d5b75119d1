public import GateModel
package import GateProtocol
import TTRPC
import TTRPCTransport

/// Asks Gate who is in charge of this device, hears when that changes, and changes it.
///
/// ```swift
/// let gate = GateClient()
/// for await mode in gate.modes { … }
/// try await gate.authorize("link.open", details: url) { … }
/// ```
///
/// A client has one connection, which its calls and watches share. It is opened when it is first needed and anew when it
/// was lost. A call never waits for a daemon that is not there, and is never sent twice: one that was under way when the
/// connection was lost fails with `UNAVAILABLE`. Watches reconnect by themselves.
///
/// Cancelling a task cancels its call on the daemon too.
public final class GateClient: Sendable {
    let connection: SharedConnection
    public let options: GateClientOptions
    /// The page that `status` reads. It needs no connection.
    public let statusPage: StatusPage

    /// Opens nothing yet.
    public init(_ options: GateClientOptions = GateClientOptions()) {
        self.options = options
        statusPage = StatusPage(options)
        connection = SharedConnection(options: options)
    }

    /// Ends every call with `CANCELLED` and every watch, for good. A client that nobody holds any more is closed too.
    public func close() async {
        await connection.close()
    }
}

// MARK: - The mode

extension GateClient {
    /// The mode now, and whether a subscription is active, without asking the daemon (G-06): for every frame of a game, on
    /// any thread. Takes nanoseconds; never waits, and never fails. Where no living daemon says anything, `child` and inactive.
    ///
    /// It may be ahead of `modes` and `entitlementChanges`, which hear the same a moment later.
    public var status: DeviceStatus { statusPage.status }

    /// The mode now.
    public func mode() async throws(GateError) -> Mode {
        try await modeState().state.mode
    }

    /// The mode now, until when, and at which revision, as the daemon answers.
    package func modeState() async throws(GateError) -> GetModeResponse {
        try await call(Methods.Mode.get, GetModeRequest())
    }

    /// Goes to child mode, at once. What another user is being asked goes on (`verifying`); what others entered can be
    /// ended three times, and once more after each hour (`limit`).
    @discardableResult
    package func lock() async throws(GateError) -> LockResponse {
        try await call(Methods.Mode.lock, LockRequest())
    }

    /// Takes back the question that this client has open (F-03). In the other modes it changes nothing.
    @discardableResult
    package func cancel() async throws(GateError) -> CancelVerifyingResponse {
        try await call(Methods.Mode.cancel, CancelVerifyingRequest())
    }

    /// Sets the mode without a question. For administrators.
    ///
    /// - Parameters:
    ///   - duration: how long parent mode lasts; `nil`: the length of a lease as configured. Must be `nil` for child mode.
    ///   - reason: for the journal; 1 to 200 bytes.
    @discardableResult
    package func override(
        _ mode: Mode, for duration: Duration? = nil, reason: String
    ) async throws(GateError) -> OverrideModeResponse {
        try await call(Methods.Mode.override, OverrideModeRequest(mode: mode, duration: duration, reason: reason))
    }
}

// MARK: - The daemon

extension GateClient {
    /// Whether the daemon answers, and where it is.
    @discardableResult
    package func ping() async throws(GateError) -> PingResponse {
        try await call(Methods.Control.ping, PingRequest(echo: []))
    }

    /// The version of the daemon.
    package func version() async throws(GateError) -> VersionResponse {
        try await call(Methods.Control.version, VersionRequest())
    }

    /// How the daemon is. For administrators.
    package func statistics() async throws(GateError) -> StatisticsResponse {
        try await call(Methods.Control.statistics, StatisticsRequest())
    }

    /// Has the daemon read its configuration again. For administrators.
    @discardableResult
    package func reload() async throws(GateError) -> ReloadResponse {
        try await call(Methods.Control.reload, ReloadRequest())
    }

    /// Opens Gate again after a damaged store was set aside. For administrators.
    @discardableResult
    package func recover() async throws(GateError) -> RecoverResponse {
        try await call(Methods.Control.recover, RecoverRequest())
    }
}
