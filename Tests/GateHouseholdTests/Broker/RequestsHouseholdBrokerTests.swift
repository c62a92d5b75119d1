import GateModel
import ProcessSupport
import Testing

@testable import GateHousehold

@Suite(
    "Questions over a real broker (H-04)", .enabled(if: RealBroker.isThere, RealBroker.hint), .serialized,
    .timeLimit(.minutes(5)), .waitsForProcesses)
struct RequestsHouseholdBrokerTests {
    private typealias Sample = SampleHousehold

    private func open(at carrier: RunningCarrier) -> Set<RequestName> {
        var open: Set<RequestName> = []
        for news in carrier.daemon.now.requests {
            if news.isAll { open = [] }
            for request in news.requests {
                if request.sealed.isEmpty { open.remove(request.name) } else { open.insert(request.name) }
            }
        }
        return open
    }

    @Test(
        "a question reaches the device it is sealed to, even if that or the broker was away, until it is closed",
        arguments: [true, false])
    func carried(hasMemory: Bool) async throws {
        let broker = try RealBroker(persists: hasMemory)
        let first = RunningCarrier(broker.settings(Sample.me), broker: broker.link(broker.settings(Sample.me)))
        first.daemon.say(.present(.closed))
        first.daemon.ask.yield(Sample.asked)
        let second = RunningCarrier(broker.settings(Sample.other), broker: broker.link(broker.settings(Sample.other)))
        let third = RunningCarrier(broker.settings(Sample.third), broker: broker.link(broker.settings(Sample.third)))
        second.daemon.say(.present(.closed))
        third.daemon.say(.present(.closed))
        let name = RequestName(Sample.me, 6)
        try await eventually("it is there") { open(at: second) == [name] }
        #expect(
            second.daemon.now.requests.flatMap(\.requests).allSatisfy { $0.left > .zero && $0.left <= .seconds(120) })

        broker.kill()
        try await eventually("the broker is gone") { !second.daemon.now.hasBroker }
        try broker.start()
        try await eventually("both are back") {
            first.daemon.now.hasBroker && second.daemon.now.devices[Sample.me]?.isOnline == true
        }
        try await eventually("it is there still") { open(at: second) == [name] }

        first.daemon.ask.yield(OutgoingRequests(change: 3, requests: []))
        try await eventually("it is closed") { open(at: second).isEmpty }
        #expect(open(at: third).isEmpty)
        let late = RunningCarrier(broker.settings(Sample.other), broker: broker.link(broker.settings(Sample.other)))
        late.daemon.say(.present(.closed))
        try await eventually("a late one hears of the first device") { late.daemon.now.devices[Sample.me] != nil }
        #expect(open(at: late).isEmpty)
        for carrier in [first, second, third, late] { await carrier.stop() }
    }

    @Test("the broker refuses a question that a device asks in another device's name")
    func anotherName() async throws {
        let broker = try RealBroker()
        let thief = Listener(broker.link(broker.settings(Sample.other)))
        let reader = Listener(broker.link(broker.settings(Sample.third)))
        try await eventually("both are connected") { thief.isConnected && reader.isConnected }
        let message = RequestMessage(
            name: RequestName(Sample.me, 6), kind: "confirm", askedAt: WallTime(unixMilliseconds: 1),
            sealed: [SealedRequest(device: Sample.third, sealed: [1])])
        let own = HouseholdTopic.request(Sample.other, 6).text(in: Sample.household)
        let others = HouseholdTopic.request(Sample.me, 6).text(in: Sample.household)
        #expect(await thief.publish(Publication(.request(6), others, message.json)) == .refused("Not authorized"))
        #expect(await thief.publish(Publication(.request(6), own, message.json)) == .acknowledged)
        try await eventually("its own comes") { reader.newest(.request(Sample.other, 6)) != nil }
        #expect(reader.newest(.request(Sample.me, 6)) == nil)
    }
}
