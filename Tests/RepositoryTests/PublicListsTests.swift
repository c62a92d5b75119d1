import Foundation
import Testing

/// What others build on is in lists, so that nothing of it can go away unseen: docs/public.md.
///
/// The lists are written anew, after something was added, by
/// `GATE_WRITE_LISTS=1 .ci/tests PublicListsTests`.
@Suite("The public lists")
struct PublicListsTests {
    private static let libraries: Set<String> = ["GateModel", "GateClient", "GateClientRaw", "GateClientTesting"]

    @Test("the declarations of the Swift library are those of its list, which only grows")
    func swiftLibrary() throws {
        var found: Set<String> = []
        for file in try RepositoryFiles.swift(in: "Sources") where Self.libraries.contains(file.target) {
            for (number, _) in PublicLibraryTests.publicDeclarations(of: file) {
                found.insert(
                    "\(file.target): \(Self.types(around: number, in: file))\(Self.declaration(at: number, in: file))")
            }
            found.formUnion(Self.requirements(of: file))
        }
        try #require(found.count > 1000)
        try Self.compare(found, with: "swift.txt")
    }

    @Test("the verbs, options, exit codes and names in the JSON of gatectl are those of its list, which only grows")
    func gatectl() throws {
        let pages = try RepositoryFiles.pages()
        let verbs = try #require(pages.first { $0.path == "docs/gatectl.md" })
        let shell = try #require(pages.first { $0.path == "docs/shell.md" })
        var found: Set<String> = []
        var verb = "every verb"
        for line in verbs.lines {
            if let heading = line.wholeMatch(of: /##+ (gatectl .*)/) { verb = String(heading.1) }
            if verb != "every verb" { found.insert(verb) }
            if let names = line.wholeMatch(of: /Also: (.*)\./) { found.insert("\(verb), also \(names.1)") }
            if let option = line.firstMatch(of: /^- `([^`]+)`:/) { found.insert("\(verb): \(option.1)") }
        }
        let table = shell.lines.drop { $0 != "## Exit codes" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        for row in table { found.formUnion(row.matches(of: /^\| ([0-9, ]+) \|/).map { "exit \($0.1)" }) }
        // Fields of messages are held by the wire; these are what gatectl itself writes around them.
        let receipts = try RepositoryFiles.swift(in: "Sources/daemon/GateReceipts")
        for file in try RepositoryFiles.swift(in: "Sources/clients/gatectl")
            + receipts.filter({ $0.name == "StatementJSON.swift" })
        {
            let written = file.code.filter { !$0.text.contains(".replacing(") }
            let text = written.map { String($0.text) }.joined(separator: "\n")
            var names = text.matches(of: #/\\"([A-Za-z]+)\\":/#).map(\.1)
            names += text.matches(of: #/(?:appending|adding)\(\s*"([A-Za-z]+)"/#).map(\.1)
            if ["StatementJSON.swift", "PresentationFields.swift"].contains(file.name) {
                names += text.matches(of: #/\("([A-Za-z]+)", /#).map(\.1)
            }
            found.formUnion(names.map { "JSON: \($0)" })
        }
        try #require(found.count > 300)
        try Self.compare(found, with: "gatectl.txt")
    }

    @Test("each row of docs/public.md names the lists and tests that hold it, and they exist")
    func page() throws {
        let page = try #require(try RepositoryFiles.pages().first { $0.path == "docs/public.md" })
        let start = try #require(page.lines.firstIndex(of: "## What only grows"))
        let rows = page.lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
        let titles = try RepositoryFiles.testTitles()
        try #require(rows.count > 8)
        for row in rows {
            let held = try #require(row.split(separator: "|").last { $0.contains(/\S/) })
            let tests = held.matches(of: /"([^"]+)"/).map { String($0.1) }
            let files = held.matches(of: /`([A-Za-z]+\/[^`]+)`/).map { String($0.1) }
            #expect(!tests.isEmpty || !files.isEmpty, "no test: \(row)")
            for test in tests { #expect(titles.contains(test), "there is no test “\(test)”") }
            for file in files {
                let path = RepositoryFiles.root.appendingPathComponent(file).path
                #expect(FileManager.default.fileExists(atPath: path), "there is no \(file)")
            }
        }
    }

    private static func compare(_ found: Set<String>, with name: String) throws {
        let url = RepositoryFiles.root.appendingPathComponent("docs/public/\(name)")
        if ProcessInfo.processInfo.environment["GATE_WRITE_LISTS"] != nil {
            try (found.sorted().joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
        }
        let listed = Set(try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init))
        #expect(listed.subtracting(found).sorted() == [], "others use this: keep it, with a default for what is new")
        #expect(
            found.subtracting(listed).sorted() == [], "new, and a promise for good: add it to \(name) if it is decided")
    }

    /// The declaration without its body and without the value of a constant, on one line.
    private static func declaration(at number: Int, in file: RepositoryFile) -> String {
        var text = ""
        for line in file.lines[(number - 1)...].prefix(20) {
            text += (text.isEmpty ? "" : " ") + line.trimmingCharacters(in: .whitespaces)
            let opened = text.count { "([".contains($0) }
            let closed = text.count { ")]".contains($0) }
            guard opened == closed, !text.hasSuffix(",") || text.hasPrefix("case ") else { continue }
            let isFunction = text.contains(#/\b(func|init|subscript)\b/#)
            if !isFunction || text.contains(" {") { break }
        }
        // A closure that is a default stands behind "= ".
        let body = text.ranges(of: " {").first { !text[..<$0.lowerBound].hasSuffix(" =") }
        text = String(text[..<(body?.lowerBound ?? text.endIndex)])
        let isStored = text.contains(#/^public (static |\w+\(set\) )*(let|var) /#)
        if isStored, let value = text.firstRange(of: " = ") { text = String(text[..<value.lowerBound]) }
        return text.replacing("( ", with: "(").replacing(" )", with: ")")
    }

    /// The names of the types that a line is in, each with a dot behind it.
    private static func types(around number: Int, in file: RepositoryFile) -> String {
        let declaration = /\b(?:extension|struct|enum|class|actor|protocol) ([A-Za-z][\w.]*)/
        func indentation(_ line: String) -> Int { line.count - line.drop { $0 == " " }.count }
        var names = ""
        var level = indentation(file.lines[number - 1])
        for line in file.lines[..<(number - 1)].reversed() where level > 0 {
            guard !line.isEmpty, indentation(line) < level, let found = line.firstMatch(of: declaration) else {
                continue
            }
            guard !line.contains("//") else { continue }
            names = "\(found.1).\(names)"
            level = indentation(line)
        }
        return names
    }

    /// What a public protocol asks for. That is public without saying so.
    private static func requirements(of file: RepositoryFile) -> [String] {
        var name: Substring?
        return file.code.compactMap { _, text in
            if let found = text.firstMatch(of: /^public protocol (\w+)/) { name = found.1 }
            if text == "}" { name = nil }
            guard let name, text.hasPrefix("    ") else { return nil }
            return "\(file.target): \(name).\(text.drop { $0 == " " })"
        }
    }
}
