import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

/// A disk that hangs: its operations neither fail nor end.
@Suite("A hung disk", .timeLimit(.minutes(10)))
struct HungDiskTests {
    private static func peer(_ uid: UInt32, _ roles: Roles = .app) -> Peer {
        Peer(connection: 1, uid: uid, pid: 1, roles: roles)
    }

    @Test("waiting commands and rows are limited for each user, with some room kept for administrators")
    func bill() {
        var limits = DaemonLimits()
        (limits.commandsWaiting, limits.commandsKeptForAdministrators) = (10, 2)
        (limits.commandsWaitingPerUser, limits.rowsWaitingPerUser, limits.rowsWaiting) = (4, 100, 150)
        var bill = CommandQuota()
        let (anna, ben, carl) = (Self.peer(1), Self.peer(2), Self.peer(3))
        let root = Self.peer(0, [.app, .administrator])
        for _ in 0..<4 {
            #expect(bill.hasRoom(for: anna, limits))
            bill.began(for: anna, rows: 0)
        }
        #expect(!bill.hasRoom(for: anna, limits))
        bill.began(for: ben, rows: 100)
        #expect(!bill.hasRoom(for: ben, limits))
        bill.began(for: carl, rows: 60)
        #expect(!bill.hasRoom(for: carl, limits) && bill.hasRoom(for: root, limits))
        bill.ended(for: carl, rows: 60)
        for _ in 0..<3 { bill.began(for: carl, rows: 0) }
        #expect(!bill.hasRoom(for: Self.peer(4), limits) && bill.hasRoom(for: root, limits))
        for _ in 0..<2 { bill.began(for: root, rows: 0) }
        #expect(!bill.hasRoom(for: root, limits))
        for _ in 0..<4 { bill.ended(for: anna, rows: 0) }
        bill.ended(for: ben, rows: 100)
        for _ in 0..<3 { bill.ended(for: carl, rows: 0) }
        for _ in 0..<2 { bill.ended(for: root, rows: 0) }
        #expect(bill == CommandQuota())
    }

    @Test("a user who reconnects to ask more is refused in the end; others go on, and all are answered at last")
    func bounded() async throws {
        var limits = DaemonLimits.ofTests
        (limits.commandsWaiting, limits.commandsWaitingPerUser, limits.settledAtOnce) = (40, 6, 2)
        limits.commandsKeptForAdministrators = 4
        try await LiveGate.with(limits: limits) { gate, store in
            let root = try await gate.connect("root"), anna = try await gate.connect("anna")
            store.hold()
            let change = Task {
                await root.refusal(
                    of: Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "a change"))
            }
            await gate.waitForCommands(1)
            var refusals = 0
            for _ in 0..<20 {
                let leaving = try await gate.connect("anna")
                let before = await gate.commandsWaiting()
                let call = Task { await leaving.refusal(of: Methods.Mode.cancel, CancelVerifyingRequest()) }
                if before < 7 {
                    await gate.waitForCommands(before + 1)
                } else {
                    #expect(await call.value?.code == .resourceExhausted)
                    refusals += 1
                }
                await leaving.close()
                _ = await call.value
            }
            #expect(refusals == 14)
            #expect(await gate.commandsWaiting() == 7)
            #expect(await gate.rememberedDepartures() <= 6)
            // Reading still works, also for others.
            _ = try await anna.call(Methods.Mode.get, GetModeRequest())
            let ben = try await gate.connect("ben")
            let calls = [
                Task { await ben.refusal(of: Methods.Mode.cancel, CancelVerifyingRequest()) },
                Task { await root.refusal(of: Methods.Mode.cancel, CancelVerifyingRequest()) },
            ]
            await gate.waitForCommands(9)
            store.release()
            #expect(await change.value == nil)
            for call in calls { #expect(await call.value == nil) }
            #expect(await gate.commandsWaiting() == 0)
            #expect(await anna.refusal(of: Methods.Mode.cancel, CancelVerifyingRequest()) == nil)
        }
    }
}

extension LiveGate {
    fileprivate func commandsWaiting() async -> Int { await authority.commandsWaiting }

    fileprivate func waitForCommands(_ count: Int) async {
        while await commandsWaiting() < count { await Task.yield() }
    }

    fileprivate func rememberedDepartures() async -> Int { await authority.departedCount }
}

extension Authority {
    fileprivate var commandsWaiting: Int { pipeline.bill.ofAll.commands }
    fileprivate var departedCount: Int { pipeline.reconciliation.departed.count }
}
