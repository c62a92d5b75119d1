import GateModel
import GateReceipts

/// The world outside of the poller: the network, the daemon, time and chance.
struct PollEnvironment: Sendable {
    /// The news that the poller hears of the daemon.
    enum DaemonEvent: Hashable, Sendable {
        /// It is there, and these paywalls are open: somebody may be paying.
        case present(Paywalls)
        /// The earlier `present` has changed.
        case changed(Paywalls)
        case away
    }

    var answer: @Sendable (CustomerInfoRequest) async throws(HTTPExchange.Failure) -> HTTPAnswer
    /// The fault of an answer; `nil`: none. The daemon checks again, and decides.
    var check: @Sendable (CustomerInfoResponse) -> ReceiptError?
    var submit: @Sendable (CustomerInfoResponse) async throws(GateError) -> Void
    var report: @Sendable (HealthReport.Health) async throws(GateError) -> Void
    var daemonEvents: AsyncStream<DaemonEvent>
    var now: @Sendable () -> BootTime
    /// Returns early where its task is cancelled.
    var sleep: @Sendable (_ until: BootTime) async -> Void
    /// A random number from 0 to 1.
    var jitter: @Sendable () -> Double
    /// 12 random bytes.
    var nonce: @Sendable () -> [UInt8]
}
