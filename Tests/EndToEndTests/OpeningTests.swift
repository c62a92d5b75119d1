import Foundation
import ProcessSupport
import Testing

/// `gatectl open`: the link that was shown is the one that the browser gets, and nothing else.
@Suite("Opening a link through a gate", .serialized, .waitsForProcesses)
struct OpeningTests {
    @Test(
        "a link that could mislead is refused with 65, and nobody is asked",
        arguments: [
            "javascript:alert(1)", "file:///etc/passwd", "ftp://example.org/", "data:text/html,hello", "example.org",
            "",
            "https://", "https://user@example.org/", "https://example.org:password@evil.example/",
            "https://example.org/\u{1b}[2J", "https://example.org/\n",
            "https://ex\u{430}mple.org/", "https://0x7f.1/", "https://2130706433/",
            "https://example.org:99999/", "https://[::1/", "https://exa mple.org/",
            "https://example.org\\@evil.example/",
            "https://" + String(repeating: "a", count: 2048),
        ])
    func badLink(link: String) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let mark = gate.directory + "/mark"
        let browser = gate.directory + "/browser"
        try writeProgram("#!/bin/sh\ntouch '\(mark)'\n", to: browser)
        let result = try gate.gatectl("open", link, "--browser", browser)
        #expect(result.status == 65, "\(result.errors)")
        #expect(screen.everything.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("hidden characters of a link are shown and opened percent-encoded")
    func writtenOutLink() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let opened = gate.directory + "/opened"
        let browser = gate.directory + "/browser"
        try writeProgram("#!/bin/sh\necho \"$1\" >> '\(opened)'\n", to: browser)
        let requester = try gate.gatectlRunning(
            "open", "HTTPS://EXAMPLE.org/\u{202e}gpj/../a b", "--browser", browser, hasInput: false)
        #expect(try screen.answerSum(right: true).contains("https://example.org/a%20b"))
        #expect(try requester.ended().status == 0)
        #expect(linesOfFile(opened) == ["https://example.org/a%20b"])
    }

    @Test(
        "a browser that would hand the link back to gatectl is refused, whatever its name",
        arguments: ["xdg-open", "x"])
    func loops(name: String) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let browser = gate.directory + "/" + name
        if name == "xdg-open" {
            try writeProgram("#!/bin/sh\n", to: browser)
        } else {
            try FileManager.default.createSymbolicLink(
                atPath: browser, withDestinationPath: builtProgram("gatectl"))
        }
        #expect(try gate.gatectl("open", "https://example.org", "--browser", browser).status == 65)
        #expect(screen.everything.isEmpty)
    }

    @Test("the policy names the browser; if the policy can't be read, it names none")
    func browserOfPolicy() throws {
        let gate = try RunningGate()
        let opened = gate.directory + "/opened"
        let browser = gate.directory + "/browser"
        try writeProgram("#!/bin/sh\necho \"$1\" >> '\(opened)'\n", to: browser)
        try gate.writePolicy(RunningGate.policy + "browser: \(browser)\n")
        let screen = try RelayScreen(gate)
        let requester = try gate.gatectlRunning(
            "open", "http://example.org", "--config-directory", gate.configurationDirectory, hasInput: false)
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 0)
        #expect(linesOfFile(opened) == ["http://example.org/"])

        try gate.writePolicy("brwser: x\n")
        let refused = try gate.gatectl(
            "open", "http://example.org", "--config-directory", gate.configurationDirectory)
        #expect(refused.status == 65)
        #expect(screen.everything.count == 1)
    }
}
