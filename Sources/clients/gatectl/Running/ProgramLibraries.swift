import GateModel
import Glibc

/// The places that the file of a program (ELF, of 32 or 64 bits) names for what is loaded together with it: the loader,
/// the folders to look for libraries in, with the libraries themselves and the folders for kinds of processors in them,
/// and libraries with a folder in their names. The kernel and the loader take relative ones from the working folder,
/// which is the child's choice. The libraries themselves may name further places. They are root's, and not looked at.
struct ProgramLibraries {
    private let named: NamedPlaces
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
        named = ELFFile(read)?.named ?? NamedPlaces()
    }

    /// The first place where others than root can put something, or of which that can't be told; empty: the working
    /// folder. `nil`: there is none.
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

    /// What the loader makes of a place. `nil` if there is something else in it that the loader replaces, like `$LIB`
    /// and `$PLATFORM`: what that becomes depends on the processor and on how the system was built.
    private func absolute(_ place: String) -> String? {
        guard place.hasByte("$") else { return place }
        for origin in ["$ORIGIN", "${ORIGIN}"] where place.starts(withBytesOf: origin) {
            let rest = String(decoding: place.utf8.dropFirst(origin.utf8.count), as: UTF8.self)
            if rest.isEmpty || rest.isAbsolutePath { return rest.hasByte("$") ? nil : folder + rest }
        }
        return nil
    }

    /// The folders in which the loader looks first, below each folder and within one another: those of today, and those
    /// up to glibc 2.36.
    private static let processorFolders = [
        "glibc-hwcaps", "x86-64-v2", "x86-64-v3", "x86-64-v4", "power9", "power10", "z13", "z14", "z15", "z16",
        "tls", "haswell", "xeon_phi", "avx512_1", "x86_64", "i386", "i486", "i586", "i686", "aarch64", "atomics",
    ]
    private static let processorDepth = 4

    /// A library of the program's, or a folder of the processor's, that is in a folder of root's and not root's itself.
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

/// What the file of a program names, as it is written there.
private struct NamedPlaces {
    /// The kernel takes their paths as they are.
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

    var named: NamedPlaces {
        var named = NamedPlaces()
        named.loaders = segments.filter { $0.kind == 3 }.map { text(at: $0.offset) }
        // The loader finds tables where they are in memory. Only the kernel goes by their offsets in the file.
        for offset in segments.filter({ $0.kind == 2 }).flatMap({ offsets(of: $0.address) }) {
            addPlaces(inTableAt: offset, to: &named)
        }
        return named
    }

    /// Adds those of a dynamic section. It goes on up to its last entry, however long the file says that it is.
    private func addPlaces(inTableAt offset: Int, to named: inout NamedPlaces) {
        let width = isWide ? 8 : 4
        let bytes = read(offset, Self.mostEntries * 2 * width)
        let all = stride(from: 0, to: bytes.count - 2 * width + 1, by: 2 * width).map {
            (tag: ProgramHeader.number(bytes, $0, width), value: ProgramHeader.number(bytes, $0 + width, width))
        }
        let entries = all.prefix { $0.tag != 0 }
        // No real program has so many. What comes behind these could be anything.
        if entries.count == Self.mostEntries { named.folders.append("") }
        // The last table of texts counts.
        guard let texts = entries.last(where: { $0.tag == 5 }) else { return }
        for start in offsets(of: texts.value) {
            for entry in entries where Self.farthest.contains(entry.value) {
                add(entry.tag, text(at: start + entry.value), to: &named)
            }
        }
    }

    private func add(_ tag: Int, _ text: @autoclosure () -> String, to named: inout NamedPlaces) {
        switch tag {
        // RPATH, RUNPATH: an empty one counts for nothing, but an empty part is the working folder.
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
