import GateModel
import GateStore

/// The backup that is being read and the one that is being restored, at most one of each. Each belongs to one
/// connection. If its peer leaves it idle for a while, another may take its place.
struct BackupTransfers {
    final class Reading {
        let id: UInt64
        let connection: UInt64
        /// `nil` while it is being made.
        var backup: StoreBackup?
        var lastUse: BootTime

        init(id: UInt64, connection: UInt64, at now: BootTime) {
            (self.id, self.connection, lastUse) = (id, connection, now)
        }

        var isBusy: Bool { backup == nil }
    }

    final class Restoring {
        let id: UInt64
        let connection: UInt64
        /// `nil` until a first piece is on the disk.
        var staged: StagedRestore?
        var byteCount = 0
        /// Whether a piece is being written, or the backup is being checked or committed.
        var isBusy = false
        /// Whether its connection is closed.
        var isAbandoned = false
        var lastUse: BootTime

        init(id: UInt64, connection: UInt64, at now: BootTime) {
            (self.id, self.connection, lastUse) = (id, connection, now)
        }
    }

    private var lastID: UInt64 = 0
    private(set) var reading: Reading?
    private(set) var restoring: Restoring?

    /// Begins a backup; `nil` if another is being made or read.
    mutating func readingBegan(on connection: UInt64, at now: BootTime, idleTime: Duration) -> Reading? {
        if let reading, reading.isBusy || reading.lastUse.duration(to: now) < idleTime { return nil }
        lastID += 1
        let begun = Reading(id: lastID, connection: connection, at: now)
        reading = begun
        return begun
    }

    /// The backup whose next piece is asked for; `nil` if this connection reads no backup with this number, or the
    /// backup is not ready yet.
    func readingWentOn(_ id: UInt64, on connection: UInt64, at now: BootTime) -> StoreBackup? {
        guard let reading, reading.id == id, reading.connection == connection else { return nil }
        reading.lastUse = now
        return reading.backup
    }

    /// The backup was read, can't be made, or its connection is closed. Has no effect if another is being read by now.
    mutating func readingEnded(_ id: UInt64) {
        if reading?.id == id { reading = nil }
    }

    /// Begins a restore; `nil` if another is under way. The caller must first discard `left`, which it replaces.
    mutating func restoringBegan(
        on connection: UInt64, at now: BootTime, idleTime: Duration
    ) -> (begun: Restoring, left: Restoring?)? {
        let left = restoring
        if let left, left.isBusy || left.lastUse.duration(to: now) < idleTime { return nil }
        lastID += 1
        let begun = Restoring(id: lastID, connection: connection, at: now)
        restoring = begun
        return (begun, left)
    }

    /// The restore whose next piece has arrived; `nil` if this connection has no restore of this number.
    func restoringWentOn(_ id: UInt64, on connection: UInt64, at now: BootTime) -> Restoring? {
        guard let restoring, restoring.id == id, restoring.connection == connection else { return nil }
        restoring.lastUse = now
        return restoring
    }

    mutating func restoringEnded(_ id: UInt64) {
        if restoring?.id == id { restoring = nil }
    }

    /// Returns this connection's restore for the caller to discard; `nil` if it has none, or if work on it has to end
    /// first.
    mutating func connectionClosed(_ connection: UInt64) -> Restoring? {
        if reading?.connection == connection { reading = nil }
        guard let restoring, restoring.connection == connection else { return nil }
        restoring.isAbandoned = true
        guard !restoring.isBusy else { return nil }
        self.restoring = nil
        return restoring
    }
}
