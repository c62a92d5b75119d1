import GateModel
import TTRPC

@testable import GateCore
@testable import GateDaemon
@testable import TTRPCTransport

/// What nobody may exceed, however hard they try (DESIGN, section 15).
enum Quotas {
    static func check(_ device: SimulatedDevice) throws {
        let state = device.durable
        let open = state.presentations(visibleTo: .daemon)
        try hold(open.count <= GateCore.Limits.queuedPresentations + 1, "\(open.count) presentations are open")
        let ofUser = Dictionary(grouping: open.filter { $0.purpose != .signIn }, by: \.asked.uid).mapValues(\.count)
        for (uid, count) in ofUser where uid != 0 {
            try hold(count <= GateCore.Limits.openRequests, "uid \(uid) has \(count) questions open")
        }
        try hold(state.records.drafts.count <= GateCore.Limits.drafts)
        let documents = state.records.attachments.values.reduce(0, +)
        try hold(documents <= GateCore.Limits.attachmentByteCountOfAll, "documents of \(documents) bytes")
        for connection in device.connections.values {
            let limit = device.daemon.server.limits.maximumQueuedBytes
            try hold(connection.bytesInWaiting <= limit, "more waits for a program than may")
        }
        try device.daemon.authority.assumeIsolated { authority in
            try hold(authority.sessions.count <= authority.limits.connections, "too many connections")
            let most = authority.connectionsOfUser.values.max() ?? 0
            try hold(most <= authority.limits.connectionsPerUser, "a user has \(most) connections")
        }
    }
}
