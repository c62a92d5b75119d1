import GateModel
import GateScreens
import Testing

@Suite("Asking for more time from a notification (Z-03, Z-04)")
struct MoreTimeNoticeTests {
    private typealias Times = TimesOfBen

    @Test("while a grown-up's yes lasts nothing is over, and its own end is told")
    func extraTime() {
        var machine = Times.machine()
        machine.asksChanged(to: [Times.moreTime(.allowed, until: Times.minutes(30))], at: Times.start)
        machine.timesChanged(to: [Times.used(0)], at: Times.start)
        machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
        #expect(machine.notice == nil && machine.nextChange(after: Times.start) == Times.minutes(25))
        for (time, title) in [
            (25, "5 minutes left: Games"), (29, "1 minute left: Games"), (30, "Time is over for today: Games"),
        ] {
            machine.timePassed(at: Times.minutes(time))
            machine.gatesCame([Times.gate(opens: "tomorrow")], look: machine.look, at: Times.minutes(time))
            #expect(machine.notice?.title == title)
        }
    }

    @Test("a yes that is taken back ends at once, and one for something or somebody else changes nothing")
    func otherExtraTime() {
        var machine = Times.machine()
        machine.asksChanged(to: [Times.moreTime(.allowed, until: Times.minutes(30))], at: Times.start)
        machine.timesChanged(to: [Times.used(0)], at: Times.start)
        machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
        machine.asksChanged(to: [], at: Times.minutes(1))
        machine.gatesCame([Times.gate()], look: machine.look, at: Times.minutes(1))
        #expect(machine.notice?.title == "Time is over for today: Games")
        for ask in [
            Times.moreTime(.allowed, until: Times.minutes(30), gatedAction: "game.race"),
            Times.moreTime(.allowed, until: Times.minutes(30), uid: 1003),
            Times.moreTime(.allowed, until: Times.minutes(30), device: "tablet"), Times.moreTime(.waiting),
            Times.moreTime(.refused, until: Times.minutes(30)),
        ] {
            var machine = Times.machine()
            machine.asksChanged(to: [ask], at: Times.start)
            machine.timesChanged(to: [Times.used(0)], at: Times.start)
            machine.gatesCame([Times.gate(), Times.gate("game.race")], look: machine.look, at: Times.start)
            #expect(machine.notice?.title == "Time is over for today: Games")
        }
    }

    private static let offer = Times.gate(more: [.time(.seconds(900))])

    @Test("the press for more time asks for the gated action, and says so")
    func press() throws {
        var machine = Times.told([300], [Self.offer])
        #expect(Times.labels(machine) == ["More time"])
        let action = machine.pressed(try #require(machine.notice?.buttons.first?.number))
        #expect(action == .askMoreTime("game.play"))
        #expect(machine.notice?.title == "You asked for more time")
        #expect(machine.notice?.text == "Play\nYou will be told when a grown-up has answered.")
        #expect(Times.labels(machine) == ["Open"])
        machine.moreTimeAsked(.success(Times.moreTime(.waiting)))
        #expect(machine.notice?.title == "You asked for more time")
        let opened = machine.pressed(try #require(machine.notice?.buttons.first?.number))
        #expect(opened == .open && machine.notice == nil)
    }

    @Test("what comes of the press is seen, unless the notification was closed meanwhile or a warning came")
    func outcomes() throws {
        func asked() throws -> TimeNoticeStateMachine {
            var machine = Times.told([300], [Self.offer])
            _ = machine.pressed(try #require(machine.notice?.buttons.first?.number))
            return machine
        }
        let error = GateError(.resourceExhausted, .limit, "It was asked too often.")
        var machine = try asked()
        machine.moreTimeAsked(.failure(error))
        #expect(machine.notice?.title == "You can't ask for more time now" && machine.notice?.text.isEmpty == false)
        machine = try asked()
        machine.moreTimeAsked(.success(Times.moreTime(.refused)))
        #expect(machine.notice?.title == "A grown-up said no" && machine.notice?.text == "More time: Play")
        machine = try asked()
        machine.moreTimeAsked(.success(Times.moreTime(.allowed, until: Times.minutes(30))))
        #expect(machine.notice == nil)
        machine = try asked()
        machine.ended()
        machine.moreTimeAsked(.failure(error))
        #expect(machine.notice == nil)
        machine = try asked()
        machine.timesChanged(to: [Times.used(60)], at: Times.start)
        machine.gatesCame([Self.offer], look: machine.look, at: Times.start)
        #expect(machine.notice?.title == "1 minute left: Games")
    }

    @Test("of several gated actions the page asks which, and what was asked already has no button")
    func several() throws {
        let race = Times.gate("game.race", title: "Race", more: [.today])
        var machine = Times.told([300], [Self.offer, race])
        #expect(Times.labels(machine) == ["More time…"])
        let action = machine.pressed(try #require(machine.notice?.buttons.first?.number))
        #expect(action == .open && machine.notice == nil)
        machine = Times.told([300], [Self.offer, race])
        machine.asksChanged(to: [Times.moreTime(.waiting, gatedAction: "game.race")], at: Times.start)
        #expect(Times.labels(machine) == ["More time"])
        machine.asksChanged(to: [Times.moreTime(.waiting)], at: Times.start)
        let other = machine.pressed(try #require(machine.notice?.buttons.first?.number))
        #expect(other == .askMoreTime("game.race"))
    }

    @Test("a button of a warning that is gone, or that there never was, does nothing")
    func stale() {
        var machine = Times.told([300], [Self.offer])
        machine.ended()
        let actions = [0, 1, 2, -1].map { machine.pressed($0) }
        #expect(actions == [nil, nil, nil, nil])
        var without = Times.told([300])
        let none = without.pressed(1)
        #expect(none == nil)
    }
}
