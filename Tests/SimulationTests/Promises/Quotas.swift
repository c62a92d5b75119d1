import GateModel
import TTRPC

@testable import GateCore
@testable import GateDaemon
@testable import TTRPCTransport

/// The limits that nobody exceeds, however hard they try.
enum Quotas {
    static func check(_ device: SimulatedDevice) throws {
        let state = device.durable
        let open = state.presentations(visibleTo: .daemon)
        try hold(open.count <= Limits.queuedPresentations + 1, "\(open.count) presentations are open")
        let asked = open.filter { $0.purpose != .signIn && $0.asked.uid != 0 }
        let ofOwner = Dictionary(grouping: asked) { SimulatedPeople.owner(of: $0.asked.uid) }.mapValues(\.count)
        for (owner, count) in ofOwner {
            try hold(count <= Limits.openRequests, "\(owner.text) has \(count) questions open")
        }
        for (key, lockout) in state.records.lockouts {
            guard let limit = SecretBudget.limit(of: key) else { continue }
            try hold(lockout.wrongAnswers <= limit, "\(key.owner.text): \(lockout.wrongAnswers) wrong, \(key.gate)")
        }
        try hold(state.records.keptGrants.keys.allSatisfy { SimulatedPeople.owner(of: $0.uid) == .user($0.uid) })
        for (holder, count) in drafts(state) {
            try hold(count <= Limits.draftsOfHolder, "\(holder) has \(count) drafts")
        }
        try hold(state.records.drafts.count <= Limits.drafts)
        let documents = state.records.attachments.values.reduce(0, +)
        try hold(documents <= Limits.attachmentByteCountOfAll, "documents of \(documents) bytes")
        for connection in device.connections.values {
            let limit = device.daemon.server.limits.maximumQueuedBytes
            try hold(connection.bytesInWaiting <= limit, "more waits for a program than may")
        }
        try device.daemon.authority.assumeIsolated { authority in
            try hold(authority.sessions.sessions.count <= authority.context.limits.connections, "too many connections")
            let most = authority.sessions.connectionsOfOwner.values.max() ?? 0
            try hold(most <= authority.context.limits.connectionsPerUser, "an owner has \(most) connections")
        }
    }

    /// The number of drafts that each owner is billed for.
    private static func drafts(_ state: GateState) -> [FormHolder: Int] {
        let holders = state.records.drafts.keys.map(\.holder)
        return Dictionary(
            uniqueKeysWithValues: Set(holders).map { holder in
                (holder, holders.count { $0.sharesBill(with: holder) })
            })
    }
}
