import Foundation
import GateModel
import Testing

@testable import GateHousehold

@Suite("What Home Assistant is told of a question (H-07)")
struct HomeAssistantQuestionTests {
    private typealias Sample = SampleHousehold
    private static let none = #"{"asked":null,"kind":null,"request":null,"words":null}"#
    private static let topic = HouseholdTopic.homeAssistantRequest(Sample.me).text(in: Sample.household)

    /// With gated and the broker; nothing is under way.
    private func connected(_ homeAssistant: HomeAssistantStateMachine? = SampleHomeAssistant.machine())
        -> HouseholdStateMachine
    {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            homeAssistant: homeAssistant)
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        return machine
    }

    private func request(_ number: UInt64, left: Duration = .seconds(120)) -> OutgoingRequest {
        OutgoingRequest(
            number: number, kind: "confirm", askedAt: WallTime(unixMilliseconds: Int64(number)), left: left, sealed: [])
    }

    private func told(_ actions: [HouseholdAction]) -> [Publication] {
        actions.compactMap {
            if case .publish(let publication) = $0, publication.id == .homeAssistantRequest { publication } else { nil }
        }
    }

    private func texts(_ actions: [HouseholdAction]) -> [String] {
        told(actions).map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test("a question has its number, kind and time, and its words only if gated gave them, and is retained while open")
    func whole() throws {
        var machine = connected()
        let first = told(machine.askedTold(Sample.asked, at: .at(0)))
        #expect(first.map(\.topic) == [Self.topic] && first.map(\.isRetained) == [true])
        #expect(first.map(\.expiry) == [.seconds(120)])
        #expect(
            String(decoding: first.first?.payload ?? [], as: UTF8.self)
                == #"{"asked":"1970-01-01T00:00:00.007Z","kind":"confirm","request":6,"words":null}"#)
        _ = machine.published(.homeAssistantRequest, at: .at(1))
        var other = connected()
        let words = told(other.askedTold(Sample.asked, words: [6: "Say \"yes\": 12"], at: .at(0))).first?.payload ?? []
        let object = try #require(try JSONSerialization.jsonObject(with: Data(words)) as? [String: Any])
        #expect(object["words"] as? String == "Say \"yes\": 12" && object["request"] as? UInt64 == 6)
        #expect(Set(object.keys) == ["asked", "kind", "request", "words"])
    }

    @Test("a question follows the schema in docs/household.schema.json", arguments: [nil, "Share a photo: 12"])
    func schema(words: String?) throws {
        let schema = try JSONSchema.of("home-assistant-request")
        let question = HomeAssistantQuestion(
            number: 12, kind: "confirm", askedAt: WallTime(unixMilliseconds: 1_795_706_776_961), words: words,
            expires: .never)
        for json in [HomeAssistantQuestion.json(question), HomeAssistantQuestion.json(nil)] {
            #expect(try schema.faults(of: json) == [])
        }
        for broken in [
            #"{"asked":null,"kind":null,"request":null}"#, #"{"asked":null,"kind":null,"request":"12","words":null}"#,
            #"{"asked":"yesterday","kind":"confirm","request":12,"words":null}"#,
            #"{"asked":null,"kind":null,"request":0,"words":null}"#,
        ] {
            #expect(try schema.faults(of: Array(broken.utf8)).count == 1, "\(broken)")
        }
    }

    @Test("the newest question is published; when it closes the one before is, and at last that nothing is asked")
    func newest() {
        var machine = connected()
        func open(_ requests: [OutgoingRequest], _ change: UInt64, at milliseconds: Int64) -> [String] {
            let told = texts(
                machine.askedTold(OutgoingRequests(change: change, requests: requests), at: .at(milliseconds)))
            _ = machine.published(.homeAssistantRequest, at: .at(milliseconds))
            return told
        }
        #expect(open([request(3)], 2, at: 0).first?.contains(#""request":3,"#) == true)
        #expect(open([request(3), request(5), request(4)], 3, at: 1000).first?.contains(#""request":5,"#) == true)
        // The same question is not published again, even though its time left is shorter.
        #expect(open([request(5, left: .seconds(60)), request(3)], 4, at: 2000).isEmpty)
        #expect(open([request(3)], 5, at: 3000).first?.contains(#""request":3,"#) == true)
        #expect(open([], 6, at: 4000) == [Self.none])
        #expect(open([], 7, at: 5000).isEmpty)
    }

    @Test("before gated has answered nothing is published; if it is away or refuses, there is no question")
    func unknown() {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            homeAssistant: SampleHomeAssistant.machine())
        #expect(told(machine.brokerConnected(at: .at(0))).isEmpty)
        #expect(texts(machine.daemonLost(at: .at(1))) == [Self.none])

        var present = connected()
        #expect(texts(present.callFailed(.asked, .never, jitter: 0, at: .at(1))) == [Self.none])
        var later = connected()
        #expect(texts(later.callFailed(.asked, .later, jitter: 0, at: .at(1))).isEmpty)

        var lost = connected()
        _ = lost.askedTold(Sample.asked, at: .at(0))
        _ = lost.published(.homeAssistantRequest, at: .at(1))
        #expect(texts(lost.daemonLost(at: .at(1000))) == [Self.none])
    }

    @Test("a broker that was away gets the question again, or none if it has expired")
    func brokerAway() {
        var machine = connected()
        _ = machine.askedTold(Sample.asked, at: .at(0))
        _ = machine.published(.homeAssistantRequest, at: .at(1))
        _ = machine.brokerLost(at: .at(2))
        let again = told(machine.brokerConnected(at: .at(20_000)))
        #expect(again.count == 1 && again.first?.expiry == .seconds(100))
        _ = machine.brokerLost(at: .at(20_001))
        #expect(texts(machine.brokerConnected(at: .at(120_000))) == [Self.none])
    }

    @Test("if the device may not be found, the topic is cleared, and no question is published")
    func notFound() {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "0.9.0",
            homeAssistant: SampleHomeAssistant.machine(may: [.answer], isFound: false))
        let cleared = told(machine.brokerConnected(at: .at(0)))
        #expect(cleared.map(\.payload) == [[]] && cleared.map(\.isRetained) == [true])
        _ = machine.published(.homeAssistantRequest, at: .at(1))
        _ = machine.daemonReturned(.closed, at: .at(2))
        #expect(told(machine.askedTold(Sample.asked, words: [6: "words"], at: .at(1000))).isEmpty)
        #expect(told(machine.daemonLost(at: .at(2000))).isEmpty)
        var without = connected(nil)
        #expect(told(without.askedTold(Sample.asked, words: [6: "words"], at: .at(1000))).isEmpty)
    }

    @Test("changes are published at most 20 times a second, and the newest always is")
    func interval() {
        var machine = connected()
        var count = 0
        for index in 1...40 {
            let moment = HouseholdStateMachine.Moment.at(Int64(index))
            let asked = OutgoingRequests(change: UInt64(index + 1), requests: [request(UInt64(index))])
            count += told(machine.askedTold(asked, at: moment)).count
            count += told(machine.published(.homeAssistantRequest, at: moment)).count
        }
        #expect(count == 1)
        #expect(machine.deadline.map { $0 <= HouseholdStateMachine.Moment.at(60).boot } == true)
        #expect(texts(machine.timePassed(at: .at(60))).first?.contains(#""request":40,"#) == true)
    }

    @Test("an answer to a closed question is dropped at once, so that nothing waits behind it")
    func closed() {
        let closed = GateError(.aborted, .closed, "The question is closed.", parameters: ["what": "question"])
        #expect(closed.daemonFailure == .never)
        let elsewhere = GateError(.aborted, .closed, "Another one.", parameters: ["what": "collected-elsewhere"])
        #expect(elsewhere.daemonFailure == .later)
        var machine = connected()
        _ = machine.askedTold(Sample.asked, at: .at(0))
        _ = machine.messageArrived(SampleHomeAssistant.message("approve 6"), at: .at(1))
        _ = machine.messageArrived(SampleHomeAssistant.message("lock"), at: .at(2))
        _ = machine.callFailed(.homeAssistant, closed.daemonFailure, jitter: 0, at: .at(3))
        #expect(machine.drops.unwanted == 1)
        #expect(machine.timePassed(at: .at(1001)).contains(.obeyHomeAssistant(.lock)))
    }

    @Test("numbers do not repeat after a backup was restored, so an old yes answers no other question")
    func numbers() {
        func asked(at second: Int64, change: UInt64) -> OutgoingRequests {
            var request = request(6)
            request.askedAt = WallTime(unixMilliseconds: second * 1000 + 999)
            return OutgoingRequests(change: change, requests: [request])
        }
        func order(_ number: UInt64, in machine: HouseholdStateMachine, at milliseconds: Int64) -> HouseholdAction? {
            var machine = machine
            let message = SampleHomeAssistant.message("approve \(number)")
            let actions =
                machine.messageArrived(message, at: .at(milliseconds))
                + machine.timePassed(at: .at(milliseconds + 1001))
            return actions.first { if case .obeyHomeAssistant = $0 { true } else { false } }
        }
        let number = { (second: UInt64) in second << 20 | 6 }
        var machine = connected()
        #expect(
            texts(machine.askedTold(asked(at: 1_800_000_000, change: 2), at: .at(0))).first?.contains(
                "\(number(1_800_000_000)),") == true)
        _ = machine.published(.homeAssistantRequest, at: .at(1))
        #expect(order(number(1_800_000_000), in: machine, at: 2000) == .obeyHomeAssistant(.answer(6, isApproved: true)))
        for other in [6, number(1_800_000_001), number(1_800_000_000) + 1] {
            #expect(order(other, in: machine, at: 2000) == nil)
        }
        // gated is back from a backup, and asks something else under its number 6, a day later. A yes to the first one may still be on its way.
        _ = machine.daemonLost(at: .at(3000))
        #expect(order(number(1_800_000_000), in: machine, at: 4000) == nil)
        // Answers to questions of the earlier gated are not passed on any more.
        _ = machine.callFailed(.asked, .later, jitter: 0, at: .at(3000))
        _ = machine.daemonReturned(.closed, at: .at(5000))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(5000))
        _ = machine.askedTold(asked(at: 1_800_086_400, change: 3), at: .at(6000))
        #expect(order(number(1_800_000_000), in: machine, at: 7000) == nil)
        #expect(order(number(1_800_086_400), in: machine, at: 7000) == .obeyHomeAssistant(.answer(6, isApproved: true)))
        #expect(number(1 << 33 - 1) < 1 << 53, "what JSON's readers hold as a whole number")
    }

    @Test("Home Assistant reads a cleared topic as an empty JSON object")
    func cleared() throws {
        let description = SampleHomeAssistant.description.json(of: .request)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(description)) as? [String: Any])
        #expect(object["json_attributes_template"] as? String == "{{ value or '{}' }}")
    }

    @Test("an answer goes to gated")
    func answer() {
        var machine = connected()
        _ = machine.askedTold(Sample.asked, at: .at(0))
        let actions = machine.messageArrived(SampleHomeAssistant.message("approve 6"), at: .at(1))
        #expect(actions.contains(.obeyHomeAssistant(.answer(6, isApproved: true))))
        _ = machine.taken(.homeAssistant, at: .at(2))
        _ = machine.messageArrived(SampleHomeAssistant.message("approve 7", isRetained: true), at: .at(5000))
        #expect(machine.drops.retained == 1 && machine.homeAssistant?.deadline == nil)
        // Only this device says which questions it asks.
        let forged = Sample.message(.homeAssistantRequest(Sample.me), Array(Self.none.utf8))
        #expect(machine.messageArrived(forged, at: .at(6000)).isEmpty && machine.drops.foreign == 1)
    }
}
