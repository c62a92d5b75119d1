import GateModel
import GateScreens
import Testing

@Suite("Asking for more time from the status icon's menu (Z-04)")
struct MoreTimeMenuTests {
    private typealias Times = TimesOfBen

    private static let play = Times.gate(more: [.today])

    /// A gated action with hours alone. While they are closed, the refusal offers more time if `isOffered`.
    private static func surf(isClosed: Bool = true, isOffered: Bool = true) -> TimedGate {
        var refusal = GateError(.failedPrecondition, .outOfHours, "This is closed now.")
        if isOffered { refusal.parameters["more-time"] = "today" }
        return TimedGate(
            GatedActionSummary(name: "web.surf", title: "Surf", requirement: "", keep: nil, moreTime: [.today]),
            .during(Schedule("after-school")),
            outlook: isClosed ? AuthorizationOutlook(.denied, refusal: refusal) : AuthorizationOutlook(.granted))
    }

    private static func machine(
        _ gates: [TimedGate], _ times: [UsedTime] = [Times.used(3000, isRunning: false)], _ asks: [Ask] = []
    ) -> TimeNoticeStateMachine {
        var machine = Times.machine()
        machine.asksChanged(to: asks, at: Times.start)
        machine.timesChanged(to: times, at: Times.start)
        machine.gatesCame(gates, look: machine.look, at: Times.start)
        return machine
    }

    private static func labels(_ machine: TimeNoticeStateMachine, at time: WallTime = Times.start) -> [String] {
        machine.menu(at: time).map(\.label)
    }

    @Test("the menu has a line for each gated action that offers more time and is limited for this person, or over")
    func lines() {
        let race = Times.gate("game.race", title: "Race", more: [.today])
        let films = Times.gate("film.watch", title: "Watch", .allowance(Allowance("films")), more: [.today])
        let gates = [Self.play, race, Times.gate("game.build", title: "Build"), films, Self.surf()]
        #expect(Self.labels(Self.machine(gates)) == ["More time: Play", "More time: Race", "More time: Surf"])
        #expect(Self.labels(Self.machine(gates, [Times.used(0)])).first == "More time: Play")
        // Other people's time, or none, limits nothing for this person.
        let others: [[UsedTime]] = [
            [], [Times.used(60, uid: 1003)], [Times.used(60, isToday: false)], [Times.used(nil)],
        ]
        for times in others {
            #expect(Self.labels(Self.machine([Self.play], times.map(\.stopped))) == [])
        }
    }

    @Test("of hours alone there is a line while they are closed and more is offered, or while it is used")
    func hours() {
        #expect(Self.labels(Self.machine([Self.surf(isClosed: false)])) == [])
        // A grown-up has just said no, or nobody on the list of people has this user.
        #expect(Self.labels(Self.machine([Self.surf(isOffered: false)])) == [])
        let using = [Times.used(nil, .gatedAction("web.surf"))]
        #expect(Self.labels(Self.machine([Self.surf(isClosed: false)], using)) == ["More time: Surf"])
    }

    @Test("what was asked or answered has no line, until the answer is about to end")
    func answered() {
        func labels(_ state: Ask.State, uid: UInt32 = Times.ben, at minute: Int = 0) -> [String] {
            let ask = Times.moreTime(state, until: Times.minutes(30), uid: uid)
            return Self.labels(Self.machine([Self.play], [Times.used(0)], [ask]), at: Times.minutes(minute))
        }
        #expect(labels(.waiting) == [] && labels(.refused) == [] && labels(.allowed) == [])
        #expect(labels(.allowed, at: 24) == [] && labels(.allowed, at: 25) == ["More time: Play"])
        #expect(labels(.waiting, uid: 1003) == ["More time: Play"])
    }

    @Test("a press asks for that gated action, and the notification says so; of a line that is gone it does nothing")
    func press() {
        var machine = Self.machine([Self.play, Self.surf()])
        let action = machine.pressedLine(of: "web.surf", at: Times.start)
        #expect(action == .askMoreTime("web.surf"))
        #expect(machine.notice?.title == "You asked for more time")
        #expect(machine.notice?.text == "Surf\nYou will be told when a grown-up has answered.")
        machine.moreTimeAsked(.success(Times.moreTime(.refused)))
        #expect(machine.notice?.title == "A grown-up said no")
        machine.ended()
        machine.asksChanged(to: [Times.moreTime(.waiting, gatedAction: "web.surf")], at: Times.start)
        let actions = ["web.surf", "film.watch", ""].map { machine.pressedLine(of: $0, at: Times.start) }
        #expect(actions == [nil, nil, nil] && machine.notice == nil)
    }

    @Test("the gated actions are looked up when the menu opens, and at most ten have a line")
    func looks() {
        var machine = Self.machine([])
        let before = machine.look
        machine.menuOpens()
        #expect(machine.look == before + 1 && Self.labels(machine) == [])
        let many = (0..<12).map { Times.gate("game.n\($0)", title: "N", more: [.today]) }
        machine.gatesCame(many, look: machine.look, at: Times.start)
        #expect(Self.labels(machine).count == 10)
    }
}

extension UsedTime {
    /// The same, while nothing uses it.
    fileprivate var stopped: UsedTime {
        var time = self
        time.isRunning = false
        return time
    }
}
