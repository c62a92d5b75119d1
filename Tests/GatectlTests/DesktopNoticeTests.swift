import Foundation
import GateModel
import GateTexts
import Testing

@testable import gatectl

@Suite("A refusal is shown on the desktop (U-09)")
struct DesktopNoticeTests {
    @Test("a refusal is shown if a person has a desktop and no terminal, and no program reads it (U-09)")
    func isNeeded() {
        func isNeeded(
            _ variables: [String: String], hasTerminal: Bool = false, isReadByProgram: Bool = false
        ) -> Bool {
            DesktopNotice.isNeeded(
                hasTerminal: hasTerminal, isReadByProgram: isReadByProgram, variable: { variables[$0] })
        }
        #expect(isNeeded(["DISPLAY": ":0"]))
        #expect(isNeeded(["WAYLAND_DISPLAY": "wayland-0"]))
        #expect(isNeeded(["WAYLAND_DISPLAY": "", "DISPLAY": ":1"]))
        #expect(!isNeeded(["DISPLAY": ":0"], hasTerminal: true))
        #expect(!isNeeded(["DISPLAY": ":0"], isReadByProgram: true))
        #expect(!isNeeded([:]), "cron has no display")
        #expect(!isNeeded(["DISPLAY": "", "WAYLAND_DISPLAY": ""]))
        #expect(
            !isNeeded(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1000/bus"]),
            "services and log-ins over a network have a bus, too")
    }

    private func commands(details: String, folder: String? = "/usr/bin") throws -> [[String]] {
        let error = GateError(.failedPrecondition, .refused, "No.")
        let notice = try #require(RefusalNotice(error, .page))
        return DesktopNotice.commands(notice, details: details, folder: folder)
    }

    @Test("gate-presenter beside gatectl shows it, else the desktop's notifications")
    func programs() throws {
        let link = "https://a.example/?b=<i>&c"
        #expect(
            try commands(details: link) == [
                [
                    "/usr/bin/gate-presenter", "--refused=The page was not opened.", "--details=\(link)",
                    "--because=A grown-up said no.",
                ],
                [
                    "notify-send", "--app-name=Gate", "--urgency=critical", "--", "The page was not opened.",
                    "https://a.example/?b=&lt;i>&amp;c\nA grown-up said no.",
                ],
            ])
        #expect(try commands(details: link, folder: nil).map(\.first) == ["notify-send"])
    }

    @Test("what nobody would see in an address is written out, and an address is never an option")
    func hostile() throws {
        let shown = try commands(details: "--help\u{202e}\n\u{1b}[2J")
        #expect(shown[0][2].hasPrefix("--details=--help"))
        #expect(!shown.joined().joined().unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{1b}" })
        #expect(shown[1].firstIndex(of: "--") == 3)
    }

    @Test("a program that goes on by itself is started, and one that does not exist is not")
    func apart() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("gatectl-apart-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(!Program.startApart(["/nowhere/gate-presenter"]))
        // Its input is empty, so `cat` ends at once, and then the file is there as a whole, with the program's number.
        #expect(
            Program.startApart([
                "/bin/sh", "-c", "cat; echo \"$$ $1\" > \"$2.new\"; mv \"$2.new\" \"$2\"", "sh", "a  b", file.path,
            ]))
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: file.path) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let told = try String(contentsOf: file, encoding: .utf8).split(separator: " ", maxSplits: 1)
        #expect(told.last == "a  b\n")
        // Nobody waits for it, so here it would stay a zombie, and while there is one, a test that waits for its own
        // process to exit does not see that exit.
        let program = try #require(told.first.flatMap { pid_t($0) })
        #expect(waitpid(program, nil, 0) == program)
    }
}
