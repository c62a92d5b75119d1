import Foundation
import GateModel
import Testing

@testable import gatectl

@Suite("The browser that links are given to")
struct BrowserTests {
    private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appendingPathComponent("gatectl-browser-\(UUID().uuidString)").path

    private func installed(_ names: [String]) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in names {
            try "#!/bin/sh\n".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
        }
        return folder
    }

    @Test("the one that was named, else the first known one that is there")
    func found() throws {
        let searchPath = try installed(["chromium", "firefox", "kids-browser"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try Browser.find(named: nil, searchPath: searchPath).path == "\(folder)/firefox")
        #expect(try Browser.find(named: "kids-browser", searchPath: searchPath).path == "\(folder)/kids-browser")
        #expect(try Browser.find(named: "\(folder)/chromium", searchPath: nil).path == "\(folder)/chromium")
    }

    @Test("never what opens links with whatever handles them: that may be gatectl", arguments: Browser.openers.sorted())
    func openers(name: String) throws {
        let searchPath = try installed([name])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: GateError.self) { try Browser.find(named: name, searchPath: searchPath) }
        #expect(throws: GateError.self) { try Browser.find(named: nil, searchPath: searchPath) }
    }

    @Test("never this program, whatever it is called")
    func itself() throws {
        let searchPath = try installed(["firefox"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = try #require(Bundle.main.executablePath)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/x-www-browser", withDestinationPath: own)
        #expect(try Browser.find(named: nil, searchPath: searchPath).path == "\(folder)/firefox")
        #expect(throws: GateError.self) { try Browser.find(named: "x-www-browser", searchPath: searchPath) }
    }

    @Test("never a link to what opens links, whatever the link is called")
    func linked() throws {
        let searchPath = try installed(["xdg-open", "firefox"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/x-www-browser", withDestinationPath: "\(folder)/xdg-open")
        #expect(try Browser.find(named: nil, searchPath: searchPath).path == "\(folder)/firefox")
        #expect(throws: GateError.self) { try Browser.find(named: "x-www-browser", searchPath: searchPath) }
    }

    @Test("a browser that gives the same link back is told so, and another link goes on")
    func circle() throws {
        let link = "https://\(UUID().uuidString.lowercased()).example/"
        let mark = Browser.mark(link).split(separator: "=", maxSplits: 1)
        setenv(String(mark[0]), String(mark[1]), 1)
        defer { unsetenv(String(mark[0])) }
        #expect(throws: GateError.self) { try Browser.checkCircle(link) }
        #expect(throws: Never.self) { try Browser.checkCircle("https://example.org/") }
    }

    @Test("without any it is said how to name one")
    func none() throws {
        let searchPath = try installed([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect {
            try Browser.find(named: nil, searchPath: searchPath)
        } throws: { error in
            (error as? GateError)?.message.contains("--browser") == true
        }
    }
}
