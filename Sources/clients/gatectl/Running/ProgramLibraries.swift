import GateModel
import Glibc

/// Finds out from a program's file (ELF, 32 or 64 bits) whether others than root can change what is loaded with the
/// program: its loader, the folders in which the loader looks for libraries, with their subfolders for certain
/// processors, and libraries that are named with a folder. The kernel and the loader look for relative paths in the
/// working folder, which a child can choose. Libraries may name further places; these are not checked, because the
/// libraries belong to root.
struct ProgramLibraries {
    private let named: NamedPlaces
    /// What `$ORIGIN` stands for.
    private let folder: String
    /// Whether the program has no rights that the user who starts it lacks.
    private let hasUsersRights: Bool

    /// The path is absolute and without links. `read` returns `count` bytes from `offset` on, fewer at the file's end.
    init(
        of path: String, hasUsersRights: Bool = false, _ read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]
    ) {
        self.hasUsersRights = hasUsersRights
        folder = path.cut(atLast: "/")?.before ?? ""
        named = ELFFile(read)?.named ?? NamedPlaces()
    }

    /// The first place where others than root can put a file, or where that can't be ruled out; `nil` if there is none.
    /// An empty text stands for the working folder.
    var placeOfOthers: String? {
        if let loader = named.loaders.first(where: { !isClosed($0) }) { return loader }
        if let file = named.files.first(where: { !(absolute($0).map(isClosed) ?? false) }) { return file }
        for folder in named.folders {
            guard let place = absolute(folder), isClosed(place) else { return folder }
            if let open = openPlace(in: place, depth: Self.processorDepth) { return open }
        }
        return nil
    }

    private func isClosed(_ place: String) -> Bool {
        RootOnly.isClosedToOthers(place, isFollowedAsThisUser: hasUsersRights)
    }

    /// The place with `$ORIGIN` replaced by the program's folder, as the loader does. `nil` if it contains something
    /// else that the loader replaces, like `$LIB`, whose value depends on the processor and the system's build.
    private func absolute(_ place: String) -> String? {
        guard place.hasByte("$") else { return place }
        for origin in ["$ORIGIN", "${ORIGIN}"] where place.starts(withBytesOf: origin) {
            let rest = String(decoding: place.utf8.dropFirst(origin.utf8.count), as: UTF8.self)
            if rest.isEmpty || rest.isAbsolutePath { return rest.hasByte("$") ? nil : folder + rest }
        }
        return nil
    }

    /// The subfolders for certain processors. The loader looks in them first, below each folder and within one another:
    /// those that glibc uses today, and those that it used up to version 2.36.
    private static let processorFolders = [
        "glibc-hwcaps", "x86-64-v2", "x86-64-v3", "x86-64-v4", "power9", "power10", "z13", "z14", "z15", "z16",
        "tls", "haswell", "xeon_phi", "avx512_1", "x86_64", "i386", "i486", "i586", "i686", "aarch64", "atomics",
    ]
    private static let processorDepth = 4

    /// The first library or processor's subfolder in this folder that others than root can change, although the folder
    /// itself is root's; `nil` if there is none.
    private func openPlace(in folder: String, depth: Int) -> String? {
        let libraries = named.names.map { "\(folder)/\($0)" }
        if let library = libraries.first(where: { !isClosed($0) }) { return library }
        guard depth > 0 else { return nil }
        for place in Self.processorFolders.map({ "\(folder)/\($0)" }) {
            guard isClosed(place) else { return place }
            var status = stat()
            guard lstat(place, &status) == 0 else { continue }
            if let open = openPlace(in: place, depth: depth - 1) { return open }
        }
        return nil
    }
}

/// The places that a program's file names, exactly as it writes them.
private struct NamedPlaces {
    /// The paths of loaders. The kernel replaces nothing in them.
    var loaders: [String] = []
    var folders: [String] = []
    /// Libraries with a folder in their names, or with something that the loader replaces.
    var files: [String] = []
    /// Libraries that the loader looks for in the folders.
    var names: [String] = []
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

    /// The offsets and addresses that are believed. No real program has greater ones, and sums of these can't overflow.
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

    var named: NamedPlaces {
        var named = NamedPlaces()
        named.loaders = segments.filter { $0.kind == 3 }.map { text(at: $0.offset) }
        // The loader finds its tables by their addresses in memory, not by their offsets in the file. So the addresses
        // count here, and are converted to offsets.
        for offset in segments.filter({ $0.kind == 2 }).flatMap({ offsets(of: $0.address) }) {
            addPlaces(inTableAt: offset, to: &named)
        }
        return named
    }

    /// Adds the places of a dynamic section. It ends at its entry with tag 0, whatever its length in the file.
    private func addPlaces(inTableAt offset: Int, to named: inout NamedPlaces) {
        let width = isWide ? 8 : 4
        let bytes = read(offset, Self.mostEntries * 2 * width)
        let all = stride(from: 0, to: bytes.count - 2 * width + 1, by: 2 * width).map {
            (tag: ProgramHeader.number(bytes, $0, width), value: ProgramHeader.number(bytes, $0 + width, width))
        }
        let entries = all.prefix { $0.tag != 0 }
        // No real program has so many entries. The entries behind them are not read and could name any place, so the
        // program counts as if it named the working folder.
        if entries.count == Self.mostEntries { named.folders.append("") }
        // If there are several tables of texts (DT_STRTAB), the loader uses the last one.
        guard let texts = entries.last(where: { $0.tag == 5 }) else { return }
        for start in offsets(of: texts.value) {
            for entry in entries where Self.farthest.contains(entry.value) {
                add(entry.tag, text(at: start + entry.value), to: &named)
            }
        }
    }

    private func add(_ tag: Int, _ text: @autoclosure () -> String, to named: inout NamedPlaces) {
        switch tag {
        // RPATH and RUNPATH are lists of folders. An empty list names none; an empty part is the working folder.
        case 15, 29:
            let list = text()
            if !list.isEmpty { named.folders += list.parts(between: ":") }
        // NEEDED, AUXILIARY, FILTER, and lists of AUDIT and DEPAUDIT.
        case 1, 0x7FFF_FFFD, 0x7FFF_FFFF, 0x6FFF_FEFC, 0x6FFF_FEFB:
            for part in text().parts(between: ":") where !part.isEmpty {
                if part.hasByte("/") || part.hasByte("$") {
                    named.files.append(part)
                } else {
                    named.names.append(part)
                }
            }
        default: break
        }
    }

    /// Where in the file the bytes are that are loaded to this address. The kernel loads whole pages.
    private func offsets(of address: Int) -> [Int] {
        let page = Int(getpagesize())
        return segments.filter { $0.kind == 1 }.compactMap { segment in
            let start = segment.address / page * page
            let end = (segment.address + segment.byteCount + page - 1) / page * page
            guard (start..<end).contains(address) else { return nil }
            let offset = segment.offset + (address - segment.address)
            return offset < 0 ? nil : offset
        }
    }

    private func text(at offset: Int) -> String {
        String(decoding: read(offset, Self.longestText).prefix { $0 != 0 }, as: UTF8.self)
    }
}
