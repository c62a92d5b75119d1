import Foundation
import GateCore
import GateModel
import GateStore

@testable import GateDaemon

/// A store in memory that a test can make fail, or wait.
final class MemoryStore: StateStore, @unchecked Sendable {
    // Guarded by `condition`.
    private let condition = NSCondition()
    private var records = DurableRecords(revision: Revision(epoch: 7, number: 0))
    private var journal: [AuditEntry] = []
    private var documents: [AttachmentDigest: [UInt8]] = [:]
    private var isFull = false
    private var isHeld = false
    private var oldestNumber: UInt64 = 1
    private var backupStore: GateStore?

    /// Makes backups of this store from now on, and looks at restored ones in its directory.
    func makeBackups(of store: GateStore) {
        condition.withLock { backupStore = store }
    }

    /// From now on every commit fails, or none does.
    func setFull(_ isFull: Bool) {
        condition.withLock { self.isFull = isFull }
    }

    /// Holds every commit that begins from now on, until `release`.
    func hold() {
        condition.withLock { isHeld = true }
    }

    func release() {
        condition.withLock {
            isHeld = false
            condition.broadcast()
        }
    }

    var gateChoices: [String: String] {
        condition.withLock { records.gateChoices }
    }

    var kinds: [AuditEntry.Kind] {
        condition.withLock { journal.map(\.kind) }
    }

    var details: [String] {
        condition.withLock { journal.map(\.detail) }
    }

    func commit(_ transitions: [Transition]) throws(StoreError) {
        condition.lock()
        defer { condition.unlock() }
        while isHeld { condition.wait() }
        guard !isFull else { throw .full }
        for transition in transitions {
            records.apply(transition)
            journal += transition.audit
            for change in transition.records {
                if case .forms(.attachmentStored(let digest, let bytes)) = change { documents[digest] = bytes }
                if case .forms(.attachmentRemoved(let digest)) = change { documents[digest] = nil }
            }
        }
    }

    func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)? {
        condition.withLock {
            documents[digest].map { (piece: Array($0.dropFirst(offset).prefix(count)), byteCount: $0.count) }
        }
    }

    func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage {
        condition.withLock {
            let rest = journal.filter { $0.number > number ?? 0 }
            return AuditPage(
                entries: Array(rest.prefix(limit)), isComplete: rest.count <= limit, oldestNumber: oldestNumber)
        }
    }

    /// Forgets these entries, as a full journal does. Each must be the whole of its revision.
    func forget(_ numbers: Set<UInt64>) {
        condition.withLock {
            journal.removeAll { numbers.contains($0.number) }
            oldestNumber = max(oldestNumber, (numbers.max() ?? 0) + 1)
        }
    }

    // MARK: Backups

    private func storeForBackups() throws(StoreError) -> GateStore {
        guard let store = condition.withLock({ backupStore }) else { throw .failed("this store is in memory") }
        return store
    }

    func makeBackup() throws(StoreError) -> StoreBackup { try storeForBackups().makeBackup() }

    func stageRestore() throws(StoreError) -> StagedRestore { try storeForBackups().stageRestore() }

    func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents {
        try storeForBackups().check(restore, now: now, nameOf: nameOf)
    }

    func forgetStagedRestore() { condition.withLock { backupStore }?.forgetStagedRestore() }

    func close() { condition.withLock { backupStore }?.close() }
}
