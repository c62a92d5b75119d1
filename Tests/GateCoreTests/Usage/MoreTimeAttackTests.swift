import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A child tries to make more of more time than a grown-up has allowed (Z-04)")
struct MoreTimeAttackTests {
    private func allowed(_ choice: AskChoice = .minutes(15), before gatedAction: String = "game.late") throws -> Device
    {
        var device = try Device.withMoreTime()
        try device.hasTime(choice, before: gatedAction)
        return device
    }

    @Test("nobody but a grown-up answers, and only with an amount that the policy offers")
    func answers() throws {
        var device = try Device.withMoreTime()
        let number = try device.asksForTime(before: "game.late").id
        for peer in [Peer.ben, .anna, .mara] {
            device.refuses(.answerAsk(number, .yes(.today)), as: peer, .permissionDenied, .notPermitted)
        }
        for choice in [AskChoice.once, .always, .thisSite, .minutes(16), .time(.days(30)), .unrecognized] {
            device.refuses(.answerAsk(number, .yes(choice)), as: .olga, .invalidArgument, .invalidRequest)
        }
        #expect(device.stateOfAsk() == .waiting && !device.isOpen())
    }

    @Test("an amount counts once: a second yes is refused, and so is one after it was used up")
    func twice() throws {
        var device = try allowed()
        device.refuses(.answerAsk(1, .yes(.minutes(15))), as: .olga, .notFound, .unknown)
        try device.live(.seconds(900))
        device.refuses(.answerAsk(1, .yes(.minutes(15))), as: .olga, .notFound, .unknown)
        #expect(!device.isOpen())
    }

    @Test(
        "it is for one person: not for a sibling, for a uid that is billed to the child, or for who has the uid later")
    func otherPerson() throws {
        var device = try allowed()
        let ranged = Peer(connection: 30, uid: 100_001, owner: .user(Peer.ben.uid), pid: 130, roles: .app)
        for peer in [Peer.anna, .mara, ranged] {
            #expect(!device.isOpen(to: peer))
            if peer != .anna {
                device.refuses(
                    .askMoreTime(gatedAction: "game.late", wish: nil), as: peer, .failedPrecondition, .notSetUp)
            }
        }
        #expect(device.isOpen(to: .bensOther))
        try device.apply(.usersChecked(recognized: [Peer.anna.uid, Peer.olga.uid]), as: .daemon)
        #expect(!device.isOpen())
    }

    @Test("it is for one gated action, also where others share the allowance")
    func otherAction() throws {
        var device = try Device.withMoreTime()
        try device.playForAnHour()
        try device.hasTime(.today, before: "game.race")
        #expect(device.isOpen("game.race") && !device.isOpen("game.play") && !device.isOpen("game.chat"))
        #expect(!device.isOpen("game.late"))
        #expect(throws: GateError.self) { try device.use(5, "game.play") }
    }

    @Test("it answers no question, and a yes to a question with the same words lifts nothing")
    func otherWords() throws {
        var device = try Device.withMoreTime()
        #expect(try device.asksFor("15m", of: "page.late") == .other(.outOfHours, what: nil))
        #expect(try device.asksForTime(.minutes(15), before: "page.late").id == 1)
        #expect(try device.asksFor("15m", of: "page.late") == .other(.outOfHours, what: nil))
        try device.apply(.answerAsk(1, .yes()), as: .olga)
        #expect(try device.asksFor("15m", of: "page.late") == .asked(2))
        #expect(try device.asksFor("", of: "page.late") == .asked(3))
        try device.apply(.answerAsk(2, .yes(.today)), as: .olga)
        #expect(try device.asksFor("15m", of: "page.late") == .granted)
        #expect(try device.asksFor("", of: "page.late") == .asked(3))
        try device.live(.seconds(900))
        #expect(try device.asksFor("15m", of: "page.late") == .other(.outOfHours, what: nil))
    }

    @Test("the clock gives nothing: set back it lifts nothing or ends by the boot clock, set forward it ends at once")
    func clock() throws {
        var device = try allowed()
        device.wallTime = Device.mondayNoon.advanced(by: .milliseconds(-1))
        try device.turn(by: .zero)
        #expect(!device.isOpen())

        device = try allowed()
        try device.live(.seconds(600))
        device.wallTime = Device.mondayNoon
        try device.turn(by: .seconds(299))
        #expect(device.isOpen())
        try device.turn(by: .seconds(1))
        #expect(!device.isOpen())

        device = try allowed()
        device.wallTime = Device.mondayNoon.advanced(by: .seconds(900))
        try device.turn(by: .zero)
        device.wallTime = Device.mondayNoon
        try device.turn(by: .zero)
        #expect(!device.isOpen() && device.stateOfAsk() == nil)
    }

    @Test("another zone makes the day no longer than it was when a grown-up said today")
    func zone() throws {
        var device = try allowed(.today)
        device.zone = ZoneOffsets(minutesEastOfUTC: -11 * 60, changes: [])
        try device.live(.seconds(12 * 3600 - 1))
        #expect(device.isOpen())
        try device.live(.seconds(1))
        #expect(!device.isOpen())
    }

    @Test("killing the daemon and starting the device anew lengthens nothing")
    func restart() throws {
        for isReboot in [false, true] {
            var device = try allowed()
            for _ in 0..<3 {
                try device.live(.seconds(299))
                device = try device.restarted(rebooted: isReboot, .moreTime)
                #expect(device.isOpen())
            }
            try device.live(.seconds(3))
            #expect(!device.isOpen())
            device = try device.restarted(rebooted: isReboot, .moreTime)
            #expect(!device.isOpen())
        }
        // Killed before the clock was set back: the deadline is stored.
        var device = try allowed()
        try device.live(.seconds(600))
        device.wallTime = Device.mondayNoon
        device = try device.restarted(.moreTime)
        try device.turn(by: .seconds(300))
        #expect(!device.isOpen())
    }

    @Test("what the policy no longer offers ends at once, and a question that was asked before it is void")
    func policy() throws {
        var less = Configuration.moreTime
        less.gatedActions["game.late"]?.moreTime = [.minutes(15)]
        var device = try allowed(.today)
        try device.apply(.configure(less, detail: ""), as: .root)
        #expect(!device.isOpen() && device.answers.isEmpty)

        device = try Device.withMoreTime()
        try device.asksForTime(.today, before: "game.late")
        try device.apply(.configure(less, detail: ""), as: .root)
        device.refuses(.answerAsk(1, .yes(.today)), as: .olga, .notFound, .unknown)
    }

    @Test("a restored backup brings no time back")
    func backup() throws {
        var device = try allowed(.today)
        let backup = device.stored
        try device.apply(.answerAsk(1, .no), as: .olga)
        try device.apply(.control(.restore(backup, detail: "")), as: .root)
        try device.recognizeAll()
        #expect(!device.isOpen() && device.answers.isEmpty)
    }

    @Test("asking often gains nothing: after a no there is no second question that day, and twenty are asked at most")
    func often() throws {
        var device = try Device.withMoreTime()
        let number = try device.asksForTime(before: "game.late").id
        try device.apply(.answerAsk(number, .no), as: .olga)
        #expect(try device.asksForTime(.today, before: "game.late").state == .refused)
        device.refuses(.withdrawAsk(1), as: .ben, .notFound, .unknown)
        #expect(try device.asksForTime(before: "game.shop").state == .waiting)

        device = try Device.withMoreTime()
        for number in 1...20 as ClosedRange<UInt64> {
            #expect(try device.asksForTime(before: "game.late").id == number)
            try device.apply(.withdrawAsk(number), as: .ben)
        }
        device.refuses(
            .askMoreTime(gatedAction: "game.late", wish: nil), as: .ben, .resourceExhausted, .limit)
    }

    @Test("a program that is used goes on while the list of people is looked up, and no other begins meanwhile")
    func lookedUp() throws {
        var device = try Device.withMoreTime()
        try device.playForAnHour()
        try device.hasTime(.minutes(15))
        try device.use(2)
        try device.apply(.usersChecked(recognized: [Peer.olga.uid]), as: .daemon)
        #expect(device.state.timeLeft(ofUse: 2, at: device.now)?.isOver == false)
        #expect(!device.isOpen("game.race"))
        #expect(throws: GateError.self) { try device.use(3) }
        try device.recognizeAll()
        #expect(device.isOpen("game.play"))
    }
}
