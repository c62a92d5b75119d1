import Foundation
import Testing

/// Each promise of docs/security.md names the tests or rules that keep it.
@Suite("The promises of docs/security.md")
struct SecurityDocumentTests {
    private static let heading = "## What a child can and can't do"

    /// The rows of the table below the heading, each as its cells.
    private static func rows() throws -> [[String]] {
        let url = RepositoryFiles.root.appendingPathComponent("docs/security.md")
        let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: heading))
        let table = lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).map { row in
            row.dropFirst().dropLast().components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("each row of docs/security.md about what a child can do names tests that exist")
    func everyPromiseHasATest() throws {
        let (rows, titles) = (try Self.rows(), try RepositoryFiles.testTitles())
        try #require(rows.count > 30 && titles.count > 1000)
        let attacks = try RepositoryFiles.all(in: "Tests/Hostile", endingIn: ["c"]).flatMap(\.lines)
        for row in rows {
            guard row.count == 3 else {
                Issue.record("a row of \(row.count) cells: \(row.first ?? "")")
                continue
            }
            let tests = row[2].matches(of: #/"([^"]+)"/#).map { String($0.1) }
            let files = row[2].matches(of: #/`(Tests/[^`]+)`/#).map { String($0.1) }
            let hostile = row[2].matches(of: #/`make hostile`: ([a-z, -]+)/#).flatMap {
                $0.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            }
            #expect(!tests.isEmpty || !files.isEmpty, "\(row[0]): no test")
            for test in tests { #expect(titles.contains(test), "\(row[0]): there is no test “\(test)”") }
            for file in files {
                let path = RepositoryFiles.root.appendingPathComponent(file).path
                #expect(FileManager.default.fileExists(atPath: path), "\(row[0]): there is no \(file)")
            }
            for attack in hostile {
                #expect(attacks.contains { $0.contains("{\"\(attack)\", \"") }, "\(row[0]): no attack \(attack)")
            }
        }
    }
}
