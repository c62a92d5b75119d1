import Foundation
import Testing

/// The pages as they are read here and where they are installed.
@Suite("The documentation")
struct DocumentationTests {
    /// The files that `make install` puts into share/doc/gate, in the same folders as here.
    private static func installed() throws -> Set<String> {
        let folder = RepositoryFiles.root.appendingPathComponent("docs")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let pictures = files.filter {
            $0.hasSuffix(".svg") || $0.hasPrefix("screens/") || $0.hasPrefix("pictures/")
        }
        return Set(try RepositoryFiles.pages().map(\.path) + pictures.map { "docs/\($0)" })
    }

    @Test("links between pages work in the repository and where they are installed")
    func links() throws {
        let (pages, installed) = (try RepositoryFiles.pages(), try Self.installed())
        try #require(pages.count > 15)
        let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, Self.anchors(of: $0)) })
        var count = 0
        for page in pages {
            for (number, link) in Self.links(of: page) where !link.contains("://") {
                count += 1
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target = parts[0].isEmpty ? page.path : Self.resolved("\(page.path)/../\(parts[0])")
                #expect(installed.contains(target), "\(page.path):\(number): \(link) leads to what is not installed")
                if parts.count == 2, let known = anchors[target] {
                    #expect(known.contains(parts[1]), "\(page.path):\(number): \(target) has no #\(parts[1])")
                }
            }
        }
        #expect(count > 30)
    }

    @Test("docs/README.md links to each page")
    func index() throws {
        let pages = try RepositoryFiles.pages()
        let index = try #require(pages.first { $0.path == "docs/README.md" })
        let linked = Set(Self.links(of: index).map { Self.resolved("docs/" + $0.link) })
        for page in pages where page.path.hasPrefix("docs/") && page.path != index.path {
            #expect(linked.contains(page.path), "docs/README.md does not lead to \(page.path)")
        }
    }

    @Test("docs/screens/README.md shows every picture of a screen, in each language, light and dark (S-16)")
    func pictures() throws {
        let page = try #require(try RepositoryFiles.pages().first { $0.path == "docs/screens/README.md" })
        let shown = Self.links(of: page).filter { $0.link.hasSuffix(".png") }.map { "docs/screens/\($0.link)" }
        #expect(Set(shown) == (try Self.installed()).filter { $0.hasPrefix("docs/screens/") && $0.hasSuffix(".png") })
        let screens = Set(shown.map { $0.split(separator: ".")[0] })
        #expect(screens.count > 20 && shown.count == screens.count * 8 && Set(shown).count == shown.count)
    }

    @Test("each picture of docs/pictures is small, and a page shows it with words that say what is on it (U-10)")
    func picturesOfPages() throws {
        var described: Set<String> = []
        for page in try RepositoryFiles.pages() {
            for line in page.lines {
                for picture in line.matches(of: /!\[([^\]]+)\]\((pictures\/[^)]+)\)/) where picture.1.count > 20 {
                    described.insert("docs/\(picture.2)")
                }
            }
        }
        #expect(described == (try Self.installed()).filter { $0.hasPrefix("docs/pictures/") })
        for path in described {
            #expect(try Data(contentsOf: RepositoryFiles.root.appendingPathComponent(path)).count < 60_000, "\(path)")
        }
    }

    @Test("the README has at most 120 lines")
    func readme() throws {
        let readme = try #require(try RepositoryFiles.pages().first { $0.path == "README.md" })
        #expect(readme.lines.count <= 120)
    }

    @Test("no file refers to a page that is not in the repository")
    func noOtherPages() throws {
        // Put together here, so that this file does not hold them.
        let absent = ["DES" + "IGN", "FEAT" + "URES", "STY" + "LE.md", "the des" + "ign"]
        for file in try RepositoryFiles.texts() {
            for (index, line) in file.lines.enumerated() {
                for page in absent where line.utf8.count >= page.utf8.count && line.contains(page) {
                    Issue.record("\(file.path):\(index + 1): there is no page \(page) here")
                }
            }
        }
    }

    /// The links of a page, with their lines, but for those in blocks of code.
    private static func links(of page: RepositoryFile) -> [(line: Int, link: String)] {
        var isCode = false
        return page.lines.enumerated().flatMap { index, line -> [(line: Int, link: String)] in
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode else { return [] }
            return line.matches(of: /\]\(([^)\s]+)\)/).map { (index + 1, String($0.1)) }
        }
    }

    /// "docs/../README.md" is "README.md".
    private static func resolved(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// The anchors that the headings of a page have.
    private static func anchors(of page: RepositoryFile) -> Set<String> {
        Set(
            page.lines.compactMap { line in
                guard let heading = line.wholeMatch(of: /#+ (.*)/) else { return nil }
                let kept = heading.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                return kept.replacing(" ", with: "-")
            })
    }
}
