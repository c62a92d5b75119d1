import CGateStatus
import CommandSupport
import Foundation
import GateCore
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("The status page", .timeLimit(.minutes(10)))
struct StatusPageTests {
    /// A page in a folder of its own, and somebody who reads it.
    private final class ReadPage {
        let directory = "/tmp/gate-\(UUID().uuidString.prefix(8))"
        private var reader = gate_status_reader()

        init(of gate: LiveGate) async throws {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            await gate.authority.openPage(in: directory)
            try #require(gate_status_open(&reader, directory + "/status", geteuid()) == GATE_STATUS_OPENED)
        }

        deinit {
            gate_status_close(&reader)
            try? FileManager.default.removeItem(atPath: directory)
        }

        var status: gate_status { gate_status_read(&reader) }
        var sequence: UInt32 { reader.page.pointee.sequence }
    }

    @Test("the page is written after the commit and before anybody is answered or told")
    func afterCommit() async throws {
        try await LiveGate.with { gate, store in
            let page = try await ReadPage(of: gate)
            let root = try await gate.connect("root")
            var watch = try await root.open(Methods.Watch.watch, WatchRequest(topics: [.mode]))
            _ = try await watch.next()
            let request = OverrideModeRequest(mode: .parent, duration: .seconds(60), reason: "test")
            let answer = try await root.call(Methods.Mode.override, request)
            #expect(page.status.mode == GATE_STATUS_PARENT && page.status.number == answer.revision.number)
            #expect(try await watch.next()?.revision == answer.revision)
            store.setFull(true)
            #expect(await root.refusal(of: Methods.Mode.lock, LockRequest()) != nil)
            #expect(page.status.mode == GATE_STATUS_PARENT && page.status.number == answer.revision.number)
        }
    }

    @Test("the page is written only if the state on it changes")
    func onlyChanges() async throws {
        try await LiveGate.with { gate, _ in
            let page = try await ReadPage(of: gate)
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            let before = page.sequence
            for _ in 0..<5 {
                _ = try await anna.call(Methods.Mode.get, GetModeRequest())
                _ = await anna.refusal(
                    of: Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: .seconds(60), reason: "x"))
            }
            // The wall clock drifts a little.
            await gate.setWallClock(by: .milliseconds(20))
            #expect(page.sequence == before)
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: .seconds(60), reason: "x"))
            #expect(page.sequence == before + 1)
        }
    }

    @Test("the page's deadlines follow when the wall clock is set")
    func wallClockIsSet() async throws {
        try await LiveGate.with(policy: LiveGate.signInPolicy) { gate, _ in
            let page = try await ReadPage(of: gate)
            let root = try await gate.connect("root")
            let end = WallTime(unixMilliseconds: gate.clock.wallTime().unixMilliseconds + 86_400_000)
            _ = try await root.call(
                Methods.Entitlements.addClaim,
                AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: end))
            #expect(page.status.subscription_active)
            await gate.setWallClock(by: .seconds(172_800))
            #expect(!page.status.subscription_active)
            await gate.setWallClock(by: .seconds(-172_800))
            #expect(page.status.subscription_active)
            await gate.advance(by: .seconds(86_400))
            #expect(!page.status.subscription_active)
        }
    }

    @Test("the page shows an expired state as over, even if the disk can't record it")
    func overdue() async throws {
        try await LiveGate.with { gate, store in
            let root = try await gate.connect("root")
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: .seconds(60), reason: "x"))
            store.setFull(true)
            await gate.ringLate(by: .seconds(60))
            await gate.authority.settled()
            let page = try await ReadPage(of: gate)
            #expect(page.status.is_live && page.status.mode == GATE_STATUS_CHILD)
            #expect(try await root.call(Methods.Mode.get, GetModeRequest()).state.mode == .child)
        }
    }

    @Test("the page's deadlines are times of the boot clock, and the maximum means never")
    func deadlines() throws {
        var state = GateState(
            restoring: DurableRecords(revision: Revision(epoch: 7, number: 0)), configuration: .builtIn)
        let clock = SystemClock()
        #expect(state.onPage(by: clock).mode_deadline == UInt64.max)
        var context = Context(
            now: BootTime(nanoseconds: 5), localTime: LocalTime(WallTime(unixMilliseconds: 0)), peer: .daemon,
            random: SystemRandomNumberGenerator())
        _ = try state.apply(.start, &context)
        _ = try state.apply(.override(.parent, .nanoseconds(70), reason: "x"), &context)
        let copy = state.onPage(by: clock)
        #expect(copy.mode == GATE_STATUS_PARENT.rawValue && copy.mode_deadline == 75)
        #expect(copy.subscription_active == 0 && copy.subscription_deadline == UInt64.max)
        #expect(copy.epoch == 7 && copy.number == state.revision.number)
    }

    @Test("if the page can't be made, the log says what to do, and no file is left behind")
    func cannotBeMade() async throws {
        let log = LogLines()
        try await LiveGate.with(log: log) { gate, _ in
            await gate.authority.openPage(in: "/tmp/gate-no-such-folder")
            #expect(log.text.contains("warning") && log.text.contains("Make /tmp/gate-no-such-folder a directory"))
            // A folder is in the page's place.
            let directory = "/tmp/gate-\(UUID().uuidString.prefix(8))"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try FileManager.default.createDirectory(
                atPath: directory + "/status/full", withIntermediateDirectories: true)
            await gate.authority.openPage(in: directory)
            #expect(log.text.contains("rename \(directory)/status"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["status"])
            _ = try await gate.connect("anna").call(Methods.Mode.get, GetModeRequest())
        }
    }
}
