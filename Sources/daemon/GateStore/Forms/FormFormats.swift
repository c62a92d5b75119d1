import CUTF8Proc
import GateCore
import GateForms
import GateModel
import Glibc
import SQLite

// The keys and formats that the tables of forms have in common.

/// The key of a row that several texts name together, in the one spelling by which it is found: each text in NFC and
/// followed by a line feed, which none of them can contain. The row also has the texts as they were written.
struct StoredKey: Hashable {
    let text: String

    init(_ texts: String...) { self.init(texts) }

    private init(_ texts: [String]) { text = texts.map { Self.normalised($0) + "\n" }.joined() }

    /// The key of a draft, or of one of its rows. If the draft has an id, the key begins with it; no holder looks like
    /// an id. So the keys of one draft's rows have a common beginning that no other row has.
    init(_ key: FormDraftKey, path: String? = nil) throws {
        let id = key.id == 0 ? [] : ["\(key.id)"]
        self.init(id + [try Self.text(of: key.holder), key.name] + (path.map { [$0] } ?? []))
    }

    init(_ key: WhatsNewKey, _ texts: String...) throws {
        self.init([try Self.text(of: key.holder), key.app] + texts)
    }

    private static func text(of holder: FormHolder) throws -> String {
        try Format.text.read(Format.holder.stored(holder))
    }

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

    /// Deletes all rows whose keys begin with this key.
    func deleteAll(from table: String, in database: Database) throws {
        // The upper bound: with U+000B instead of the line feed at its end, the key comes after all that begin with it.
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE key >= ? AND key < ?")
            .execute(arguments: [text, text.dropLast() + "\u{B}"])
    }

    /// - Throws: `StoreError.damaged` if the row with these texts has another key.
    func check(_ stored: DatabaseValue) throws {
        // Compares bytes, as SQLite does.
        guard String.fromDatabaseValue(stored)?.hasBytes(of: text) == true else {
            throw StoreError.damaged("a row that is not found by its name")
        }
    }
}

extension Format<FormHolder> {
    /// The holder of a form or of seen news: `account:anna`; `user:1000`; `user:100000:1000` if another user is billed.
    static let holder = Format(
        .line(1...(8 + GatePerson.maximumNameByteCount)), "a holder that is an account or a user",
        value: { text in
            // Bytes: an accent at the beginning of a name would be one character with the colon.
            let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard parts.count == 2 else { return nil }
            let numbers = parts[1].split(separator: ":").compactMap { UInt32($0) }
            let holder: FormHolder? =
                switch (parts[0], numbers.count) {
                case ("account", _): .account(parts[1])
                case ("user", 1): .user(numbers[0])
                case ("user", 2): .subordinate(numbers[0], of: Owner(stored: numbers[1]))
                case _: nil
                }
            // A number has only one spelling.
            return holder.flatMap { Format<FormHolder>.text(of: $0)?.hasBytes(of: text) == true ? $0 : nil }
        }, base: text(of:))

    @Sendable private static func text(of holder: FormHolder) -> String? {
        switch holder.kind {
        case .account(let name): name.isEmpty ? nil : "account:\(name)"
        case .user(let uid): "user:\(uid)" + (holder.otherOwner.map { ":\($0.number)" } ?? "")
        }
    }
}

// MARK: - FHIR JSON
//
// A later version may accept more here than this one, but never less: else it would take a store for damaged.

extension Format<[UInt8]> {
    /// No resource that comes over the wire is longer.
    private static let byteCounts = 1...(4 << 20)

    static let json = Format(
        .text(byteCounts), "a resource", value: { Array($0.utf8) },
        base: { byteCounts.contains($0.count) ? String(validating: $0, as: UTF8.self) : nil })
}

extension Format where Value: Equatable & Sendable {
    /// A resource. It is written, read back and compared before it is stored.
    fileprivate convenience init(
        _ noun: String, reader: @escaping @Sendable ([UInt8]) -> Value?, writer: @escaping @Sendable (Value) -> [UInt8]
    ) {
        self.init(
            .json, noun, value: reader,
            base: { value in
                let json = writer(value)
                return reader(json) == value ? json : nil
            })
    }
}

extension Format<[FormValue]> {
    static let answers = Format(
        "answers in a form",
        reader: { json in
            guard let (values, attachments) = try? ResponseReader().answers(json), !values.isEmpty, attachments.isEmpty
            else { return nil }
            return values
        }, writer: { ResponseWriter.answers($0) })
}

extension Format<QuestionnaireResponse> {
    static let response = Format(
        "a response to a form",
        reader: { json in
            let reading = ResponseReader().response(json)
            guard reading.attachments.isEmpty, !reading.issues.contains(where: { $0.severity == .error }) else {
                return nil
            }
            return reading.response
        }, writer: { ResponseWriter.json($0) })
}
