import Foundation
import GateGuardians
import GateModel
import ProcessSupport
import Testing

@testable import GateHousehold
@testable import gate_household

@Suite(
    "Home Assistant at a real broker (H-07)", .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized,
    .timeLimit(.minutes(5)), .waitsForProcesses)
struct HomeAssistantHouseholdBrokerTests {
    private typealias Sample = SampleHousehold

    /// Home Assistant, as it connects: by its own certificate, to descriptions and to what they name.
    private func homeAssistant(_ options: MosquittoConnection.Options, in household: HouseholdID) async throws
        -> Listener
    {
        var options = options
        options.clientID = "home-assistant-\(UUID().uuidString)"
        options.will = nil
        options.filters = [
            "homeassistant/#", "gate/\(household)/devices/+/state", "gate/\(household)/devices/+/availability",
            "gate/\(household)/devices/+/to/+/commands", "gate/\(household)/devices/+/home-assistant/set",
            "gate/\(household)/devices/+/home-assistant/request", "gate/\(household)/devices/+/requests/+",
            "gate/\(household)/shared/#",
        ]
        let listener = Listener(MosquittoConnection.link(options))
        try await GateHouseholdTests.eventually("Home Assistant is connected") {
            if let loss = listener.loss { throw ProcessFailure(loss) }
            return listener.isConnected
        }
        return listener
    }

    private func homeAssistant(_ broker: RealBroker) async throws -> Listener {
        try broker.certificate(
            "home-assistant", commonName: HomeAssistantAccess.userName, extensions: "extendedKeyUsage=clientAuth")
        return try await homeAssistant(
            .init(broker.settings(Sample.third, certificate: "home-assistant"), directory: broker.directory.path),
            in: Sample.household)
    }

    private func say(_ text: String, to device: HouseholdID, in household: HouseholdID, _ listener: Listener) async
        -> PublishOutcome?
    {
        let topic = HouseholdTopic.homeAssistant(device).text(in: household)
        return await listener.publish(Publication(.letter(1), topic, Array(text.utf8)))
    }

    private func settings(_ broker: RealBroker, _ homeAssistant: HouseholdSettings.HomeAssistant?) -> HouseholdSettings
    {
        var settings = broker.settings(Sample.me)
        settings.homeAssistant = homeAssistant
        return settings
    }

    /// The newest descriptions by topic, without those that were withdrawn.
    private func told(_ listener: Listener) -> [String: [UInt8]] {
        listener.messages().filter { $0.topic.hasPrefix("homeassistant/") }
            .reduce(into: [:]) { told, message in told[message.topic] = message.payload.isEmpty ? nil : message.payload
            }
    }

    private func topics(_ entities: [HomeAssistantEntity]) -> Set<String> {
        Set(entities.map { $0.topic(of: Sample.me) })
    }

    @Test("Home Assistant finds a device, even if it comes later, and a change of settings adds or removes entities")
    func found() async throws {
        let broker = try RealBroker()
        let early = try await homeAssistant(broker)
        let all = topics(HomeAssistantEntity.allCases)
        let steps: [(HouseholdSettings.HomeAssistant?, Set<String>)] = [
            (.init(may: [.extend], tellsWords: true), all),
            (.init(), all.subtracting(topics([.extend, .used]))),
            // Without a setting the earlier one stays.
            (nil, all.subtracting(topics([.extend, .used]))),
            (.init(may: [.extend], isFound: false), []),
        ]
        for (step, expected) in steps {
            let settings = settings(broker, step)
            let carrier = RunningCarrier(settings, broker: broker.link(settings))
            carrier.daemon.say(.present(.closed))
            try await GateHouseholdTests.eventually("it is online") {
                early.newest(.availability(Sample.me)) == Availability.online.payload
            }
            try await GateHouseholdTests.eventually("\(expected) are told, not \(told(early).keys)") {
                Set(told(early).keys) == expected
            }
            let late = try await homeAssistant(broker)
            try await GateHouseholdTests.eventually("what is retained comes") {
                late.newest(.availability(Sample.me)) != nil && Set(told(late).keys) == expected
            }
            // Only the first message on each topic has to be a retained one, since the device may publish it again. Its
            // state is not checked: the device may publish that for the first time only now.
            let firsts = Dictionary(late.messages().map { ($0.topic, $0.isRetained) }) { first, _ in first }
            let online = HouseholdTopic.availability(Sample.me).text(in: Sample.household)
            #expect(expected.union([online]).allSatisfy { firsts[$0] == true })
            await carrier.stop()
            try await GateHouseholdTests.eventually("it is offline") {
                early.newest(.availability(Sample.me)) == Availability.offline.payload
            }
        }
    }

    @Test("Home Assistant's orders reach gated, but not retained or malformed ones")
    func orders() async throws {
        let broker = try RealBroker()
        let settings = settings(broker, .init())
        let listener = try await homeAssistant(broker)
        // A retained message from before the device connected may be of any age.
        let topic = HouseholdTopic.homeAssistant(Sample.me).text(in: Sample.household)
        let old = Publication(.letter(1), topic, Array("lock".utf8), isRetained: true)
        #expect(await listener.publish(old) == .acknowledged)
        let carrier = RunningCarrier(settings, broker: broker.link(settings))
        carrier.daemon.say(.present(.closed))
        try await GateHouseholdTests.eventually("it is online") {
            listener.newest(.availability(Sample.me)) == Availability.online.payload
        }
        for text in ["unlock", "extend 5"] {
            #expect(await say(text, to: Sample.me, in: Sample.household, listener) == .acknowledged)
        }
        try await GateHouseholdTests.eventually("it is asked for") { carrier.daemon.now.homeAssistant.count == 1 }
        #expect(carrier.daemon.now.homeAssistant == [.extend(.seconds(300))])
        // A lock stays in force, whatever follows in the same second.
        for text in ["extend 1", "lock", "extend 2", "extend 3"] {
            #expect(await say(text, to: Sample.me, in: Sample.household, listener) == .acknowledged)
        }
        try await GateHouseholdTests.eventually("the lock is asked for") {
            carrier.daemon.now.homeAssistant == [.extend(.seconds(300)), .lock]
        }
        await carrier.stop()
    }

    @Test(
        "Home Assistant's certificate can only send orders and read states, and no device can order in its place"
    )
    func accessList() async throws {
        let broker = try RealBroker()
        let listener = try await homeAssistant(broker)
        let device = Listener(broker.link(broker.settings(Sample.other)))
        try await GateHouseholdTests.eventually("a device is connected") { device.isConnected }
        let refused =
            [
                HouseholdTopic.state(Sample.me), .availability(Sample.me), .commands(sender: Sample.me, target: nil),
                .commands(sender: Sample.me, target: Sample.other), .results(sender: Sample.me, target: Sample.other),
                .guardians, .homeAssistantRequest(Sample.me), .homeAssistantUsed(Sample.me), .request(Sample.me, 6),
            ].map { $0.text(in: Sample.household) } + topics(HomeAssistantEntity.allCases) + [
                "homeassistant/lock/x/config"
            ]
        for topic in refused {
            let outcome = await listener.publish(Publication(.state, topic, [1], isRetained: true))
            #expect(outcome == .refused("Not authorized"), "\(topic)")
        }
        let others = topics(HomeAssistantEntity.allCases)
            .union(
                [
                    HouseholdTopic.homeAssistant(Sample.me), .homeAssistantRequest(Sample.me),
                    .homeAssistantUsed(Sample.me),
                ].map { $0.text(in: Sample.household) }
            )
            .union(["homeassistant/camera/\(Sample.other)/a/config", "homeassistant/status"])
        for topic in others {
            let outcome = await device.publish(Publication(.state, topic, [1]))
            #expect(outcome == .refused("Not authorized"), "\(topic)")
        }
        #expect(await listener.publish(Publication(.state, "homeassistant/status", [2])) == .acknowledged)
        // Letters between devices are not for it, and what is asked of one device is for that one.
        let unread = [
            HouseholdTopic.commands(sender: Sample.other, target: Sample.me),
            .commands(sender: Sample.other, target: nil), .request(Sample.other, 1), .receipt(Sample.other, 1),
        ]
        for topic in unread {
            let publication = Publication(.state, topic.text(in: Sample.household), [3], isRetained: true)
            #expect(await device.publish(publication) == .acknowledged)
        }
        #expect(await say("lock", to: Sample.me, in: Sample.household, listener) == .acknowledged)
        let state = HouseholdTopic.state(Sample.other).text(in: Sample.household)
        #expect(await device.publish(Publication(.state, state, [4])) == .acknowledged)
        try await GateHouseholdTests.eventually("the state has come") { listener.newest(.state(Sample.other)) == [4] }
        #expect(listener.messages().allSatisfy { $0.topic == state || $0.topic == "homeassistant/status" })
    }

    @Test(
        "a question is readable while it is open, even by a late Home Assistant, and its answer reaches gated once"
    )
    func question() async throws {
        let broker = try RealBroker()
        let settings = settings(broker, .init(may: [.answer], tellsWords: true))
        let early = try await homeAssistant(broker)
        let topic = HouseholdTopic.homeAssistant(Sample.me).text(in: Sample.household)
        let kept = Publication(.letter(1), topic, Array("approve 6".utf8), isRetained: true)
        #expect(await early.publish(kept) == .acknowledged)
        let carrier = RunningCarrier(settings, broker: broker.link(settings))
        carrier.daemon.say(.present(.closed))
        carrier.daemon.ask.yield(Sample.asked)
        func isOpen(_ listener: Listener) -> Bool {
            let text = String(decoding: listener.newest(.homeAssistantRequest(Sample.me)) ?? [], as: UTF8.self)
            return text.contains(#""request":6,"words":"Share photos: 12 photos""#)
        }
        try await GateHouseholdTests.eventually("it is told") { isOpen(early) }
        let late = try await homeAssistant(broker)
        try await GateHouseholdTests.eventually("it is told later") { isOpen(late) }
        // Messages sealed for guardians are not for Home Assistant.
        #expect(late.newest(.request(Sample.me, 6)) == nil)
        // No other device can read the details, even if it subscribes to them.
        var options = MosquittoConnection.Options(broker.settings(Sample.other), directory: broker.directory.path)
        options.filters = [
            "gate/\(Sample.household)/devices/+/state", "gate/\(Sample.household)/devices/\(Sample.me)/#",
        ]
        let curious = Listener(MosquittoConnection.link(options))
        try await GateHouseholdTests.eventually("another device is connected") {
            curious.newest(.state(Sample.me)) != nil
        }
        #expect(curious.newest(.homeAssistantRequest(Sample.me)) == nil)
        for text in ["approve 06", "approve", "deny 6"] {
            #expect(await say(text, to: Sample.me, in: Sample.household, late) == .acknowledged)
        }
        try await GateHouseholdTests.eventually("the answer comes") { !carrier.daemon.now.homeAssistant.isEmpty }
        #expect(carrier.daemon.now.homeAssistant == [.answer(6, isApproved: false)])
        carrier.daemon.ask.yield(OutgoingRequests(change: 3, requests: []))
        try await GateHouseholdTests.eventually("it is over") {
            [early, late].allSatisfy {
                $0.newest(.homeAssistantRequest(Sample.me)) == HomeAssistantQuestion.json(nil)
            }
        }
        await carrier.stop()
        // The device is no longer discoverable, and nothing of it stays at the broker.
        let gone = self.settings(broker, .init(may: [.answer], isFound: false))
        let last = RunningCarrier(gone, broker: broker.link(gone))
        last.daemon.say(.present(.closed))
        try await GateHouseholdTests.eventually("it is taken away") {
            early.newest(.homeAssistantRequest(Sample.me)) == []
        }
        await last.stop()
    }

    // MARK: - With the programs

    private func run(_ gate: RunningGate, _ words: [String]) throws -> ChildProcess.Result {
        try household(gate, words).ended()
    }

    private func household(_ gate: RunningGate, _ words: [String]) throws -> ChildProcess {
        try ChildProcess(
            builtProgram("gate-household"),
            words + [
                "--config-directory", gate.configurationDirectory, "--socket", gate.socket, "--server-user",
                NSUserName(),
            ], hasInput: false)
    }

    @Test("in a whole household Home Assistant can always lock, and can extend if household.yaml allows it")
    func whole() async throws {
        let (port, joinPort, gate) = (try RealBroker.freePort(), try RealBroker.freePort(), try RunningGate())
        let created = try run(
            gate,
            [
                "create", "--name", "Mia's tablet", "--guardian", "Anna", "--broker", "localhost:\(port)",
                "--join-port",
                "\(joinPort)",
            ])
        #expect(created.status == 0, "\(created.errors)")
        // The access list of an older household is made anew.
        let rules = gate.configurationDirectory + "/household/mosquitto/devices.acl"
        let ofToday = try Data(contentsOf: URL(filePath: rules))
        try Data().write(to: URL(filePath: rules))
        let folder = gate.directory + "/for-home-assistant"
        let made = try run(gate, ["home-assistant", "--folder", folder])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try Data(contentsOf: URL(filePath: rules)) == ofToday)
        #expect(try run(gate, ["home-assistant", "--folder", folder]).status == 69, "it is there already")
        for name in ["ca.pem", "home-assistant.pem", "home-assistant.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let broker = try FoundingHouseholdBrokerTests.FoundedBroker(gate, [port])
        let file = URL(filePath: gate.configurationDirectory + "/household.yaml")
        let plain = try String(contentsOf: file, encoding: .utf8)
        let settings = try HouseholdDirectory(path: gate.configurationDirectory).settings()
        let listener = try await homeAssistant(
            .init(
                broker: .init(
                    host: "localhost", port: port, authority: "\(folder)/ca.pem",
                    certificate: "\(folder)/home-assistant.pem", key: "\(folder)/home-assistant.key"),
                clientID: "", filters: [], will: nil), in: settings.household)

        func mode() throws -> DeviceStateMessage? {
            listener.newest(.state(settings.device), in: settings.household).flatMap(DeviceStateMessage.init)
        }
        for (section, mayExtend) in [("{discovery: true}", false), ("{may: [extend]}", true)] {
            try Data((plain + "home-assistant: \(section)\n").utf8).write(to: file)
            #expect(try gate.gatectl("reload").status == 0)
            let service = try household(gate, ["serve"])
            try await GateHouseholdTests.eventually("it is online") {
                listener.newest(.availability(settings.device), in: settings.household) == Availability.online.payload
            }
            #expect(try gate.gatectl("override", "parent", "--for", "5m", "--reason", "a test").status == 0)
            try await GateHouseholdTests.eventually("parent mode is seen") { try mode()?.mode == .parent }
            let end = try #require(try mode()?.parentUntil)
            #expect(await say("extend 60", to: settings.device, in: settings.household, listener) == .acknowledged)
            if mayExtend {
                try await GateHouseholdTests.eventually("it is longer") {
                    (try mode()?.parentUntil).map { $0 > end.advanced(by: .seconds(600)) } ?? false
                }
            } else {
                while let line = try service.nextLineAnywhere(), !line.text.contains("may: [extend]") {}
                #expect(try mode()?.parentUntil == end)
            }
            #expect(await say("lock", to: settings.device, in: settings.household, listener) == .acknowledged)
            try await GateHouseholdTests.eventually("it is locked") { try mode()?.mode == .child }
            service.signal(SIGTERM)
            #expect(try service.ended().status == 0)
            try await GateHouseholdTests.eventually("it is offline") {
                listener.newest(.availability(settings.device), in: settings.household) == Availability.offline.payload
            }
        }
        let journal = try gate.gatectl("audit").output
        #expect(journal.split(separator: "\n").count { $0.hasSuffix("for Home Assistant") } == 3, "\(journal)")
        _ = broker
    }
}
