import GateModel
import ProcessSupport
import Testing

@testable import GateHousehold

@Suite(
    "Answers to asks over a real broker (W-03)", .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized,
    .timeLimit(.minutes(5)), .waitsForProcesses)
struct AnswersHouseholdBrokerTests {
    private typealias Sample = SampleHousehold
    private static let name = RequestName(Sample.me, 12)

    @Test(
        "an answer waits for a device that is off, also at a broker that is restarted and forgets, until it is cleared",
        arguments: [true, false])
    func kept(hasMemory: Bool) async throws {
        let broker = try RealBroker(persists: hasMemory)
        let settings = (me: broker.settings(Sample.me), other: broker.settings(Sample.other))
        let guardian = RunningCarrier(settings.other, broker: broker.link(settings.other))
        guardian.daemon.say(.present(.closed))
        let answer = OutgoingAnswer(name: Self.name, signed: Array("yes".utf8), left: .seconds(3600))
        guardian.daemon.answer.yield(OutgoingAnswers(change: 2, answers: [answer]))
        try await eventually("the guardian's device is connected") { guardian.daemon.now.hasBroker }
        broker.kill()
        try await eventually("the broker is gone") { !guardian.daemon.now.hasBroker }
        try broker.start()
        try await eventually("the guardian's device is back") { guardian.daemon.now.hasBroker }

        let device = RunningCarrier(settings.me, broker: broker.link(settings.me), isGuardians: false)
        device.daemon.say(.present(.closed))
        try await eventually("the answer has come") { device.daemon.now.commands.contains("yes") }
        try await eventually("the result is back") { guardian.daemon.now.results.contains("done: yes") }
        // The first answer is cleared before the next one is published.
        let next = OutgoingAnswer(name: RequestName(Sample.me, 13), signed: Array("no".utf8), left: .seconds(3600))
        guardian.daemon.answer.yield(OutgoingAnswers(change: 3, answers: [next]))
        try await eventually("the next answer has come") { device.daemon.now.commands.contains("no") }
        await device.stop()

        let late = RunningCarrier(settings.me, broker: broker.link(settings.me), isGuardians: false)
        late.daemon.say(.present(.closed))
        try await eventually("what was not cleared comes again") { late.daemon.now.commands.contains("no") }
        #expect(late.daemon.now.commands == ["no"])
        for carrier in [guardian, late] { await carrier.stop() }
    }

    @Test("the broker refuses an answer in another device's name, and gives it to nobody else")
    func anotherName() async throws {
        let broker = try RealBroker()
        let guardian = Listener(broker.link(broker.settings(Sample.other)))
        let thief = Listener(broker.link(broker.settings(Sample.third)))
        let device = Listener(broker.link(broker.settings(Sample.me)))
        try await eventually("all are connected") {
            guardian.isConnected && thief.isConnected && device.isConnected
        }
        let topic = HouseholdTopic.answer(sender: Sample.other, target: Sample.me, 12)
        let text = topic.text(in: Sample.household)
        let publication = Publication(.answer(Self.name), text, [1], isRetained: true)
        #expect(await thief.publish(publication) == .refused("Not authorized"))
        #expect(await guardian.publish(publication) == .acknowledged)
        try await eventually("the device has it") { device.newest(topic) == [1] }
        #expect(thief.newest(topic) == nil)
    }
}
