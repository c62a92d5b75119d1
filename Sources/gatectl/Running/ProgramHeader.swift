import GateModel
import Glibc

/// The way in which a file is run, by its beginning.
enum ProgramHeader: Hashable {
    /// `#!` and the program that reads it, with what that is given first.
    case script(interpreter: String, argument: String?)
    /// A program for this machine, with the loader that it names, and where it looks for libraries beside the system's places.
    case binary(loader: String?, libraryPaths: [String])
    case other

    /// - Parameter read: the bytes from an offset on, at most so many; fewer where the file ends.
    init(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let start = read(0, 512)
        if start.starts(with: "#!".utf8) {
            self = Self.script(start.dropFirst(2))
        } else if let binary = BinaryReader(read) {
            self = .binary(loader: binary.loader, libraryPaths: binary.libraryPaths)
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
}

/// Reads what a 64-bit ELF file of this byte order says about its loader and its libraries.
private struct BinaryReader {
    private struct Segment {
        var kind: UInt64
        var offset: Int
        var address: Int
        var size: Int
    }

    private(set) var loader: String?
    private(set) var libraryPaths: [String] = []

    private static let maximumPathBytes = 4096

    /// `nil`: it is none.
    init?(_ read: (Int, Int) -> [UInt8]) {
        let header = read(0, 64)
        guard header.count == 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        let place = Self.number(header, 32, 8)
        let size = Int(Self.number(header, 54, 2))
        let count = Int(Self.number(header, 56, 2))
        guard size >= 56, place < 1 << 40 else { return nil }
        let table = read(Int(place), size * count)
        guard table.count == size * count else { return nil }
        let segments = (0..<count).compactMap { Self.segment(table, at: $0 * size) }
        guard segments.count == count else { return nil }
        if let named = segments.first(where: { $0.kind == 3 }) {
            guard let path = Self.text(read(named.offset, min(named.size, Self.maximumPathBytes))) else { return nil }
            loader = path
        }
        if let dynamic = segments.first(where: { $0.kind == 2 }) {
            guard let paths = Self.paths(read, dynamic, segments) else { return nil }
            libraryPaths = paths
        }
    }

    /// The files that DT_NEEDED names by a path, and the folders of DT_RPATH and DT_RUNPATH.
    private static func paths(
        _ read: (Int, Int) -> [UInt8], _ dynamic: Segment, _ segments: [Segment]
    ) -> [String]? {
        let bytes = read(dynamic.offset, min(dynamic.size, 1 << 16))
        let entries = stride(from: 0, to: bytes.count - 15, by: 16).map {
            (tag: number(bytes, $0, 8), value: Int(truncatingIfNeeded: number(bytes, $0 + 8, 8)))
        }.prefix { $0.tag != 0 }
        guard let strings = entries.first(where: { $0.tag == 5 })?.value else { return [] }
        let segment = segments.first { $0.kind == 1 && $0.address <= strings && strings - $0.address < $0.size }
        guard let segment else { return nil }
        let start = strings - segment.address + segment.offset
        var paths: [String] = []
        for entry in entries where [1, 15, 29].contains(entry.tag) {
            guard (0..<1 << 30).contains(entry.value) else { return nil }
            guard let text = text(read(start + entry.value, maximumPathBytes)) else { return nil }
            if entry.tag != 1 {
                // An empty list is none; an empty folder in a list is the one that the program is started in.
                paths += text.isEmpty ? [] : text.parts(between: ":")
            } else if text.hasByte("/") {
                paths.append(text)
            }
        }
        return paths
    }

    private static func segment(_ table: [UInt8], at start: Int) -> Segment? {
        let (offset, address, size) = (
            number(table, start + 8, 8), number(table, start + 16, 8), number(table, start + 32, 8)
        )
        guard offset < 1 << 40, address < 1 << 62, size < 1 << 40 else { return nil }
        return Segment(kind: number(table, start, 4), offset: Int(offset), address: Int(address), size: Int(size))
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// `nil` where it has no end, or is no text: what was shown of it would be another path.
    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.firstIndex(of: 0).flatMap { String(validating: bytes[..<$0], as: UTF8.self) }
    }
}
