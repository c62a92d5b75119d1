import GateModel
import Testing

@testable import GateHousehold

@Suite("What Home Assistant is told, and what it asks for (H-07)")
struct HomeAssistantStateMachineTests {
    private typealias Sample = SampleHomeAssistant

    private func at(_ milliseconds: Int64) -> BootTime { BootTime(nanoseconds: milliseconds * 1_000_000) }

    // MARK: - Telling

    @Test("descriptions are published once for each connection, retained")
    func tells() {
        var machine = Sample.machine()
        #expect(machine.takeDescriptions().isEmpty, "there is no broker")
        machine.brokerConnected()
        let told = machine.takeDescriptions()
        #expect(told.map(\.id) == HomeAssistantEntity.allCases.map { .homeAssistant($0) })
        #expect(told.allSatisfy { $0.isRetained && $0.expiry == nil })
        #expect(Set(told.map(\.topic)).count == told.count)
        #expect(machine.takeDescriptions().isEmpty, "they are under way")
        for entity in HomeAssistantEntity.allCases { machine.publicationEnded(entity) }
        #expect(machine.takeDescriptions().isEmpty)
        machine.brokerLost()
        machine.publicationEnded(.mode)
        #expect(machine.takeDescriptions().isEmpty)
        machine.brokerConnected()
        #expect(machine.takeDescriptions() == told)
    }

    @Test("descriptions of forbidden entities are cleared, and all of them if discovery is off")
    func takesAway() {
        func told(
            _ may: Set<HomeAssistantPermission>, isFound: Bool, tellsWords: Bool = false
        ) -> [HomeAssistantEntity] {
            var machine = Sample.machine(may: may, isFound: isFound, tellsWords: tellsWords)
            machine.brokerConnected()
            return machine.takeDescriptions().compactMap { publication in
                guard case .homeAssistant(let entity) = publication.id, !publication.payload.isEmpty else { return nil }
                return entity
            }
        }
        #expect(told([.extend], isFound: true, tellsWords: true) == HomeAssistantEntity.allCases)
        #expect(told([.extend], isFound: true) == HomeAssistantEntity.allCases.filter { $0 != .used })
        for may: Set<HomeAssistantPermission> in [[], [.answer]] {
            #expect(told(may, isFound: true) == [.padlock, .mode, .end, .connection, .lock, .request])
        }
        #expect(told([.extend], isFound: false, tellsWords: true).isEmpty)
    }

    // MARK: - Asking

    @Test("an order goes to gated, and the next one a second later at the earliest")
    func rate() {
        var machine = Sample.machine()
        #expect(machine.takeOrder(at: at(0)) == nil && machine.deadline == nil)
        #expect(machine.messageArrived(Sample.message("lock"), at: at(0)) == nil)
        #expect(machine.takeOrder(at: at(0)) == .lock)
        #expect(machine.messageArrived(Sample.message("extend 30"), at: at(1)) == nil)
        #expect(machine.takeOrder(at: at(5000)) == nil, "one at a time")
        machine.orderEnded()
        #expect(machine.deadline == at(1000))
        #expect(machine.takeOrder(at: at(999)) == nil)
        #expect(machine.takeOrder(at: at(1000)) == .extend(.seconds(1800)))
        machine.orderEnded()
        machine.orderEnded()
        #expect(machine.deadline == nil)
    }

    @Test("of several waiting orders the newest counts, but a lock is never lost")
    func newest() {
        for (messages, order) in [
            (["extend", "extend 5"], HomeAssistantOrder.extend(.seconds(300))), (["extend", "lock"], .lock),
            (["lock", "extend"], .lock), (["lock", "extend", "lock"], .lock), (["extend 5", "extend"], .extend(nil)),
            (["approve 6", "deny 6"], .answer(6, isApproved: false)),
            (["extend", "approve 6"], .answer(6, isApproved: true)),
            (["approve 6", "extend"], .extend(nil)), (["approve 6", "lock"], .lock), (["lock", "approve 6"], .lock),
        ] {
            var machine = Sample.machine(asking: [6, 7])
            for message in messages { #expect(machine.messageArrived(Sample.message(message), at: at(0)) == nil) }
            #expect(machine.takeOrder(at: at(0)) == order, "\(messages)")
            machine.orderEnded()
            #expect(machine.takeOrder(at: at(9000)) == nil)
        }
    }

    @Test(
        "an order that gated could not take waits again, but a newer one replaces it",
        arguments: [
            ("lock", "extend", HomeAssistantOrder.lock), ("extend", "lock", .lock),
            ("extend", "extend 1", .extend(.seconds(60))), ("lock", "lock", .lock), ("lock", "deny 6", .lock),
            ("approve 6", "approve 7", .answer(7, isApproved: true)), ("approve 6", "lock", .lock),
        ])
    func returned(first: String, second: String, order: HomeAssistantOrder) {
        var machine = Sample.machine(asking: [6, 7])
        _ = machine.messageArrived(Sample.message(first), at: at(0))
        _ = machine.takeOrder(at: at(0))
        _ = machine.messageArrived(Sample.message(second), at: at(1))
        machine.orderReturned()
        #expect(machine.takeOrder(at: at(1000)) == order)
        machine.orderReturned()
        #expect(machine.takeOrder(at: at(2000)) == order)
        machine.orderEnded()
        machine.orderReturned()
        #expect(machine.deadline == nil, "what is done does not come back")
    }

    @Test("a waiting order expires, after five minutes at most")
    func expiry() {
        var machine = Sample.machine()
        _ = machine.messageArrived(Sample.message("lock", expiry: .seconds(2)), at: at(0))
        #expect(machine.removeExpired(at: at(1999)) == 0)
        #expect(machine.removeExpired(at: at(2000)) == 1 && machine.deadline == nil)
        for expiry in [nil, Duration.seconds(4000)] {
            _ = machine.messageArrived(Sample.message("lock", expiry: expiry), at: at(0))
            #expect(machine.removeExpired(at: at(299_999)) == 0)
            #expect(machine.removeExpired(at: at(300_000)) == 1)
        }
    }

    @Test("retained and malformed orders are ignored")
    func ignored() {
        var machine = Sample.machine(may: [.extend])
        #expect(machine.messageArrived(Sample.message("lock", isRetained: true), at: at(0)) == .retained)
        for text in [
            "", " ", "unlock", "LOCK", "lock ", " lock", "lock 5", "extend ", "extend 0", "extend -5", "extend +5",
            "extend 1.5", "extend 10081", "extend 99999999999999999999", "extend  5", "extend 5 5", "extend ٥",
            "lock\n", "approve", "deny", "approve ", "approve 0", "approve -1", "approve +1", "approve 06",
            "approve 6.0",
            "approve 6 ", " approve 6", "approve  6", "approve 6 7", "approve 18446744073709551616", "Approve 6",
            "approve ٦",
            "approve6", "deny 0x6", "deny null", "deny None", "yes 6", "approve 6\n", "answer 6",
            "extend " + String(repeating: "0", count: 58) + "1", "\u{0}",
        ] {
            #expect(machine.messageArrived(Sample.message(text), at: at(0)) == .malformed, "\(text)")
        }
        #expect(machine.deadline == nil)
        #expect(HomeAssistantOrder(payload: [0xFF, 0xFE]) == nil)
        #expect(HomeAssistantOrder(payload: Array("extend 10080".utf8)) == .extend(.seconds(604_800)))
        #expect(HomeAssistantOrder(payload: Array("approve 1".utf8)) == .answer(1, isApproved: true))
        #expect(HomeAssistantOrder(payload: Array("deny \(UInt64.max)".utf8)) == .answer(.max, isApproved: false))
    }
}

@Suite("Home Assistant's part in carrying (H-07)")
struct HomeAssistantCarryingTests {
    private typealias Sample = SampleHousehold

    /// With gated and the broker; nothing is under way.
    private func connected(_ homeAssistant: HomeAssistantStateMachine? = SampleHomeAssistant.machine())
        -> HouseholdStateMachine
    {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            homeAssistant: homeAssistant)
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        return machine
    }

    private func orders(_ actions: [HouseholdAction]) -> [HomeAssistantOrder] {
        actions.compactMap { if case .obeyHomeAssistant(let order) = $0 { order } else { nil } }
    }

    private let lock = SampleHomeAssistant.message("lock")

    @Test("descriptions are published once the broker is connected, even without gated")
    func descriptions() {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            homeAssistant: SampleHomeAssistant.machine())
        let actions = machine.brokerConnected(at: .at(0))
        #expect(actions.publications == [.availability] + HomeAssistantEntity.allCases.map { .homeAssistant($0) })
        #expect(machine.published(.homeAssistant(.mode), at: .at(1)).isEmpty)
        #expect(machine.publicationRefused(.homeAssistant(.lock), at: .at(1)).isEmpty)
        #expect(machine.drops.refused == 1)
        _ = machine.brokerLost(at: .at(2))
        #expect(machine.brokerConnected(at: .at(3)).publications.count == 9)
    }

    @Test("an order goes to gated, and waits while gated is away or has a temporary failure")
    func orders() {
        var machine = connected()
        #expect(orders(machine.messageArrived(lock, at: .at(10))) == [.lock])
        #expect(orders(machine.messageArrived(lock, at: .at(20))).isEmpty)
        #expect(machine.isQuiet, "nothing to do before gated has answered")
        #expect(orders(machine.taken(.homeAssistant, at: .at(30))).isEmpty)
        #expect(machine.deadline == Machine.Moment.at(1010).boot)
        #expect(orders(machine.timePassed(at: .at(1010))) == [.lock])
        _ = machine.callFailed(.homeAssistant, .later, jitter: 0, at: .at(1020))
        let retry = machine.deadline
        #expect(retry != nil)
        #expect(orders(machine.timePassed(at: .at(60_000))) == [.lock])
        _ = machine.callFailed(.homeAssistant, .never, jitter: 0, at: .at(60_010))
        #expect(machine.drops.unwanted == 1 && orders(machine.timePassed(at: .at(90_000))).isEmpty)

        _ = machine.daemonLost(at: .at(90_000))
        #expect(orders(machine.messageArrived(lock, at: .at(90_000))).isEmpty && machine.deadline == nil)
        #expect(orders(machine.daemonReturned(.closed, at: .at(91_000))) == [.lock])
    }

    private typealias Machine = HouseholdStateMachine

    @Test("an order that waited too long is dropped and counted")
    func expired() {
        var machine = connected()
        _ = machine.daemonLost(at: .at(0))
        _ = machine.messageArrived(lock, at: .at(0))
        #expect(orders(machine.daemonReturned(.closed, at: .at(300_000))).isEmpty)
        #expect(machine.drops.expired == 1)
    }

    @Test("orders for other devices, retained ones and malformed ones are dropped and counted")
    func dropped() {
        var machine = connected()
        let others = Sample.message(.homeAssistant(Sample.other), Array("lock".utf8))
        #expect(machine.messageArrived(others, at: .at(1)).isEmpty && machine.drops.foreign == 1)
        _ = machine.messageArrived(SampleHomeAssistant.message("lock", isRetained: true), at: .at(1))
        _ = machine.messageArrived(SampleHomeAssistant.message("unlock"), at: .at(1))
        #expect(machine.drops.retained == 1 && machine.drops.malformed == 1)
        var without = connected(nil)
        #expect(orders(without.messageArrived(lock, at: .at(1))).isEmpty && without.drops.foreign == 1)
    }

    @Test("a device subscribes to Home Assistant's orders only if household.yaml has it")
    func subscription() {
        let topic = HouseholdTopic.homeAssistant(Sample.me).text(in: Sample.household)
        #expect(topic == "gate/\(Sample.household)/devices/\(Sample.me)/home-assistant/set")
        #expect(HouseholdTopic(topic, in: Sample.household) == .homeAssistant(Sample.me))
        #expect(!HouseholdTopic.filters(in: Sample.household, for: Sample.me).contains(topic))
        #expect(
            HouseholdTopic.filters(in: Sample.household, for: Sample.me, hasHomeAssistant: true).last == topic)
    }
}
