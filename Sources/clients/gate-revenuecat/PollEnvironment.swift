import GateModel
import GateReceipts

/// The poller's connections to the outside: the network, the daemon, time and chance. Tests replace them.
struct PollEnvironment: Sendable {
    enum DaemonEvent: Hashable, Sendable {
        case present(Paywalls)
        case changed(Paywalls)
        case away
    }

    var answer: @Sendable (CustomerInfoRequest) async throws(HTTPExchange.Failure) -> HTTPAnswer
    /// What is wrong with an answer; `nil` if nothing is. The daemon checks it again, and decides.
    var check: @Sendable (CustomerInfoResponse) -> ReceiptError?
    var submit: @Sendable (CustomerInfoResponse) async throws(GateError) -> Void
    var report: @Sendable (HealthReport.Health) async throws(GateError) -> Void
    var daemonEvents: AsyncStream<DaemonEvent>
    var now: @Sendable () -> BootTime
    /// Returns early if its task is cancelled.
    var sleep: @Sendable (_ until: BootTime) async -> Void
    /// Between 0 and 1.
    var jitter: @Sendable () -> Double
    /// 12 random bytes.
    var nonce: @Sendable () -> [UInt8]
}
