import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("What a broker, a stolen device and a child can do about answers to asks (W-03)")
struct AskAnswerAttackTests {
    private var tablet: HouseholdDevice

    init() throws {
        tablet = try .withAsks()
    }

    private mutating func asks(_ details: String = "a") throws -> RequestWords {
        _ = try tablet.device.asksFor(details)
        return try #require(tablet.told.last)
    }

    @Test("a yes that was recorded does not count for a later ask with the same words")
    mutating func earlierAsk() throws {
        let first = try asks()
        #expect(try tablet.hears(true, to: first) == nil)
        #expect(try tablet.device.asksFor("a") == .granted)
        let second = try asks()
        #expect(second.asked == first.asked && second.number == 2)
        #expect(try tablet.hears(true, to: first)?.check == .closed)
        // Neither under the number of the new one.
        var moved = first
        moved.number = second.number
        #expect(try tablet.hears(true, to: moved)?.check == .shown)
        #expect(tablet.device.states() == [2: .waiting])
    }

    @Test("another nonce, none, or a part of the right one is no answer")
    mutating func otherNonce() throws {
        let words = try asks()
        let nonce = try #require(words.ask?.nonce)
        for wrong in [nonce.map { $0 ^ 1 }, [], Array(nonce.dropLast()), nonce + [0]] {
            var other = words
            other.ask?.nonce = wrong
            for isApproved in [true, false] {
                #expect(try tablet.hears(isApproved, to: other)?.check == .shown)
            }
        }
        #expect(tablet.device.states() == [1: .waiting])
    }

    @Test("a yes from before a no is not repeated after it, also if a grown-up of the device has allowed it meanwhile")
    mutating func yesFromBefore() throws {
        let words = try asks()
        #expect(try tablet.hears(true, to: words) == nil)
        #expect(try tablet.hears(false, to: words) == nil)
        #expect(try tablet.hears(true, to: words)?.check == .closed)
        #expect(try tablet.device.asksFor("a") == .refused)
        try tablet.device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        #expect(try tablet.hears(false, to: words)?.check == .closed)
        #expect(try tablet.device.asksFor("a") == .granted)
        #expect(try tablet.hears(true, to: words)?.check == .closed)
        #expect(try tablet.device.asksFor("a") == .asked(2))
    }

    @Test("the same yes twice, or from two guardians, is worth one use")
    mutating func twice() throws {
        let words = try asks()
        #expect(try tablet.hears(true, to: words) == nil)
        #expect(try tablet.hears(true, to: words)?.check == .closed)
        #expect(try tablet.hears(true, to: words) { $0.guardian = .phone }?.check == .closed)
        #expect(try tablet.device.asksFor("a") == .granted)
        #expect(try tablet.hears(true, to: words)?.check == .closed)
        #expect(try tablet.device.asksFor("a") == .asked(2))
    }

    @Test("a guardian who was revoked while the tablet was off answers nothing")
    mutating func revoked() throws {
        let words = try asks()
        // gate-household brings the list before the answer.
        try tablet.device.apply(.applyList(.millers(2, expires: .max, isTomRevoked: true)), as: .carrier)
        for isApproved in [true, false] {
            #expect(throws: GateError.self) { try tablet.hears(isApproved, to: words) { $0.guardian = .phone } }
        }
        #expect(tablet.device.states() == [1: .waiting])
    }

    @Test("an answer of another device, for another device or household, or with another key counts for nothing")
    mutating func others() throws {
        let words = try asks()
        for change: (inout GuardianCommand) -> Void in [
            { $0.guardian = .television }, { $0.guardian = .others }, { $0.device = .television },
            { $0.household = .others },
        ] {
            #expect(throws: GateError.self) { try tablet.hears(true, to: words, change) }
        }
        #expect(try tablet.hears(true, to: words) { $0.device = nil }?.check == .all)
        #expect(try tablet.hears(false, to: words) { $0.device = nil }?.check == .all)
        let echo = AskEcho(nonce: try #require(words.ask?.nonce))
        var forged = try tablet.command(.answer(RequestAnswer(number: 1, ask: echo, isApproved: true)))
        forged.verifiedBy = SignedHouseholdList.keyBytes(.phone)
        #expect(throws: GateError.self) { try tablet.obey(forged) }
        #expect(tablet.device.states() == [1: .waiting])
    }

    @Test("a yes after the ask has ended does nothing, also where the clock is set back")
    mutating func late() throws {
        let words = try asks()
        try tablet.device.pass(.days(3))
        try tablet.device.turn(by: .seconds(1))
        #expect(try tablet.hears(true, to: words)?.check == .expired)
        tablet.device.wallTime = Device.newYear
        #expect(try tablet.hears(true, to: words)?.check == .closed)
        #expect(tablet.device.stored.keptGrants.isEmpty)
    }

    @Test("with a list of guardians that has run out a yes does nothing, and a no counts")
    mutating func listOver() throws {
        let words = try asks()
        let soon = Device.newYear.unixMilliseconds + 1
        try tablet.device.apply(.applyList(.millers(2, expires: soon)), as: .carrier)
        try tablet.device.pass(.seconds(1))
        #expect(try tablet.hears(true, to: words)?.check == .listOver)
        #expect(try tablet.hears(false, to: words) == nil)
    }

    @Test("nobody answers an ask of their own: a guardian's name that is the asker's is refused")
    mutating func asker() throws {
        let user = GatePerson.UnixUser(name: "tom", uid: Peer.shop.uid)
        try tablet.device.apply(.setPerson(GatePerson(name: "Tom", kind: .grownUp, user: user)), as: .root)
        try tablet.device.recognizeAll()
        _ = try tablet.device.asksFor("a", as: .shop)
        let words = try #require(tablet.told.last)
        #expect(words.ask?.person == "Tom")
        for isApproved in [true, false] {
            #expect(try tablet.hears(isApproved, to: words) { $0.guardian = .phone }?.check == .guardian)
        }
        #expect(try tablet.hears(true, to: words) == nil)
    }

    @Test("a choice that this version does not know allows nothing, and no counts with any")
    mutating func choice() throws {
        let words = try asks()
        #expect(try tablet.hears(true, to: words, choice: "always")?.check == .refused)
        #expect(tablet.device.states() == [1: .waiting])
        #expect(try tablet.hears(false, to: words, choice: "always") == nil)
    }

    @Test("another policy, another person or a restored backup ends the ask, so an answer on its way does nothing")
    mutating func changed() throws {
        let words = try asks()
        var configuration = tablet.device.state.configuration
        configuration.gatedActions["page.open"]?.titles = LocalizedText("Open any page")
        var one = tablet
        try one.device.apply(.configure(configuration, detail: "test"), as: .root)
        #expect(try one.hears(true, to: words)?.check == .closed)
        var two = tablet
        try two.device.apply(.removePerson(name: "mia"), as: .root)
        #expect(try two.hears(true, to: words)?.check == .closed)
        var three = tablet
        let backup = three.device.stored
        try three.device.apply(.control(.restore(backup, detail: "")), as: .root)
        #expect(try three.hears(true, to: words)?.check == .closed)
    }

    @Test("an answer to an ask is no answer to a question of an open call, nor the other way round")
    mutating func kinds() throws {
        try tablet.device.apply(.reachBroker(true), as: .carrier)
        guard case .waits(let wait) = try tablet.device.asksFor("a") else {
            Issue.record("nobody shows it")
            return
        }
        // The nonce of an ask whose question is open is told to nobody.
        var words = tablet.told[0]
        words.ask = HouseholdAsk(nonce: [UInt8](repeating: 0, count: 16), person: "mia", until: .max)
        #expect(try tablet.hears(true, to: words)?.check == .shown)
        #expect(tablet.device.settled[wait] == nil)
        try tablet.device.turn(by: .seconds(181))
        var command = try tablet.command(.answer(RequestAnswer(number: 1, shown: [1], isApproved: true)))
        command.shown = nil
        #expect(try tablet.obey(command)?.result.refusal?.check == .closed)
        #expect(tablet.device.states() == [1: .waiting])
    }
}

extension WallTime {
    fileprivate static let max = WallTime(unixMilliseconds: .max)
}
