import GateModel
import Logging
import TTRPCTransport

/// Counts closed connections by reason, and logs who closed one and why. After `entriesPerMinute` entries in a minute,
/// further ones are only counted, so that no peer can fill the log.
struct CloseLog {
    static let entriesPerMinute = 30

    private(set) var counts = [UInt64](repeating: 0, count: CloseReason.kindCount)
    private var windowStart = BootTime(nanoseconds: 0)
    private var entriesInWindow = 0
    private var leftOut = 0

    mutating func closed(_ reason: CloseReason, of peer: Peer, at now: BootTime, _ logger: Logger) {
        counts[reason.kind] += 1
        let level: Logger.Level = reason.isOrdinary ? .debug : .warning
        guard logger.logLevel <= level else { return }
        if windowStart.duration(to: now) >= .seconds(60) {
            if leftOut > 0 {
                logger.warning("further closed connections were not logged", metadata: ["count": "\(leftOut)"])
            }
            (windowStart, entriesInWindow, leftOut) = (now, 0, 0)
        }
        guard entriesInWindow < Self.entriesPerMinute else {
            leftOut += 1
            return
        }
        entriesInWindow += 1
        logger.log(
            level: level, "connection closed: \(reason.text)",
            metadata: [
                "reason": "\(CloseReason.kindNames[reason.kind])", "uid": "\(peer.uid)", "pid": "\(peer.pid)",
                "owner": "\(peer.owner.text)", "program": "\(peer.program)",
            ])
    }
}

extension CloseReason {
    /// The names under which the statistics count the reasons, in the order of `kind`.
    static let kindNames = ["peer-left", "truncated-frame", "write-deadline", "queue-limit", "closed-here", "failed"]
    static let kindCount = kindNames.count

    var kind: Int {
        switch self {
        case .peerLeft: 0
        case .truncatedFrame: 1
        case .writeDeadline: 2
        case .queueLimit: 3
        case .closedHere: 4
        case .failed: 5
        }
    }

    fileprivate var isOrdinary: Bool {
        switch self {
        case .peerLeft, .closedHere: true
        case .truncatedFrame, .writeDeadline, .queueLimit, .failed: false
        }
    }

    fileprivate var text: String {
        switch self {
        case .peerLeft: "the peer left"
        case .truncatedFrame: "the peer left in the middle of a frame"
        case .writeDeadline: "the peer did not read what was sent to it in time"
        case .queueLimit: "too much was waiting to be sent to the peer"
        case .closedHere: "gated closed it"
        case .failed(let why): "the socket failed: \(why)"
        }
    }
}
