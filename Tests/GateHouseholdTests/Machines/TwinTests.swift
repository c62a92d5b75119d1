import GateModel
import Testing

@testable import GateHousehold

@Suite("Two devices with one key, as copies of a disk have it (H-02)")
struct TwinTests {
    private typealias Sample = SampleHousehold

    private func connected(isGuardians: Bool = false) -> HouseholdStateMachine {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0", instance: "1")
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: isGuardians, at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        _ = machine.taken(.report, at: .at(0))
        _ = machine.published(.availability, at: .at(0))
        _ = machine.published(.state, at: .at(0))
        return machine
    }

    private func said(
        by instance: String?, of device: HouseholdID = Sample.me, isRetained: Bool = false, at milliseconds: Int64 = 0
    ) -> BrokerMessage {
        var state = Sample.state(of: device, updated: 1_800_000_000_000 + milliseconds)
        state.instance = instance
        return Sample.message(.state(Sample.me), state.json, isRetained: isRetained)
    }

    @Test(
        "a state sent in this device's name by another run shows a twin, and gated and others are told",
        arguments: ["2", nil])
    func noticed(instance: String?) throws {
        for isGuardians in [true, false] {
            var machine = connected(isGuardians: isGuardians)
            let actions = machine.messageArrived(said(by: instance), at: .at(1000))
            #expect(machine.hasTwin)
            #expect(actions.states.map(\.hasTwin) == [true] && actions.states.map(\.instance) == ["1"])
            #expect(actions.news.map { $0.devices.map(\.hasTwin) } == [[true]])
            #expect(actions.news.map { $0.devices.map(\.id) } == [[Sample.me]])
            _ = machine.published(.state, at: .at(1100))
            _ = machine.taken(.report, at: .at(1100))
            // It is reported once.
            let again = machine.messageArrived(said(by: instance), at: .at(2000))
            #expect(again.states.isEmpty && again.news.isEmpty)
        }
    }

    @Test("this run's own messages, retained ones and malformed ones do not count as a twin's")
    func own() {
        var machine = connected()
        for message in [
            said(by: "1"), said(by: "2", isRetained: true), said(by: "2", of: Sample.other),
            Sample.message(.state(Sample.me), []), Sample.message(.state(Sample.me), [1]),
        ] {
            _ = machine.messageArrived(message, at: .at(1000))
            #expect(!machine.hasTwin)
        }
    }

    @Test("a twin that was silent for an hour is gone, and that is reported")
    func gone() throws {
        var machine = connected()
        _ = machine.messageArrived(said(by: "2"), at: .at(0))
        _ = machine.messageArrived(said(by: "2"), at: .at(600_000))
        _ = machine.published(.state, at: .at(600_000))
        _ = machine.taken(.report, at: .at(600_000))
        _ = machine.timePassed(at: .at(3_600_001))
        #expect(machine.hasTwin)
        let deadline = try #require(machine.deadline)
        #expect(deadline <= BootTime(nanoseconds: 4_200_000 * 1_000_000))
        let actions = machine.timePassed(at: .at(4_200_000))
        #expect(!machine.hasTwin)
        #expect(actions.states.map(\.hasTwin) == [false])
        #expect(actions.news.map { $0.devices.map(\.hasTwin) } == [[false]])
    }

    @Test("gated is told of the twin again after its return, and when the device stops commanding others")
    func retold() {
        var machine = connected(isGuardians: true)
        _ = machine.messageArrived(said(by: "2"), at: .at(1000))
        _ = machine.taken(.report, at: .at(1100))
        _ = machine.daemonLost(at: .at(1200))
        #expect(machine.daemonReturned(.closed, at: .at(1300)).news.map { $0.devices.map(\.hasTwin) } == [[true]])
        _ = machine.taken(.report, at: .at(1400))
        let told = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(1500))
        #expect(told.news.map { $0.devices.map(\.hasTwin) } == [[true]])
    }

    @Test("a twin that took the connection over is found by what it sent meanwhile")
    func taken() {
        for (moment, instance, isTwins) in [
            (1500, "2", true), (1500, "1", false), (0, "2", false), (-1, "2", false),
        ] as [(Int64, String, Bool)] {
            var machine = connected()
            _ = machine.brokerLost(at: .at(1000))
            _ = machine.brokerConnected(at: .at(3000))
            _ = machine.messageArrived(said(by: instance, isRetained: true, at: moment), at: .at(3001))
            #expect(machine.hasTwin == isTwins, "\(moment), \(instance)")
        }
    }

    @Test("a connection name that a twin shares is replaced by another one, which then stays")
    func name() {
        let name = ConnectionName("gate-a")
        #expect(name.clientID == "gate-a")
        name.isShared()
        let own = name.clientID
        #expect(own.hasPrefix("gate-a-") && own.count > 12)
        name.isShared()
        #expect(name.clientID == own)
    }
}
