import GateCore
import GateModel
import GateStore

/// The store as the authority needs it: `GateStore` on a disk, or one in memory that fails when a test says so. Used on
/// threads that may wait.
protocol StateStore: Sendable {
    /// Makes transitions durable, in order: all of them, or none.
    func commit(_ transitions: [Transition]) throws(StoreError)
    /// A page of the journal, as `GateStore.audit`.
    func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage
    /// A piece of a document; nil: there is none with this digest.
    func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)?
    /// As `GateStore.makeBackup`.
    func makeBackup() throws(StoreError) -> StoreBackup
    /// As `GateStore.stageRestore`.
    func stageRestore() throws(StoreError) -> StagedRestore
    /// As `GateStore.check`.
    func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents
    /// As `GateStore.forgetStagedRestore`.
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
