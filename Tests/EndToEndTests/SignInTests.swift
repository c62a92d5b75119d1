import Foundation
import ProcessSupport
import Testing

@Suite("Signing in, from the shell", .serialized, .waitsForProcesses)
struct SignInTests {
    @Test(
        "a wrong password, an unknown name and a second log-in are refused; the third wrong one locks the name (F-68)")
    func statuses() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        let (anna, bert) = (try selling.register("anna"), try selling.register("bert"))
        let wrong = try selling.logIn("anna", "wr0ng")
        let unknown = try selling.logIn("nobody", "wr0ng")
        let long = try selling.logIn("anna", String(repeating: "x", count: 1000))
        for refused in [wrong, unknown, long] {
            #expect(refused.status == 1)
            #expect(refused.output.isEmpty && refused.errors == "gatectl: Wrong name or password.\n")
        }
        #expect(try selling.logIn("anna", "").status == 65, "nothing is no password")
        #expect(try gate.gatectl("login", "anna", "--password-file", "-", input: "").status == 3, "typed nothing")

        let third = try selling.logIn("anna", "wr0ng")
        #expect(third.status == 1 && third.errors.contains("Try again in"))
        // Even the right password is not checked, and a restart does not lift the lockout.
        #expect(try selling.logIn("anna", anna).status == 75)
        try gate.crash()
        try gate.start()
        let locked = try gate.gatectl("login", "anna", "--json", "--password-file", "-", input: anna + "\n")
        #expect(locked.status == 75 && locked.output.contains("REASON_LOCKED_OUT"), "\(locked.output)")

        // Another name is not locked. The person who is signed in has to log out first.
        #expect(try selling.logIn("bert", bert).status == 0)
        let second = try selling.logIn("bert", bert)
        #expect(second.status == 1 && second.errors.contains("gatectl logout"))
        #expect(try gate.gatectl("logout").status == 0)
        #expect(try gate.gatectl("lockouts", "clear").status == 0)
        #expect(try selling.logIn("anna", anna).status == 0)
    }

    @Test("a password is changed with the old one or by an administrator, and the old one no longer works (F-67)")
    func changes() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        let old = try selling.register("anna")
        func change(_ lines: String, _ words: String...) throws -> Int32 {
            let process = try gate.gatectlRunning(
                "password", "anna", "--password-file", "-", words.first ?? "--json")
            process.write(lines)
            process.closeInput()
            return try process.ended().status
        }
        #expect(try change("wr0ng\nn3w-one\n") == 1)
        #expect(try change("\(old)\nn3w\n") == 65, "too short")
        #expect(try change("\(old)\nn3w-one\n") == 0)
        #expect(try selling.logIn("anna", old).status == 1)
        #expect(try change("reset-0ne\n", "--reset") == 0)
        #expect(try selling.logIn("anna", "n3w-one").status == 1)
        #expect(try selling.logIn("anna", "reset-0ne").status == 0)
    }

    @Test("the cover stays on the screen until somebody signs in there, and can't be dismissed (F-70)")
    func cover() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        let password = try selling.register("anna")
        let screen = try RelayScreen(gate)
        let cover = try screen.shown()
        #expect(cover.contains("PRESENTATION_KIND_SIGN_IN") && cover.contains("STYLE_FULL_SCREEN_COVER"), "\(cover)")
        try screen.answer("")
        let again = try screen.shown()
        #expect(again.contains("This stays until somebody has signed in."), "\(again)")
        try screen.answer(#"{"name":"anna","password":"wr0ng"}"#)
        #expect(try screen.shown().contains("Wrong name or password."))
        #expect(try selling.status().contains(#""needsAuthentication":true"#))
        try screen.answer(#"{"name":"anna","password":"\#(password)"}"#)
        try eventually("anna is signed in") { try selling.status().contains(#""name":"anna""#) }
        try screen.cleared()

        #expect(try gate.gatectl("logout").status == 0)
        #expect(try screen.shown().contains("PRESENTATION_KIND_SIGN_IN"))
        // After a sign-in on another screen this one closes by itself.
        #expect(try selling.logIn("anna", password).status == 0)
        try screen.cleared()
    }

    @Test(
        "if the daemon is killed during a check nobody is signed in, and watchers are told that it is closed"
    )
    func killedWhileAuthenticating() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        let password = try selling.register("anna")
        var wasChecking = false
        // The check is short, so that it may be over before the signal comes.
        for _ in 0..<20 where !wasChecking {
            let watcher = try gate.gatectlRunning("watch", "--topic", "entitlements,signIn", "--json")
            _ = try watcher.nextLine()
            let login = try gate.gatectlRunning("login", "anna", "--password-file", "-")
            login.write(password + "\n")
            login.closeInput()
            try watcher.lines(through: #""isAuthenticating":true"#)
            gate.daemon.kill()
            let lines = try watcher.lines(through: #""event":"lost""#)
            let lost = try #require(lines.last)
            #expect(!lost.contains(#""session""#) && lost.contains(#""entitlements":[]"#), "\(lost)")
            let result = try login.ended()
            wasChecking = result.status != 0
            if wasChecking {
                #expect(result.status == 69, "\(result.errors)")
                #expect(!lines.contains { $0.contains(#""session""#) })
            }
            #expect(try gate.gatectl("status").status == 69)
            try gate.start()
            let status = try selling.status()
            #expect(!status.contains(#""session""#), "nobody is signed in after a restart")
            #expect(status.contains(#""isAuthenticating":false"#) && status.contains(#""needsAuthentication":true"#))
            let again = try watcher.lines(through: #""event":"snapshot""#).last ?? ""
            #expect(!again.contains(#""session""#) && again.contains("premium"), "\(again)")
        }
        #expect(wasChecking, "it never was in time")
        // Neither the account nor the name was harmed.
        #expect(try selling.logIn("anna", password).status == 0)
    }

    @Test("an unused session expires, and watchers are told (F-71)")
    func sessionEnds() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        try gate.writePolicy(
            "sign-in: {required: true, session: 2s, maximum-session: 1h}\nentitlements: {premium: {title: Premium}}\n")
        #expect(try gate.gatectl("reload").status == 0)
        let password = try selling.register("anna")
        let watchers = try (0..<2).map { _ in try gate.gatectlRunning("watch", "--topic", "signIn") }
        for watcher in watchers { #expect(try watcher.nextLine().contains("nobody is signed in")) }
        #expect(try selling.logIn("anna", password).status == 0)
        for watcher in watchers {
            try watcher.lines(through: "anna is signed in")
            try watcher.lines(through: "nobody is signed in")
        }
        #expect(try gate.gatectl("audit", "--json").output.contains("AUDIT_KIND_SESSION_EXPIRED"))
    }
}
