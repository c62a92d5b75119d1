import Glibc

/// How the kernel runs a file, according to its first bytes.
enum ProgramHeader: Hashable {
    /// A script: the interpreter in its `#!` line, and the argument that follows.
    case script(interpreter: String, argument: String?)
    /// A 64-bit program for this machine. It is whole if it names no loader, so that the kernel loads only this file.
    case binary(isWhole: Bool)
    case other

    /// - Parameter read: returns `count` bytes from `offset` on, or fewer at the end of the file.
    init(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let start = read(0, 512)
        if start.starts(with: "#!".utf8) {
            self = Self.script(start.dropFirst(2))
        } else if let isWhole = Self.isWholeBinary(start, read) {
            self = .binary(isWhole: isWhole)
        } else {
            self = .other
        }
    }

    private static func script(_ bytes: ArraySlice<UInt8>) -> ProgramHeader {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let words = line.split(maxSplits: 1) { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .map { String(decoding: $0, as: UTF8.self) }
        guard let interpreter = words.first else { return .other }
        let argument = words.dropFirst().first
        return .script(interpreter: interpreter, argument: argument)
    }

    /// Whether an ELF file names no loader (PT_INTERP). The libraries are not read, since the file does not determine
    /// which ones a loader takes. `nil` if the kernel would not take the file for a 64-bit program of this machine.
    /// Other headers, such as those of 32-bit programs, could name a loader that this function does not see.
    private static func isWholeBinary(_ header: [UInt8], _ read: (Int, Int) -> [UInt8]) -> Bool? {
        let (segmentBytes, loader) = (56, 3)
        guard header.count >= 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            [2, 3].contains(number(header, 16, 2)), number(header, 18, 2) == machine,
            number(header, 54, 2) == segmentBytes
        else { return nil }
        let (place, count) = (number(header, 32, 8), number(header, 56, 2))
        // The kernel refuses a larger table, and may then try the file as an x32 program, which has the same machine
        // number. An x32 header has the entry size 32 in bytes 42 and 43, and the number of entries behind it. In a
        // 64-bit header, these bytes belong to an offset that is then beyond the end of any file.
        guard (0..<1 << 40).contains(place), count > 0, count * segmentBytes <= 1 << 16,
            number(header, 42, 2) != 32 || number(header, 44, 2) == 0
        else { return nil }
        let table = read(place, segmentBytes * count)
        guard table.count == segmentBytes * count else { return nil }
        return !(0..<count).contains { number(table, $0 * segmentBytes, 4) == loader }
    }

    /// This machine's number in ELF headers.
    private static var machine: Int {
        #if arch(x86_64)
        62
        #elseif arch(arm64)
        183
        #else
        -1
        #endif
    }

    /// A little-endian number in a header. Negative if it is larger than an `Int`.
    static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        Int(truncatingIfNeeded: bytes[start..<start + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
