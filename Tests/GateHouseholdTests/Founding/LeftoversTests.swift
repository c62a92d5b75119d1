import GateModel
import Testing

@testable import GateHousehold

@Suite("Clearing what former devices left at the broker (H-01)")
struct LeftoversTests {
    private typealias Sample = SampleHousehold
    private let root = "gate/\(Sample.household)"
    private let member = Sample.me
    private let gone = Sample.other

    private func cleared(
        _ topics: [String], isRetained: Bool = true, revoked: Set<HouseholdID> = []
    ) -> [String] {
        var leftovers = Leftovers(in: Sample.household)
        for topic in topics {
            leftovers.arrived(
                BrokerMessage(topic: topic, payload: [1], isRetained: isRetained), members: [member])
        }
        return leftovers.topics(members: [member], revoked: revoked)
    }

    @Test("everything below a former device's id is cleared, even unknown topics")
    func ofGone() {
        let topics = [
            "\(root)/devices/\(gone)/state", "\(root)/devices/\(gone)/requests/7",
            "\(root)/devices/\(gone)/requests/rubbish", "\(root)/shared/receipts/\(gone)/rubbish",
            "\(root)/shared/certificates/\(gone)", "\(root)/devices/\(gone)/to/\(member)/answers/3",
            "\(root)/shared/usage/\(gone)",
        ]
        let usual = Leftovers.topics(of: gone, in: Sample.household)
        #expect(usual.contains(topics[6]), "a device that leaves has its report of use forgotten, too")
        let people = Leftovers.topics(of: gone, in: Sample.household, people: [1002])
        #expect(people == ["homeassistant/sensor/\(gone)/used_1002/config"] + usual)
        let cleared = cleared(topics)
        #expect(cleared.starts(with: usual) && usual[0].hasPrefix("homeassistant/"))
        #expect(Set(cleared) == Set(usual + topics) && cleared.count == Set(cleared).count)
        #expect(self.cleared(topics.map { $0.replacing(gone.description, with: member.description) }).isEmpty)
    }

    @Test("retained commands and results are cleared, also a member's, and passing ones are not")
    func letters() {
        let topics = [member, gone].flatMap { sender in
            ["all", "nobody", Sample.third.description].flatMap { target in
                ["commands", "results"].map { "\(root)/devices/\(sender)/to/\(target)/\($0)" }
            }
        }
        #expect(cleared(topics) == topics)
        #expect(cleared(topics, isRetained: false).isEmpty)
    }

    @Test("descriptions for Home Assistant are cleared only for this household's devices")
    func descriptions() {
        let own = "homeassistant/lock/\(gone)/rubbish/config"
        #expect(cleared([own, "homeassistant/lock/\(member)/padlock/config"]).isEmpty, "it may be another household's")
        #expect(cleared([own], revoked: [gone]).contains(own))
        #expect(cleared([own, "\(root)/devices/\(gone)/availability"]).contains(own))
        #expect(!cleared([own], revoked: [Sample.third]).contains(own))
    }

    @Test("topics of other households or unknown ones stay, and cleared topics are not cleared again")
    func others() {
        #expect(
            cleared([
                "gate/\(Sample.third)/devices/\(gone)/state", "\(root)/shared/guardians", "\(root)/shared/policy",
                "\(root)/shared/certificates/revoked", "\(root)/join/authority", "\(root)/devices/all/state",
                "homeassistant/status", "zigbee2mqtt/a/b/c", "a",
            ]).isEmpty)
        var leftovers = Leftovers(in: Sample.household)
        leftovers.arrived(
            BrokerMessage(topic: "\(root)/devices/\(gone)/state", payload: [], isRetained: true), members: [])
        #expect(leftovers.topics(members: [], revoked: []).isEmpty)
    }

    @Test("a device that has joined meanwhile keeps its topics")
    func joined() {
        var leftovers = Leftovers(in: Sample.household)
        leftovers.arrived(
            BrokerMessage(topic: "\(root)/devices/\(gone)/state", payload: [1], isRetained: true), members: [])
        #expect(leftovers.topics(members: [gone], revoked: []).isEmpty)
    }

    @Test("the topics to be cleared are remembered up to a limit")
    func limit() {
        let part = String(repeating: "x", count: 60_000)
        let topics = (0..<100).map { "\(root)/devices/\(gone)/requests/\($0)\(part)" }
        let count = cleared(topics).reduce(0) { $0 + $1.utf8.count }
        #expect(count > Leftovers.topicByteCount / 2 && count < Leftovers.topicByteCount + 10_000)
    }

    @Test("the device with the household's key may read and write each topic that it clears")
    func rules() {
        let lines = MosquittoConfiguration(household: Sample.household, keeper: member, port: 8883).deviceRules
            .split(separator: "\n")
        let keepers = lines.drop { $0 != "user \(member)" }
        for filter in Leftovers.filters(in: Sample.household) {
            #expect(
                keepers.contains("topic readwrite \(filter)")
                    || keepers.contains("topic write \(filter)")
                        && (lines.contains("pattern read \(filter)") || keepers.contains("topic read \(filter)")
                            || filter.hasSuffix("/shared/receipts/+/+")),
                "\(filter)")
        }
    }
}
