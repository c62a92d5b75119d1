import Foundation
import Testing

/// The version is in one file, and the changelog begins with it.
@Suite("The version")
struct VersionTests {
    private static func version() throws -> String {
        let file = try #require(
            try RepositoryFiles.swift(in: "Sources/core/GateModel").first { $0.name == "GateRelease.swift" })
        let declared = file.lines.compactMap { $0.firstMatch(of: /static let version = "([^"]+)"/)?.1 }
        try #require(declared.count == 1)
        return String(declared[0])
    }

    @Test("the version is semantic, and CHANGELOG.md has an entry for it")
    func changelog() throws {
        let version = try Self.version()
        #expect(version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        let url = RepositoryFiles.root.appendingPathComponent("CHANGELOG.md")
        let changes = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        // What has landed since that version stands above it.
        #expect(changes.first { $0.hasPrefix("## ") && $0 != "## Unreleased" } == "## \(version)")
    }

    @Test("only GateRelease.swift contains the version")
    func onePlace() throws {
        let version = try Self.version()
        for file in try RepositoryFiles.sources() where file.path.hasPrefix("Sources/") {
            guard file.name != "GateRelease.swift" else { continue }
            for (number, text) in file.code where text.contains("\"\(version)\"") {
                Issue.record("\(file.path):\(number): use GateRelease.version")
            }
        }
    }
}
