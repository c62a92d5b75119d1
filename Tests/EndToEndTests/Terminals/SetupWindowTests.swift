import Foundation
import ProcessSupport
import Testing

/// What the assistant of gate-settings and `gatectl setup --for-window` say to each other.
@Suite("Setting up in a window (U-05)", .serialized, .waitsForProcesses)
struct SetupWindowTests {
    private static let policy = """
        mode: {challenge: passcode}
        gated-actions:
          purchase: {title: Buy something, requires: {challenge: passcode}}
          vote: {requires: {challenge: totp}}

        """

    /// `games` is a user of every Debian; here it is Mia's.
    private func begun(_ gate: RunningGate, language: String? = nil) throws -> ChildProcess {
        let passwd = "\(gate.directory)/passwd"
        try Data("games:x:1001:1001:Mia Weber:/home/mia:/bin/bash\n".utf8).write(to: URL(filePath: passwd))
        return try ChildProcess(
            builtProgram("gatectl"),
            [
                "setup", "--for-window", "--passwd", passwd, "--socket", gate.socket, "--server-user", NSUserName(),
            ], environment: language.map { ["LANG": $0] } ?? [:])
    }

    private func isNothingDone(_ gate: RunningGate) throws -> Bool {
        try gate.gatectl("people").output.isEmpty
            && !gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE")
    }

    @Test("each question can be answered, answered wrongly, and gone back from, and nothing is done before the yes")
    func conversation() throws {
        let gate = try RunningGate(policy: Self.policy)
        let window = try begun(gate)
        func after(_ line: String) throws -> String {
            window.write(line + "\n")
            return try window.nextLine()
        }
        let first = try window.nextLine()
        #expect(first.contains("\"kind\":\"choice\",\"label\":\"games (Mia Weber)\""))
        #expect(first.contains("\"canGoBack\":false") && first.contains("\"standing\":\"2\""))
        #expect(first.contains("{\"value\":\"2\",\"title\":\"A child\"}"))
        #expect(try after("<") == first, "there is no question before the first")
        #expect(try after("=1").contains("\"kind\":\"secret\""))
        #expect(try after("<").contains("\"standing\":\"1\""), "what was answered stands there again")
        let born = try after("=2")
        #expect(born.contains("\"kind\":\"date\"") && born.contains("\"canGoBack\":true"))
        #expect(try after("=tomorrow").contains("\"problem\":\"Type a day"))
        #expect(try after("<") == first)
        #expect(try after("=2") == born)
        let passcode = try after("=2015-03-02")
        #expect(passcode.contains("\"kind\":\"secret\""))
        for wrong in ["123", String(repeating: "1", count: 129), String(repeating: "1", count: 5000)] {
            #expect(try after("=" + wrong).contains("\"problem\":\"A passcode has 4 to 128"))
        }
        let plan = #"{"plan":["games is a child, born 2015-03-02","a new passcode is set"]}"#
        #expect(try after("=8391") == plan, "an authenticator is set up elsewhere")
        #expect(try after("<") == passcode)
        #expect(try after("=839157") == plan)
        #expect(try isNothingDone(gate))
        #expect(try after("=") == #"{"step":{"text":"games is a child, born 2015-03-02","problem":""}}"#)
        #expect(try window.nextLine() == #"{"step":{"text":"a new passcode is set","problem":""}}"#)
        #expect(try window.nextLine().hasPrefix(#"{"checked":{"trial":"A child who wants parent mode"#))
        #expect(try window.ended().status == 0)
        #expect(try gate.gatectl("people").output.contains("2015-03-02"))
        #expect(try gate.gatectl("toggle", "--stdin", input: "839157\n").status == 0)
    }

    @Test("the questions, and why nothing can be set up, are in the person's language")
    func language() throws {
        let gate = try RunningGate(policy: Self.policy)
        let window = try begun(gate, language: "de_DE.UTF-8")
        #expect(try window.nextLine().contains("{\"value\":\"2\",\"title\":\"Kind\"}"))
        window.closeInput()
        let result = try window.ended()
        #expect(result.output.contains(#"{"refused":"Es wurde nichts mehr eingegeben."}"#))
    }

    @Test("if somebody else sets up people or secrets meanwhile, nothing is done, and the window says what to do")
    func meanwhile() throws {
        let gate = try RunningGate(policy: Self.policy)
        let window = try begun(gate)
        window.write("=2\n=2015-03-02\n=839157\n")
        while try !window.nextLine().contains("\"plan\"") {}
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "2468\n").status == 0)
        window.write("=\n")
        let result = try window.ended()
        #expect(result.status != 0)
        #expect(result.output.contains(#"{"refused":"Nothing was changed, since people or secrets"#))
        #expect(try gate.gatectl("people").output.isEmpty)
        #expect(try gate.gatectl("toggle", "--stdin", input: "2468\n").status == 0)
    }

    @Test("a window that goes away before the yes leaves everything as it was, and afterwards all is done")
    func goesAway() throws {
        let gate = try RunningGate(policy: Self.policy)
        for answers in ["", "=2\n", "=2\n=2015-03-02\n=8391\n"] {
            let window = try begun(gate)
            window.write(answers)
            window.closeInput()
            #expect(try window.ended().status != 0)
            #expect(try isNothingDone(gate))
        }
        let window = try begun(gate)
        window.write("=2\n=2015-03-02\n=839157\n=\n")
        window.closeInput()
        #expect(try window.ended().status == 0)
        #expect(try gate.gatectl("people").output.contains("2015-03-02"))
        #expect(try gate.gatectl("toggle", "--stdin", input: "839157\n").status == 0)
    }
}
