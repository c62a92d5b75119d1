import CGateStatus
import Foundation
import ProcessSupport
import Testing

@Suite("The status page of a real daemon", .serialized, .waitsForProcesses)
struct StatusPageTests {
    private func override(_ gate: RunningGate, _ words: String) throws {
        let result = try gate.gatectl("override", "parent", "--for", words, "--reason", "test")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("the page shows a change as soon as the caller is answered")
    func sameAsTheDaemon() throws {
        let gate = try RunningGate()
        let page = try PageReader(gate)
        #expect(page.status.is_live && page.status.mode == GATE_STATUS_CHILD)
        #expect(try page.revision == gate.told().revision)
        for _ in 0..<3 {
            try override(gate, "10m")
            let told = try gate.told()
            #expect(page.status.mode == GATE_STATUS_PARENT && page.status.mode_deadline == told.deadline)
            #expect(page.revision == told.revision)
            #expect(try gate.gatectl("extend", "20m").status == 0)
            #expect(page.status.mode_deadline == (try gate.told().deadline))
            #expect(try gate.gatectl("lock").status == 0)
            #expect(page.status.mode == GATE_STATUS_CHILD && page.status.mode_deadline == .max)
            #expect(try page.revision == gate.told().revision)
        }
        let asking = try gate.gatectlRunning("toggle", "--stdin", "--json")
        try asking.lines(through: "presentation")
        #expect(page.status.mode == GATE_STATUS_VERIFYING)
        #expect(page.status.mode_deadline == (try gate.told().deadline))
        asking.kill()
        try eventually("the question is gone with who was asked") { page.status.mode == GATE_STATUS_CHILD }
    }

    @Test("whatever the umask, all can read the page's file and only its owner can write it, and it is never shortened")
    func file() throws {
        let gate = try RunningGate(launcher: ["/bin/sh", "-c", "umask 077; exec \"$0\" \"$@\""])
        let before = try PageReader(gate)
        let first = try before.file()
        #expect(first.isRegular && first.permissions == 0o644 && first.size == 4096 && first.owner == Int(geteuid()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: gate.directory).contains("status.new") == false)
        try gate.crash()
        try gate.start()
        let second = try before.file()
        #expect(second.number != nil && second.number != first.number && second.size == 4096)
        // The earlier page is still mapped in programs, and it has no living owner.
        #expect(!before.status.is_live)
    }

    @Test("as soon as the daemon is killed, the page says child mode and nothing paid for")
    func killed() throws {
        let gate = try RunningGate(policy: Self.selling)
        #expect(try gate.gatectl("entitlements", "add", "premium", "--device").status == 0)
        let page = try PageReader(gate)
        for _ in 0..<5 {
            try override(gate, "10m")
            #expect(page.status.mode == GATE_STATUS_PARENT && page.status.subscription_active)
            try gate.crash()
            #expect(page.owner == GATE_STATUS_OWNER_DIED)
            #expect(!page.status.is_live && page.status.mode == GATE_STATUS_CHILD && !page.status.subscription_active)
            #expect(page.status.mode_deadline == .max && page.status.number == 0)
            try gate.start()
            try page.reopen(gate)
            // Parent mode does not survive a restart; the subscription does.
            #expect(page.status.is_live && page.status.mode == GATE_STATUS_CHILD && page.status.subscription_active)
        }
    }

    @Test("a page is marked when its process becomes another program, and released when it stops answering for it")
    func execAndEnd() throws {
        let gate = try RunningGate()
        for (word, owner) in [("exec", GATE_STATUS_OWNER_DIED), ("end", 0), ("", GATE_STATUS_OWNER_DIED)] {
            let path = gate.directory + "/page-\(word)"
            try Data(count: 4096).write(to: URL(filePath: path))
            let bytes = try FileHandle(forReadingFrom: URL(filePath: path))
            func word64() throws -> UInt32 {
                try bytes.seek(toOffset: 64)
                return try bytes.read(upToCount: 4)?.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } ?? .max
            }
            let process = try ChildProcess(builtProgram("page-owner"), [path])
            try process.lines(through: "answering")
            #expect(try (1..<GATE_STATUS_OWNER_DIED).contains(word64()))
            if word.isEmpty { process.kill() } else { process.write(word + "\n") }
            try eventually("the owner is \(owner)") { try word64() == owner }
            #expect(process.hasEnded == word.isEmpty)
            process.closeInput()
            _ = try process.ended()
            #expect(try word64() == owner)
        }
    }

    @Test("the page of a daemon stopped with SIGSTOP holds until its deadline, and no longer")
    func stopped() throws {
        let gate = try RunningGate()
        let page = try PageReader(gate)
        try override(gate, "3s")
        gate.daemon.signal(SIGSTOP)
        let deadline = page.status.mode_deadline
        while gate_status_clock(CLOCK_BOOTTIME) < deadline {
            let status = page.status
            // However long this machine has taken to read the page.
            if gate_status_clock(CLOCK_BOOTTIME) < deadline {
                #expect(status.is_live && status.mode == GATE_STATUS_PARENT)
            }
            usleep(10_000)
        }
        #expect(page.status.mode == GATE_STATUS_CHILD && page.status.is_live)
        gate.daemon.signal(SIGCONT)
        try eventually("the daemon records it") { page.status.number == (try gate.told().revision.number) }
        #expect(page.status.mode == GATE_STATUS_CHILD)
    }

    @Test("a reader that starts before the daemon finds its page, and follows it over kills and restarts")
    func follows() throws {
        let gate = try RunningGate()
        #expect(try gate.stop() == 0)
        var reader = gate_status_reader()
        defer { gate_status_close(&reader) }
        func current() -> gate_status { gate_status_current(&reader, gate.page) }
        #expect(!current().is_live)
        for isCrash in [true, false, true] {
            try gate.start()
            try eventually("the reader sees the daemon") { current().is_live }
            try override(gate, "10m")
            #expect(current().mode == GATE_STATUS_PARENT)
            if isCrash { try gate.crash() } else { #expect(try gate.stop() == 0) }
            #expect(!current().is_live && current().mode == GATE_STATUS_CHILD)
        }
    }

    @Test("an orderly stop removes the page, and marks it for readers that have it mapped")
    func orderlyStop() throws {
        let gate = try RunningGate()
        let page = try PageReader(gate)
        try override(gate, "10m")
        #expect(try gate.stop() == 0)
        #expect(page.owner == 0)
        #expect(!page.status.is_live && page.status.mode == GATE_STATUS_CHILD)
        #expect(!FileManager.default.fileExists(atPath: gate.page))
    }

    @Test("an orderly stop leaves a page that another process has put there")
    func stopLeavesOthers() throws {
        let gate = try RunningGate()
        try Data("another's".utf8).write(to: URL(filePath: gate.page + ".other"))
        try #require(rename(gate.page + ".other", gate.page) == 0)
        #expect(try gate.stop() == 0)
        #expect(try String(contentsOfFile: gate.page, encoding: .utf8) == "another's")
        // The next daemon puts its own page in place of whatever is there.
        try FileManager.default.removeItem(atPath: gate.page)
        try FileManager.default.createSymbolicLink(atPath: gate.page, withDestinationPath: gate.socket)
        try gate.start()
        #expect(try PageReader(gate).status.is_live)
    }

    @Test("a daemon that comes too late does not take the page of the one that serves")
    func secondDaemon() throws {
        let gate = try RunningGate()
        try override(gate, "10m")
        let page = try PageReader(gate)
        let second = try ChildProcess(
            builtProgram("gated"),
            [
                "--socket", gate.socket, "--state-directory", gate.directory + "/state-2", "--runtime-directory",
                gate.directory, "--config-directory", gate.configurationDirectory,
            ])
        #expect(try second.ended().status == 69)
        #expect(try page.file().number == page.mapped && page.mapped != nil)
        #expect(page.status.mode == GATE_STATUS_PARENT)
    }

    @Test("without a folder for the page the daemon still serves, and says what to do")
    func noDirectory() throws {
        let gate = try RunningGate()
        let missing = gate.directory + "/missing"
        let daemon = try ChildProcess(
            builtProgram("gated"),
            [
                "--socket", gate.directory + "/2.sock", "--state-directory", gate.directory + "/state-2",
                "--runtime-directory", missing, "--config-directory", gate.configurationDirectory,
            ])
        let words = ["status", "--socket", gate.directory + "/2.sock", "--server-user", NSUserName()]
        try eventually("it serves") {
            try ChildProcess(builtProgram("gatectl"), words, hasInput: false).ended().status == 0
        }
        daemon.signal(SIGTERM)
        let result = try daemon.ended()
        #expect(result.status == 0)
        #expect(result.errors.contains("warning") && result.errors.contains("Make \(missing) a directory"))
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    private static let selling = "entitlements: {premium: {title: Premium}}\n"

    @Test("a subscription on the page ends when it expires, even while the daemon is stopped")
    func subscription() throws {
        let selling = try SellingGate()
        let page = try PageReader(selling.gate)
        #expect(!page.status.subscription_active && page.status.subscription_deadline == .max)
        #expect(try selling.gate.gatectl("entitlements", "add", "premium", "--device").status == 0)
        #expect(page.status.subscription_active && page.status.subscription_deadline == .max)
        #expect(try selling.gate.gatectl("entitlements", "revoke", "manual", "1").status == 0)
        #expect(!page.status.subscription_active)
        #expect(try selling.submit(expiresAfter: 4, "--device").status == 0)
        #expect(page.status.subscription_active)
        let deadline = page.status.subscription_deadline
        #expect(deadline < gate_status_clock(CLOCK_BOOTTIME) + 4_000_000_000)
        selling.gate.daemon.signal(SIGSTOP)
        try eventually("it expires") { !page.status.subscription_active }
        #expect(page.status.is_live && page.status.subscription_deadline == .max)
        selling.gate.daemon.signal(SIGCONT)
        #expect(try !selling.isPremium())
        #expect(!page.status.subscription_active)
    }

    @Test("an account's subscription counts on the page while that account is signed in")
    func subscriptionOfAccount() throws {
        let selling = try SellingGate()
        let page = try PageReader(selling.gate)
        #expect(try selling.logIn("anna", selling.register("anna")).status == 0)
        #expect(try selling.submit(expiresAfter: 3600, "--account", "anna").status == 0)
        #expect(page.status.subscription_active)
        #expect(try selling.gate.gatectl("logout").status == 0)
        #expect(!page.status.subscription_active && page.status.subscription_deadline == .max)
    }

    @Test("a reload that changes the paywall's entitlement changes the page")
    func reload() throws {
        let gate = try RunningGate(policy: Self.selling)
        let page = try PageReader(gate)
        #expect(try gate.gatectl("entitlements", "add", "premium", "--device").status == 0)
        #expect(page.status.subscription_active)
        try gate.writePolicy("entitlements: {gold: {title: Gold}}\n")
        #expect(try gate.gatectl("reload").status == 0)
        #expect(!page.status.subscription_active)
        try gate.writePolicy(Self.selling)
        #expect(try gate.gatectl("reload").status == 0)
        #expect(page.status.subscription_active)
    }

    @Test("a store that was damaged leaves the page in child mode, with nothing paid for")
    func damaged() throws {
        let gate = try RunningGate(policy: Self.selling)
        #expect(try gate.gatectl("entitlements", "add", "premium", "--device").status == 0)
        #expect(try gate.stop() == 0)
        let file = gate.stateDirectory + "/gate.sqlite"
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        try Data("this was a database".utf8).write(to: URL(filePath: file))
        try gate.start()
        let status = try PageReader(gate).status
        #expect(status.is_live && status.mode == GATE_STATUS_CHILD && !status.subscription_active)
    }
}
