import GateModel
import Testing

@testable import GateHousehold

@Suite("Questions for guardians are carried (H-04)")
struct RequestCarryingTests {
    private typealias Sample = SampleHousehold

    private var machine = HouseholdStateMachine(
        household: Sample.household, device: Sample.me, name: "Mine", version: "1")
    private let topic = HouseholdTopic.request(Sample.me, 6).text(in: Sample.household)

    init() {
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
    }

    private func requests(in actions: [HouseholdAction]) -> [Publication] {
        actions.compactMap {
            if case .publish(let publication) = $0, case .request = publication.id { publication } else { nil }
        }
    }

    private func news(in actions: [HouseholdAction]) -> [ArrivedRequests] {
        actions.compactMap { if case .submitRequests(let news) = $0 { news } else { nil } }
    }

    private func message(
        _ number: UInt64, of device: HouseholdID = Sample.other, to reader: HouseholdID = Sample.me,
        isRetained: Bool = true, sealed: [UInt8] = [8]
    ) -> BrokerMessage {
        BrokerMessage(
            topic: HouseholdTopic.request(device, number).text(in: Sample.household),
            payload: RequestMessage(
                name: RequestName(device, number), kind: "confirm", askedAt: WallTime(unixMilliseconds: Int64(number)),
                sealed: [SealedRequest(device: reader, sealed: sealed)]
            ).json, isRetained: isRetained, expiry: .seconds(60))
    }

    @Test(
        "a question of this device is retained until it is closed or expires, and then cleared"
    )
    mutating func asked() {
        let told = requests(in: machine.askedTold(Sample.asked, at: .at(0)))
        #expect(
            told.map(\.topic) == [topic] && told.map(\.isRetained) == [true] && told.map(\.expiry) == [.seconds(120)])
        #expect(RequestMessage(json: told.first?.payload ?? [])?.name == RequestName(Sample.me, 6))
        _ = machine.published(.request(6), at: .at(1))
        // The same list again changes nothing.
        #expect(requests(in: machine.askedTold(Sample.asked, at: .at(2))).isEmpty)
        let closed = requests(
            in: machine.askedTold(OutgoingRequests(change: 3, requests: []), at: .at(3)))
        #expect(closed.map(\.payload) == [[]] && closed.map(\.topic) == [topic])
        _ = machine.published(.request(6), at: .at(4))
        #expect(requests(in: machine.brokerConnected(at: .at(5))).isEmpty)
    }

    @Test("a reconnected broker gets an open question again, and one closed meanwhile is cleared")
    mutating func brokerAway() {
        _ = machine.askedTold(Sample.asked, at: .at(0))
        _ = machine.published(.request(6), at: .at(1))
        _ = machine.brokerLost(at: .at(2))
        #expect(requests(in: machine.brokerConnected(at: .at(3))).count == 1)
        _ = machine.published(.request(6), at: .at(4))
        _ = machine.brokerLost(at: .at(5))
        #expect(requests(in: machine.askedTold(OutgoingRequests(change: 3, requests: []), at: .at(6))).isEmpty)
        #expect(requests(in: machine.brokerConnected(at: .at(7))).map(\.payload) == [[]])
    }

    @Test("questions that an earlier run left at the broker are cleared")
    mutating func leftBehind() {
        // A question that gated still asks is not removed.
        #expect(requests(in: machine.messageArrived(message(6, of: Sample.me), at: .at(0))).isEmpty)
        #expect(requests(in: machine.messageArrived(message(8, of: Sample.me), at: .at(0))).isEmpty)
        let told = requests(in: machine.askedTold(Sample.asked, at: .at(0)))
        #expect(told.map(\.payload.isEmpty) == [false, true])
        let cleared = requests(in: machine.messageArrived(message(9, of: Sample.me), at: .at(0)))
        #expect(cleared.map(\.payload) == [[]])
        #expect(cleared.map(\.topic) == [HouseholdTopic.request(Sample.me, 9).text(in: Sample.household)])
    }

    @Test("gated is asked for questions after the ones it gave, and after its return for all")
    mutating func collecting() {
        #expect(machine.askedTold(Sample.asked, at: .at(0)).contains(.collectRequests(after: 2)))
        _ = machine.daemonLost(at: .at(1))
        #expect(!machine.daemonReturned(.closed, at: .at(2)).contains(.collectRequests(after: 2)))
        let failed = machine.callFailed(.asked, .later, jitter: 0, at: .at(3))
        #expect(failed.contains(.collectRequests(after: 0)))
    }

    @Test("another device's question goes to gated once if it is for this device, and its closing too")
    mutating func heard() {
        #expect(news(in: machine.messageArrived(message(1, to: Sample.third), at: .at(0))).isEmpty)
        let first = news(in: machine.messageArrived(message(1), at: .at(0)))
        #expect(first.flatMap(\.requests).map(\.name) == [RequestName(Sample.other, 1)])
        #expect(first.map(\.isAll) == [false] && first.first?.requests.first?.left == .seconds(60))
        #expect(news(in: machine.taken(.heard, at: .at(1))).isEmpty)
        #expect(news(in: machine.messageArrived(message(1), at: .at(2))).isEmpty)
        var empty = message(1)
        empty.payload = []
        let closed = news(in: machine.messageArrived(empty, at: .at(3)))
        #expect(closed.flatMap(\.requests).map(\.sealed) == [[]])
    }

    @Test("a closing that gated did not take is told again, even if no question is left, also after gated's return")
    mutating func closingAgain() {
        _ = machine.messageArrived(message(1), at: .at(0))
        _ = machine.taken(.heard, at: .at(1))
        var empty = message(1)
        empty.payload = []
        _ = machine.messageArrived(empty, at: .at(2))
        _ = machine.callFailed(.heard, .later, jitter: 0, at: .at(3))
        var returned = machine
        let again = news(in: machine.timePassed(at: .at(60_000)))
        #expect(again == [ArrivedRequests(requests: [], isAll: true)])
        #expect(news(in: machine.taken(.heard, at: .at(60_001))).isEmpty)

        _ = returned.daemonLost(at: .at(4))
        #expect(news(in: returned.daemonReturned(.closed, at: .at(5))) == again)
    }

    @Test("after its return gated gets all open questions, and refused ones are not offered again")
    mutating func daemonAway() {
        _ = machine.messageArrived(message(1), at: .at(0))
        _ = machine.taken(.heard, at: .at(1))
        _ = machine.daemonLost(at: .at(2))
        let again = news(in: machine.daemonReturned(.closed, at: .at(3)))
        #expect(again.map(\.isAll) == [true] && again.flatMap(\.requests).count == 1)
        #expect(news(in: machine.callFailed(.heard, .never, jitter: 0, at: .at(4))).isEmpty)
        #expect(news(in: machine.messageArrived(message(2), at: .at(5))).flatMap(\.requests).count == 1)
        #expect(machine.drops.unwanted == 1)
    }

    @Test("a device that belongs to no guardian ignores questions, and forgets them when it stops belonging to one")
    mutating func notGuardians() {
        _ = machine.messageArrived(message(1), at: .at(0))
        _ = machine.taken(.heard, at: .at(1))
        _ = machine.taken(.guardians, at: .at(2))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(3))
        #expect(news(in: machine.messageArrived(message(2), at: .at(4))).isEmpty)
        _ = machine.taken(.guardians, at: .at(5))
        let told = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(6))
        #expect(news(in: told).isEmpty && told.contains(.listen(true)))
    }

    @Test("questions that a reconnected broker no longer has are closed")
    mutating func brokerForgot() {
        _ = machine.messageArrived(message(1), at: .at(0))
        _ = machine.messageArrived(message(2), at: .at(0))
        _ = machine.taken(.heard, at: .at(1))
        _ = machine.taken(.heard, at: .at(1))
        _ = machine.brokerLost(at: .at(2))
        _ = machine.brokerConnected(at: .at(3))
        _ = machine.messageArrived(message(2), at: .at(4))
        let spoken = news(in: machine.published(.availability, at: .at(5)))
        #expect(spoken.flatMap(\.requests).map(\.name) == [RequestName(Sample.other, 1)])
        #expect(spoken.flatMap(\.requests).map(\.sealed) == [[]])
    }

    @Test("a question that is sealed anew goes to gated again, even if its device's eight places are taken")
    mutating func sealedAnew() {
        for number in 1...8 { _ = machine.messageArrived(message(UInt64(number)), at: .at(0)) }
        _ = machine.taken(.heard, at: .at(1))
        _ = machine.taken(.heard, at: .at(2))
        let again = news(in: machine.messageArrived(message(3, sealed: [9]), at: .at(3)))
        #expect(again.flatMap(\.requests).map(\.sealed) == [[9]] && machine.drops.tooMany == 0)
    }

    @Test("a device that asks endlessly has eight places, and malformed questions are dropped")
    mutating func limits() {
        for number in 1...50 { _ = machine.messageArrived(message(UInt64(number)), at: .at(0)) }
        #expect(machine.drops.tooMany == 42)
        var wrong = message(1, of: Sample.third)
        wrong.payload = Array("{}".utf8)
        _ = machine.messageArrived(wrong, at: .at(0))
        wrong.payload = message(2, of: Sample.other).payload
        _ = machine.messageArrived(wrong, at: .at(0))
        wrong.payload = [UInt8](repeating: 0x20, count: HouseholdLimits.requestBytes + 1)
        _ = machine.messageArrived(wrong, at: .at(0))
        #expect(machine.drops.malformed == 3)
    }
}
