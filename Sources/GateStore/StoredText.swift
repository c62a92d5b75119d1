import SQLite

/// A column of text from outside: names, and what providers call things.
///
/// The same is asked of it when it is written and when it is read, so that no commit makes a store that the next start
/// takes for damaged.
struct StoredText {
    /// In UTF-8.
    let byteCounts: ClosedRange<Int>

    /// The name of somebody or something.
    static let name = StoredText(byteCounts: 1...1024)
    /// For people; may be empty.
    static let words = StoredText(byteCounts: 0...1024)

    /// A control character would end a line, or the text where C reads it.
    private func allows(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            byteCounts.contains(bytes.count) && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    /// - Throws: `StoreError.damaged` where it is nothing that we write.
    func read(_ column: Int, of row: Row) throws -> String {
        let text = try RecordTables.value(column, of: row, as: String.self)
        guard allows(text) else { throw StoreError.damaged("a text of \(text.utf8.count) bytes that can't be one") }
        return text
    }

    /// As `read`, for a column that may be NULL.
    func readOptional(_ column: Int, of row: Row) throws -> String? {
        let stored: DatabaseValue = row[column]
        return stored.isNull ? nil : try read(column, of: row)
    }

    /// - Returns: the text itself.
    /// - Throws: `StoreError.failed` where it could not be read again.
    func checked(_ text: String) throws -> String {
        guard allows(text) else {
            throw StoreError.failed("a text of \(text.utf8.count) bytes can't be stored; give a shorter line")
        }
        return text
    }

    /// The rows that a table has of a name in other bytes.
    ///
    /// Swift takes an accent on its own and a letter with an accent for the same, and SQLite does not: it would keep both
    /// where we have one, and keep what was to be removed.
    static func otherSpellings(
        of name: String, in column: String, of table: String, _ database: Database
    ) throws -> [String] {
        var query = "SELECT \(column) FROM \(table)"
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            // Another spelling of that has more than ASCII in it, as nearly no name has.
            query += " WHERE length(\(column)) <> length(CAST(\(column) AS BLOB))"
        }
        return try String.fetchAll(database.cachedStatement(sql: query))
            .filter { $0 == name && !$0.utf8.elementsEqual(name.utf8) }
    }
}
