import Foundation
import GateModel
import Testing

@testable import gatectl

@Suite("The browser that opens links")
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

    private func found(
        _ name: String?, _ searchPath: String?, _ desktop: DesktopBrowsers = DesktopBrowsers(folders: [])
    ) throws -> Browser {
        try Browser.find(named: name, searchPath: searchPath, desktop: desktop)
    }

    private func entry(_ name: String, _ lines: String) throws {
        try "[Desktop Entry]\nType=Application\n\(lines)\n[Desktop Action new]\nExec=other\n".write(
            toFile: "\(folder)/\(name).desktop", atomically: false, encoding: .utf8)
    }

    @Test("without a known browser the desktop's choice is taken, else another browser of the desktop's entries")
    func desktop() throws {
        let searchPath = try installed(["netsurf-gtk", "nook", "editor", "gatectl"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var desktop = DesktopBrowsers(folders: ["\(folder)/nowhere", folder])
        #expect(throws: GateError.self) { try found(nil, searchPath, desktop) }
        try entry("editor", "Exec=editor %u\nMimeType=text/html;")
        try entry("gate-open", "Exec=gatectl open %u\nMimeType=x-scheme-handler/https;")
        try entry("hidden", "Exec=nook %u\nCategories=WebBrowser;\nHidden=true")
        try entry("text", "Exec=nook %u\nCategories=WebBrowser;\nTerminal=true")
        try entry("gone", "Exec=not-installed %u\nCategories=WebBrowser;")
        try entry("round", "Exec=env A=b xdg-open %u\nCategories=WebBrowser;")
        try entry("script", "Exec=nook -c \"echo %u\"\nCategories=WebBrowser;")
        #expect(throws: GateError.self, "none of these is a browser that shows a page") {
            try found(nil, searchPath, desktop)
        }
        // The entry is like Debian's, which names no scheme.
        try entry(
            "netsurf-gtk", "Name=NetSurf\nExec=netsurf-gtk %u\nCategories=Network;WebBrowser;\nMimeType=text/html")
        let netsurf = try found(nil, searchPath, desktop)
        #expect(netsurf.arguments(for: "https://a.example/") == ["\(folder)/netsurf-gtk", "https://a.example/"])
        try entry("z-nook", "Exec=nook --at \"the nook\" --url=%u --name %c\nMimeType=a/b;x-scheme-handler/https;")
        desktop.chosen = "z-nook.desktop"
        let nook = try found(nil, searchPath, desktop)
        #expect(
            nook.arguments(for: "https://a.example/?b=%20c")
                == ["\(folder)/nook", "--at", "the nook", "--url=https://a.example/?b=%20c", "--name"])
        desktop.chosen = "gate-open.desktop"
        #expect(try found(nil, searchPath, desktop).command.path == "\(folder)/netsurf-gtk", "that is Gate itself")
        _ = try installed(["falkon"])
        #expect(try found(nil, searchPath, desktop).command.path == "\(folder)/falkon", "a known one goes first")
    }

    @Test("the browser that was named is taken, else the first known one that is installed")
    func found() throws {
        let searchPath = try installed(["chromium", "firefox", "kids-browser"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try found(nil, searchPath).command.path == "\(folder)/firefox")
        #expect(try found("kids-browser", searchPath).command.path == "\(folder)/kids-browser")
        #expect(try found("\(folder)/chromium", nil).command.path == "\(folder)/chromium")
    }

    @Test(
        "a program that passes links to other programs is never taken, because that may be gatectl",
        arguments: Browser.openers.sorted())
    func openers(name: String) throws {
        let searchPath = try installed([name])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: GateError.self) { try found(name, searchPath) }
        #expect(throws: GateError.self) { try found(nil, searchPath) }
    }

    @Test("this program is never taken, whatever its name")
    func itself() throws {
        let searchPath = try installed(["firefox"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = try #require(Bundle.main.executablePath)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/x-www-browser", withDestinationPath: own)
        #expect(try found(nil, searchPath).command.path == "\(folder)/firefox")
        #expect(throws: GateError.self) { try found("x-www-browser", searchPath) }
    }

    @Test("a link to a program that passes links on is never taken, whatever its name")
    func linked() throws {
        let searchPath = try installed(["xdg-open", "firefox"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/x-www-browser", withDestinationPath: "\(folder)/xdg-open")
        #expect(try found(nil, searchPath).command.path == "\(folder)/firefox")
        #expect(throws: GateError.self) { try found("x-www-browser", searchPath) }
    }

    @Test("a browser that gives the same link back gets an error, and another link is opened")
    func circle() throws {
        let link = "https://\(UUID().uuidString.lowercased()).example/"
        let mark = Browser.mark(link).split(separator: "=", maxSplits: 1)
        setenv(String(mark[0]), String(mark[1]), 1)
        defer { unsetenv(String(mark[0])) }
        #expect(throws: GateError.self) { try Browser.checkCircle(link) }
        #expect(throws: Never.self) { try Browser.checkCircle("https://example.org/") }
    }

    @Test("without any browser the error says how to name one")
    func none() throws {
        let searchPath = try installed([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect {
            try found(nil, searchPath)
        } throws: { error in
            (error as? GateError)?.message.contains("--browser") == true
        }
    }
}
