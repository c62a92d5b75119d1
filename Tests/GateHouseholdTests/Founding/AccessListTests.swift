import Foundation
import GateModel
import Testing

@testable import GateHousehold

@Suite("The shipped access list of the broker, and the generated one (H-01)")
struct AccessListTests {
    private typealias Sample = SampleHousehold

    /// The rules for all devices and for Home Assistant, without comments.
    private static func rules(of text: String) -> Set<String> {
        var (rules, user) = (Set<String>(), "")
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("user ") { user = line + ": " }
            if line.hasPrefix("pattern ") { rules.insert(line) }
            if line.hasPrefix("topic "), user.contains(HomeAssistantAccess.userName) { rules.insert(user + line) }
        }
        return rules
    }

    @Test("the shipped and the generated access list have the same rules")
    func same() throws {
        let repository = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let shipped = try String(
            contentsOf: repository.appendingPathComponent("examples/household/gate.acl"), encoding: .utf8)
        let made = MosquittoConfiguration(household: Sample.household, keeper: Sample.me, port: 8883).deviceRules
        let expected = Self.rules(of: made.replacing(Sample.household.description, with: "HOUSEHOLD"))
        #expect(Self.rules(of: shipped) == expected)
        #expect(expected.count > 20)
    }

    @Test("the shipped and the generated configuration have the same limits for each device")
    func limits() throws {
        let repository = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let shipped = try String(
            contentsOf: repository.appendingPathComponent("examples/household/gate.conf"), encoding: .utf8)
        func limits(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.hasPrefix("max_") } }
        let made = MosquittoConfiguration(household: Sample.household, keeper: Sample.me, port: 8883).text
        let expected = limits(made).filter { !$0.hasPrefix("max_connections") }
        #expect(limits(shipped).sorted() == expected.sorted() && expected.count == 4)
    }

    @Test("devices that join have a broker of their own, with limits, and its files do not have the password")
    func joinBroker() throws {
        func listeners(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { $0.hasPrefix("listener ") }
        }
        let secret = HouseholdSecret()
        let broker = JoinBroker(secret, port: 8884)
        let members = MosquittoConfiguration(household: secret.household, keeper: Sample.me, port: 8883).text
        #expect(listeners(members) == ["listener 8883"] && !members.contains("allow_anonymous true"))
        #expect(listeners(broker.configuration()) == ["listener 8884"])
        #expect(broker.configuration().contains("max_packet_size \(HouseholdLimits.packetBytes)\n"))
        #expect(JoinBroker.packetBytes(forList: 1000) == 67_536)
        #expect(JoinBroker.packetBytes(forList: HouseholdLimits.listBytes) == HouseholdLimits.packetBytes)
        for limit in ["LimitNOFILE=1024\n", "MemoryMax=", "RuntimeMaxSec="] {
            #expect(MosquittoService.joinUnit.contains(limit))
        }
        let files = broker.files
        #expect(files.first { $0.path == "mosquitto/join.passwords" }?.readers == .nobody)
        for file in files {
            #expect(!String(decoding: file.content, as: UTF8.self).contains(broker.password), "\(file.path)")
        }
        // They are the same each time, and another household's are others.
        #expect(JoinBroker(secret, port: 8884).files == files)
        #expect(JoinBroker(HouseholdSecret(), port: 8884).passwords != broker.passwords)
    }

    @Test("a device may read each topic that it subscribes to")
    func subscriptions() {
        let rules = Self.rules(
            of: MosquittoConfiguration(household: Sample.household, keeper: Sample.other, port: 8883).deviceRules
                .replacing(
                    "%u", with: Sample.me.description))
        let filters =
            HouseholdTopic.filters(
                in: Sample.household, for: Sample.me, hasHomeAssistant: true, takesPolicy: true, sharesReceipts: true,
                sumsUsage: true)
            + HouseholdTopic.stateFilters(in: Sample.household) + [HomeAssistantEntity.sensorFilter(of: Sample.me)]
        for filter in filters {
            let isReadable = rules.contains { rule in
                guard rule.hasPrefix("pattern read ") else { return false }
                let allowed = rule.dropFirst("pattern read ".count).split(separator: "/")
                let asked = filter.split(separator: "/")
                guard let end = allowed.firstIndex(of: "#") else {
                    return allowed.count == asked.count
                        && zip(allowed, asked).allSatisfy { $0 == "+" || $0 == $1 }
                }
                return zip(allowed[..<end], asked).allSatisfy { $0 == "+" || $0 == $1 }
            }
            #expect(isReadable, "\(filter)")
        }
    }
}
