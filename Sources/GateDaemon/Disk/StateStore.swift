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
    func close()
}

extension GateStore: StateStore {}
