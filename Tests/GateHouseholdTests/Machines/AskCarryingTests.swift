import GateModel
import Testing

@testable import GateHousehold

@Suite("Asks and the answers to them are carried, and the broker keeps both (W-03)")
struct AskCarryingTests {
    private typealias Sample = SampleHousehold

    private var machine = HouseholdStateMachine(
        household: Sample.household, device: Sample.me, name: "Mine", version: "1")

    init() {
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: true, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
    }

    private func submitted(in actions: [HouseholdAction]) -> [String] {
        actions.compactMap {
            if case .submitAnswer(let signed) = $0 { String(decoding: signed, as: UTF8.self) } else { nil }
        }
    }

    private func answers(in actions: [HouseholdAction]) -> [Publication] {
        actions.compactMap {
            if case .publish(let publication) = $0, case .answer = publication.id { publication } else { nil }
        }
    }

    private func letters(in actions: [HouseholdAction]) -> [Publication] {
        actions.compactMap {
            if case .publish(let publication) = $0, case .letter = publication.id { publication } else { nil }
        }
    }

    private func news(in actions: [HouseholdAction]) -> [ArrivedRequests] {
        actions.compactMap { if case .submitRequests(let news) = $0 { news } else { nil } }
    }

    /// An ask of another device, as the broker keeps it.
    private func ask(
        _ number: UInt64, of device: HouseholdID = Sample.other, kind: String = AskKind.waiting.rawValue,
        sealed: [UInt8] = [8], expiry: Duration? = .seconds(259_200)
    ) -> BrokerMessage {
        BrokerMessage(
            topic: HouseholdTopic.request(device, number).text(in: Sample.household),
            payload: RequestMessage(
                name: RequestName(device, number), kind: kind, askedAt: WallTime(unixMilliseconds: Int64(number)),
                sealed: [SealedRequest(device: Sample.me, sealed: sealed)]
            ).json, isRetained: true, expiry: expiry)
    }

    // MARK: - On the device that asks

    @Test("a kept answer goes to gated once the broker has sent everything, and its result to the guardian's device")
    mutating func arrived() {
        #expect(submitted(in: machine.messageArrived(Sample.answer("yes"), at: .at(1))).isEmpty)
        #expect(submitted(in: machine.published(.availability, at: .at(2))) == ["yes"])
        let taken = machine.answerTaken(result: [9], at: .at(3))
        #expect(taken.contains(.askHousehold), "gated may have another challenge now")
        let told = letters(in: taken)
        #expect(told.map(\.payload) == [[9]] && told.map(\.isRetained) == [false])
        #expect(
            told.map(\.topic) == [
                HouseholdTopic.results(sender: Sample.me, target: Sample.other).text(in: Sample.household)
            ])
        // The guardian's device has it cleared.
        var cleared = Sample.answer("")
        cleared.payload = []
        #expect(submitted(in: machine.messageArrived(cleared, at: .at(4))).isEmpty)
        #expect(machine.drops == HouseholdDrops())
        // From now on an answer goes at once.
        #expect(submitted(in: machine.messageArrived(Sample.answer("no"), at: .at(5))) == ["no"])
    }

    @Test("an answer waits until gated has the newest list of guardians, in whatever order the broker sends them")
    mutating func listFirst() {
        _ = machine.messageArrived(Sample.answer("yes"), at: .at(1))
        let arrived = machine.messageArrived(Sample.message(.guardians, [1]), at: .at(2))
        #expect(arrived.contains(.submitGuardians([1])))
        #expect(submitted(in: machine.published(.availability, at: .at(3))).isEmpty)
        var refused = machine
        #expect(submitted(in: machine.taken(.guardians, at: .at(4))) == ["yes"])
        // gated knows this list, or a newer one.
        #expect(submitted(in: refused.callFailed(.guardians, .never, jitter: 0, at: .at(4))) == ["yes"])
    }

    @Test("an answer waits for gated as long as the ask does, not five minutes as a command")
    mutating func daemonAway() {
        _ = machine.published(.availability, at: .at(0))
        _ = machine.daemonLost(at: .at(1))
        #expect(submitted(in: machine.messageArrived(Sample.answer("yes"), at: .at(2))).isEmpty)
        let day: Int64 = 86_400_000
        var late = machine
        let back = machine.daemonReturned(.closed, at: .at(day - 1000))
        #expect(submitted(in: back) == ["yes"])
        #expect(submitted(in: late.daemonReturned(.closed, at: .at(day + 1000))).isEmpty)
        #expect(machine.drops.expired == 0)
    }

    @Test("an answer that gated could not take goes to it again, and a refused one does not")
    mutating func failed() {
        _ = machine.published(.availability, at: .at(0))
        _ = machine.messageArrived(Sample.answer("yes"), at: .at(1))
        #expect(submitted(in: machine.callFailed(.answer, .later, jitter: 0, at: .at(2))).isEmpty)
        #expect(submitted(in: machine.timePassed(at: .at(60_000))) == ["yes"])
        #expect(submitted(in: machine.callFailed(.answer, .never, jitter: 0, at: .at(60_001))).isEmpty)
        #expect(machine.drops.unwanted == 1)
        #expect(submitted(in: machine.timePassed(at: .at(120_000))).isEmpty)
    }

    @Test("a broker that is back has to send everything again before an answer goes to gated")
    mutating func brokerAway() {
        _ = machine.published(.availability, at: .at(0))
        _ = machine.brokerLost(at: .at(1))
        _ = machine.brokerConnected(at: .at(2))
        #expect(submitted(in: machine.messageArrived(Sample.answer("yes"), at: .at(3))).isEmpty)
        #expect(submitted(in: machine.published(.availability, at: .at(4))) == ["yes"])
    }

    @Test("a flood of kept answers takes no place of commands, and none of another guardian's answers")
    mutating func flood() {
        for number in 1...500 {
            _ = machine.messageArrived(Sample.answer("\(number)", from: Sample.third, UInt64(number)), at: .at(1))
        }
        _ = machine.messageArrived(Sample.answer("yes"), at: .at(2))
        #expect(machine.askAnswers.arrived.waiting.count == HouseholdLimits.waitingAnswers)
        #expect(machine.askAnswers.arrived.waiting.contains { $0.sender == Sample.other })
        let command = machine.messageArrived(Sample.command("lock"), at: .at(3))
        #expect(command.contains(.submitCommand(Array("lock".utf8))))
        #expect(machine.drops.tooMany == 437)
    }

    @Test("answers for other devices and answers that are too long are dropped")
    mutating func foreign() {
        _ = machine.published(.availability, at: .at(0))
        #expect(
            submitted(in: machine.messageArrived(Sample.answer("yes", to: Sample.third), at: .at(1))).isEmpty)
        var long = Sample.answer("yes")
        long.payload = [UInt8](repeating: 0x20, count: HouseholdLimits.signedBytes + 1)
        #expect(submitted(in: machine.messageArrived(long, at: .at(2))).isEmpty)
        #expect(machine.drops.foreign == 1 && machine.drops.malformed == 1)
    }

    // MARK: - On the guardian's device

    @Test("an answer is retained until gated no longer has it or the ask is over, and is then cleared")
    mutating func given() {
        let told = answers(in: machine.answersTold(Sample.answers, at: .at(0)))
        #expect(
            told.map(\.topic)
                == [Sample.other, Sample.third].map {
                    HouseholdTopic.answer(sender: Sample.me, target: $0, 1).text(in: Sample.household)
                })
        #expect(told.map(\.payload) == [[1], [2]] && told.map(\.isRetained) == [true, true])
        #expect(told.map(\.expiry) == [.seconds(7200), .seconds(7200)])
        for publication in told { _ = machine.published(publication.id, at: .at(1)) }
        // A no in place of the yes, and the other one has been confirmed.
        var changed = Sample.answers
        changed.change = 3
        changed.answers = [OutgoingAnswer(name: RequestName(Sample.other, 1), signed: [3], left: .seconds(7000))]
        let again = answers(in: machine.answersTold(changed, at: .at(2)))
        #expect(again.map(\.payload) == [[3], []])
    }

    @Test("answers survive a restart of this program, of gated and of the broker")
    mutating func survives() {
        for publication in answers(in: machine.answersTold(Sample.answers, at: .at(0))) {
            _ = machine.published(publication.id, at: .at(1))
        }
        _ = machine.brokerLost(at: .at(2))
        #expect(answers(in: machine.brokerConnected(at: .at(3))).map(\.payload) == [[1], [2]])
        for name in [Sample.other, Sample.third] {
            _ = machine.published(.answer(RequestName(name, 1)), at: .at(4))
        }
        _ = machine.daemonLost(at: .at(5))
        _ = machine.daemonReturned(.closed, at: .at(6))
        let asked = machine.callFailed(.answers, .later, jitter: 0, at: .at(7))
        #expect(asked.contains(.collectAnswers(after: 0)))
        var told = Sample.answers
        told.change = 1
        #expect(answers(in: machine.answersTold(told, at: .at(8))).isEmpty, "the broker has these")

        // A new run clears what gated does not have.
        var new = AskCarryingTests().machine
        let own = Sample.answer("old", from: Sample.me, to: Sample.other, 7)
        #expect(answers(in: new.messageArrived(own, at: .at(9))).isEmpty)
        #expect(answers(in: new.answersTold(Sample.answers, at: .at(10))).map(\.payload) == [[1], [], [2]])
        let later = Sample.answer("old", from: Sample.me, to: Sample.other, 8)
        #expect(answers(in: new.messageArrived(later, at: .at(11))).map(\.payload) == [[]])
    }

    @Test("a gated that hands out no answers is not asked again until it is back")
    mutating func refused() {
        let first = machine.callFailed(.answers, .never, jitter: 0, at: .at(1))
        #expect(!first.contains(.collectAnswers(after: 0)))
        #expect(!machine.timePassed(at: .at(100_000)).contains(.collectAnswers(after: 0)))
        _ = machine.daemonLost(at: .at(100_001))
        #expect(machine.daemonReturned(.closed, at: .at(100_002)).contains(.collectAnswers(after: 0)))
    }

    @Test("an ask of another device goes to gated with its whole time, and a question of a call with an hour at most")
    mutating func heard() {
        let first = news(in: machine.messageArrived(ask(1), at: .at(0)))
        #expect(first.flatMap(\.requests).map(\.left) == [.seconds(259_200)])
        _ = machine.taken(.heard, at: .at(1))
        let endless = news(in: machine.messageArrived(ask(2, expiry: nil), at: .at(2)))
        #expect(endless.flatMap(\.requests).map(\.left) == [HouseholdAsk.longestLife])
        _ = machine.taken(.heard, at: .at(3))
        let open = news(in: machine.messageArrived(ask(3, kind: "confirm"), at: .at(4)))
        #expect(open.flatMap(\.requests).map(\.left) == [HouseholdRequest.longestLife])
        _ = machine.taken(.heard, at: .at(5))
        // Its call has ended, and it waits.
        let goesOn = news(in: machine.messageArrived(ask(3, sealed: [9]), at: .at(6)))
        #expect(goesOn.flatMap(\.requests).map(\.sealed) == [[9]])
    }

    @Test("a flood of kept asks has places of its own, and takes none of questions of open calls")
    mutating func floodOfAsks() {
        for device in [Sample.other, Sample.third, Sample.device(4)] {
            for number in 1...100 { _ = machine.messageArrived(ask(UInt64(number), of: device), at: .at(0)) }
        }
        #expect(machine.drops.tooMany == 300 - HouseholdLimits.othersAsks)
        for number in 201...208 {
            _ = machine.messageArrived(ask(UInt64(number), kind: "confirm"), at: .at(1))
        }
        #expect(machine.drops.tooMany == 300 - HouseholdLimits.othersAsks)
    }

    @Test("an ask for which there was no room is heard once there is: the broker is asked again, at most once a minute")
    mutating func noRoom() {
        for number in 1...17 { _ = machine.messageArrived(ask(UInt64(number)), at: .at(0)) }
        _ = machine.taken(.heard, at: .at(1))
        #expect(!machine.taken(.heard, at: .at(2)).contains(.listen(true)) && machine.drops.tooMany == 1)
        #expect(!machine.timePassed(at: .at(70_000)).contains(.listen(true)))

        var closed = ask(1)
        closed.payload = []
        #expect(machine.messageArrived(closed, at: .at(80_000)).contains(.listen(true)))
        // The broker sends everything once more.
        for number in 2...16 { _ = machine.messageArrived(ask(UInt64(number)), at: .at(80_001)) }
        _ = machine.messageArrived(ask(17), at: .at(80_001))
        let told = news(in: machine.taken(.heard, at: .at(80_002)))
        #expect(told.flatMap(\.requests).map(\.name.number) == [17] && machine.drops.tooMany == 1)

        _ = machine.taken(.heard, at: .at(80_003))
        _ = machine.messageArrived(ask(18), at: .at(80_004))
        closed.topic = ask(2).topic
        #expect(!machine.messageArrived(closed, at: .at(80_005)).contains(.listen(true)))
        #expect(machine.deadline.map { $0 <= HouseholdStateMachine.Moment.at(140_000).boot } == true)
        #expect(machine.timePassed(at: .at(140_000)).contains(.listen(true)))
    }

    @Test("an ask that has expired makes room for another one, too")
    mutating func roomOfExpired() {
        _ = machine.messageArrived(ask(1, expiry: .seconds(60)), at: .at(0))
        for number in 2...17 { _ = machine.messageArrived(ask(UInt64(number)), at: .at(0)) }
        _ = machine.taken(.heard, at: .at(1))
        #expect(!machine.timePassed(at: .at(59_000)).contains(.listen(true)))
        #expect(machine.timePassed(at: .at(61_000)).contains(.listen(true)))
    }

    @Test("each run gives gated what the broker keeps, also what gated refuses by now, and passes on what it says")
    mutating func repeatedAfterRestart() {
        for _ in 0..<3 {
            var run = AskCarryingTests().machine
            _ = run.messageArrived(Sample.answer("yes"), at: .at(1))
            #expect(submitted(in: run.published(.availability, at: .at(2))) == ["yes"])
            #expect(letters(in: run.answerTaken(result: [9], at: .at(3))).map(\.payload) == [[9]])
        }
    }

    @Test("Home Assistant is told of an ask that waits, and answers it by its number, but not of one that was allowed")
    mutating func homeAssistant() {
        var machine = HouseholdStateMachine(
            household: Sample.household, device: Sample.me, name: "Mine", version: "1",
            homeAssistant: SampleHomeAssistant.machine())
        _ = machine.daemonReturned(.closed, at: .at(0))
        _ = machine.householdTold(challenge: Sample.challenge, isGuardians: false, at: .at(0))
        _ = machine.brokerConnected(at: .at(0))
        func told(_ kind: AskKind) -> OutgoingRequests {
            OutgoingRequests(
                change: 2,
                requests: [
                    OutgoingRequest(
                        number: 6, kind: kind.rawValue, askedAt: WallTime(unixMilliseconds: 7), left: .seconds(9000),
                        sealed: [])
                ])
        }
        func question(_ actions: [HouseholdAction]) -> String? {
            actions.compactMap {
                if case .publish(let publication) = $0, publication.id == .homeAssistantRequest {
                    String(decoding: publication.payload, as: UTF8.self)
                } else {
                    nil
                }
            }.last
        }
        #expect(question(machine.askedTold(told(.waiting), at: .at(1000)))?.contains(#""request":6"#) == true)
        _ = machine.published(.homeAssistantRequest, at: .at(1001))
        let order = machine.messageArrived(SampleHomeAssistant.message("approve 6"), at: .at(1002))
        #expect(order.contains(.obeyHomeAssistant(.answer(6, isApproved: true))))
        _ = machine.taken(.homeAssistant, at: .at(1003))
        var allowed = told(.allowed)
        allowed.change = 3
        #expect(question(machine.askedTold(allowed, at: .at(100_001)))?.contains(#""request":null"#) == true)
    }
}
