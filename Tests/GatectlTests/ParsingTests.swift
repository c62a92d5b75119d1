import ArgumentParser
import GateClient
import GateModel
import Testing

@testable import gatectl

@Suite("The command line")
struct ParsingTests {
    @Test("next is another name of toggle (F-04)")
    func next() throws {
        #expect(try Gatectl.parseAsRoot(["next", "--stdin"]) is ToggleVerb)
        #expect(try Gatectl.parseAsRoot(["toggle"]) is ToggleVerb)
    }

    @Test("every verb takes socket, server user, JSON and timeout")
    func commonOptions() throws {
        let common = ["--socket", "/tmp/s", "--server-user", "0", "--json", "--timeout", "1h30m"]
        let verbs = [
            ["status"], ["watch"], ["toggle"], ["cancel"], ["lock"], ["extend", "5m"],
            ["override", "parent", "--reason", "x"], ["wait", "--mode", "parent"], ["audit"],
            ["call", "gate.v1.Mode/Get"], ["ping"], ["version"], ["reload"], ["recover"], ["doctor"],
            ["check", "link.open"], ["authorize", "link.open", "--redeemer", "root", "--details", "x"],
            ["redeem", "link.open", "--details", "x"], ["open", "https://example.org"], ["gates"], ["grants"],
            ["grants", "list"], ["grants", "revoke", "link.open", "--user", "0"], ["lockouts"],
            ["lockouts", "clear", "mode", "--user", "root"], ["setup"], ["passcode", "set", "--stdin"],
            ["passcode", "remove"], ["totp", "enrol"], ["totp", "remove"],
        ]
        for verb in verbs {
            let parsed = try #require(try Gatectl.parseAsRoot(verb + common) as? any Verb)
            #expect(parsed.connection.json)
            #expect(parsed.connection.client.socketPath == "/tmp/s")
            #expect(parsed.connection.client.callTimeout == .seconds(5400))
            #expect(parsed.connection.client.connectTimeout == .seconds(5))
        }
    }

    @Test(
        "wrong usage is status 64",
        arguments: [
            ["nope"], ["status", "extra"], ["wait"], ["wait", "--mode", "kid"],
            ["override", "verifying", "--reason", "x"],
            ["override", "parent"], ["extend", "5"], ["extend", "soon"], ["status", "--timeout", "5x"],
            ["audit", "--last", "0"], ["audit", "--last", "-3"], ["status", "--socket", ""],
            ["status", "--server-user", "no such user"], ["check"], ["authorize"], ["run", "--gate", "x"],
            ["run", "--gate", "x", "true"], ["run", "--", "true"], ["open"], ["redeem"], ["passcode", "set", "1234"],
            ["totp", "enrol", "KEY"], ["authorize", "x", "--redeemer", "no such user"],
            ["watch", "--topic", "weather"],
            ["grants", "revoke", "--user", "no such user"],
        ])
    func wrongUsage(arguments: [String]) {
        #expect {
            try Gatectl.parseAsRoot(arguments)
        } throws: { error in
            Gatectl.exitCode(for: error).rawValue == 64
        }
    }

    @Test("what is run is everything behind the --, whatever it looks like")
    func run() throws {
        let parsed = try Gatectl.parseAsRoot(
            ["run", "--gate", "games.play", "--json", "--", "ls", "--json", "-l", "--", "x"])
        let verb = try #require(parsed as? RunVerb)
        #expect(verb.gate == "games.play")
        #expect(verb.command == ["ls", "--json", "-l", "--", "x"])
        #expect(verb.connection.json)
    }

    @Test("what came as no text is not run")
    func noText() {
        #expect(RunVerb.canBeShown(["rm", "ä"]))
        #expect(!RunVerb.canBeShown(["rm", String(decoding: [0x61, 0xff], as: UTF8.self)]))
    }

    @Test("a duration that is none is refused with what is allowed")
    func durationMessage() {
        #expect {
            try Gatectl.parseAsRoot(["extend", "soon"])
        } throws: { error in
            Gatectl.message(for: error).contains("90s, 5m or 1h30m")
        }
    }

    @Test("completions are there for the shells that people use", arguments: [CompletionShell.bash, .zsh, .fish])
    func completions(shell: CompletionShell) {
        #expect(Gatectl.completionScript(for: shell).contains("override"))
    }
}
