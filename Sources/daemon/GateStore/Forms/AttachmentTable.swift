import GateCore
public import GateModel
import SQLite

/// The rows of `attachment`: the bytes that answers name, each once. They stay in the file: a start reads how many there
/// are, and a download a piece at a time.
struct AttachmentTable: RecordTable {
    /// More than the core takes. What has more was not written by us.
    private static let maximumCount = 100_000
    private static let maximumByteCount = 16 << 20

    private let table = Table(
        // Statements that were kept would keep the bytes, megabytes of them.
        "attachment", hasRowID: true, keepsStatements: false,
        // SHA-256.
        Column("digest", .digest, "PRIMARY KEY CHECK (length(digest) = 32)"),
        Column("bytes", .bytes(0...Self.maximumByteCount)))
    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        records.attachments = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT digest, length(bytes) FROM attachment")
        while let row = try rows.next() {
            let (digest, byteCount) = (try Format.digest.read(row[0]), try Format.count.read(row[1]))
            guard (0...Self.maximumByteCount).contains(byteCount), records.attachments.count < Self.maximumCount,
                records.attachments.updateValue(byteCount, forKey: digest) == nil
            else { throw StoreError.damaged("an attachment too many, or too large") }
        }
    }

    /// Documents that this store has stay.
    ///
    /// - Throws: `StoreError.failed` where a document is nowhere.
    func replaceAll(
        with records: DurableRecords, documentsFrom staged: StagedRestore?, in database: Database
    ) throws {
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
        of digest: AttachmentDigest, offset: Int, count: Int, in database: Database
    ) throws -> (piece: [UInt8], byteCount: Int)? {
        // Of no bytes, substr makes NULL.
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
    /// Its bytes can be set by anybody.
    fileprivate static let digest = Format(
        .bytes(AttachmentDigest.byteCount...AttachmentDigest.byteCount), "a digest",
        value: { AttachmentDigest(bytes: $0) }, base: \.bytes)
}

extension GateStore {
    /// Some of the bytes of an attachment.
    ///
    /// - Parameters:
    ///   - offset: where the piece begins, in bytes from 0. Past the end the piece is empty.
    ///   - count: at most so many bytes.
    /// - Returns: the piece, and how many bytes the whole attachment has; `nil`: there is none with this digest.
    /// - Throws: `StoreError`.
    public func attachment(
        _ digest: AttachmentDigest, offset: Int, count: Int
    ) throws(StoreError) -> (piece: [UInt8], byteCount: Int)? {
        try Self.performing {
            try database.inDatabase { database in
                try RecordTables.attachments.piece(of: digest, offset: offset, count: count, in: database)
            }
        }
    }
}
