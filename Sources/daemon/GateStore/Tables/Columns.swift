import GateModel
import SQLite

/// How a column is declared in CREATE TABLE, and the step of the schema that added it; 0: it was made with the table.
typealias ColumnDefinition = (name: String, declaration: String, step: Int)

/// A column of a table: how it is declared, and which property of an entry it stores. Columns that store a property
/// together count as one.
struct Column<Entry>: Sendable {
    private(set) var definitions: [ColumnDefinition]
    /// Appends what is stored of an entry.
    let write: @Sendable (Entry, inout StatementArguments) throws -> Void
    /// Takes what is stored from the beginning of a row's values, and sets the property.
    let read: @Sendable (inout ArraySlice<DatabaseValue>, inout Entry) throws -> Void

    /// `constraint` follows name and type in CREATE TABLE.
    init<Value>(
        _ name: String, _ format: Format<Value>, _ path: any WritableKeyPath<Entry, Value> & Sendable,
        _ constraint: String = "", step: Int = 0
    ) {
        definitions = [(name, "\(name) \(format.type)" + (constraint.isEmpty ? "" : " \(constraint)"), step)]
        write = { entry, stored in
            // An array of another element type would be converted value by value.
            let value: any DatabaseValueConvertible = try format.stored(entry[keyPath: path])
            stored.append(value)
        }
        read = { stored, entry in entry[keyPath: path] = try format.read(stored.popFirst() ?? .null) }
    }

    /// The column that is the key of a table whose rows are found by texts. The table checks what is read.
    init(key: @escaping @Sendable (Entry) throws -> StoredKey) {
        definitions = [("key", "key TEXT NOT NULL PRIMARY KEY", 0)]
        write = { entry, stored in stored.append(try key(entry).text) }
        read = { stored, _ in stored.removeFirst() }
    }

    /// Columns that store one property together. A `Part` stands for its value and has a property for each column; if
    /// there is none, all columns are NULL. With `mayBeNull` none of them is declared as NOT NULL.
    init<Value, Part: Sendable>(
        _ path: any WritableKeyPath<Entry, Value> & Sendable, blank: Part, _ columns: Column<Part>...,
        mayBeNull: Bool = false, part: @escaping @Sendable (Value) -> Part?,
        value: @escaping @Sendable (Part?) throws -> Value
    ) {
        definitions = columns.flatMap(\.definitions)
        let count = definitions.count
        for index in definitions.indices where mayBeNull {
            definitions[index].declaration.replace(" NOT NULL", with: "")
        }
        write = { entry, stored in
            if let part = part(entry[keyPath: path]) {
                for column in columns { try column.write(part, &stored) }
            } else {
                stored += [(any DatabaseValueConvertible)?](repeating: nil, count: count)
            }
        }
        read = { stored, entry in
            var (own, part) = (stored.prefix(count), blank)
            stored = stored.dropFirst(count)
            let isNull = own.allSatisfy(\.isNull)
            if !isNull { for column in columns { try column.read(&own, &part) } }
            entry[keyPath: path] = try value(isNull ? nil : part)
        }
    }
}

/// How a value is stored in a column. A class, because every row that is written or read uses the formats of its
/// columns, and copying a reference is cheapest.
///
/// The same condition is checked when a value is written and when it is read, so no commit can make a store that the
/// next start takes for damaged. The file's contents come from outside, so nothing here may trap. Errors don't repeat a
/// stored value: it may be a secret or a person's answer.
final class Format<Value>: Sendable {
    let type: String
    private let noun: String
    private let write: @Sendable (Value) throws -> DatabaseValue?
    private let value: @Sendable (DatabaseValue) throws -> Value?

    /// `type` is as in CREATE TABLE. `noun` says with an article what the value is, for errors. `write` returns `nil`
    /// for a value that could not be read again, and `value` for what Gate never writes.
    init(
        _ type: String, _ noun: String, write: @escaping @Sendable (Value) throws -> DatabaseValue?,
        value: @escaping @Sendable (DatabaseValue) throws -> Value?
    ) {
        (self.type, self.noun, self.write, self.value) = (type, noun, write, value)
    }

    func stored(_ value: Value) throws -> DatabaseValue {
        guard let stored = try write(value) else {
            throw StoreError.failed("only \(noun) can be stored there; give another one")
        }
        return stored
    }

    func read(_ stored: DatabaseValue) throws -> Value {
        guard let value = try value(stored) else { throw StoreError.damaged("something else than \(noun)") }
        return value
    }
}

extension Format where Value: DatabaseValueConvertible & Sendable {
    convenience init(
        _ type: String, _ noun: String, where isPossible: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.init(
            type, noun, write: { isPossible($0) ? $0.databaseValue : nil },
            value: { stored in Value.fromDatabaseValue(stored).flatMap { isPossible($0) ? $0 : nil } })
    }
}

extension Format {
    /// A value that is stored in the format of another. The closures return `nil` as those of the other `init`.
    convenience init<Base>(
        _ format: Format<Base>, _ noun: String, value: @escaping @Sendable (Base) -> Value?,
        base: @escaping @Sendable (Value) -> Base?
    ) {
        self.init(
            format.type, noun, write: { try base($0).map(format.stored) }, value: { value(try format.read($0)) })
    }

    /// A column that may be NULL.
    static func optional<Wrapped>(_ format: Format<Wrapped>) -> Format where Value == Wrapped? {
        Format(
            format.type.replacing(" NOT NULL", with: ""), format.noun,
            write: { try $0.map(format.stored) ?? .null },
            value: { $0.isNull ? .some(nil) : .some(try format.read($0)) })
    }
}

// MARK: - Numbers and moments

extension Format<Int> { static let count = Format("INTEGER NOT NULL", "a number") }
extension Format<Int64> { static let int64 = Format("INTEGER NOT NULL", "a number") }
extension Format<UInt32> { static let uid = Format("INTEGER NOT NULL", "a uid") }
extension Format<Bool> { static let flag = Format("INTEGER NOT NULL", "yes or no") }

extension Format<UInt64> {
    static func number(_ range: ClosedRange<UInt64>) -> Format {
        Format("INTEGER NOT NULL", "a number from \(range.lowerBound) that a device reaches") { range.contains($0) }
    }

    static let number = number(0...RecordTables.maximumNumber)

    /// 64 bits, stored as a signed number.
    static let bits = Format(.int64, "a number", value: { UInt64(bitPattern: $0) }, base: { Int64(bitPattern: $0) })

    /// The column by which SQLite finds a row.
    static func rowID(_ range: ClosedRange<UInt64>) -> Format {
        Format("INTEGER", "an id from \(range.lowerBound) that a device reaches") { range.contains($0) }
    }
}

extension Format<Owner> {
    /// A uid, or one of the special numbers of `Owner`.
    static let owner = Format(.uid, "an owner", value: Owner.init(stored:), base: \.number)
}

extension Format<Duration> {
    static let nanoseconds = Format(.int64, "a duration", value: { .nanoseconds($0) }, base: \.clampedNanoseconds)
}

extension Format<BootTime> {
    /// Nanoseconds of the boot clock.
    static let bootTime = Format(.int64, "a moment", value: BootTime.init(nanoseconds:), base: \.nanoseconds)
}

extension Format<WallTime> {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    static let time = Format(.int64, "a time", value: WallTime.init(unixMilliseconds:), base: \.unixMilliseconds)
}

// MARK: - Texts and bytes

extension Format<String> {
    static func text(_ byteCounts: ClosedRange<Int>) -> Format {
        Format("TEXT NOT NULL", "a text of \(byteCounts) bytes") { byteCounts.contains($0.utf8.count) }
    }

    /// A text from outside, such as a name or a provider's word. Control characters are refused: they would end a line,
    /// or end the text where C reads it.
    static func line(_ byteCounts: ClosedRange<Int>) -> Format {
        Format("TEXT NOT NULL", "a line of \(byteCounts) bytes") { text in
            byteCounts.contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    static let text = Format("TEXT NOT NULL", "a text")
    static let name = line(1...1024)
    /// A text for people, which may be empty.
    static let words = line(0...1024)
    /// The hash of a passcode or a password, as crypt(3) writes it. It is never as long as 1,024 bytes.
    static let hash = text(1...1024)
}

extension Format where Value: RawRepresentable & Sendable, Value.RawValue == String {
    static func word(_ type: Value.Type, _ noun: String) -> Format {
        Format(.text, noun, value: { Value(rawValue: $0) }, base: \.rawValue)
    }
}

extension Format<[UInt8]> {
    static func bytes(_ counts: ClosedRange<Int>) -> Format {
        Format("BLOB NOT NULL", "\(counts) bytes") { counts.contains($0.count) }
    }
}

extension Format<GateSecret> {
    static func secret(_ byteCounts: ClosedRange<Int>) -> Format {
        Format(.bytes(byteCounts), "a key", value: { GateSecret($0) }, base: { $0.withBytes { Array($0) } })
    }
}
