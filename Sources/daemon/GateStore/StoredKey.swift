import CUTF8Proc
import Glibc
import SQLite

/// Texts that name a row together, in the one spelling by which it is found.
///
/// A row has it beside the texts as they were written: these in NFC, each with a line feed behind it.
struct StoredKey: Hashable {
    let text: String
    /// Whether a row can have this key: no text in it has a line feed itself.
    private let isPossible: Bool

    init(_ texts: String...) {
        self.init(texts)
    }

    init(_ texts: [String]) {
        isPossible = texts.allSatisfy { !$0.utf8.contains(Self.lineFeed) }
        text = texts.map { Self.normalised($0) + "\n" }.joined()
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// The same text for all that are the same to Swift.
    static func normalised(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var text = text
        return text.withUTF8 { bytes in
            var composed: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(
                bytes.baseAddress, bytes.count, &composed,
                utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue))
            defer { free(composed) }
            // Without memory there is nothing to go on with.
            precondition(count >= 0, "no memory")
            return String(decoding: UnsafeBufferPointer(start: composed, count: count), as: UTF8.self)
        }
    }

    /// Deletes the row with this key, in whatever spelling it was written.
    func delete(from table: String, in database: Database) throws {
        guard isPossible else { return }
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE key = ?").execute(arguments: [text])
    }

    /// Deletes all rows whose keys begin with this one.
    func deleteAll(from table: String, in database: Database) throws {
        guard isPossible else { return }
        // The line feed at the end counted up: what comes behind all that begins with it.
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE key >= ? AND key < ?")
            .execute(arguments: [text, text.dropLast() + "\u{B}"])
    }

    /// - Throws: `StoreError.damaged` where the row that has these texts has another key.
    func check(_ stored: String) throws {
        // By bytes, as SQLite looks for it.
        guard stored.utf8.elementsEqual(text.utf8) else {
            throw StoreError.damaged("a row that is not found by its name")
        }
    }
}
