import GateModel
import SQLite

// The formats that columns have in common.

// MARK: - Numbers and moments

extension Format<Int> {
    static let count = Format("INTEGER NOT NULL", "a number")
}

extension Format<UInt64> {
    static func number(_ range: ClosedRange<UInt64>) -> Format {
        Format("INTEGER NOT NULL", "a number from \(range.lowerBound) that a device reaches") { range.contains($0) }
    }

    /// The column by which SQLite finds a row.
    static func rowID(_ range: ClosedRange<UInt64>) -> Format {
        Format("INTEGER", "an id from \(range.lowerBound) that a device reaches") { range.contains($0) }
    }
}

extension Format<UInt32> {
    static let uid = Format("INTEGER NOT NULL", "a uid")
}

extension Format<Owner> {
    /// A uid, or one of the special numbers of `Owner`.
    static let owner = Format(.uid, "an owner", value: Owner.init(stored:), base: \.number)
}

extension Format<Int64> {
    static let int64 = Format("INTEGER NOT NULL", "a number")
}

extension Format<BootTime> {
    /// Nanoseconds of the boot clock.
    static let bootTime = Format(.int64, "a moment", value: BootTime.init(nanoseconds:), base: \.nanoseconds)
}

extension Format<Duration> {
    static let nanoseconds = Format(
        .int64, "a duration", value: { .nanoseconds($0) }, base: \.clampedNanoseconds)
}

extension Format<WallTime> {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    static let time = Format(.int64, "a time", value: WallTime.init(unixMilliseconds:), base: \.unixMilliseconds)
}

extension Format<Bool> {
    /// 0 for no, 1 for yes.
    static let flag = Format("INTEGER NOT NULL", "yes or no")
}

// MARK: - Texts and bytes

extension Format<String> {
    /// - Parameter byteCounts: how many bytes of UTF-8 the text may have.
    static func text(_ byteCounts: ClosedRange<Int>) -> Format {
        Format("TEXT NOT NULL", "a text of \(byteCounts) bytes") { byteCounts.contains($0.utf8.count) }
    }

    static let text = Format("TEXT NOT NULL", "a text")

    /// A text from outside, such as a name or a provider's word. Control characters are refused: they would end a line,
    /// or end the text where C reads it.
    ///
    /// - Parameter byteCounts: how many bytes of UTF-8 the text may have.
    static func line(_ byteCounts: ClosedRange<Int>) -> Format {
        Format("TEXT NOT NULL", "a line of \(byteCounts) bytes") { text in
            var text = text
            return text.withUTF8 { bytes in
                byteCounts.contains(bytes.count) && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            }
        }
    }

    static let name = line(1...1024)
    /// A text for people, which may be empty.
    static let words = line(0...1024)
    /// The hash of a passcode or a password, as crypt(3) writes it. It is never as long as 1,024 bytes.
    static let hash = text(1...1024)
}

extension Format where Value: RawRepresentable & Sendable, Value.RawValue == String {
    /// A raw value of `type`.
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
