import GateModel
import GateStore

/// The backup that is being read, and the one that is being brought back: of each at most one at a time. Each belongs to one
/// connection; what its peer leaves lying for a while makes room for another's.
struct BackupTransfers {
    /// A backup that is being made, or read.
    final class Reading {
        let id: UInt64
        let connection: UInt64
        /// `nil`: it is being made.
        var backup: StoreBackup?
        var lastUse: BootTime

        init(id: UInt64, connection: UInt64, at now: BootTime) {
            (self.id, self.connection, lastUse) = (id, connection, now)
        }

        /// Nobody is to wait for it.
        var isBusy: Bool { backup == nil }
    }

    /// A backup that is being brought.
    final class Restoring {
        let id: UInt64
        let connection: UInt64
        /// `nil`: nothing of it is on the disk yet.
        var staged: StagedRestore?
        /// That were taken.
        var byteCount = 0
        /// A piece of it is being written, or it is being checked or committed.
        var isBusy = false
        /// Its connection is gone.
        var isAbandoned = false
        var lastUse: BootTime

        init(id: UInt64, connection: UInt64, at now: BootTime) {
            (self.id, self.connection, lastUse) = (id, connection, now)
        }
    }

    private var lastID: UInt64 = 0
    private(set) var reading: Reading?
    private(set) var restoring: Restoring?

    /// Somebody wants a backup. `nil`: another one is being made or read.
    mutating func readingBegan(on connection: UInt64, at now: BootTime, idleTime: Duration) -> Reading? {
        if let reading, reading.isBusy || reading.lastUse.duration(to: now) < idleTime { return nil }
        lastID += 1
        let begun = Reading(id: lastID, connection: connection, at: now)
        reading = begun
        return begun
    }

    /// The next piece of it is wanted. `nil`: this connection has none of this number, or has it not yet.
    func readingWentOn(_ id: UInt64, on connection: UInt64, at now: BootTime) -> StoreBackup? {
        guard let reading, reading.id == id, reading.connection == connection else { return nil }
        reading.lastUse = now
        return reading.backup
    }

    /// It was read to its end, can't be made, or its connection is gone. Late and harmless: another one is being read.
    mutating func readingEnded(_ id: UInt64) {
        if reading?.id == id { reading = nil }
    }

    /// Somebody brings a backup. `nil`: another one is being brought.
    ///
    /// - Returns: also the one that was left lying, to be forgotten first.
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

    /// The next piece of it came. `nil`: this connection brings none of this number.
    func restoringWentOn(_ id: UInt64, on connection: UInt64, at now: BootTime) -> Restoring? {
        guard let restoring, restoring.id == id, restoring.connection == connection else { return nil }
        restoring.lastUse = now
        return restoring
    }

    /// It is in force, was refused, or its connection is gone. Late and harmless: another one is being brought.
    mutating func restoringEnded(_ id: UInt64) {
        if restoring?.id == id { restoring = nil }
    }

    /// - Returns: what the connection was bringing and nobody is working on, to be forgotten.
    mutating func connectionClosed(_ connection: UInt64) -> Restoring? {
        if reading?.connection == connection { reading = nil }
        guard let restoring, restoring.connection == connection else { return nil }
        restoring.isAbandoned = true
        guard !restoring.isBusy else { return nil }
        self.restoring = nil
        return restoring
    }
}
