import CUTF8Proc
import GateCore
import GateModel
import Glibc
import SQLite

/// The key of a row that several texts name together, in the one spelling by which it is found.
///
/// The row also has the texts as they were written. In the key they are in NFC, each followed by a line feed.
struct StoredKey: Hashable {
    let text: String
    /// Whether a row can have this key: none of the texts contains a line feed.
    private let isPossible: Bool

    init(_ texts: String...) {
        self.init(texts)
    }

    init(_ texts: [String]) {
        isPossible = texts.allSatisfy { !$0.utf8.contains(Self.lineFeed) }
        text = texts.map { Self.normalised($0) + "\n" }.joined()
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// The same result for all texts that are equal in Swift.
    static func normalised(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var text = text
        return text.withUTF8 { bytes in
            var composed: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(
                bytes.baseAddress, bytes.count, &composed,
                utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue))
            defer { free(composed) }
            // `utf8proc_map` fails only without memory, and then the process can't go on.
            precondition(count >= 0, "no memory")
            return String(decoding: UnsafeBufferPointer(start: composed, count: count), as: UTF8.self)
        }
    }

    /// The columns of the table's key, which find the row in whatever spelling its texts were written; `nil`: no row
    /// can have this key.
    var columns: StatementArguments? { isPossible ? [text] : nil }

    /// Deletes all rows whose keys begin with this key.
    func deleteAll(from table: String, in database: Database) throws {
        guard isPossible else { return }
        // The upper bound: with U+000B instead of the line feed at its end, the key comes after all that begin with it.
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE key >= ? AND key < ?")
            .execute(arguments: [text, text.dropLast() + "\u{B}"])
    }

    /// - Throws: `StoreError.damaged` if the row with these texts has another key.
    func check(_ stored: String) throws {
        // Compares bytes, as SQLite does.
        guard stored.utf8.elementsEqual(text.utf8) else {
            throw StoreError.damaged("a row that is not found by its name")
        }
    }
}

extension StoredKey {
    /// The key of a draft, or of one of its rows. If the draft has an id, the key begins with it; no holder looks like
    /// an id. So the keys of one draft's rows have a common beginning that no other row has.
    ///
    /// - Throws: `StoreError.failed` if such a holder can't be stored.
    init(_ key: FormDraftKey, path: String? = nil) throws {
        self.init(
            (key.id == 0 ? [] : ["\(key.id)"]) + [try Self.text(of: key.holder), key.name] + (path.map { [$0] } ?? []))
    }

    /// - Throws: `StoreError.failed` if such a holder can't be stored.
    init(_ key: WhatsNewKey, _ texts: String...) throws {
        self.init([try Self.text(of: key.holder), key.app] + texts)
    }

    private static func text(of holder: FormHolder) throws -> String {
        try Format.text.read(Format.holder.stored(holder))
    }
}
