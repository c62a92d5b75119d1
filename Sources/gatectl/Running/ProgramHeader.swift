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
///
/// The loader looks at memory, by addresses, and takes the last of what is there several times. So a file whose offsets say something else than
/// its addresses is none that can be read here, nor is one that has twice what it should have once.
private struct BinaryReader {
    private struct Segment {
        enum Kind: UInt64 {
            case loaded = 1
            case dynamic = 2
            case loader = 3
            case header = 6
        }

        /// `nil`: of a kind that brings no code.
        var kind: Kind?
        var offset: Int
        var address: Int
        /// The bytes that the file has of it; in memory zeros may come behind them.
        var size: Int
        var memorySize: Int

        /// The place of this address in the file; `nil`: it is not in the part that the file has.
        func offset(of address: Int) -> Int? {
            address >= self.address && address - self.address < size ? address - self.address + offset : nil
        }
    }

    private(set) var loader: String?
    private(set) var libraryPaths: [String] = []

    private static let maximumPathBytes = 4096
    private static let maximumDynamicBytes = 1 << 16
    private static let segmentBytes = 56

    /// `nil`: it is none.
    init?(_ read: (Int, Int) -> [UInt8]) {
        let header = read(0, 64)
        guard header.count == 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        let place = Self.number(header, 32, 8)
        let count = Int(Self.number(header, 56, 2))
        guard Self.number(header, 54, 2) == Self.segmentBytes, place < 1 << 40 else { return nil }
        let table = read(Int(place), Self.segmentBytes * count)
        guard table.count == Self.segmentBytes * count else { return nil }
        let segments = (0..<count).compactMap { Self.segment(table, at: $0 * Self.segmentBytes) }
        let loaded = segments.filter { $0.kind == .loaded }
        guard segments.count == count, Self.areApart(loaded) else { return nil }
        func one(_ kind: Segment.Kind) -> [Segment]? {
            let found = segments.filter { $0.kind == kind }
            return found.count <= 1 ? found : nil
        }
        guard let loaders = one(.loader), let dynamic = one(.dynamic), let headers = one(.header),
            headers.allSatisfy({ $0.offset == place && Self.offset(of: $0.address, in: loaded) == $0.offset })
        else { return nil }
        if let named = loaders.first {
            // The loader finds this table in memory and takes the difference to PT_PHDR for the place where the program lies. So one part of
            // the program has all of the table, PT_PHDR names it there, and a program that may lie anywhere has a PT_PHDR.
            let end = Int(place) + table.count
            let holding = loaded.filter { $0.offset < end && Int(place) < $0.offset + $0.size }
            let mayLieAnywhere = Self.number(header, 16, 2) == 3
            guard holding.count == 1, let part = holding.first, part.offset <= place, end <= part.offset + part.size,
                headers.allSatisfy({ part.offset(of: $0.address) == $0.offset }), !mayLieAnywhere || !headers.isEmpty
            else { return nil }
            guard let path = Self.text(read(named.offset, min(named.size, Self.maximumPathBytes))) else { return nil }
            loader = path
        }
        if let dynamic = dynamic.first {
            guard Self.offset(of: dynamic.address, in: loaded) == dynamic.offset,
                let paths = Self.paths(read, dynamic.address, loaded)
            else { return nil }
            libraryPaths = paths
        }
    }

    /// The files that are named by a path, and the folders of DT_RPATH and DT_RUNPATH.
    private static func paths(_ read: (Int, Int) -> [UInt8], _ dynamic: Int, _ loaded: [Segment]) -> [String]? {
        let bytes = Self.bytes(at: dynamic, atMost: maximumDynamicBytes, read, loaded)
        let entries = stride(from: 0, to: bytes.count - 15, by: 16).map {
            (tag: number(bytes, $0, 8), value: Int(truncatingIfNeeded: number(bytes, $0 + 8, 8)))
        }
        // The loader goes on until it comes to the end, whatever size is given.
        guard let end = entries.firstIndex(where: { $0.tag == 0 }) else { return nil }
        let strings = entries[..<end].last { $0.tag == 5 }?.value
        var paths: [String] = []
        for entry in entries[..<end] {
            guard let tag = TextTag(rawValue: entry.tag) else { continue }
            guard let strings, (0..<1 << 30).contains(entry.value), (0..<1 << 62).contains(strings),
                let text = text(Self.bytes(at: strings + entry.value, atMost: maximumPathBytes, read, loaded))
            else { return nil }
            // An empty list is none; an empty folder in a list is the one that the program is started in.
            switch tag {
            case .path, .runPath: paths += text.isEmpty ? [] : text.parts(between: ":")
            case .audit, .audited: paths += text.parts(between: ":").filter(isPath)
            case .needed, .auxiliary, .filter: paths += [text].filter(isPath)
            }
        }
        return paths
    }

    /// The entries that bring code into the program.
    private enum TextTag: UInt64 {
        case needed = 1
        case path = 15
        case runPath = 29
        /// DT_DEPAUDIT.
        case audited = 0x6fff_fefb
        case audit = 0x6fff_fefc
        case auxiliary = 0x7fff_fffd
        case filter = 0x7fff_ffff
    }

    /// Any other name is looked for in the folders of the list, and the system's. What stands for `$LIB` has a slash.
    private static func isPath(_ name: String) -> Bool { name.hasByte("/") || name.hasByte("$") }

    /// One behind the other, no page in two of them: else a later one lies on what was read in an earlier one.
    private static func areApart(_ loaded: [Segment]) -> Bool {
        let page = Int(getpagesize())
        return zip(loaded, loaded.dropFirst()).allSatisfy { first, second in
            (first.address + max(first.size, first.memorySize) + page - 1) / page <= second.address / page
        }
    }

    private static func offset(of address: Int, in loaded: [Segment]) -> Int? {
        loaded.lazy.compactMap { $0.offset(of: address) }.first
    }

    /// The bytes at an address, as far as the file has them.
    private static func bytes(
        at address: Int, atMost count: Int, _ read: (Int, Int) -> [UInt8], _ loaded: [Segment]
    ) -> [UInt8] {
        for segment in loaded {
            guard let offset = segment.offset(of: address) else { continue }
            return read(offset, min(count, segment.offset + segment.size - offset))
        }
        return []
    }

    private static func segment(_ table: [UInt8], at start: Int) -> Segment? {
        let (offset, address) = (number(table, start + 8, 8), number(table, start + 16, 8))
        let (size, memorySize) = (number(table, start + 32, 8), number(table, start + 40, 8))
        guard offset < 1 << 40, address < 1 << 61, size < 1 << 40, memorySize < 1 << 60 else { return nil }
        return Segment(
            kind: Segment.Kind(rawValue: number(table, start, 4)), offset: Int(offset), address: Int(address),
            size: Int(size), memorySize: Int(memorySize))
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// `nil` where it has no end, or is no text: what was shown of it would be another path.
    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.firstIndex(of: 0).flatMap { String(validating: bytes[..<$0], as: UTF8.self) }
    }
}
