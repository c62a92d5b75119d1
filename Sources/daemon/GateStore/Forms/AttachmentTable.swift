import GateCore
public import GateModel
import SQLite

/// The rows of `attachment`: the documents that answers name, each stored once. Their bytes stay in the file: a start
/// reads only their sizes, and a download reads one piece at a time.
struct AttachmentTable: RecordTable {
    private static let maximumByteCount = 16 << 20

    private let table = Table(
        "attachment", hasRowID: true,
        // The SHA-256 of the bytes.
        Column("digest", .digest, "PRIMARY KEY CHECK (length(digest) = 32)"),
        Column("bytes", .bytes(0...Self.maximumByteCount)))
    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        records.attachments = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT digest, length(bytes) FROM attachment")
        while let row = try rows.next() {
            let (digest, byteCount) = (try Format.digest.read(row[0]), try Format.count.read(row[1]))
            // The core never has as many as 100,000.
            guard (0...Self.maximumByteCount).contains(byteCount), records.attachments.count < 100_000,
                records.attachments.updateValue(byteCount, forKey: digest) == nil
            else { throw StoreError.damaged("an attachment too many, or too large") }
        }
    }

    /// Keeps the documents that this store has already, and copies the others from the backup.
    func replaceAll(with records: DurableRecords, documentsFrom staged: StagedRestore?, in database: Database) throws {
        var here = DurableRecords(revision: records.revision)
        try load(into: &here, from: database)
        for digest in here.attachments.keys where records.attachments[digest] == nil {
            try remove(digest, in: database)
        }
        for digest in records.attachments.keys where here.attachments[digest] == nil {
            guard let bytes = try staged?.document(digest) else {
                throw StoreError.failed("a document of the backup is not there")
            }
            try insert(bytes, as: digest, in: database)
        }
    }

    func insert(_ bytes: [UInt8], as digest: AttachmentDigest, in database: Database) throws {
        try table.write(digest, bytes, in: database)
    }

    func remove(_ digest: AttachmentDigest, in database: Database) throws {
        try table.delete([try Format.digest.stored(digest)], in: database)
    }

    func piece(
        of digest: AttachmentDigest, offset: Int = 0, count: Int = .max, in database: Database
    ) throws -> (piece: [UInt8], byteCount: Int)? {
        // substr returns NULL for an empty document.
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT coalesce(substr(bytes, ? + 1, ?), x''), length(bytes) FROM attachment WHERE digest = ?"),
            arguments: [
                min(max(0, offset), Self.maximumByteCount), min(max(0, count), Self.maximumByteCount), digest.bytes,
            ])
        return try row.map { (try Format.bytes(0...Self.maximumByteCount).read($0[0]), try Format.count.read($0[1])) }
    }
}

extension Format<AttachmentDigest> {
    /// Any bytes of the right length are a digest.
    fileprivate static let digest = Format(
        .bytes(AttachmentDigest.byteCount...AttachmentDigest.byteCount), "a digest",
        value: { AttachmentDigest(bytes: $0) }, base: \.bytes)
}

extension GateStore {
    /// A piece of at most `count` bytes, which is empty past the end, and the size of the whole attachment in bytes;
    /// `nil` if no attachment has this digest.
    public func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)? {
        try reading { try RecordTables.attachments.piece(of: digest, offset: offset, count: count, in: $0) }
    }
}
