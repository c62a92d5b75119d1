import GateModel

/// Counts the commands that wait for the disk and the rows that they write, for each owner. A disk may hang for any
/// time, and a command stays even if its caller leaves, so without limits a peer could fill the memory.
struct CommandQuota: Hashable, Sendable {
    struct Share: Hashable, Sendable {
        var commands = 0
        var rows = 0

        fileprivate static func += (left: inout Share, right: Share) {
            left.commands += right.commands
            left.rows += right.rows
        }

        fileprivate static func -= (left: inout Share, right: Share) {
            left.commands -= right.commands
            left.rows -= right.rows
        }
    }

    private(set) var ofAll = Share()
    private var ofOwner: [Owner: Share] = [:]

    func share(of peer: Peer) -> Share { ofOwner[peer.owner] ?? Share() }

    /// Whether one more command of this peer may wait. Some room is reserved for administrators.
    func hasRoom(for peer: Peer, _ limits: DaemonLimits) -> Bool {
        let isAdministrator = peer.roles.contains(.administrator)
        let kept = isAdministrator ? 0 : limits.commandsKeptForAdministrators
        guard ofAll.commands < limits.commandsWaiting - kept else { return false }
        guard !isAdministrator else { return true }
        let own = share(of: peer)
        return own.commands < limits.commandsWaitingPerUser && own.rows < limits.rowsWaitingPerUser
            && ofAll.rows < limits.rowsWaiting
    }

    mutating func began(for peer: Peer, rows: Int) {
        let share = Share(commands: 1, rows: rows)
        ofAll += share
        ofOwner[peer.owner, default: Share()] += share
    }

    mutating func ended(for peer: Peer, rows: Int) {
        let share = Share(commands: 1, rows: rows)
        guard var own = ofOwner[peer.owner] else { preconditionFailure("a command ended that never began") }
        own -= share
        ofOwner[peer.owner] = own == Share() ? nil : own
        ofAll -= share
    }
}
