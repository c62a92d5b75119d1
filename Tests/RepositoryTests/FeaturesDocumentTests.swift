import Foundation
import Testing

/// docs/features.md lists every behaviour by its id; tests and pages cite these ids.
@Suite("The behaviours of docs/features.md")
struct FeaturesDocumentTests {
    private struct Row {
        let id: String
        let length: Int
        let behaviour: String
        let tests: [String]
        let files: [String]
    }

    private static func rows() throws -> [Row] {
        let url = RepositoryFiles.root.appendingPathComponent("docs/features.md")
        let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        return lines.filter { $0.contains(/^\| [A-Z]-\d/) }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let held = cells.count == 3 ? cells[2] : ""
            return Row(
                id: cells[0], length: line.count, behaviour: cells.count == 3 ? cells[1] : "",
                tests: held.matches(of: #/"([^"]+)"/#).map { String($0.1) },
                files: held.matches(of: #/`([^`]+)`/#).map { String($0.1) })
        }
    }

    @Test("each row of docs/features.md is unique and short, has one or two sentences, and names tests that exist")
    func everyRowHasATest() throws {
        let (rows, titles) = (try Self.rows(), try RepositoryFiles.testTitles())
        try #require(rows.count > 90 && titles.count > 1000)
        var seen: Set<String> = []
        for row in rows {
            #expect(seen.insert(row.id).inserted, "\(row.id) stands there twice")
            #expect(row.length <= 300, "\(row.id) has \(row.length) characters: shorten it, or make two rows of it")
            #expect(row.behaviour.hasSuffix("."), "\(row.id) is no sentence, or not three cells")
            #expect(row.behaviour.matches(of: /\. [A-Z`]/).count <= 1, "\(row.id) has more than two sentences")
            #expect(!row.tests.isEmpty || !row.files.isEmpty, "\(row.id): no test")
            for test in row.tests { #expect(titles.contains(test), "\(row.id): there is no test “\(test)”") }
            for file in row.files {
                let path = RepositoryFiles.root.appendingPathComponent(file).path
                #expect(FileManager.default.fileExists(atPath: path), "\(row.id): there is no \(file)")
            }
        }
    }

    @Test("each id that a file cites has its row in docs/features.md")
    func everyIdHasARow() throws {
        let ids = Set(try Self.rows().map(\.id))
        var cited = 0
        for file in try RepositoryFiles.texts() where file.path != "docs/features.md" {
            for (index, line) in file.lines.enumerated() {
                for id in Self.ids(in: line) {
                    cited += 1
                    #expect(ids.contains(id), "\(file.path):\(index + 1): docs/features.md has no \(id)")
                }
            }
        }
        #expect(cited > 500)
    }

    @Test("no file of Sources cites an id: a reader there, or of a help text, has no use for it")
    func sourcesCiteNoIds() throws {
        for file in try RepositoryFiles.texts() where file.path.hasPrefix("Sources/") {
            for (index, line) in file.lines.enumerated() {
                let ids = Self.ids(in: line)
                #expect(ids.isEmpty, "\(file.path):\(index + 1): \(ids)")
            }
        }
    }

    /// The ids in a line, some of which end with a letter from a to c. They are looked for by bytes, which is quick in a
    /// million words.
    private static func ids(in line: String) -> [String] {
        let letters = Set("BFGHKLOPSTUWXYZ".utf8)
        let bytes = Array(line.utf8)
        guard bytes.count >= 4 else { return [] }
        func isWord(_ index: Int) -> Bool {
            guard bytes.indices.contains(index) else { return false }
            return (48...57).contains(bytes[index]) || (65...90).contains(bytes[index])
                || (97...122).contains(bytes[index]) || bytes[index] == UInt8(ascii: "_")
        }
        func isDigit(_ index: Int) -> Bool { bytes.indices.contains(index) && (48...57).contains(bytes[index]) }
        return bytes.indices.dropFirst().compactMap { dash in
            guard bytes[dash] == UInt8(ascii: "-"), letters.contains(bytes[dash - 1]), !isWord(dash - 2),
                dash < 2 || bytes[dash - 2] != UInt8(ascii: "-"), isDigit(dash + 1), isDigit(dash + 2)
            else { return nil }
            let end = bytes.count > dash + 3 && (97...99).contains(bytes[dash + 3]) ? dash + 4 : dash + 3
            return isWord(end) ? nil : String(decoding: bytes[(dash - 1)..<end], as: UTF8.self)
        }
    }
}
