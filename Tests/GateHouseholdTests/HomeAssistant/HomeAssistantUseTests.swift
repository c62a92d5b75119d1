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

    // MARK: - A sensor for each person

    /// What is published about people's sensors: the sensor's name by the person's own user; `nil` if it is removed.
    private func people(_ actions: [HouseholdAction]) throws -> [UInt32: String?] {
        var people: [UInt32: String?] = [:]
        for case .publish(let publication) in actions {
            guard case .homeAssistantPerson(let uid) = publication.id else { continue }
            #expect(publication.isRetained && publication.expiry == nil)
            #expect(publication.topic == HomeAssistantEntity.topic(ofPerson: uid, on: Sample.me))
            let object = try? JSONSerialization.jsonObject(with: Data(publication.payload)) as? [String: Any]
            people[uid] = .some(publication.payload.isEmpty ? nil : try #require(object?["name"] as? String))
        }
        return people
    }

    private func kept(_ uid: UInt32) -> BrokerMessage {
        BrokerMessage(
            topic: HomeAssistantEntity.topic(ofPerson: uid, on: Sample.me), payload: [1], isRetained: true)
    }

    @Test("each person has a sensor, once, and anew on each connection to the broker; somebody who is gone has none")
    func peoplesSensors() throws {
        var machine = connected()
        let both = [SampleHomeAssistant.used(1), SampleHomeAssistant.used(0, of: "Otto", uid: 1003)]
        let names: [UInt32: String?] = [1002: "Time used today: Mia", 1003: "Time used today: Otto"]
        #expect(try people(machine.usageTold(both, at: .at(0))) == names)
        for uid: UInt32 in [1002, 1003] { _ = machine.published(.homeAssistantPerson(uid), at: .at(1)) }
        let later = [SampleHomeAssistant.used(2), both[1]]
        #expect(try people(machine.usageTold(later, at: .at(2))) == [:], "only the time has changed")
        #expect(try people(machine.messageArrived(kept(1003), at: .at(3))) == [:], "it is what was published")
        _ = machine.brokerLost(at: .at(4))
        #expect(try people(machine.brokerConnected(at: .at(5))) == names)
        for uid: UInt32 in [1002, 1003] { _ = machine.published(.homeAssistantPerson(uid), at: .at(6)) }
        let renamed = [SampleHomeAssistant.used(2, of: "Maria")]
        #expect(
            try people(machine.usageTold(renamed, at: .at(7))) == [1002: "Time used today: Maria", 1003: nil])
        #expect(machine.drops.foreign == 0)
    }

    @Test("a sensor that an earlier run has left is removed, also where nothing is told any more")
    func leftSensors() throws {
        var machine = connected()
        #expect(try people(machine.messageArrived(kept(1003), at: .at(0))) == [:], "gated has not told who there is")
        #expect(
            try people(machine.usageTold([SampleHomeAssistant.used(1)], at: .at(1)))
                == [1002: "Time used today: Mia", 1003: nil])
        #expect(try people(machine.messageArrived(kept(1004), at: .at(2))) == [1004: nil])
        for (isFound, tellsWords) in [(true, false), (false, true)] {
            var machine = connected(isFound: isFound, tellsWords: tellsWords)
            #expect(try people(machine.messageArrived(kept(1003), at: .at(0))) == [1003: nil])
            #expect(try people(machine.usageTold([SampleHomeAssistant.used(1)], at: .at(1))) == [:])
        }
    }

    @Test("other topics than those of people's sensors remove nothing")
    func othersSensors() throws {
        var machine = connected()
        _ = machine.usageTold([], at: .at(0))
        let own = "homeassistant/sensor/\(Sample.me)/"
        for topic in ["\(own)used/config", "\(own)used_x/config", "\(own)used_01/config", "\(own)x_7/config", own] {
            let message = BrokerMessage(topic: topic, payload: [1], isRetained: true)
            #expect(try people(machine.messageArrived(message, at: .at(1))) == [:], "\(topic)")
        }
        #expect(machine.drops.foreign == 0)
        for topic in ["homeassistant/sensor/\(Sample.other)/used_7/config", "homeassistant/lock/\(Sample.me)/a/config"]
        {
            let message = BrokerMessage(topic: topic, payload: [1], isRetained: true)
            #expect(try people(machine.messageArrived(message, at: .at(1))) == [:], "\(topic)")
        }
        #expect(machine.drops.foreign == 2)
    }

    @Test("the first 32 people have a sensor, and their descriptions go to the broker a few at a time")
    func many() throws {
        var machine = connected()
        let used = (0..<40).map { SampleHomeAssistant.used(1, of: "Child \($0)", uid: 2000 + UInt32($0)) }
        var told = try people(machine.usageTold(used, at: .at(0)))
        #expect(told.count == HouseholdLimits.unacknowledged)
        for uid in told.keys.sorted() {
            let more = try people(machine.published(.homeAssistantPerson(uid), at: .at(1)))
            told.merge(more) { $1 }
        }
        #expect(told.keys.sorted() == (2000..<2032).map { UInt32($0) })
    }

    @Test("the sensors of a device that is renamed are told with its new name")
    func renamedDevice() throws {
        var machine = connected()
        _ = machine.usageTold([SampleHomeAssistant.used(1)], at: .at(0))
        _ = machine.published(.homeAssistantPerson(1002), at: .at(1))
        _ = machine.modeChanged(.closed, at: .at(1))
        machine.homeAssistant?.deviceRenamed("Living room")
        let told = machine.timePassed(at: .at(100))
        #expect(try people(told) == [1002: "Time used today: Mia"])
    }

    @Test("what others say on the topic is nothing for this device")
    func foreign() {
        var machine = connected()
        _ = machine.messageArrived(Sample.message(.homeAssistantUsed(Sample.other), [1]), at: .at(0))
        #expect(machine.drops.foreign == 1)
    }
}
