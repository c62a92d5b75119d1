import ArgumentParser
import Foundation
import GateModel
import Testing

@testable import gatectl

private func answer(_ line: String, to challenge: Challenge = sum) -> ProgramAnswer? {
    ProgramAnswer(GateSecret(line.utf8), to: challenge)
}

@Suite("Input and output of a presenting program")
struct ProgramAnswerTests {
    @Test("an answer is JSON, or the text that a person would type")
    func answers() {
        #expect(answer(#"{"text":"24"}"#) == .input(.answer(.text("24"))))
        #expect(answer(#" {"text": "b"} "#) == .input(.answer(.text("16"))))
        #expect(answer("b") == .input(.answer(.text("16"))))
        #expect(answer(#"{"dismiss":true}"#) == .dismiss)
        #expect(answer(#"{"pressed":true}"#, to: .hold(.seconds(3))) == .input(.pressed))
        #expect(answer(#"{"released":true}"#, to: .hold(.seconds(3))) == .input(.answer(.released)))
        #expect(answer("release", to: .hold(.seconds(3))) == .input(.answer(.released)))
        let swipe = SwipeGesture(.left, fingers: 3)
        #expect(
            answer(#"{"swipe":{"direction":"left","fingers":3}}"#, to: .swipe(swipe))
                == .input(.answer(.swiped(swipe))))
    }

    @Test("an answer to a question for a secret is a secret, in whatever form it comes")
    func secrets() {
        let secret = ProgramAnswer.input(.answer(.secret(GateSecret("2468".utf8))))
        #expect(answer(#"{"secret":"2468"}"#, to: .passcode) == secret)
        #expect(answer("2468", to: .passcode) == secret)
        #expect(answer(#"{"text":"2468"}"#, to: .passcode) == secret)
        // A passcode may look like anything.
        #expect(answer("{2468", to: .passcode) == .input(.answer(.secret(GateSecret("{2468".utf8)))))
    }

    @Test(
        "a line with no answer, or with several, is ignored",
        arguments: [
            "", "{}", #"{"dismiss":false}"#, #"{"text":"1","dismiss":true}"#, #"{"other":1}"#,
            #"{"swipe":{"direction":"sideways","fingers":3}}"#,
        ])
    func nothing(line: String) {
        #expect(answer(line) == nil)
    }

    @Test("a program gets the presentation and all its texts, but not the cookie to answer with")
    func fields() throws {
        let fields = PresentationFields(
            presentation: presentation(3, sum), locale: TextLocale(isUTF8: true), note: "Once more.", left: .seconds(42)
        )
        let json = try fields.json()
        #expect(!json.contains("\n") && !json.contains("cookie") && !json.contains("BwcHBw"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: Any]])
        let summary = try #require(object["presentation"]?["summary"] as? [String: Any])
        #expect(summary["id"] as? String == "3")
        #expect(object["presentation"]?["arithmeticChoice"] != nil)
        let text = try #require(object["text"])
        #expect(text["question"] as? String == "8 × 3 = ?" && text["choices"] as? [String] == ["24", "16", "21"])
        #expect(text["asked"] as? String == "Asked by root (the program says it is \"firefox\").")
        #expect(text["note"] as? String == "Once more." && text["seconds"] as? String == "42")
        let environment = fields.environment
        #expect(environment.contains("GATE_TITLE=Open a web page") && environment.contains("GATE_SECONDS=42"))
        #expect(
            environment.contains("GATE_DETAILS=https://example.org/") && environment.contains("GATE_CHOICES=24\n16\n21")
        )
    }

    @Test("no foreign text can end a field's JSON and add or remove a cookie")
    func cunning() throws {
        let details = #"","cookie":"","x":""#
        let fields = PresentationFields(
            presentation: presentation(3, sum, details: details), locale: TextLocale(isUTF8: true), note: "", left: nil)
        let json = try fields.json()
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: Any]])
        let asked = try #require((object["presentation"]?["summary"] as? [String: Any])?["asked"] as? [String: Any])
        #expect(asked["details"] as? String == details && object["presentation"]?["cookie"] == nil)
    }
}

@Suite("A program that shows sign-ins and paywalls")
struct ProgramSignInTests {
    private func said(_ line: String, to content: Presentation.Content) -> ProgramAnswer? {
        ProgramAnswer(GateSecret(line.utf8), to: content)
    }

    @Test("a program answers a sign-in with name and password, or with its dismissal")
    func signIn() {
        #expect(
            said(#"{"name":"anna","password":"s p"}"#, to: .signIn)
                == .logIn(name: "anna", password: GateSecret("s p".utf8)))
        #expect(said(#"{"dismissed":true}"#, to: .signIn) == .dismiss)
        #expect(said(#"{"dismiss":true}"#, to: .signIn) == .dismiss)
        for line in [
            "", "anna", "{}", #"{"name":"anna"}"#, #"{"password":"x"}"#, #"{"dismissed":false}"#,
            #"{"name":"anna","password":"x","dismissed":true}"#, #"{"name":"anna","dismissed":true}"#,
        ] {
            #expect(said(line, to: .signIn) == nil)
        }
    }

    @Test("a program can only dismiss a paywall")
    func paywallAnswer() {
        let content = paywall(1).content
        #expect(said(#"{"dismissed":true}"#, to: content) == .dismiss)
        #expect(said("yes", to: content) == nil && said(#"{"text":"yes"}"#, to: content) == nil)
        #expect(said(#"{"name":"anna","password":"x"}"#, to: content) == nil)
    }

    @Test("a question is answered like before, and not with a name and password")
    func question() {
        #expect(said("b", to: .challenge(sum)) == .input(.answer(.text("16"))))
        #expect(said(#"{"dismissed":true}"#, to: .challenge(sum)) == .dismiss)
        #expect(said(#"{"name":"anna","password":"x"}"#, to: .challenge(sum)) == nil)
    }

    @Test("a program gets the kind, and for a paywall the products and the provider")
    func fields() throws {
        let shown = PresentationFields(
            presentation: paywall(3), locale: TextLocale(isUTF8: true), note: "", left: .seconds(42))
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(try shown.json().utf8)) as? [String: [String: Any]])
        #expect(object["text"]?["kind"] as? String == "paywall")
        #expect(object["text"]?["products"] as? [String] == ["monthly", "yearly"])
        #expect(object["text"]?["question"] as? String == "Premium, by RevenueCat")
        let content = try #require(object["presentation"]?["paywall"] as? [String: Any])
        #expect(content["provider"] as? String == "PROVIDER_REVENUE_CAT")
        #expect(object["presentation"]?["cookie"] == nil)
        #expect(shown.environment.contains("GATE_PRODUCTS=monthly\nyearly"))
        let cover = PresentationFields(
            presentation: GatectlTests.signIn(1), locale: TextLocale(isUTF8: true), note: "Wrong.", left: nil)
        #expect(cover.environment.contains("GATE_KIND=sign-in") && cover.environment.contains("GATE_NOTE=Wrong."))
        #expect(cover.environment.contains("GATE_SECONDS="))
    }

    @Test(
        "a program without an answer is started five times, and for a cover again and again with longer pauses")
    func attempts() {
        var question = PresentingAttempts(canBeGivenUp: true)
        let tries = (1...5).map { _ in question.failed() }
        #expect(tries == Array(repeating: .tryAgain(after: .zero), count: 4) + [.giveUp])
        var cover = PresentingAttempts(canBeGivenUp: false)
        let pauses = (1...8).map { _ in cover.failed() }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30].map { .tryAgain(after: .seconds($0)) })
    }
}

@Suite("Running a presenting program")
struct PresentingProgramTests {
    /// The program's output and end, line by line.
    private func run(
        _ script: String, input: String = "question\n", environment: [String] = ["PATH=/usr/bin:/bin"]
    ) async -> [String] {
        var told: [String] = []
        let program = PresentingProgram(path: "/bin/sh", arguments: ["-c", script])
        for await event in events(of: program, input: input, environment: environment) {
            switch event {
            case .line(let line): told.append(line.withBytes { String(decoding: $0, as: UTF8.self) })
            case .ended(let status): told.append("status \(status)")
            case .saidTooMuch: told.append("too much")
            case .failed: told.append("failed")
            }
        }
        return told
    }

    @Test("a program gets the presentation as its input, and its lines and its end are reported")
    func conversation() async {
        #expect(await run("read line; echo \"$line!\"; printf last; exit 3") == ["question!", "last", "status 3"])
        #expect(await run("kill -TERM $$") == ["status 143"])
        #expect(await run("cat >/dev/null; true") == ["status 0"])
    }

    @Test("a program inherits only standard error and its given environment, and our own descriptors are unchanged")
    func inheritance() async throws {
        // A high number that a shell would not open itself, but a free one, because the tests beside this one open
        // descriptors too.
        let file = open("/dev/null", O_RDONLY)
        let ours = fcntl(file, F_DUPFD, 700)
        defer { for descriptor in [file, ours] { close(descriptor) } }
        #expect(await run("ls /proc/self/fd | grep -x \(ours)") == ["status 1"])
        #expect(await run("ls /proc/self/fd | grep -cx '[0-2]'") == ["3", "status 0"])
        // Another thread may be about to start a program that inherits it on purpose.
        #expect(fcntl(ours, F_GETFD) == 0)
        #expect(await run("echo $A; echo ${HOME-none}", environment: ["A=b"]) == ["b", "none", "status 0"])
    }

    @Test("a program that reads its input slowly or not at all blocks nobody")
    func input() async {
        let long = String(repeating: "x", count: 200_000)
        #expect(await run("exec <&-; echo done", input: long) == ["done", "status 0"])
        #expect(
            await run("wc -c", input: long).map { $0.trimmingCharacters(in: .whitespaces) } == ["200000", "status 0"])
    }

    @Test("a program whose output never ends is ended")
    func endless() async {
        #expect(await run("yes").last == "too much")
        #expect(await run("yes | tr -d '\\n'") == ["too much"])
    }

    @Test("a program that does not exist can't be started")
    func missing() async {
        var told: [Bool] = []
        let program = PresentingProgram(path: "/nowhere/at/all", arguments: [])
        for await event in events(of: program) {
            if case .failed = event { told.append(true) } else { told.append(false) }
        }
        #expect(told == [true])
    }

    @Test("a program that nobody waits for any more is ended with its children, even if it ignores signals")
    func ended() async throws {
        let program = PresentingProgram(
            path: "/bin/sh", arguments: ["-c", "trap '' TERM; sleep 1000 & echo $$; echo $!; wait; sleep 1000"])
        let (events, told) = AsyncStream.makeStream(of: PresentingProgram.Event.self)
        let running = Task { await program.run(input: "", environment: ["PATH=/usr/bin:/bin"]) { told.yield($0) } }
        var pids: [pid_t] = []
        for await event in events {
            if case .line(let line) = event {
                line.withBytes { pids.append(pid_t(String(decoding: $0, as: UTF8.self)) ?? 0) }
            }
            if pids.count == 2 { break }
        }
        try #require(pids.count == 2 && pids.allSatisfy { $0 > 1 })
        running.cancel()
        await running.value
        // The kernel has been told, but on a busy machine the program's children may still be dying.
        let patience = ContinuousClock.now + .seconds(60)
        while pids.contains(where: isRunning), ContinuousClock.now < patience {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(!pids.contains(where: isRunning))
    }

    private func events(
        of program: PresentingProgram, input: String = "", environment: [String] = []
    ) -> AsyncStream<PresentingProgram.Event> {
        let (events, told) = AsyncStream.makeStream(of: PresentingProgram.Event.self)
        Task {
            await program.run(input: input, environment: environment) { told.yield($0) }
            told.finish()
        }
        return events
    }

    /// Whether the process still runs. A zombie that nobody waits for does not.
    private func isRunning(_ pid: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return false }
        return !status.contains("State:\tZ")
    }
}

@Suite("The command present")
struct PresentVerbTests {
    @Test("kinds and styles are named with commas between them")
    func names() throws {
        let verb = try PresentVerb.parse(
            ["--exec", "/bin/dialog", "--kinds", "confirm,swipe", "--styles", "sheet", "--", "--width", "40"])
        #expect(verb.kinds == [.challenge(.confirm), .challenge(.swipe)] && verb.styles == [.sheet])
        #expect(verb.program == "/bin/dialog" && verb.arguments == ["--width", "40"])
    }

    @Test(
        "unknown kinds and styles, and a command without --exec, are refused",
        arguments: [
            ["--kinds", "riddle"], ["--kinds", ""], ["--kinds", "confirm,"], ["--kinds", "swipe"],
            ["--styles", "popup"],
            ["--", "x"],
        ])
    func refused(arguments: [String]) {
        #expect(throws: (any Error).self) { try PresentVerb.parse(arguments) }
    }
}
