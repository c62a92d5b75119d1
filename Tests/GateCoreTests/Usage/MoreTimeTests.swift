import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("More time, which a child asks for and a grown-up allows (Z-04)")
struct MoreTimeTests {
    @Test("a child whose time is used up asks, a grown-up says yes, and after that time the gate is closed again")
    func story() throws {
        var device = try Device.withMoreTime()
        try device.playForAnHour()
        let refusal = try #require(device.refusal())
        #expect(
            refusal.message == "The time for this is used up. There is more tomorrow at 4:00. "
                + "Ask for more time: `gatectl more-time game.play`.")
        #expect(refusal.parameters["more-time"] == "15m 30m 1h today")
        #expect(refusal.parameters["gated-action"] == "game.play")

        let ask = try device.asksForTime(.minutes(30))
        #expect(ask.id == 1 && ask.isMoreTime && ask.state == .waiting && ask.details == "30m")
        #expect(ask.title == "More time: Play" && ask.titles.text(for: ["de"]) == "Mehr Zeit: Play")
        #expect(ask.choices == [.minutes(30), .minutes(15), .time(.seconds(3600)), .today])
        // It waits until midnight.
        #expect(ask.ends == Device.mondayNoon.advanced(by: .seconds(12 * 3600)))
        #expect(device.refusal() != nil)

        try device.apply(.answerAsk(1, .yes()), as: .olga)
        let allowed = try #require(device.state.askForMoreTime(before: "game.play", of: .ben))
        #expect(allowed.state == .allowed && allowed.choice == .minutes(30))
        #expect(allowed.ends == device.wallTime.advanced(by: .seconds(1800)))
        #expect(device.journal.last?.kind == .answeredRight)
        #expect(device.journal.last?.detail == "ask 1: more time, Play, for mia, 30m")

        try device.use(2)
        #expect(
            device.state.timeLeft(ofUse: 2, at: device.now) == TimeLeft(left: .seconds(1800), isOver: false))
        try device.live(.seconds(1799))
        #expect(device.refusal() == nil)
        try device.live(.seconds(1))
        #expect(device.refusal()?.parameters["more-time"] == "15m 30m 1h today")
        #expect(device.state.timeLeft(ofUse: 2, at: device.now) == TimeLeft(left: .zero, isOver: true))
        try device.stop(2)
        // What was used is counted as used.
        #expect(device.stored() == [0: 5400])
        #expect(try device.asksForTime().id == 2)
    }

    // MARK: - Each event in each state

    private struct Event: Sendable {
        let name: String
        let happens: @Sendable (inout Device) throws -> Void
        let becomes: [Ask.State?: Ask.State?]
        let refusedIn: Set<Ask.State?>

        init(
            _ name: String, becomes: [Ask.State?: Ask.State?], refusedIn: Set<Ask.State?> = [],
            _ happens: @escaping @Sendable (inout Device) throws -> Void
        ) {
            (self.name, self.becomes, self.refusedIn, self.happens) = (name, becomes, refusedIn, happens)
        }
    }

    private static let unchanged: [Ask.State?: Ask.State?] = [
        .waiting: .waiting, .refused: .refused, .allowed: .allowed, nil: nil,
    ]
    private static let over: [Ask.State?: Ask.State?] = [.waiting: nil, .refused: nil, .allowed: nil, nil: nil]

    private static func with(_ amounts: [AskChoice], before gatedAction: String) -> Configuration {
        var configuration = Configuration.moreTime
        configuration.gatedActions[gatedAction]?.moreTime = amounts
        return configuration
    }

    /// Every event with the state that it leads to, by the state before. `nil` stands for no ask.
    private static let events: [Event] = [
        Event("asked", becomes: [.waiting: .waiting, .refused: .refused, .allowed: .allowed, nil: .waiting]) {
            try $0.asksForTime(before: "game.late")
        },
        Event(
            "yes", becomes: [.waiting: .allowed, .refused: .allowed, .allowed: .allowed, nil: nil],
            refusedIn: [.allowed, nil]
        ) { try $0.apply(.answerAsk(1, .yes(.minutes(15))), as: .olga) },
        Event(
            "no", becomes: [.waiting: .refused, .refused: .refused, .allowed: .refused, nil: nil],
            refusedIn: [.refused, nil]
        ) { try $0.apply(.answerAsk(1, .no), as: .root) },
        Event(
            "withdrawn", becomes: [.waiting: nil, .refused: .refused, .allowed: nil, nil: nil],
            refusedIn: [.refused, nil]
        ) { try $0.apply(.withdrawAsk(1), as: .ben) },
        Event("15 minutes", becomes: [.waiting: .waiting, .refused: .refused, .allowed: nil, nil: nil]) {
            try $0.live(.seconds(900))
        },
        Event("the day ends", becomes: [.waiting: nil, .refused: .refused, .allowed: nil, nil: nil]) {
            try $0.live(.seconds(12 * 3600))
        },
        Event("a day", becomes: over) { try $0.live(.days(1)) },
        Event("restarted", becomes: unchanged) { $0 = try $0.restarted(.moreTime) },
        Event("rebooted", becomes: unchanged) { $0 = try $0.restarted(rebooted: true, .moreTime) },
        Event("other amounts in the policy", becomes: over) {
            try $0.apply(.configure(with([.minutes(15)], before: "game.late"), detail: ""), as: .root)
        },
        Event("no more time in the policy, while the daemon is stopped", becomes: over) {
            $0 = try $0.restarted(with([], before: "game.late"))
        },
        Event("another action's policy", becomes: unchanged) {
            try $0.apply(.configure(with([], before: "game.play"), detail: ""), as: .root)
        },
        Event("the person is taken off the list", becomes: over) {
            try $0.apply(.removePerson(name: "mia"), as: .root)
        },
        Event("a backup is restored", becomes: over) {
            try $0.apply(.control(.restore($0.stored, detail: "")), as: .root)
            try $0.recognizeAll()
        },
    ]

    private func device(_ state: Ask.State?) throws -> Device {
        var device = try Device.withMoreTime()
        let number = try device.asksForTime(before: "game.late").id
        switch state {
        case .waiting: break
        case .allowed: try device.apply(.answerAsk(number, .yes(.minutes(15))), as: .olga)
        case .refused: try device.apply(.answerAsk(number, .no), as: .olga)
        case _: try device.apply(.withdrawAsk(number), as: .ben)
        }
        return device
    }

    @Test("each event in each state leads where the table of MoreTime says, and the gate is open only while allowed")
    func table() throws {
        for event in Self.events {
            for state in [Ask.State.waiting, .refused, .allowed, nil] {
                var device = try device(state)
                #expect(device.stateOfAsk() == state && device.isOpen() == (state == .allowed))
                do {
                    try event.happens(&device)
                    #expect(!event.refusedIn.contains(state), "\(event.name) in \(state as Any)")
                } catch let error as GateError {
                    #expect(event.refusedIn.contains(state), "\(event.name) in \(state as Any): \(error.message)")
                    #expect(error.reason == .unknown && error.parameters["what"] == "ask")
                }
                let after = device.stateOfAsk()
                #expect(after == event.becomes[state] ?? nil, "\(event.name) in \(state as Any)")
                #expect(device.isOpen() == (after == .allowed), "\(event.name) in \(state as Any)")
                #expect(device.state.records == device.stored, "\(event.name)")
            }
        }
    }

    // MARK: - What it lifts

    @Test("schedule and allowance of one gated action are lifted together, and everything else still counts")
    func otherConditions() throws {
        var device = try Device.withMoreTime()
        try device.playForAnHour()
        try device.hasTime(.minutes(15), before: "game.late")
        #expect(device.isOpen() && !device.isOpen("game.play") && !device.isOpen("game.shop"))
        #expect(!device.isOpen(to: .anna))
        try device.hasTime(.minutes(15), before: "game.shop")
        #expect(device.refusal(of: "game.shop")?.reason == .notParent)
        try device.hasTime(.minutes(15), before: "game.chat")
        let outlook = device.state.outlook(of: "game.chat", for: .ben, at: device.now)
        #expect(outlook.need == .challenge(.arithmeticChoice))
    }

    @Test("the longer of what is left and of the more time counts")
    func longer() throws {
        var device = try Device.withMoreTime()
        try device.hasTime(.minutes(30))
        try device.use(1)
        func left(_ device: Device) -> Duration? { device.state.timeLeft(ofUse: 1, at: device.now)?.left }
        #expect(left(device) == .seconds(3600))
        try device.live(.seconds(600))
        #expect(left(device) == .seconds(3000))
        try device.live(.seconds(3000))
        #expect(!device.isOpen("game.play"))
        try device.hasTime(.today)
        // It is one in the afternoon.
        #expect(left(device) == .seconds(11 * 3600))
        try device.live(.seconds(11 * 3600))
        #expect(device.state.timeLeft(ofUse: 1, at: device.now) == TimeLeft(left: .zero, isOver: true))
    }

    @Test("today ends at midnight, or at four if the allowance's day ends then, and so does the question")
    func today() throws {
        var device = try Device.withMoreTime()
        try device.live(.seconds(11 * 3600))
        #expect(try device.asksForTime().ends == Device.mondayNoon.advanced(by: .seconds(12 * 3600)))
        try device.apply(.answerAsk(1, .yes(.today)), as: .olga)
        try device.live(.seconds(3600))
        #expect(device.stateOfAsk(before: "game.play") == nil)
        // It is midnight, and still Monday for the games.
        try device.live(.seconds(2100))
        #expect(try device.asksForTime().ends == Device.mondayNoon.advanced(by: .seconds(16 * 3600)))
        try device.apply(.answerAsk(2, .yes(.today)), as: .olga)
        let allowed = try #require(device.state.askForMoreTime(before: "game.play", of: .ben))
        #expect(allowed.ends == Device.mondayNoon.advanced(by: .seconds(16 * 3600)))
    }

    @Test("who uses something is warned five minutes and one minute before more time ends, and at its end")
    func warnings() throws {
        var device = try Device.withMoreTime()
        try device.playForAnHour()
        try device.hasTime(.minutes(15))
        try device.use(2)
        try device.pass(.seconds(590))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(10)))
        try device.pass(.seconds(10))
        #expect(device.state.timeLeft(ofUse: 2, at: device.now)?.left == .seconds(300))
        try device.pass(.seconds(235))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(5)))
        try device.pass(.seconds(5))
        try device.pass(.seconds(59))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(1)))
        let before = device.state
        try device.pass(.seconds(1))
        #expect(!device.state.hasSameTimeLeft(as: before))
        #expect(device.state.timeLeft(ofUse: 2, at: device.now) == TimeLeft(left: .zero, isOver: true))
    }

    @Test("more time that is given or taken back while a program is used is told to it")
    func toldAtOnce() throws {
        var device = try Device.withMoreTime()
        try device.use(1)
        try device.live(.seconds(3600))
        #expect(device.state.timeLeft(ofUse: 1, at: device.now)?.isOver == true)
        var before = device.state
        let number = try device.hasTime(.minutes(15))
        #expect(!device.state.hasSameTimeLeft(as: before))
        #expect(
            device.state.timeLeft(ofUse: 1, at: device.now) == TimeLeft(left: .seconds(900), isOver: false))
        before = device.state
        try device.apply(.answerAsk(number, .no), as: .olga)
        #expect(!device.state.hasSameTimeLeft(as: before))
        #expect(device.state.timeLeft(ofUse: 1, at: device.now)?.isOver == true)
    }

    @Test("an answer that the policy keeps outlives the allowance while there is more time, and ends with it")
    func keptAnswers() throws {
        for isTakenBack in [true, false] {
            var device = try Device.withMoreTime()
            try device.use(1)
            try device.live(.seconds(3000))
            let number = try device.hasTime(.minutes(30), before: "game.chat")
            _ = try device.answerRight(try device.authorize("game.chat", as: .ben).presentation(), as: .ben).grant()
            func kept(_ device: Device) -> [KeptGrant.Key] {
                device.state.keptGrants(of: nil).map(\.key).filter { $0.ask == nil }
            }
            try device.live(.seconds(600))
            #expect(device.left == .zero && kept(device).count == 1)
            if isTakenBack {
                try device.apply(.withdrawAsk(number), as: .ben)
            } else {
                try device.live(.seconds(1199))
                #expect(kept(device).count == 1)
                try device.live(.seconds(1))
            }
            #expect(kept(device).isEmpty && !device.isOpen("game.chat"))
        }
    }

    @Test("an answer that the policy keeps stays if the allowance is not used up when more time ends")
    func keptWithTimeLeft() throws {
        var device = try Device.withMoreTime()
        try device.hasTime(.minutes(15), before: "game.chat")
        _ = try device.answerRight(try device.authorize("game.chat", as: .ben).presentation(), as: .ben).grant()
        try device.live(.seconds(900))
        #expect(device.state.keptGrants(of: nil).map(\.key.ask) == [nil])
    }

    // MARK: - Asking again

    @Test("in the last five minutes, or in the last half of a shorter time, a person can ask anew")
    func again() throws {
        var device = try Device.withMoreTime()
        try device.hasTime(.minutes(15), before: "game.late")
        try device.live(.seconds(599))
        #expect(try device.asksForTime(before: "game.late").id == 1)
        try device.live(.seconds(1))
        #expect(try device.asksForTime(before: "game.late").id == 2)
        #expect(device.isOpen() && device.stateOfAsk() == .waiting)
        try device.apply(.answerAsk(2, .yes(.minutes(30))), as: .olga)
        try device.live(.seconds(1799))
        #expect(device.isOpen())
        try device.live(.seconds(1))
        #expect(!device.isOpen())

        device = try Device.withMoreTime(Self.with([.minutes(2)], before: "game.late"))
        try device.hasTime(.minutes(2), before: "game.late")
        try device.live(.seconds(59))
        #expect(try device.asksForTime(before: "game.late").id == 1)
        try device.live(.seconds(1))
        #expect(try device.asksForTime(before: "game.late").id == 2)
    }

    @Test("the same question asked again changes nothing, whatever amount it would like")
    func sameAgain() throws {
        var device = try Device.withMoreTime()
        try device.asksForTime(.minutes(15), before: "game.late")
        device.changesNothing(.askMoreTime(gatedAction: "game.late", wish: .today), as: .ben)
        device.changesNothing(.askMoreTime(gatedAction: "game.late", wish: nil), as: .bensOther)
        #expect(device.states().count == 1)
        #expect(try device.asksForTime(before: "game.late").details == "15m")
    }

    @Test("who can't ask is told why, and a refusal of theirs offers nothing")
    func refusals() throws {
        var device = try Device.withMoreTime()
        func ask(_ gatedAction: String, _ wish: AskChoice? = nil) -> Command {
            .askMoreTime(gatedAction: gatedAction, wish: wish)
        }
        device.refuses(ask("game.unknown"), as: .ben, .failedPrecondition, .denied)
        device.refuses(ask("film.watch"), as: .ben, .failedPrecondition, .notSetUp)
        device.refuses(ask("link.open"), as: .ben, .failedPrecondition, .notSetUp)
        device.refuses(ask("game.late"), as: .mara, .failedPrecondition, .notSetUp)
        for wish in [AskChoice.once, .always, .thisSite, .minutes(16), .unrecognized] {
            device.refuses(ask("game.late", wish), as: .ben, .invalidArgument, .invalidRequest)
        }
        #expect(device.refusal(of: "game.late", for: .mara)?.parameters["more-time"] == nil)
        let number = try device.asksForTime(before: "game.late").id
        try device.apply(.answerAsk(number, .no), as: .olga)
        #expect(device.refusal(of: "game.late")?.parameters["more-time"] == nil)
    }

    @Test("more time counts among the five questions of a person that wait (W-07)")
    func limits() throws {
        var device = try Device.withMoreTime()
        for number in 1...5 as ClosedRange<UInt64> { #expect(try device.asksFor("\(number)") == .asked(number)) }
        device.refuses(
            .askMoreTime(gatedAction: "game.late", wish: nil), as: .ben, .resourceExhausted, .limit)
        try device.apply(.withdrawAsk(3), as: .ben)
        #expect(try device.asksForTime(before: "game.late").id == 6)
    }
}
