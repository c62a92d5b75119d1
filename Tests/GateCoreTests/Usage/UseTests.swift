import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Whose time a use takes, and which yes ends it (Z-02, W-04)")
struct UseTests {
    @Test("a uid in a person's range uses that person's time, and has none of its own (Z-02)")
    func ranges() throws {
        var device = try Device.withUsage()
        let guests = [100_000, 100_001].map { uid in
            Peer(connection: UInt64(uid), uid: uid, owner: Peer.ben.owner, pid: 7, roles: .app)
        }
        try device.use(1, as: guests[0])
        try device.live(.seconds(600))
        #expect(device.left == .seconds(3000))
        // Together they take the time of one.
        try device.use(2, as: guests[1])
        try device.use(3)
        try device.live(.seconds(600))
        try device.stop(1, as: guests[0])
        try device.live(.seconds(600))
        #expect(device.left == .seconds(1800))
        try device.live(.seconds(1800))
        #expect(device.left == .zero)
        for peer in guests + [.ben] {
            let refusal = try #require(throws: GateError.self) { try device.use(4, as: peer) }
            #expect(refusal.reason == .outOfHours && device.refusal(for: peer)?.reason == .outOfHours)
        }
        // Time is Mia's alone, and nothing is counted for the uids of her range.
        #expect(Set(device.stored.usage.meters.map(\.uid)) == [Peer.ben.uid])
    }

    @Test("a use is over with the yes to its words, not with a yes to others, and details are one line")
    func words() throws {
        let question = ChallengeSpecification(
            .confirm, answeredBy: .grownUp, mayWait: .days(1), choices: [.time(.seconds(1800)), .always])
        var configuration = Configuration.usage
        configuration.gatedActions["app.race"] = GatedAction(
            title: "Race", requirement: .any([.parentMode, .challenge(ChallengeRule(question))]))
        var device = try Device.withUsage(configuration)
        for (number, details) in [(UInt64(1), "race"), (2, "other")] {
            #expect(try device.asksFor(details, of: "app.race") == .asked(number))
        }
        try device.apply(.answerAsk(1, .yes(.time(.seconds(1800)))), as: .olga)
        try device.apply(.answerAsk(2, .yes(.always)), as: .olga)
        for (number, details) in [(UInt64(1), "race"), (2, "other"), (3, "")] {
            try device.use(number, "app.race", details: details)
        }
        func over() -> [Bool?] { [1, 2, 3].map { device.state.timeLeft(ofUse: $0, at: device.now)?.isOver } }
        try device.live(.seconds(1799))
        #expect(over() == [false, false, false])
        try device.live(.seconds(1))
        // Nobody has allowed the third, so nothing ends it.
        #expect(over() == [true, false, false])
        try device.apply(.answerAsk(2, .no), as: .olga)
        #expect(over() == [true, true, false])
        for details in ["a\nb", String(repeating: "a", count: 100_000)] {
            let refusal = try #require(throws: GateError.self) { try device.use(4, "app.race", details: details) }
            #expect(refusal.code == .invalidArgument)
        }
    }
}
