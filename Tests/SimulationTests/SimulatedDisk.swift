import FaultyDisk
import Foundation
import GateCore
import GateModel
import GateStore

@testable import GateDaemon

/// The real store on a disk that fails, and beside it, what must be on that disk.
final class SimulatedDisk: StateStore, @unchecked Sendable {
    /// What a store holds.
    struct Content: Equatable {
        var records: DurableRecords
        var journal: [AuditEntry]

        func adding(_ transitions: [Transition]) -> Content {
            var content = self
            for change in transitions where change.isChange {
                content.records.apply(change)
                content.journal += change.audit
            }
            return content
        }
    }

    private let directory: String
    private let disk: OpaquePointer
    private var store: GateStore?
    /// All commits that were confirmed.
    private(set) var confirmed = Content(
        records: DurableRecords(revision: Revision(epoch: 0, number: 0)), journal: [])
    /// What was on its way since then, and failed: each may be there all the same when the store is read again.
    private var unconfirmed: [[Transition]] = []
    /// What the last start found that was not confirmed.
    private(set) var adopted: [Transition] = []

    var counts: disk_counts { faulty_disk_counts(disk) }
    var isDead: Bool { faulty_disk_is_dead(disk) }
    /// Whether the power was cut since the last start.
    var hasLostPower: Bool { counts.power_cuts > powerCutsAtStart }
    private var powerCutsAtStart: UInt64 = 0
    /// All backups that were made, over all lives of the daemon: what the store held when each was made.
    private(set) var backups: [Content] = []
    private var isGone = false

    init(seed: UInt64) {
        directory = FileManager.default.temporaryDirectory.appending(path: "gate-simulation-\(UUID().uuidString)").path
        disk = faulty_disk_create(directory, seed)
    }

    deinit { throwAway() }

    /// Removes the files after the simulation: a dead daemon may keep them in memory.
    func throwAway() {
        guard !isGone else { return }
        isGone = true
        store?.close()
        store = nil
        faulty_disk_destroy(disk)
        try? FileManager.default.removeItem(atPath: directory)
    }

    // MARK: Faults

    func arm(_ fault: disk_fault, at operation: Int) {
        faulty_disk_arm(disk, fault, UInt32(operation))
    }

    func fill(_ isFull: Bool) {
        faulty_disk_fill(disk, isFull)
    }

    /// The process dies, and with `power: false` the whole device.
    func kill(power: Bool) {
        if power {
            if !isDead { faulty_disk_kill(disk) }
        } else if !hasLostPower {
            faulty_disk_cut_power(disk)
        }
        store?.close()
        store = nil
        faulty_disk_revive(disk)
        powerCutsAtStart = counts.power_cuts
    }

    // MARK: Life

    /// Opens the store as a daemon does at its start, and looks whether it holds what it must.
    /// - Returns: nil where the disk failed, so that there is no daemon; then say `kill`.
    func open(bootID: String, now: BootTime, isReboot: Bool) throws -> DurableRecords? {
        let opened: (store: GateStore, records: DurableRecords, outcome: GateStore.OpenOutcome)
        do throws(StoreError) {
            opened = try GateStore.open(directory: directory, bootID: bootID, now: now)
        } catch {
            switch error {
            case .full, .fullBeforeUpgrade, .notCopied, .failed, .readOnly: return nil
            case .damaged, .newer, .older, .notABackup, .unsafe, .inUse, .closed:
                throw Broken(description: "the store can't be opened: \(error)")
            }
        }
        store = opened.store
        guard !isDead else { return nil }
        switch opened.outcome {
        case .created:
            guard confirmed.journal.isEmpty else { throw Broken(description: "the store was gone") }
            confirmed.records = opened.records
        case .opened:
            try check(opened.records, opened.store, now: now, isReboot: isReboot)
        case .replacedDamaged:
            throw Broken(description: "the store was taken for damaged")
        }
        return opened.records
    }

    /// What was confirmed is there; of what was not, all of a commit or nothing.
    private func check(_ records: DurableRecords, _ store: GateStore, now: BootTime, isReboot: Bool) throws {
        let found = Content(records: records, journal: try store.audit(after: nil, last: nil, limit: 1_000_000).entries)
        var candidates = [confirmed] + unconfirmed.map(confirmed.adding)
        for index in candidates.indices where isReboot { candidates[index].records.deviceRebooted(at: now) }
        guard let index = candidates.firstIndex(of: found) else {
            throw Broken(
                description: "the store holds revision \(found.records.revision.number) with \(found.journal.count) "
                    + "entries, of \(candidates.map { ($0.records.revision.number, $0.journal.count) })")
        }
        adopted = index == 0 ? [] : unconfirmed[index - 1]
        confirmed = found
        unconfirmed = []
    }

    /// Checks that the store, read while it is in use, holds what was confirmed.
    func checkJournal() throws {
        guard let store else { return }
        let number = confirmed.journal.last.map { $0.number > 20 ? $0.number - 20 : 0 } ?? 0
        let found: AuditPage
        do throws(StoreError) {
            found = try store.audit(after: number, last: nil, limit: 1_000_000)
        } catch {
            return  // The disk is failing just now.
        }
        guard found.entries == confirmed.journal.filter({ $0.number > number }) else {
            throw Broken(description: "the journal is not what was confirmed")
        }
    }

    // MARK: As the daemon uses it

    func commit(_ transitions: [Transition]) throws(StoreError) {
        guard let store else { throw .closed }
        do throws(StoreError) {
            try store.commit(transitions)
        } catch {
            unconfirmed.append(transitions)
            throw error
        }
        confirmed = confirmed.adding(transitions)
        unconfirmed = []
    }

    func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage {
        guard let store else { throw .closed }
        return try store.audit(after: number, last: last, limit: limit)
    }

    func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)? {
        guard let store else { throw .closed }
        return try store.attachment(digest, offset: offset, count: count)
    }

    /// Makes a backup, and notes what it must hold: everything confirmed, except grants.
    func makeBackup() throws(StoreError) -> StoreBackup {
        guard let store else { throw .closed }
        let backup = try store.makeBackup()
        var content = confirmed
        content.records.keptGrants = KeptGrants()
        content.records.asks = AskBook()
        backups.append(content)
        return backup
    }

    func stageRestore() throws(StoreError) -> StagedRestore {
        guard let store else { throw .closed }
        return try store.stageRestore()
    }

    func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents {
        guard let store else { throw .closed }
        return try store.check(restore, now: now) { SimulatedForms.name(of: $0) ?? nameOf($0) }
    }

    func forgetStagedRestore() { store?.forgetStagedRestore() }

    func close() {}
}
