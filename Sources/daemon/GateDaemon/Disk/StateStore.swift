import GateCore
import GateModel
import GateStore

/// The store as the daemon uses it, on threads that may block: `GateStore`, or in tests one that fails on demand.
protocol StateStore: Sendable {
    /// See `GateStore.commit`.
    func commit(_ transitions: [Transition]) throws(StoreError)
    /// See `GateStore.audit`.
    func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage
    /// See `GateStore.attachment`.
    func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)?
    /// See `GateStore.makeBackup`.
    func makeBackup() throws(StoreError) -> StoreBackup
    /// See `GateStore.stageRestore`.
    func stageRestore() throws(StoreError) -> StagedRestore
    /// See `GateStore.check`.
    func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents
    /// See `GateStore.forgetStagedRestore`.
    func forgetStagedRestore()
    func close()
}

/// A store in memory has no backups.
extension StateStore {
    func makeBackup() throws(StoreError) -> StoreBackup { throw .failed("this store is in memory") }
    func stageRestore() throws(StoreError) -> StagedRestore { throw .failed("this store is in memory") }
    func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents {
        throw .failed("this store is in memory")
    }
    func forgetStagedRestore() {}
}

extension GateStore: StateStore {}
