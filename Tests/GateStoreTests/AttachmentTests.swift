import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("Attachments are kept once, and read piece by piece")
struct AttachmentTests {
    let scene: Scene
    let digest: AttachmentDigest
    private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    init() throws {
        scene = try Scene()
        digest = try #require(.sample(1))
    }

    /// - Returns: a store with an attachment, opened anew.
    private func stored() throws -> GateStore {
        var (store, records, _) = try scene.open()
        let transition = records.next([.attachmentStored(digest, bytes)])
        try store.commit([transition])
        records.apply(transition)
        store.close()
        let reopened = try scene.open()
        #expect(reopened.records == records)
        #expect(reopened.records.attachments == [digest: bytes.count])
        return reopened.store
    }

    @Test(
        "a piece of an attachment has the bytes at its offset, and none past the end",
        arguments: [
            (0, 100_000), (0, 1), (1, 4096), (99_999, 1), (99_999, 500), (100_000, 10), (5_000_000, 10), (.max, .max),
            (50_000, 0), (0, .max), (-5, 3), (7, -1),
        ])
    func pieces(offset: Int, count: Int) throws {
        let store = try stored()
        let read = try #require(try store.attachment(digest, offset: offset, count: count))
        #expect(read.byteCount == bytes.count)
        let isRight = read.piece == Array(bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
        #expect(isRight)
    }

    @Test("an empty attachment is found, and one that was never stored is not")
    func empty() throws {
        let (store, records, _) = try scene.open()
        try store.commit([records.next([.attachmentStored(digest, [])])])
        let read = try #require(try store.attachment(digest, offset: 0, count: 10))
        #expect(read.piece.isEmpty && read.byteCount == 0)
        #expect(try store.attachment(try #require(.sample(2)), offset: 0, count: 10) == nil)
        store.close()
        #expect(throws: StoreError.closed) { try store.attachment(digest, offset: 0, count: 10) }
    }

    @Test("an attachment that was removed is wiped from the file")
    func removed() throws {
        let store = try stored()
        let trace = Array(bytes[5000..<5400])
        try store.database.inDatabase { try $0.emptyLog() }
        #expect(scene.isOnDisk(trace))
        let records = try scene.withOtherProgram { try RecordTables.load(from: $0).records }
        try store.commit([records.next([.attachmentRemoved(digest), .attachmentRemoved(try #require(.sample(9)))])])
        #expect(try store.attachment(digest, offset: 0, count: 10) == nil)
        store.close()
        #expect(!scene.isOnDisk(trace))
        #expect(try scene.open().records.attachments == [:])
    }

    @Test("an attachment that is too large is not stored, and neither is the rest of its transition")
    func tooLarge() throws {
        let (store, records, _) = try scene.open()
        var oddDigest = digest
        oddDigest.bytes.removeLast()
        let tooLarge = [UInt8](repeating: 0, count: (16 << 20) + 1)
        for change: RecordChange in [.attachmentStored(digest, tooLarge), .attachmentStored(oddDigest, [1])] {
            let transition = records.next([.nextResponseSet(7), change])
            #expect(throws: StoreError.self) { try store.commit([transition]) }
        }
        store.close()
        #expect(try scene.open().records == records)
    }
}
