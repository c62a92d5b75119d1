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

    @Test("every command takes --socket, --server-user, --json and --timeout")
    func commonOptions() throws {
        let common = ["--socket", "/tmp/s", "--server-user", "0", "--json", "--timeout", "1h30m"]
        let verbs = [
            ["status"], ["watch"], ["toggle"], ["cancel"], ["lock"], ["extend", "5m"],
            ["override", "parent", "--reason", "x"], ["wait", "--mode", "parent"], ["audit"],
            ["call", "gate.v1.Mode/GetMode"], ["ping"], ["version"], ["reload"], ["recover"], ["doctor"],
            ["check", "link.open"], ["authorize", "link.open", "--redeemer", "root", "--details", "x"],
            ["redeem", "link.open", "--details", "x"], ["open", "https://example.org"], ["gates"], ["grants"],
            ["grants", "list"], ["grants", "revoke", "link.open", "--user", "0"], ["lockouts"],
            ["lockouts", "clear", "mode", "--user", "root"], ["setup"], ["passcode", "set", "--stdin"],
            ["passcode", "remove"], ["totp", "enrol"], ["totp", "remove"], ["cancel", "17"],
            ["watch", "--topic", "entitlements,signIn"], ["login"], ["login", "anna", "--password-file", "x"],
            ["logout"], ["register", "anna", "--child", "2015-03-02", "--password-file", "-"],
            ["register", "anna"], ["accounts"], ["accounts", "remove", "anna"], ["password"],
            ["password", "anna", "--reset"], ["entitlements"], ["entitlements", "list"], ["entitlements", "claims"],
            ["entitlements", "add", "premium", "--account", "anna", "--until", "2027-01-31"],
            ["entitlements", "add", "premium", "--device"], ["entitlements", "revoke", "storekit", "2000000"],
            ["entitlements", "submit", "a", "b", "--account", "anna", "--provider", "storekit"],
            ["paywall", "require"], ["paywall", "require", "premium", "--provider", "revenuecat", "--style", "sheet"],
            ["paywall", "request", "premium", "--style", "full-screen-cover"],
            ["receipt", "check", "--provider", "storekit", "--root", "r", "--bundle-id", "a", "--bundle-id", "b", "f"],
            ["receipt", "check", "--environment", "Sandbox", "--public-key", "k", "f", "g"],
            ["age", "--app", "chat"], ["age", "query", "--app", "org.example.chat"], ["age", "settings"],
            ["age", "apps"],
            ["age", "settings", "--on", "--gates", "13,16,18"], ["age", "set", "mia", "org.example.chat", "for-now"],
        ]
        for verb in verbs {
            let parsed = try #require(try Gatectl.parseAsRoot(verb + common) as? any Verb)
            #expect(parsed.connection.json)
            #expect(parsed.connection.client.socketPath == "/tmp/s")
            #expect(parsed.connection.client.callTimeout == .seconds(5400))
            #expect(parsed.connection.client.connectTimeout == .seconds(5))
        }
    }

    @Test("the declarations of each command pass ArgumentParser's check, which a debug build of gatectl leaves out")
    func declarations() {
        func parse(_ command: any ParsableCommand.Type, as words: [String]) -> Int {
            // A wrong declaration ends the process.
            _ = try? Gatectl.parseAsRoot(words + ["--no-such-option"])
            return command.configuration.subcommands.reduce(1) { count, verb in
                count + parse(verb, as: words + [verb._commandName])
            }
        }
        #expect(parse(Gatectl.self, as: []) > 70)
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
            ["watch", "--topic", "weather"], ["watch", "--topic", "mode,"], ["cancel", "x"], ["register"],
            ["register", "anna", "secret"], ["register", "anna", "--child", "2015-02-30"],
            ["login", "anna", "secret"], ["login", "anna", "--password", "secret"],
            ["login", "--password-file", ""], ["accounts", "remove"], ["entitlements", "add"],
            ["entitlements", "add", "premium", "--device", "--account", "anna"],
            ["entitlements", "add", "premium", "--until", "soon"], ["entitlements", "revoke", "amazon", "1"],
            ["entitlements", "revoke", "manual"], ["entitlements", "submit"],
            ["paywall", "require", "premium", "ls"], ["paywall", "require", "--style", "popup"],
            ["paywall", "request", "premium", "--", "ls"], ["receipt", "check"],
            ["receipt", "check", "--provider", "manual", "f"], ["receipt", "check", "--root-key", "c2hvcnQ=", "f"],
            ["receipt", "check", "--environment", "production", "f"],
            ["grants", "revoke", "--user", "no such user"],
            ["age"], ["age", "settings", "--on", "--off"], ["age", "settings", "--gates", "13,x"],
            ["age", "settings", "--gates", "13,,18"], ["age", "set", "mia", "org.example.chat", "sometimes"],
        ])
    func wrongUsage(arguments: [String]) {
        #expect {
            try Gatectl.parseAsRoot(arguments)
        } throws: { error in
            Gatectl.exitCode(for: error).rawValue == 64
        }
    }

    @Test("an option before the command is refused, with the right order")
    func optionFirst() {
        let told = [
            (["--json", "status"], "gatectl status --json"),
            (["--socket", "/tmp/s", "check", "link.open"], "gatectl check --socket /tmp/s link.open"),
            (["--socket=/tmp/s", "ping"], "gatectl ping --socket=/tmp/s"),
        ]
        for (arguments, command) in told {
            #expect {
                try Gatectl.checkVerbComesFirst(arguments)
            } throws: { error in
                Gatectl.exitCode(for: error).rawValue == 64 && Gatectl.message(for: error).contains(command)
            }
        }
    }

    @Test(
        "help, version and completions need no command, and other mistakes are left to the parser",
        arguments: [
            [], ["--help"], ["-h", "status"], ["--version"], ["--generate-completion-script", "bash"],
            ["--generate-completion-script=bash"], ["---completion", "check", "--", "positional@0"], ["--nope"],
            ["status", "--json"], ["nope", "--json"],
        ])
    func noOptionFirst(arguments: [String]) throws {
        try Gatectl.checkVerbComesFirst(arguments)
    }

    @Test("run takes everything after -- as the command, whatever it looks like")
    func run() throws {
        let parsed = try Gatectl.parseAsRoot(
            ["run", "--gate", "games.play", "--json", "--", "ls", "--json", "-l", "--", "x"])
        let verb = try #require(parsed as? RunVerb)
        #expect(verb.gate == "games.play")
        #expect(verb.command == ["ls", "--json", "-l", "--", "x"])
        #expect(verb.connection.json)
    }

    @Test("paywall require takes everything after -- as the command, with or without an entitlement")
    func paywallCommand() throws {
        let whole = try #require(
            try Gatectl.parseAsRoot(["paywall", "require", "premium", "--json", "--", "ls", "-l"])
                as? PaywallRequireVerb)
        #expect(whole.paywall.entitlement == "premium" && whole.command == ["ls", "-l"] && whole.connection.json)
        let short = try #require(
            try Gatectl.parseAsRoot(["paywall", "require", "--", "ls", "--json"]) as? PaywallRequireVerb)
        #expect(short.paywall.entitlement == nil && short.command == ["ls", "--json"] && !short.connection.json)
        let request = try #require(
            try Gatectl.parseAsRoot(["paywall", "request", "--provider", "storekit"]) as? PaywallRequestVerb)
        #expect(request.paywall.request == PaywallRequest(provider: .storeKit))
    }

    @Test("topics are separated by commas or given one by one")
    func topics() throws {
        for arguments in [["--topic", "entitlements,signIn"], ["--topic", "signIn", "--topic", "entitlements"]] {
            #expect(Set(try WatchVerb.parse(arguments).topic.joined()) == [.signIn, .entitlements])
        }
        #expect(try WatchVerb.parse([]).topic.isEmpty)
    }

    @Test("the name of the app can be given without the verb, which is then the question of an app (Y-01)")
    func age() throws {
        let parsed = try #require(try Gatectl.parseAsRoot(["age", "--app", "chat", "--json"]) as? AgeQueryVerb)
        #expect(parsed.app == "chat" && parsed.connection.json)
        let settings = try #require(
            try Gatectl.parseAsRoot(["age", "settings", "--off", "--gates", "12"]) as? AgeSettingsVerb)
        #expect(settings.off && !settings.on && settings.gates == [12])
    }

    @Test("the help of commands for accounts, entitlements, paywalls and receipts has an example")
    func examples() {
        let verbs: [any ParsableCommand.Type] = [
            RegisterVerb.self, LoginVerb.self, LogoutVerb.self, PeopleVerb.self, PasswordVerb.self,
            EntitlementsVerb.self, EntitlementsAddVerb.self, EntitlementsRevokeVerb.self, EntitlementsSubmitVerb.self,
            EntitlementsClaimsVerb.self, PaywallVerb.self, PaywallRequireVerb.self, PaywallRequestVerb.self,
            ReceiptVerb.self, ReceiptCheckVerb.self,
        ]
        for verb in verbs {
            #expect(verb.configuration.discussion.contains("gatectl "))
        }
    }

    @Test("a command line that is not valid text is not run")
    func noText() {
        #expect(CommandStart.canBeShown(["rm", "ä"]))
        #expect(!CommandStart.canBeShown(["rm", String(decoding: [0x61, 0xff], as: UTF8.self)]))
    }

    @Test("a wrong duration is refused with what is allowed")
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
