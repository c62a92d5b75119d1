import Foundation
import GateModel
import Glibc
import ProcessSupport
import Testing

@testable import GateHousehold

@Suite(
    "A broker that Home Assistant uses already, beside the household's (H-07)",
    .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized, .timeLimit(.minutes(5)), .waitsForProcesses)
struct HomeAssistantBridgeHouseholdBrokerTests {
    private typealias Sample = SampleHousehold

    /// mosquitto as a family has it for other devices: with names, passwords and rules for all listeners, and the bridge beside them.
    private final class FamilyBroker {
        private let port: UInt16
        private let folder: URL
        private let process: ChildProcess

        init(_ household: RealBroker) throws {
            port = try RealBroker.freePort()
            folder = household.directory
            try household.certificate(
                "home-assistant", commonName: HomeAssistantAccess.userName, extensions: "extendedKeyUsage=clientAuth")
            for (name, option) in [("home", "-c"), ("zigbee", "")] {
                let words = [option, "-b", household.file("passwords").path, name, "secret"].filter { !$0.isEmpty }
                let made = try ChildProcess("/usr/bin/mosquitto_passwd", words, hasInput: false).ended()
                guard made.status == 0 else { throw ProcessFailure(made.errors) }
            }
            try Data("user home\ntopic readwrite #\nuser zigbee\ntopic readwrite zigbee2mqtt/#\n".utf8)
                .write(to: household.file("family.acl"))
            let bridge = HomeAssistantBridge(
                Sample.household, broker: household.settings(Sample.me).broker, folder: folder.path)
            let settings = """
                allow_anonymous false
                password_file \(household.file("passwords").path)
                acl_file \(household.file("family.acl").path)
                listener \(port) localhost

                """
            let user = geteuid() == 0 ? "user root\n" : ""
            try Data((user + settings + bridge.text).utf8).write(to: household.file("family.conf"))
            let child = try ChildProcess(
                RealBroker.mosquitto, ["-c", household.file("family.conf").path], hasInput: false)
            process = child
            try eventually("the family's broker listens") { [port] in
                guard child.isRunning else { throw child.failure("it has ended") }
                return RealBroker.listens(port)
            }
        }

        deinit { process.kill() }

        private func options(_ user: String) -> [String] {
            ["-V", "5", "-h", "localhost", "-p", "\(port)", "-u", user, "-P", "secret", "-q", "1"]
        }

        func homeAssistant() throws -> HomeAssistant {
            HomeAssistant(
                process: try ChildProcess(
                    "/usr/bin/mosquitto_sub", options("home") + ["-t", "#", "-F", "%r %t %p"], hasInput: false))
        }

        func publish(_ text: String, to topic: HouseholdTopic, as user: String) throws {
            _ = try ChildProcess(
                "/usr/bin/mosquitto_pub", options(user) + ["-t", topic.text(in: Sample.household), "-m", text],
                hasInput: false
            ).ended()
        }
    }

    /// Home Assistant at the family's broker, with the retained messages and the new ones.
    private struct HomeAssistant {
        let process: ChildProcess
        private var lines: [String] = []

        init(process: ChildProcess) { self.process = process }

        /// The first line of this kind, whenever it came.
        mutating func hears(_ isIt: (String) -> Bool) throws -> String {
            if let line = lines.first(where: isIt) { return line }
            while true {
                let line = try process.nextLine()
                lines.append(line)
                if isIt(line) { return line }
            }
        }
    }

    private func carrier(_ broker: RealBroker, isFound: Bool = true) -> RunningCarrier {
        var settings = broker.settings(Sample.me)
        settings.homeAssistant = .init(isFound: isFound)
        let carrier = RunningCarrier(settings, broker: broker.link(settings))
        carrier.daemon.say(.present(.closed))
        return carrier
    }

    @Test("over the bridge devices appear and disappear, and of the family's broker only Home Assistant can lock")
    func bridge() async throws {
        let broker = try RealBroker()
        let family = try FamilyBroker(broker)
        var early = try family.homeAssistant()
        let carrier = carrier(broker)
        let padlock = HomeAssistantEntity.padlock.topic(of: Sample.me)
        let description = try early.hears { $0.contains(" \(padlock) ") }
        #expect(description.contains("command_topic"))
        let online = HouseholdTopic.availability(Sample.me).text(in: Sample.household) + " online"
        _ = try early.hears { $0.hasSuffix(online) }
        _ = try early.hears { $0.contains("/state ") }
        // A Home Assistant that connects later gets all retained messages.
        var late = try family.homeAssistant()
        let kept = try (late.hears { $0.contains(" \(padlock) ") }, late.hears { $0.contains("/state ") })
        #expect(kept.0.hasPrefix("1 ") && kept.1.hasPrefix("1 ") && kept.1.contains("\"mode\":\"child\""))
        try family.publish("lock", to: .homeAssistant(Sample.me), as: "zigbee")
        try family.publish("extend 7", to: .homeAssistant(Sample.me), as: "home")
        try await GateHouseholdTests.eventually("it is asked for") { !carrier.daemon.now.homeAssistant.isEmpty }
        #expect(carrier.daemon.now.homeAssistant == [.extend(.seconds(420))])
        // A command given while the household's broker is away is not delivered later.
        broker.kill()
        try family.publish("extend 9", to: .homeAssistant(Sample.me), as: "home")
        try broker.start()
        try await GateHouseholdTests.eventually("both are connected again") {
            try family.publish("lock", to: .homeAssistant(Sample.me), as: "home")
            return carrier.daemon.now.homeAssistant.contains(.lock)
        }
        #expect(!carrier.daemon.now.homeAssistant.contains(.extend(.seconds(540))))
        await carrier.stop()
        // The device is no longer discoverable, which reaches the family's broker too.
        let gone = self.carrier(broker, isFound: false)
        let cleared = try late.hears { $0.hasSuffix(" \(padlock) ") }
        #expect(cleared == "0 \(padlock) ")
        await gone.stop()
    }

    @Test("the bridge has exactly the topics that Home Assistant's certificate may read and write")
    func topics() throws {
        let broker = HouseholdSettings.Broker(host: "gate.example", port: 8884, authority: "", certificate: "", key: "")
        let lines = HomeAssistantBridge(Sample.household, broker: broker).text.split(separator: "\n").map(String.init)
        #expect(lines.contains("address gate.example:8884"))
        let rules = MosquittoConfiguration(household: Sample.household, keeper: Sample.me, port: 8884).deviceRules
        for line in lines where line.hasPrefix("topic ") {
            let words = line.split(separator: " ")
            let right = words[2] == "in" ? "read" : "write"
            let topic = words[1].hasPrefix("homeassistant/") ? "homeassistant/#" : String(words[1])
            #expect(rules.contains("topic \(right) \(topic)\n"), "\(line)")
        }
        #expect(lines.count { $0.hasPrefix("topic ") } == 6)
    }
}
