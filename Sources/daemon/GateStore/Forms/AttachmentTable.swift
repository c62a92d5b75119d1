import GateCore
public import GateModel
import SQLite

/// The rows of `attachment`: the documents that answers name, each stored once. Their bytes stay in the file: a start
/// reads only their sizes, and a download reads one piece at a time.
struct AttachmentTable: RecordTable {
    private static let maximumByteCount = 16 << 20
    private static let digest = Format.bytes(AttachmentDigest.byteCount...AttachmentDigest.byteCount)

    private let table = Table(
        "attachment", hasRowID: true, blank: (digest: [], bytes: []),
        // The SHA-256 of the bytes.
        Column("digest", Self.digest, \.digest, "PRIMARY KEY CHECK (length(digest) = 32)"),
        Column("bytes", .bytes(0...Self.maximumByteCount), \.bytes))
    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        records.attachments = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT digest, length(bytes) FROM attachment")
        while let row = try rows.next() {
            let (bytes, byteCount) = (try Self.digest.read(row[0]), try Format.count.read(row[1]))
            // The core never has as many as 100,000.
            guard (0...Self.maximumByteCount).contains(byteCount), records.attachments.count < 100_000,
                let digest = AttachmentDigest(bytes: bytes),
                records.attachments.updateValue(byteCount, forKey: digest) == nil
            else { throw StoreError.damaged("an attachment too many, or too large") }
        }
    }

    /// Keeps the documents that this store has already. `copy` adds the others.
    func replaceAll(with records: DurableRecords, in database: Database) throws {
        var here = DurableRecords.empty
        try load(into: &here, from: database)
        for digest in here.attachments.keys where records.attachments[digest] == nil {
            try remove(digest, in: database)
        }
    }

    /// Copies the documents that this store does not have from the backup that is restored.
    func copy(
        _ digests: some Sequence<AttachmentDigest>, from backup: DatabaseQueue?, in database: Database
    ) throws {
        for digest in digests where try piece(of: digest, count: 0, in: database) == nil {
            guard let bytes = try backup?.read({ try piece(of: digest, in: $0)?.piece }) else {
                throw StoreError.failed("a document of the backup is not there")
            }
            try insert(bytes, as: digest, in: database)
        }
    }

    func insert(_ bytes: [UInt8], as digest: AttachmentDigest, in database: Database) throws {
        try table.write((digest.bytes, bytes), in: database)
    }

    func remove(_ digest: AttachmentDigest, in database: Database) throws {
        guard let key = table.storedKey(of: (digest.bytes, [])) else { return }
        try table.delete(key, in: database)
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

extension GateStore {
    /// A piece of at most `count` bytes, which is empty past the end, and the size of the whole attachment in bytes;
    /// `nil` if no attachment has this digest.
    public func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)? {
        try reading { try RecordTables.attachments.piece(of: digest, offset: offset, count: count, in: $0) }
    }
}
