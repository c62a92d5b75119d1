import Foundation
import Glibc
import ProcessSupport
import ReceiptSupport
import Testing

@Suite("Paying for a gated action, from the shell", .serialized, .waitsForProcesses)
struct PremiumTests {
    /// Whether a process can be started that has no network.
    private static let canUnshare: Bool = {
        let process = try? ChildProcess("/usr/bin/unshare", ["-n", "true"], hasInput: false)
        return (try? process?.ended().status) == 0
    }()

    @Test("a log-in, a paywall and a purchase lead to the command; when the purchase expires everybody is told")
    func wholeStory() throws {
        try tellStory(SellingGate())
    }

    @Test(
        "the whole story also works if gated has no network",
        .enabled(if: canUnshare, "this user may not take a process's network away (unshare -n)"))
    func wholeStoryWithoutNetwork() throws {
        let selling = try SellingGate(launcher: ["/usr/bin/unshare", "-n"])
        func network(_ process: String) throws -> String {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/net")
        }
        #expect(try network("\(selling.gate.daemon.pid)") != network("self"))
        // A loopback that is down, and nothing else.
        #expect(linesOfFile("/proc/\(selling.gate.daemon.pid)/net/dev").count == 3)
        try tellStory(selling)
    }

    private func tellStory(_ selling: SellingGate) throws {
        let gate = selling.gate
        let watchers = try (0..<2).map { _ in try gate.gatectlRunning("watch", "--topic", "entitlements,signIn") }
        for watcher in watchers {
            #expect(try watcher.nextLine().contains("nobody is signed in, but a sign-in is required"))
            #expect(try watcher.nextLine().contains("premium  not bought"))
        }
        let screen = try RelayScreen(gate)
        #expect(try screen.shown().contains("PRESENTATION_KIND_SIGN_IN"))

        let password = try selling.register("anna")
        let login = try selling.logIn("anna", password)
        #expect(login.status == 0, "\(login.errors)")
        try screen.cleared()
        for watcher in watchers { try watcher.lines(through: "anna is signed in") }

        // Premium is refused, and its paywall is on the screen.
        #expect(try gate.gatectl("check", "premium.filters").status == 2)
        let mark = gate.directory + "/mark"
        let command = try gate.gatectlWithoutTerminal(
            "run", "--gate", "premium.filters", "--", "/bin/sh", "-c", "echo ran >> '\(mark)'; exit 7")
        let paywall = try screen.shown()
        #expect(paywall.contains("PRESENTATION_KIND_PAYWALL") && paywall.contains("Premium"), "\(paywall)")
        let waiting = try (0..<2).map { _ in try gate.gatectlWithoutTerminal("paywall", "require", "premium") }
        try eventually("three wait") {
            let list = try gate.gatectl("call", "gate.v1.Presentations/ListPresentations", "{}").output
            return list.components(separatedBy: "PRESENTATION_KIND_PAYWALL").count == 4
        }
        #expect(linesOfFile(mark).isEmpty)

        let submitted = try selling.submit(expiresAfter: 3600, "--account", "anna")
        #expect(submitted.status == 0, "\(submitted.errors)")
        let result = try command.ended()
        #expect(result.status == 7, "\(result.errors)")
        #expect(linesOfFile(mark) == ["ran"])
        for process in waiting {
            let result = try process.ended()
            #expect(result.status == 0 && result.output.contains("paid"), "\(result.output)\(result.errors)")
        }
        try screen.cleared()
        for watcher in watchers { try watcher.lines(through: "premium  subscribed  until ") }
        let active = try gate.gatectl("paywall", "require", "premium")
        #expect(active.status == 0 && active.output.contains("active already"))

        // The store sends a newer statement: the subscription ends soon. Nobody asks, and every watcher is told.
        #expect(try selling.submit(expiresAfter: 4, "--account", "anna").status == 0)
        for watcher in watchers { try watcher.lines(through: "premium  expired") }
        #expect(try gate.gatectl("check", "premium.filters").status == 2)
        #expect(try gate.gatectl("entitlements").output.contains("premium  expired"))
        #expect(linesOfFile(mark) == ["ran"])
        let journal = try gate.gatectl("audit", "--json").output
        for kind in ["SIGNED_IN", "PAYWALL_OPENED", "PAID", "GRANTED", "ENTITLEMENT_CLAIMED", "ENTITLEMENT_CHANGED"] {
            #expect(journal.contains("AUDIT_KIND_\(kind)"), "\(kind)")
        }
    }

    @Test("gated has only Unix sockets, and checks a purchase with its own files alone")
    func noNetworkSockets() throws {
        let selling = try SellingGate()
        #expect(try selling.submit(expiresAfter: 3600, "--device").status == 0)
        let folder = "/proc/\(selling.gate.daemon.pid)"
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").compactMap { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(name)")
            return target.flatMap { $0.firstMatch(of: #/socket:\[(\d+)\]/#) }.map { String($0.1) }
        }
        let tables = ["tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6", "icmp", "packet", "netlink"]
        var words: Set<String> = []
        for table in tables {
            for line in linesOfFile("\(folder)/net/\(table)") {
                words.formUnion(line.split(separator: " ").map(String.init))
            }
        }
        #expect(words.contains("inode"))
        #expect(!sockets.isEmpty)
        #expect(Set(sockets).isDisjoint(with: words))
    }

    @Test("paywall require exits with 0 if nothing is to pay, 2 without a presenter, and 3 after a refusal (F-54)")
    func statuses() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        let mark = gate.directory + "/mark"
        let nobody = try gate.gatectlWithoutTerminal("paywall", "require", "premium", "--", "touch", mark).ended()
        #expect(nobody.status == 2, "\(nobody.errors)")
        #expect(try gate.gatectl("paywall", "require", "gold").status == 65)
        #expect(try gate.gatectl("paywall", "request", "premium").status == 2)

        // No cover was shown in between.
        #expect(try selling.logIn("anna", selling.register("anna")).status == 0)
        let screen = try RelayScreen(gate)
        let dismissed = try gate.gatectlWithoutTerminal("paywall", "require", "premium", "--", "touch", mark)
        #expect(try screen.shown().contains("PRESENTATION_KIND_PAYWALL"))
        try screen.answer(#"{"dismissed":true}"#)
        #expect(try dismissed.ended().status == 3)
        #expect(try gate.gatectlWithoutTerminal("paywall", "require", "--timeout", "1s").ended().status == 124)
        #expect(!FileManager.default.fileExists(atPath: mark))

        #expect(try gate.gatectl("entitlements", "add", "premium").status == 0)
        #expect(
            try gate.gatectlWithoutTerminal("paywall", "require", "premium", "--", "touch", mark).ended().status == 0)
        #expect(FileManager.default.fileExists(atPath: mark))
    }

    @Test(
        "a user who is neither provider nor administrator can't submit, list claims or give entitlements (77)",
        .enabled(if: OtherUser.isPossible, "only root can become another user"))
    func nobodysSubmission() throws {
        let selling = try SellingGate("roles: {provider: {users: [65533]}}", isOpenToOthers: true)
        let gate = selling.gate
        let (child, provider) = (OtherUser(uid: 65534), OtherUser(uid: 65533))
        let good = try selling.transaction(expiresAfter: 3600)
        let before = try selling.status()
        #expect(try child.run(gate, "entitlements", "submit", "-", "--device", input: good).status == 77)
        for words in [["claims"], ["add", "premium"], ["revoke", "manual", "1"]] {
            #expect(try child.gatectl(gate, ["entitlements"] + words).ended().status == 77, "\(words)")
        }
        #expect(try provider.run(gate, "entitlements", "add", "premium").status == 77)
        #expect(try child.run(gate, "accounts").status == 77)
        #expect(try selling.status() == before)

        let taken = try provider.run(gate, "entitlements", "submit", "-", "--device", input: good)
        #expect(taken.status == 0, "\(taken.errors)")
        // What is active is no secret.
        #expect(try child.run(gate, "entitlements").output.contains("premium  subscribed"))
    }

    @Test("a receipt that was tampered with changes nothing, and the failed check is named")
    func tampered() throws {
        let selling = try SellingGate()
        let before = try selling.status()
        let (parts, stranger) = (
            try selling.transaction(expiresAfter: 3600).split(separator: ".").map(String.init),
            try SignedTransactions().transaction(expiresAt: nil)
        )
        let longer = try #require(Data(base64URL: parts[1]).map { String(decoding: $0, as: UTF8.self) })
            .replacing("\"quantity\":1", with: "\"quantity\":2")
        for (text, check) in [
            (stranger, "chain"), ("\(parts[0]).\(Data(longer.utf8).base64URL).\(parts[2])", "signature"),
            ("\(parts[0]).\(parts[1]).", "signature"), ("x", "nothing that a provider writes"),
        ] {
            let result = try selling.gate.gatectl("entitlements", "submit", "-", "--device", input: text)
            #expect(result.status == 65, "\(result.errors)")
            #expect(result.errors.contains(check), "\(result.errors)")
        }
        #expect(try selling.status() == before)
    }

    @Test("after kill -9 a confirmed purchase is still there, and an unconfirmed one is not")
    func killedAfterSubmit() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        for number in 1...5 {
            #expect(try selling.submit(expiresAfter: 3600, original: "\(number)", "--device").status == 0)
            gate.daemon.kill()
            #expect(try gate.gatectl("entitlements").status == 69)
            #expect(try gate.gatectlWithoutTerminal("paywall", "require", "premium").ended().status == 69)
            try gate.start()
            #expect(try selling.isPremium())
            let claims = try gate.gatectl("entitlements", "claims").output
            #expect(claims.split(separator: "\n").count == number, "\(claims)")
        }

        // During the handover every confirmed record is there, and none is there in part.
        let screen = try RelayScreen(gate)
        _ = try screen.shown()
        #expect(try gate.gatectl("entitlements", "revoke", "storekit", "5").status == 0)
        let last = gate.directory + "/last.jws"
        try Data(selling.transaction(expiresAfter: 3600, original: "6").utf8).write(to: URL(filePath: last))
        let submission = try gate.gatectlRunning("entitlements", "submit", last, "--device")
        gate.daemon.kill()
        let status = try submission.ended().status
        try gate.start()
        let claims = try gate.gatectl("entitlements", "claims").output
        #expect(claims.contains("taken back here"), "a revocation is not lost either")
        if status == 0 { #expect(claims.split(separator: "\n").count == 6, "\(claims)") }
    }

    @Test("a paywall that is open when gated is killed does not count as paid")
    func killedWhileWaiting() throws {
        let selling = try SellingGate()
        let gate = selling.gate
        #expect(try selling.logIn("anna", selling.register("anna")).status == 0)
        let screen = try RelayScreen(gate)
        let mark = gate.directory + "/mark"
        let waiting = try gate.gatectlWithoutTerminal("paywall", "require", "premium", "--", "touch", mark)
        _ = try screen.shown()
        try gate.crash()
        #expect(try waiting.ended().status == 69)
        try screen.cleared()
        #expect(!FileManager.default.fileExists(atPath: mark))
    }
}
