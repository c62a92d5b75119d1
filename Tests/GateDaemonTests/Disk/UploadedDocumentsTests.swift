import GateModel
import Testing

@testable import GateDaemon

/// Documents that one connection has brought, and no answer names yet.
@Suite("Uploaded documents")
struct UploadedDocumentsTests {
    private var documents = UploadedDocuments()

    private mutating func bring(_ bytes: [UInt8]) throws -> AttachmentDigest {
        let (_, digest) = try documents.received(bytes, of: 0, isLast: true, limit: 100, countLimit: 3)
        return try #require(digest)
    }

    @Test("pieces are joined in order, and the last one returns the document's digest")
    mutating func pieces() throws {
        let (number, none) = try documents.received([1, 2], of: 0, isLast: false, limit: 100, countLimit: 3)
        #expect(none == nil && documents.taken.isEmpty)
        let other = try documents.received([9], of: 0, isLast: false, limit: 100, countLimit: 3)
        #expect(other.number != number)
        let (_, digest) = try documents.received([3], of: number, isLast: true, limit: 100, countLimit: 3)
        #expect(digest == AttachmentDigest(of: [1, 2, 3]))
        #expect(documents.taken == [AttachmentDigest(of: [1, 2, 3]): [1, 2, 3]])
    }

    @Test("a document that is too large, one too many, empty or unknown is refused and leaves nothing")
    mutating func limits() throws {
        #expect(throws: GateError.self) {
            try documents.received([], of: 0, isLast: false, limit: 100, countLimit: 3)
        }
        #expect(throws: GateError.self) {
            try documents.received([1], of: 7, isLast: true, limit: 100, countLimit: 3)
        }
        let (number, _) = try documents.received(
            [UInt8](repeating: 1, count: 60), of: 0, isLast: false, limit: 100, countLimit: 3)
        #expect(throws: GateError.self) {
            try documents.received(
                [UInt8](repeating: 1, count: 60), of: number, isLast: true, limit: 100, countLimit: 3)
        }
        #expect(documents.byteCount == 0 && documents.taken.isEmpty)
        for byte in 0..<3 as Range<UInt8> { _ = try bring([byte]) }
        do throws(GateError) {
            _ = try documents.received([9], of: 0, isLast: false, limit: 100, countLimit: 3)
            Issue.record("a fourth was taken")
        } catch {
            #expect(error.code == .resourceExhausted)
        }
    }

    @Test("each document costs more than its bytes, and the same document twice costs once")
    mutating func cost() throws {
        let first = try bring([1])
        let one = documents.byteCount
        #expect(one > 100)
        _ = try bring([1])
        #expect(documents.byteCount == one)
        let second = try bring([2])
        #expect(documents.byteCount == 2 * one)
        documents.stored([first])
        #expect(documents.byteCount == one && documents.named(by: [first, second]) == [second: [2]])
        documents.stored([second])
        #expect(documents.byteCount == 0)
    }
}
