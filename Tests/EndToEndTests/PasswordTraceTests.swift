import Foundation
import Glibc
import ProcessSupport
import Testing

/// Random passwords that occur nowhere else are typed, and then searched for everywhere.
@Suite("No traces of passwords", .serialized, .waitsForProcesses)
struct PasswordTraceTests {
    /// The passwords that are typed, each in another place.
    private struct Typed {
        private let random = UUID().uuidString
        var right: String { "r1ght-\(random)" }
        var wrong: String { "wr0ng-\(random)" }
        var new: String { "n3w-\(random)" }
        var reset: String { "res3t-\(random)" }
        /// A text longer than a password may be.
        var long: String { "l0ng-\(random)" + String(repeating: "x", count: 900) }
        var longMark: String { "l0ng-\(random)" }
        /// A password that was typed where the name goes.
        var asName: String { "n4me-\(random)" }
        /// The password that is typed at a screen.
        var shown: String { "shown-\(random)" }

        var marks: [String] { [right, wrong, new, reset, longMark, asName, shown] }
    }

    @Test("no typed password is in a file, the journal, a log, an output or an environment")
    func nowhere() throws {
        let typed = Typed()
        let selling = try SellingGate(options: ["--log-level", "trace"])
        let gate = selling.gate
        let said = try typeThem(typed, selling)
        #expect(said.contains("Wrong name or password.") && said.contains("4 to 128 bytes"))
        expectNone(of: typed, in: Data(said.utf8), "what gatectl said")

        let journal = try gate.gatectl("audit", "--json").output
        for kind in ["REGISTERED", "SIGNED_IN", "SIGN_IN_FAILED", "PASSWORD_CHANGED", "LOCKED_OUT"] {
            #expect(journal.contains("AUDIT_KIND_\(kind)"), "\(kind)")
        }
        expectNone(of: typed, in: Data(journal.utf8), "the journal")
        let shown = try ["status", "accounts", "lockouts", "gates", "entitlements"].map {
            try gate.gatectl($0, "--json").output
        }
        expectNone(of: typed, in: Data(shown.joined().utf8), "what gatectl shows")

        let traces = ProcessTraces(pid: gate.daemon.pid)
        #expect(String(decoding: traces.commandLine, as: UTF8.self).contains("--state-directory"))
        #expect(String(decoding: traces.environment, as: UTF8.self).contains("SWIFT_BACKTRACE"))
        expectNone(of: typed, in: Data(traces.commandLine + traces.environment), "gated's command line and environment")

        // The search runs while the daemon runs and after its end, because the write-ahead log is not in the database
        // at once.
        try expectNone(of: typed, below: gate.directory)
        #expect(try gate.stop() == 0)
        let log = try gate.daemon.ended()
        #expect(log.errors.contains("ready"))
        expectNone(of: typed, in: Data((log.output + log.errors).utf8), "gated's log")
        try expectNone(of: typed, below: gate.directory)
    }

    @Test(
        "no password is left in gated's memory, where a core dump would have it",
        .enabled(if: geteuid() == 0, "only root may read the memory of another process"),
        .disabled(if: isSanitized, "a sanitizer keeps what was freed, as it was"))
    func notInMemory() throws {
        let typed = Typed()
        let selling = try SellingGate()
        let traces = ProcessTraces(pid: selling.gate.daemon.pid)
        _ = try typeThem(typed, selling)
        // The last answer is sent before the thread that hashed has released the password.
        var counts: [String: Int] = [:]
        for _ in 0..<20 {
            counts = try traces.counts(of: typed.marks).filter { $0.value > 0 }
            if counts.isEmpty { break }
            usleep(100_000)
        }
        #expect(counts.isEmpty)
        // A text that is no secret must be found there, or else the search finds nothing at all.
        #expect(try traces.counts(of: ["premium.filters"])["premium.filters"] ?? 0 > 0)
    }

    // MARK: -

    /// Types each password where it belongs, and where it does not. Returns everything that was printed.
    private func typeThem(_ typed: Typed, _ selling: SellingGate) throws -> String {
        let gate = selling.gate
        var said = ""
        func type(_ lines: String, _ words: String...) throws -> Int32 {
            let process = try ChildProcess(
                builtProgram("gatectl"),
                words + ["--password-file", "-", "--socket", gate.socket, "--server-user", NSUserName()])
            process.write(lines)
            process.closeInput()
            let result = try process.ended()
            said += result.output + result.errors
            return result.status
        }
        #expect(try type(typed.right + "\n", "register", "anna") == 0)
        #expect(try type(typed.right + "\n", "register", "anna", "--json") != 0, "the name is taken")
        #expect(try type(typed.long + "\n", "register", "bert") == 65)
        #expect(try type(typed.wrong + "\n", "login", "anna") == 1)
        #expect(try type(typed.wrong + "\n", "login", "anna", "--json") == 1)
        #expect(try type(typed.long + "\n", "login", "anna") == 1)
        #expect(try type(typed.right + "\n", "login", "anna") == 75)
        #expect(try gate.gatectl("lockouts", "clear").status == 0)
        #expect(try type(typed.right + "\n", "login", "anna") == 0)
        #expect(try type(typed.right + "\n", "login", "anna") == 1, "somebody is signed in")
        #expect(try type("\(typed.right)\n\(typed.new)\n", "password", "anna") == 0)
        #expect(try type("\(typed.wrong)\n\(typed.new)\n", "password", "anna") == 1)
        #expect(try type("\(typed.new)\n\(typed.long)\n", "password", "anna") == 65)
        #expect(try type(typed.reset + "\n", "password", "anna", "--reset") == 0)
        #expect(try gate.gatectl("logout").status == 0)

        // At a screen, a password is typed into the name. The screen's process and files are not gated's.
        let screen = try RelayScreen(gate)
        _ = try screen.shown()
        try screen.answer(#"{"name":"\#(typed.asName)","password":"\#(typed.shown)"}"#)
        let again = try screen.shown()
        #expect(again.contains("Wrong name or password."))
        try screen.answer(#"{"name":"anna","password":"\#(typed.reset)"}"#)
        try eventually("anna is signed in") { try selling.status().contains(#""name":"anna""#) }
        try screen.cleared()
        return said + screen.everything.joined()
    }

    private func expectNone(of typed: Typed, in data: Data, _ place: String) {
        for mark in typed.marks { #expect(data.occurrences(of: mark) == 0, "\(mark) is in \(place)") }
    }

    private func expectNone(of typed: Typed, below directory: String) throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
        #expect(files.contains { $0.hasSuffix("gate.sqlite") })
        for file in files {
            guard let data = FileManager.default.contents(atPath: directory + "/" + file) else { continue }
            expectNone(of: typed, in: data, file)
        }
    }
}
