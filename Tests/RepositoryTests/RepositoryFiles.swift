import Foundation

/// A text file of this repository, for checks of the repository's rules.
struct RepositoryFile: Sendable {
    /// From the root of the repository: "Sources/core/GateModel/Mode.swift".
    let path: String
    let lines: [String]

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var isSwift: Bool { path.hasSuffix(".swift") }
    /// Whether `proto/generate` has written it.
    var isGenerated: Bool {
        path.hasPrefix("Sources/wire/CTTRPC/") || path.hasPrefix("Sources/wire/CGateProtocol/")
    }
    /// The target of the file: "GateModel". In Sources its folder is in that of its storey.
    var target: String {
        let folders = path.split(separator: "/").dropLast()
        return folders.dropFirst(path.hasPrefix("Sources/") ? 2 : 1).first.map(String.init) ?? ""
    }

    /// The lines that hold code, without comments at their ends; a line in a multi-line string counts as code.
    let code: [(number: Int, text: Substring)]

    init(path: String, lines: [String]) {
        self.path = path
        self.lines = lines
        code = lines.enumerated().compactMap { index, line in
            let text = line.range(of: "//", options: .literal).map { line[..<$0.lowerBound] } ?? line[...]
            return text.utf8.allSatisfy { $0 == UInt8(ascii: " ") } ? nil : (index + 1, text)
        }
    }
}

enum RepositoryFiles {
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every file of the folder with one of the endings, in the order of the paths.
    static func all(in folder: String, endingIn extensions: Set<String>) throws -> [RepositoryFile] {
        let start = root.appendingPathComponent(folder)
        guard let enumerator = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil) else {
            return []
        }
        var files: [RepositoryFile] = []
        for case let file as URL in enumerator where extensions.contains(file.pathExtension) {
            let path = String(file.standardizedFileURL.path.dropFirst(root.standardizedFileURL.path.count + 1))
            // An empty line at the end is the last line's end, and no line of its own.
            var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            if lines.last == "" { lines.removeLast() }
            files.append(RepositoryFile(path: path, lines: lines))
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The files of Sources and Tests that people wrote, without generated C.
    static func sources() throws -> [RepositoryFile] { try read.get() }

    static func swift(in folder: String) throws -> [RepositoryFile] {
        try sources().filter { $0.isSwift && $0.path.hasPrefix("\(folder)/") }
    }

    /// The titles of all tests that `make test` runs.
    static func testTitles() throws -> Set<String> {
        let title = #/@Test\(\s*"((?:[^"\\]|\\.)*)"/#
        return try Set(
            swift(in: "Tests").flatMap { file in
                file.lines.joined(separator: "\n").matches(of: title).map { String($0.1) }
            })
    }

    /// The pages at the top and those of docs, which are installed together.
    static func pages() throws -> [RepositoryFile] {
        try top(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]) + all(in: "docs", endingIn: ["md"])
    }

    private static func top(_ names: [String]) throws -> [RepositoryFile] {
        try names.map { name in
            let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            return RepositoryFile(path: name, lines: text.components(separatedBy: "\n"))
        }
    }

    /// All text files that people read or write here, without generated ones.
    static func texts() throws -> [RepositoryFile] {
        let endings: Set = ["swift", "c", "h", "go", "proto", "md", "txt", "yaml", "json", "py", "sh", "service"]
        let folders = ["Sources", "Tests", "Benchmarks", "docs", "proto", "examples", "systemd"]
        let files = try folders.flatMap { try all(in: $0, endingIn: endings) }.filter { !$0.isGenerated }
        let others = try top(["README.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "Package.swift"])
        return files.filter { !$0.path.contains("/.build/") } + others
    }

    private static let read = Result {
        let files =
            try all(in: "Sources", endingIn: ["swift", "c", "h"])
            + all(in: "Tests", endingIn: ["swift", "c", "h", "go"])
        return files.filter { !$0.isGenerated }
    }
}
