import GateModel
import SQLite

/// The rows of `receipt`: what the App Store has signed, and other devices of the household get from this one (H-05).
enum ReceiptTable {
    /// More than the core keeps. What has more was not written by us.
    static let maximumCount = 10_000
    private static let numbers = 1...RecordTables.maximumNumber

    static func load(from database: Database) throws -> [UInt64: KeptReceipt] {
        var receipts: [UInt64: KeptReceipt] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT number, claim, part, said_at, kind, signed FROM receipt")
        while let row = try rows.next() {
            let number = try RecordTables.value(0, of: row, as: UInt64.self)
            let text = try RecordTables.value(5, of: row, as: String.self)
            guard let part = KeptReceipt.Part(rawValue: try RecordTables.value(2, of: row, as: String.self)),
                let kind = StoreReceipt.Kind(rawValue: try RecordTables.value(4, of: row, as: String.self)),
                numbers.contains(number), receipts.count < maximumCount,
                text.utf8.count <= StoreReceipt.maximumByteCount
            else { throw StoreError.damaged("a receipt that can't be one") }
            receipts[number] = KeptReceipt(
                number: number, claim: try StoredText.name.read(1, of: row), part: part,
                saidAt: try RecordTables.time(3, of: row), receipt: StoreReceipt(kind, text))
        }
        return receipts
    }

    static func set(_ receipt: KeptReceipt, in database: Database) throws {
        guard numbers.contains(receipt.number), receipt.receipt.text.utf8.count <= StoreReceipt.maximumByteCount else {
            throw StoreError.failed("the receipt \(receipt.number) can't be stored")
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO receipt (number, claim, part, said_at, kind, signed) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (number) DO UPDATE
                SET claim = excluded.claim, part = excluded.part, said_at = excluded.said_at, kind = excluded.kind,
                    signed = excluded.signed
                """
        ).execute(arguments: [
            Int64(clamping: receipt.number), try StoredText.name.checked(receipt.claim), receipt.part.rawValue,
            receipt.saidAt.unixMilliseconds, receipt.receipt.kind.rawValue, receipt.receipt.text,
        ])
    }

    static func remove(_ number: UInt64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM receipt WHERE number = ?")
            .execute(arguments: [Int64(clamping: number)])
    }
}
