import Foundation
import GateModel
import ProcessSupport
import Testing

@testable import GateHousehold

@Suite(
    "Many devices on a real broker (H-03)", .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized,
    .timeLimit(.minutes(5)), .waitsForProcesses)
struct HouseholdBrokerManyDevicesTests {
    private typealias Sample = SampleHousehold

    @Test("one lock reaches 100 devices, each answers once, and all know of each other")
    func lockAll() async throws {
        let broker = try RealBroker()
        let devices = (1...100).map(Sample.device)
        for device in devices {
            try broker.certificate(
                device.description, commonName: device.description, extensions: "extendedKeyUsage=clientAuth")
        }
        let carriers = devices.map { RunningCarrier(broker.settings($0), broker: broker.link(broker.settings($0))) }
        for carrier in carriers { carrier.daemon.say(.present(.closed)) }
        try await eventually("all know all", within: .seconds(60)) {
            carriers.allSatisfy { $0.daemon.now.devices.values.count { $0.isOnline } == 99 }
        }
        let sender = carriers[0].daemon
        var took: [Duration] = []
        for round in 1...5 {
            let start = ContinuousClock.now
            sender.hand(out: [OutgoingCommand(device: nil, signed: Array("lock \(round)".utf8))])
            try await eventually("all have answered") { sender.now.results.count == 100 * round }
            took.append(ContinuousClock.now - start)
            // The new challenges reach all devices before the next one.
            try await Task.sleep(for: .milliseconds(200))
        }
        print(
            "a lock for all of 100 devices was answered by all after \(took.sorted()[2]), at most \(took.max() ?? .zero)"
        )
        for carrier in carriers { #expect(carrier.daemon.now.commands == (1...5).map { "lock \($0)" }) }
        for carrier in carriers { await carrier.stop() }
    }

    @Test("no message that a member may publish stops the other devices (seeded)")
    func hostileMember() async throws {
        let broker = try RealBroker()
        let carrier = RunningCarrier(broker.settings(Sample.me), broker: broker.link(broker.settings(Sample.me)))
        carrier.daemon.say(.present(.closed))
        let hostile = Listener(broker.link(broker.settings(Sample.other)))
        try await eventually("both are connected") { hostile.isConnected && carrier.daemon.now.hasBroker }
        var random = SplitMix(state: 42)
        let topics: [HouseholdTopic] = [
            .state(Sample.other), .availability(Sample.other), .commands(sender: Sample.other, target: Sample.me),
            .commands(sender: Sample.other, target: nil), .results(sender: Sample.other, target: Sample.me),
        ]
        for round in 0..<1500 {
            var payload = Sample.state(updated: Int64(round)).json
            switch random.next() % 4 {
            case 0: payload = (0..<Int(random.next() % 5000)).map { _ in UInt8.random(in: 0...255, using: &random) }
            case 1: payload.removeFirst(Int(random.next() & 63))
            case 2: payload[Int(random.next() % UInt64(payload.count))] = UInt8.random(in: 0...255, using: &random)
            case _: break
            }
            let topic = topics[Int(random.next() % UInt64(topics.count))].text(in: Sample.household)
            let publication = Publication(.state, topic, payload, isRetained: random.next() % 3 == 0)
            #expect(await hostile.publish(publication) == .acknowledged)
        }
        // Whatever came before, the next message of an honest member is delivered.
        let honest = Listener(broker.link(broker.settings(Sample.third)))
        try await eventually("it is connected") { honest.isConnected }
        let state = Sample.state(of: Sample.third, name: "Honest")
        let publication = Publication(
            .state, HouseholdTopic.state(Sample.third).text(in: Sample.household), state.json, isRetained: true)
        #expect(await honest.publish(publication) == .acknowledged)
        try await eventually("it is told") { carrier.daemon.now.devices[Sample.third]?.name == "Honest" }
        let letter = HouseholdTopic.commands(sender: Sample.third, target: Sample.me).text(in: Sample.household)
        #expect(await honest.publish(Publication(.letter(1), letter, Array("lock".utf8))) == .acknowledged)
        try await eventually("gated gets its command") { carrier.daemon.now.commands.last == "lock" }
        await carrier.stop()
    }
}
