import GateModel

/// The kind of code in a file. The mode in which it is held depends on what reads it: the kernel can run an ELF program
/// that the process itself can't read, but an interpreter reads a script, and the loader a library, with the rights of
/// the person.
enum CodeKind: Hashable, CaseIterable {
    case program
    case script
    case library
    case module

    /// - Parameters:
    ///   - path: of a regular file.
    ///   - read: as for `ProgramHeader`; asked only if the name does not say it.
    init?(path: String, mode: UInt16, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let name = path.lastPathPart ?? ""
        let suffix = name.cut(atLast: ".").map { $0.before.isEmpty ? "" : $0.after } ?? ""
        let isExecutable = mode & 0o111 != 0
        guard isExecutable || !Self.dataSuffixes.contains(suffix) else { return nil }
        let start = read(0, 64)
        if start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) {
            self = Self.isLibrary(name, path, isExecutable: isExecutable, start, read) ? .library : .program
        } else if isExecutable, !Self.isHarmless(suffix) {
            // A shell also runs a script without `#!`.
            self = .script
        } else if Self.moduleSuffixes.contains(suffix) || start.starts(with: "#!".utf8) {
            self = .module
        } else {
            return nil
        }
    }

    /// The mode of a held file of this kind.
    var heldMode: UInt16 {
        switch self {
        case .program: 0o710
        case .script: 0o750
        case .library, .module: 0o640
        }
    }

    /// Whether the file is a library, which names no loader of its own. A file in a folder for programs is a program
    /// even without a loader.
    private static func isLibrary(
        _ name: String, _ path: String, isExecutable: Bool, _ start: [UInt8], _ read: (Int, Int) -> [UInt8]
    ) -> Bool {
        guard isExecutable else { return true }
        if name.ends(withBytesOf: ".so") || name.parts(between: ".").dropFirst().contains("so") { return true }
        let (relocatable, shared) = (1, 3)
        let type = start.count >= 18 ? ProgramHeader.number(start, 16, 2) : 0
        guard type == shared else { return type == relocatable }
        let isAmongPrograms = ["/bin/", "/sbin/", "/games/"].contains { path.contains($0) }
        guard !isAmongPrograms, case .binary(isWhole: true) = ProgramHeader(read) else { return false }
        return true
    }

    private static let moduleSuffixes: Set<String> = [
        "py", "pyc", "pyo", "pyw", "pyz", "pl", "pm", "lua", "luac", "rb", "js", "mjs", "cjs", "tcl", "tk", "jar",
        "scm",
        "go", "class", "love", "pck", "php", "sh", "bash", "exe", "dll", "gambas", "swf", "el", "elc", "wasm", "qml",
        "gir", "nut", "as", "war", "ss", "rkt", "r", "hs", "ml", "cmo", "beam", "jl", "gdc", "gd", "rpyc", "rpy",
    ]

    /// Files with these names are never read by an interpreter; they are not looked into unless they are executable.
    private static let dataSuffixes: Set<String> = [
        "png", "jpg", "jpeg", "gif", "svg", "svgz", "xpm", "webp", "ico", "ogg", "oga", "ogv", "wav", "mp3", "flac",
        "mid", "mod", "xm", "opus", "ttf", "otf", "pcf", "mo", "po", "gz", "xz", "bz2", "txt", "md", "html", "css",
        "xml", "json", "yaml", "yml", "desktop", "page", "pdf", "csv", "h", "hpp", "ui", "glade", "vorbis", "bmp",
        "tga",
    ]

    /// If a picture is marked as executable, that is a mistake of its packager.
    private static func isHarmless(_ suffix: String) -> Bool {
        dataSuffixes.contains(suffix) && suffix != "desktop"
    }
}
