import Foundation
import GateModel
import Testing

@testable import GateHousehold

@Suite("What Home Assistant is told of the time that was used (Z-06)")
struct HomeAssistantUseTests {
    private typealias Sample = SampleHousehold
    private static let topic = HouseholdTopic.homeAssistantUsed(Sample.me).text(in: Sample.household)

    /// With gated and the broker; nothing is under way.
    private func connected(isFound: Bool = true, tellsWords: Bool = true) -> HouseholdStateMachine {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            homeAssistant: SampleHomeAssistant.machine(isFound: isFound, tellsWords: tellsWords))
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        return machine
    }

    private func told(_ actions: [HouseholdAction]) -> [Publication] {
        actions.compactMap {
            if case .publish(let publication) = $0, publication.id == .homeAssistantUsed { publication } else { nil }
        }
    }

    private func texts(_ actions: [HouseholdAction]) -> [String] {
        told(actions).map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test("whole minutes by person and allowance, and their sum; retained for a day and a half")
    func whole() throws {
        var machine = connected()
        let used = [
            SampleHomeAssistant.used(40), SampleHomeAssistant.used(5, of: "Otto"), SampleHomeAssistant.used(7, of: ""),
            UsedTime(
                person: "Mia", uid: 1002, subject: .gatedAction("book.read"),
                day: CivilDate(WallTime(unixMilliseconds: 0)), used: .seconds(600), left: nil, isToday: true,
                isRunning: false),
        ]
        let actions = machine.usageTold(used, at: .at(0))
        #expect(
            texts(actions) == [
                #"{"day":"1970-01-01","minutes":45,"people":{"Mia":{"games":40},"Otto":{"games":5}}}"#
            ])
        let publication = try #require(told(actions).first)
        #expect(publication.topic == Self.topic && publication.isRetained)
        #expect(publication.expiry == .seconds(36 * 3600))
        let schema = try JSONSchema.of("home-assistant-used")
        #expect(try schema.faults(of: publication.payload) == [])
    }

    @Test("it is told when a minute or a day has passed, and on each connection to the broker, and not otherwise")
    func changes() {
        var machine = connected()
        #expect(machine.homeAssistant?.useDeadline == nil)
        #expect(told(machine.usageTold([SampleHomeAssistant.used(1)], at: .at(0))).count == 1)
        #expect(told(machine.usageTold([SampleHomeAssistant.used(2)], at: .at(1000))).isEmpty, "one is under way")
        #expect(texts(machine.published(.homeAssistantUsed, at: .at(1000))).first?.contains(#""minutes":2"#) == true)
        _ = machine.published(.homeAssistantUsed, at: .at(1001))
        #expect(told(machine.usageTold([SampleHomeAssistant.used(2)], at: .at(2000))).isEmpty)
        #expect(told(machine.usageTold([SampleHomeAssistant.used(2, day: 1)], at: .at(3000))).count == 1)
        _ = machine.published(.homeAssistantUsed, at: .at(3001))
        _ = machine.brokerLost(at: .at(4000))
        #expect(told(machine.usageTold([SampleHomeAssistant.used(3, day: 1)], at: .at(4000))).isEmpty)
        #expect(texts(machine.brokerConnected(at: .at(5000))).first?.contains(#""minutes":3"#) == true)
    }

    @Test("the numbers stay while gated is away")
    func away() {
        var machine = connected()
        _ = machine.usageTold([SampleHomeAssistant.used(3)], at: .at(0))
        _ = machine.published(.homeAssistantUsed, at: .at(1))
        #expect(told(machine.daemonLost(at: .at(2))).isEmpty)
        _ = machine.brokerLost(at: .at(3))
        #expect(told(machine.brokerConnected(at: .at(4))).count == 1)
    }

    @Test("nothing is told where Home Assistant is not told words, or is not to find the device")
    func off() {
        for (isFound, tellsWords) in [(true, false), (false, true), (false, false)] {
            var machine = connected(isFound: isFound, tellsWords: tellsWords)
            #expect(told(machine.usageTold([SampleHomeAssistant.used(3)], at: .at(0))).isEmpty)
            #expect(machine.homeAssistant?.useDeadline == nil)
            _ = machine.brokerLost(at: .at(1))
            #expect(told(machine.brokerConnected(at: .at(2))).isEmpty)
        }
    }

    @Test("what others say on the topic is nothing for this device")
    func foreign() {
        var machine = connected()
        _ = machine.messageArrived(Sample.message(.homeAssistantUsed(Sample.other), [1]), at: .at(0))
        #expect(machine.drops.foreign == 1)
    }
}
