import GateModel
import Glibc

/// The places that the file of a program (ELF, of 32 or 64 bits) names for what is loaded together with it: the loader,
/// the folders to look for libraries in, and libraries with a folder in their names. The kernel and the loader take
/// relative ones from the working folder, which is the child's choice. The libraries themselves may name further
/// places. They are root's, and not looked at.
struct ProgramLibraries {
    private let places: [String]
    /// What `$ORIGIN` stands for.
    private let folder: String
    /// Whether the program has no rights that the user who starts it lacks.
    private let hasUsersRights: Bool

    /// The path is absolute and without links. `read` returns `count` bytes of the file from `offset` on, fewer at its
    /// end.
    init(
        of path: String, hasUsersRights: Bool = false, _ read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]
    ) {
        self.hasUsersRights = hasUsersRights
        folder = path.cut(atLast: "/")?.before ?? ""
        places = ELFFile(read)?.places ?? []
    }

    /// The first place where others than root can put something; empty: the working folder. `nil`: there is none.
    var placeOfOthers: String? {
        places.first { !RootOnly.isClosedToOthers(absolute($0), isFollowedAsThisUser: hasUsersRights) }
    }

    private func absolute(_ place: String) -> String {
        for origin in ["$ORIGIN", "${ORIGIN}"] where place.starts(withBytesOf: origin) {
            let rest = String(decoding: place.utf8.dropFirst(origin.utf8.count), as: UTF8.self)
            if rest.isEmpty || rest.isAbsolutePath { return folder + rest }
        }
        return place
    }
}

/// As much of an ELF file as says what is loaded with it. The file may say anything; what can't be read is left out.
private struct ELFFile {
    private struct Segment {
        let kind: Int
        let offset: Int
        let address: Int
        let byteCount: Int
    }

    private let read: (Int, Int) -> [UInt8]
    private let isWide: Bool
    private let segments: [Segment]

    /// Places and addresses beyond are no real program's, and can't overflow a sum.
    private static let farthest = 0..<1 << 48
    private static let longestText = 4096
    private static let mostEntries = 4096

    /// - Returns: `nil` if it is no ELF file of a machine that stores the lowest byte first.
    init?(_ read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
        let header = read(0, 64)
        guard header.count >= 52, header.starts(with: [0x7F, 0x45, 0x4C, 0x46]), [1, 2].contains(header[4]),
            header[5] == 1
        else { return nil }
        let isWide = header[4] == 2
        guard !isWide || header.count == 64 else { return nil }
        self.read = read
        self.isWide = isWide
        let start = isWide ? ProgramHeader.number(header, 32, 8) : ProgramHeader.number(header, 28, 4)
        let byteCount = ProgramHeader.number(header, isWide ? 54 : 42, 2)
        let count = ProgramHeader.number(header, isWide ? 56 : 44, 2)
        // The kernel takes no other sizes.
        guard byteCount == (isWide ? 56 : 32), byteCount * count <= 1 << 16, Self.farthest.contains(start) else {
            return nil
        }
        let table = read(start, byteCount * count)
        let all = stride(from: 0, to: table.count - byteCount + 1, by: byteCount).map { place in
            func field(_ wide: Int, _ narrow: Int) -> Int {
                isWide ? ProgramHeader.number(table, place + wide, 8) : ProgramHeader.number(table, place + narrow, 4)
            }
            return Segment(
                kind: ProgramHeader.number(table, place, 4), offset: field(8, 4), address: field(16, 8),
                byteCount: field(32, 16))
        }
        segments = all.filter {
            Self.farthest.contains($0.offset) && Self.farthest.contains($0.address)
                && Self.farthest.contains($0.byteCount)
        }
    }

    var places: [String] {
        let loaders = segments.filter { $0.kind == 3 }.map { text(at: $0.offset) }
        return loaders + segments.filter { $0.kind == 2 }.flatMap(places(in:))
    }

    /// Those of a dynamic section.
    private func places(in section: Segment) -> [String] {
        let width = isWide ? 8 : 4
        let bytes = read(section.offset, min(section.byteCount, Self.mostEntries * 2 * width))
        let entries = stride(from: 0, to: bytes.count - 2 * width + 1, by: 2 * width).map {
            (tag: ProgramHeader.number(bytes, $0, width), value: ProgramHeader.number(bytes, $0 + width, width))
        }.prefix { $0.tag != 0 }
        guard let texts = entries.first(where: { $0.tag == 5 }), let start = offset(of: texts.value) else { return [] }
        return entries.flatMap { entry -> [String] in
            guard Self.farthest.contains(entry.value) else { return [] }
            switch entry.tag {
            // RPATH, RUNPATH: an empty one counts for nothing, but an empty part is the working folder.
            case 15, 29:
                let list = text(at: start + entry.value)
                return list.isEmpty ? [] : list.parts(between: ":")
            // NEEDED, AUXILIARY, FILTER, and lists of AUDIT and DEPAUDIT. Names without a slash are no places.
            case 1, 0x7FFF_FFFD, 0x7FFF_FFFF, 0x6FFF_FEFC, 0x6FFF_FEFB:
                return text(at: start + entry.value).parts(between: ":").filter { $0.hasByte("/") }
            default: return []
            }
        }
    }

    /// Where in the file the bytes are that are loaded to this address.
    private func offset(of address: Int) -> Int? {
        let loaded = segments.first {
            $0.kind == 1 && address >= $0.address && address - $0.address < $0.byteCount
        }
        return loaded.map { $0.offset + (address - $0.address) }
    }

    private func text(at offset: Int) -> String {
        String(decoding: read(offset, Self.longestText).prefix { $0 != 0 }, as: UTF8.self)
    }
}
