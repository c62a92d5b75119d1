import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A child tries to gain a yes, or more than one (W-01, W-02, W-07)")
struct AskAttackTests {
    /// Mia has asked with the details "a", and Olga has said yes.
    private func allowed() throws -> Device {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        return device
    }

    @Test("another user does not get through with it, nor a uid that is billed to the person")
    func otherUser() throws {
        var device = try allowed()
        #expect(try device.asksFor("a", as: .anna) == .asked(2))
        let ranged = Peer(connection: 30, uid: 100_001, owner: .user(Peer.ben.uid), pid: 130, roles: .app)
        #expect(try device.asksFor("a", as: ranged) == .other(.noPresenter, what: "grown-up"))
        #expect(try device.asksFor("a", as: .bensOther) == .granted)
    }

    @Test("words that differ by a character, or only in how a letter is spelled, are others")
    func otherWords() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("caf\u{e9}")
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        for (number, words) in zip([2, 3, 4] as [UInt64], ["caf\u{e9} ", "cafe", "cafe\u{301}"]) {
            #expect(try device.asksFor(words) == .asked(number))
        }
        #expect(try device.asksFor("caf\u{e9}", of: "page.save") == .asked(5))
        #expect(try device.asksFor("caf\u{e9}") == .granted)
    }

    @Test("a clock that is set back makes no yes last longer, neither in this boot nor in the next")
    func clock() throws {
        var device = try allowed()
        try device.pass(.days(2))
        device.wallTime = Device.newYear.advanced(by: .seconds(60))
        try device.turn(by: .days(1))
        #expect(try device.asksFor("a") != .granted)

        device = try allowed()
        device.wallTime = Device.newYear.advanced(by: .seconds(-60))
        #expect(try device.asksFor("a") == .asked(2))
        device = try device.restarted(rebooted: true)
        #expect(try device.asksFor("a") == .asked(2))
        device.wallTime = Device.newYear.advanced(by: .days(3))
        try device.turn(by: .seconds(1))
        #expect(device.stored.keptGrants.isEmpty)
    }

    @Test("a restored backup brings no yes back that was used, and none that was not")
    func backup() throws {
        var device = try allowed()
        let backup = device.stored
        #expect(try device.asksFor("a") == .granted)
        try device.apply(.control(.restore(backup, detail: "")), as: .root)
        try device.recognizeAll()
        #expect(try device.asksFor("a") == .asked(2))
        #expect(device.stored.asks[2]?.state == .waiting && device.stored.keptGrants.isEmpty)
    }

    @Test("a child does not answer its own ask, in parent mode neither, and a presenter that is no grown-up's does not")
    func ownAnswer() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        try device.enterParentMode(as: .anna)
        for peer in [Peer.ben, .anna, .mara, .shop] {
            for isAllowed in [true, false] {
                device.refuses(.answerAsk(1, isAllowed: isAllowed), as: peer, .permissionDenied, .notPermitted)
            }
        }
        #expect(device.states() == [1: .waiting])
    }

    @Test("a child's program that calls itself the parent's is whom the kernel says, and that is no grown-up")
    func inParentsName() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        let impostor = Peer(connection: 31, uid: Peer.ben.uid, pid: 131, roles: .app, program: "olga")
        device.refuses(.answerAsk(1, isAllowed: true), as: impostor, .permissionDenied, .notPermitted)
        let asParent = Peer.ben.asking(
            for: Subject(uid: Peer.olga.uid, pid: 5, startTime: 1), owner: .user(Peer.olga.uid), program: "game")
        device.refuses(.answerAsk(1, isAllowed: true), as: asParent, .permissionDenied, .notPermitted)
    }

    @Test("an ask that is answered twice, by two parents, is worth one yes")
    func answeredTwice() throws {
        var device = try allowed()
        device.refuses(.answerAsk(1, isAllowed: true), as: .root, .notFound, .unknown)
        #expect(try device.asksFor("a") == .granted)
        device.refuses(.answerAsk(1, isAllowed: true), as: .olga, .notFound, .unknown)
        #expect(try device.asksFor("a") == .asked(2))
    }

    @Test("of two programs that use a yes at the same moment one gets through, also when both wait for it")
    func usedTwice() throws {
        var device = try allowed()
        let both = try [device.asksFor("a"), device.asksFor("a", as: .bensOther)]
        #expect(both == [.granted, .asked(2)])

        device = try Device.withAsks()
        try device.apply(.register(.everything), as: .olga)
        guard case .waits(let first) = try device.asksFor("a") else { return #expect(Bool(false)) }
        // Another program that asks the same is told at once that the question waits.
        #expect(try device.asksFor("a", as: .bensOther) == .asked(1))
        try device.apply(.answerAsk(1, isAllowed: true), as: .root)
        #expect(Heard(device.reply(to: first)) == .granted)
        #expect(device.stored.keptGrants.isEmpty)
    }

    @Test("a uid that is used again has neither the yes nor the ask of whoever had it before")
    func uidUsedAgain() throws {
        var device = try allowed()
        _ = try device.asksFor("b")
        // The user database gives the number another name.
        try device.apply(.usersChecked(recognized: [Peer.anna.uid, Peer.olga.uid]), as: .daemon)
        #expect(try device.asksFor("a") == .other(.noPresenter, what: "grown-up"))
        // And an administrator puts its new owner on the list.
        let mia = GatePerson(name: "mia", kind: .child(born: nil))
        let kim = GatePerson(name: "kim", kind: .child(born: nil), user: .init(name: "kim", uid: Peer.ben.uid))
        for person in [mia, kim] { try device.apply(.setPerson(person), as: .root) }
        try device.recognizeAll()
        #expect(device.state.asks(visibleTo: .ben).isEmpty)
        device.refuses(.withdrawAsk(2), as: .ben, .notFound, .unknown)
        #expect(try device.asksFor("a") == .asked(3))
    }

    @Test("of a yes and a withdrawal at the same moment the first counts, and nothing is left either way")
    func withdrawnAndAnswered() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        var other = device
        try device.apply(.withdrawAsk(1), as: .ben)
        device.refuses(.answerAsk(1, isAllowed: true), as: .olga, .notFound, .unknown)
        #expect(try device.asksFor("a") == .asked(2))

        try other.apply(.answerAsk(1, isAllowed: true), as: .olga)
        try other.apply(.withdrawAsk(1), as: .ben)
        #expect(other.stored.keptGrants.isEmpty)
        #expect(try other.asksFor("a") == .asked(2))
    }

    @Test("a sibling neither sees an ask nor takes it back, and a grown-up who can refuse it is told to")
    func others() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        device.refuses(.withdrawAsk(1), as: .anna, .notFound, .unknown)
        device.refuses(.withdrawAsk(1), as: .olga, .permissionDenied, .notPermitted)
        try device.apply(.withdrawAsk(1), as: .root)
    }
}
