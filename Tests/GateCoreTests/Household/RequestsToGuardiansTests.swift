import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A question that a guardian answers from elsewhere (H-04)")
struct RequestsToGuardiansTests {
    private var tablet: HouseholdDevice

    init() throws {
        tablet = try HouseholdDevice()
        try tablet.device.apply(.reachBroker(true), as: .carrier)
    }

    /// Mia's app asks for something that the policy leaves to grown-ups.
    private mutating func ask(_ details: String = "a photo", as peer: Peer = .anna) throws -> WaitID {
        try tablet.device.apply(
            .authorize(AuthorizationRequest(gatedAction: "share", details: details), presenting: .elsewhere), as: peer
        ).wait()
    }

    private var requests: [RequestForGuardians] { tablet.device.state.requestsForGuardians }

    /// The guardian's answer, of a test's kind of digest.
    private mutating func answer(
        _ number: UInt64, _ isApproved: Bool, shown: [UInt8] = [1], asked: [UInt8]? = [1],
        _ change: (inout GuardianCommand) -> Void = { _ in }
    ) throws -> CommandResult.Refusal? {
        var command = try tablet.command(
            .answer(RequestAnswer(number: number, shown: shown, isApproved: isApproved)), change)
        command.shown = asked
        return try tablet.obey(command)?.result.refusal
    }

    @Test("without a presenter guardians are asked all the same, and a yes grants the request in the guardian's name")
    mutating func approved() throws {
        let wait = try ask()
        #expect(requests.map(\.words.asked.details) == ["a photo"])
        let number = try #require(requests.first?.words.number)
        #expect(try answer(number, true) == nil)
        guard case .granted = tablet.device.settled[wait]?.first else {
            Issue.record("it has no grant")
            return
        }
        let entry = tablet.device.journal.last { $0.kind == .answeredRight }
        #expect(entry?.actor?.guardian?.name == "Anna")
        #expect(requests.isEmpty)
    }

    @Test("a no refuses it, and costs the asker what a no on this device costs")
    mutating func denied() throws {
        let wait = try ask()
        #expect(try answer(requests[0].words.number, false) == nil)
        guard case .refused(let error) = tablet.device.settled[wait]?.first else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.reason == GateError.refusedByGrownUp(lockedOutFor: nil).reason)
        #expect(tablet.device.journal.last { $0.kind == .refused }?.actor?.guardian?.name == "Anna")
    }

    @Test("the first answer counts, and a second one from any device finds the question closed")
    mutating func first() throws {
        try tablet.device.apply(.register(.everything), as: .olga)
        _ = try ask()
        let number = requests[0].words.number
        let shown = try tablet.device.apply(.claim(presentation: number), as: .olga).presentation()
        #expect(try answer(number, true) == nil)
        #expect(
            tablet.device.refusal(.complete(shown.cookie, .text("yes")), as: .olga)?.reason
                == .closed)
        #expect(try answer(number, true)?.check == .closed)

        _ = try ask("another")
        let next = requests[0].words.number
        let again = try tablet.device.apply(.claim(presentation: next), as: .olga).presentation()
        try tablet.device.apply(.complete(again.cookie, .text("yes")), as: .olga)
        #expect(try answer(next, false)?.check == .closed)
    }

    @Test("an answer counts only if the guardian was shown exactly what was asked")
    mutating func shown() throws {
        let wait = try ask()
        let number = requests[0].words.number
        for (shown, asked) in [([2], [1]), ([1], [2]), ([], [1])] as [([UInt8], [UInt8])] {
            #expect(try answer(number, true, shown: shown, asked: asked)?.check == .shown)
        }
        #expect(try answer(number, true, asked: nil)?.check == .closed)
        #expect(try answer(number + 1, true)?.check == .closed)
        #expect(tablet.device.settled[wait] == nil)
    }

    @Test("a yes needs what every opening command needs; a no needs what a lock needs, and names one device")
    mutating func checks() throws {
        _ = try ask()
        let number = requests[0].words.number
        #expect(try answer(number, true) { $0.challenge = [] }?.check == .challenge)
        #expect(try answer(number, true) { $0.expires = WallTime(unixMilliseconds: 0) }?.check == .expired)
        for isApproved in [true, false] {
            #expect(try answer(number, isApproved) { $0.device = nil }?.check == .all)
        }
        #expect(throws: GateError.self) { try answer(number, true) { $0.guardian = .television } }
        #expect(requests.count == 1)
        #expect(try answer(number, false) { $0.challenge = [] } == nil)
        #expect(requests.isEmpty)
    }

    @Test("guardians are not asked for secrets, sums, sign-ins, or what a requester shows itself")
    mutating func others() throws {
        var configuration = Configuration.ofTablet
        configuration.gatedActions["settings"] = GatedAction(
            title: "", requirement: .challenge(ChallengeRule(.init(.passcode, answeredBy: .grownUp))))
        try tablet.device.apply(.configure(configuration, detail: "test"), as: .root)
        try tablet.device.apply(.setPasscode(hash: "hash"), as: .root)
        for gatedAction in ["settings", "link.open"] {
            let command = Command.authorize(AuthorizationRequest(gatedAction: gatedAction), presenting: .elsewhere)
            #expect(tablet.device.refusal(command, as: .anna) != nil, "\(gatedAction)")
        }
        try tablet.device.apply(
            .authorize(AuthorizationRequest(gatedAction: "link.open"), presenting: .here), as: .anna)
        #expect(requests.isEmpty)
    }

    @Test("an open question stays open while the broker or the service is away, but new ones are not asked")
    mutating func away() throws {
        for end in [Command.reachBroker(false), .peerDisconnected] {
            let wait = try ask("a", as: .ben)
            try tablet.device.apply(end, as: .carrier)
            #expect(requests.count == 1 && tablet.device.settled[wait] == nil)
            #expect(
                tablet.device.refusal(
                    .authorize(AuthorizationRequest(gatedAction: "share"), presenting: .elsewhere), as: .anna)?.reason
                    == .noPresenter)
            try tablet.device.apply(.reachBroker(true), as: .carrier)
            #expect(try answer(requests[0].words.number, true) == nil)
            #expect(tablet.device.settled[wait] != nil)
        }
        let wait = try ask("b", as: .ben)
        try tablet.device.apply(.reachBroker(false), as: .carrier)
        try tablet.device.turn(by: .seconds(181))
        #expect(tablet.device.settled[wait] != nil && requests.isEmpty)
    }

    @Test("if the list has no guardian left, the question is refused at once")
    mutating func nobodyLeft() throws {
        let wait = try ask()
        var list = SignedHouseholdList.millers(2)
        for index in list.list.members.indices { list.list.members[index].guardian = nil }
        try tablet.device.apply(.applyList(list), as: .carrier)
        guard case .refused(let error) = tablet.device.settled[wait]?.first else {
            Issue.record("it goes on")
            return
        }
        #expect(error.reason == .noPresenter)
    }

    @Test("guardians elsewhere have at least three minutes to answer; without them the policy's time holds")
    mutating func time() throws {
        let wait = try ask()
        try tablet.device.turn(by: .seconds(179))
        #expect(requests.count == 1)
        try tablet.device.turn(by: .seconds(2))
        #expect(requests.isEmpty && tablet.device.settled[wait] != nil)
        try tablet.device.apply(.reachBroker(false), as: .carrier)
        try tablet.device.apply(.register(.everything), as: .olga)
        let other = try ask("another", as: .ben)
        try tablet.device.turn(by: .seconds(61))
        #expect(tablet.device.settled[other] != nil)
    }

    @Test(
        "each question keeps its usual time after the ones before it, since a guardian's screen shows one at a time"
    )
    mutating func oneAfterTheOther() throws {
        let first = try ask("one")
        try tablet.device.turn(by: .seconds(10))
        let second = try ask("two", as: .ben)
        let third = try ask("three")
        try tablet.device.turn(by: .seconds(169))
        #expect(requests.map(\.words.asked.details) == ["one", "two", "three"])
        try tablet.device.turn(by: .seconds(2))
        #expect(tablet.device.settled[first] != nil && requests.count == 2)
        // A minute, as the policy says, after the first; and one more for the third.
        try tablet.device.turn(by: .seconds(58))
        #expect(requests.count == 2)
        try tablet.device.turn(by: .seconds(2))
        #expect(tablet.device.settled[second] != nil && requests.count == 1)
        #expect(try answer(requests[0].words.number, true) == nil)
        guard case .granted = tablet.device.settled[third]?.first else {
            Issue.record("it has no grant")
            return
        }
        // With no question before it, a question has three minutes again.
        let fourth = try ask("four")
        try tablet.device.turn(by: .seconds(181))
        #expect(tablet.device.settled[fourth] != nil && requests.isEmpty)
    }

    @Test(
        "a question that waits for a screen here gets its full time when it is shown"
    )
    mutating func waitingForScreen() throws {
        try tablet.device.apply(.register(.everything), as: .olga)
        _ = try ask("one")
        let number = requests[0].words.number
        let shown = try tablet.device.apply(.claim(presentation: number), as: .olga).presentation()
        try tablet.device.turn(by: .seconds(100))
        let second = try ask("two", as: .ben)
        try tablet.device.turn(by: .seconds(70))
        try tablet.device.apply(.complete(shown.cookie, .text("yes")), as: .olga)
        try tablet.device.turn(by: .seconds(179))
        #expect(requests.map(\.words.asked.details) == ["two"] && tablet.device.settled[second] == nil)
    }

    @Test("no question is open for longer than an hour, however many were asked before it")
    mutating func longest() throws {
        var configuration = Configuration.ofTablet
        configuration.answerTime = .seconds(1800)
        try tablet.device.apply(.configure(configuration, detail: "test"), as: .root)
        var waits: [WaitID] = []
        for number in 0..<4 {
            waits.append(try ask("\(number)", as: number.isMultiple(of: 2) ? .anna : .ben))
        }
        try tablet.device.turn(by: .seconds(3601))
        #expect(waits.allSatisfy { tablet.device.settled[$0] != nil })
    }

    @Test("a program that has connected anew before the old connection is gone is the one that counts")
    mutating func connectedAnew() throws {
        try tablet.device.apply(.reachBroker(true), as: .carrierAgain)
        try tablet.device.apply(.peerDisconnected, as: .carrier)
        _ = try ask()
        try tablet.device.apply(.reachBroker(false), as: .carrier)
        #expect(requests.count == 1)
    }

    @Test("only the household's service can report that it has a broker")
    mutating func roles() throws {
        for peer in [Peer.anna, .olga] {
            #expect(tablet.device.refusal(.reachBroker(false), as: peer)?.parameters["what"] == "household")
            #expect(tablet.device.refusal(.receiveRequests(RequestNews()), as: peer)?.parameters["what"] == "household")
        }
        #expect(tablet.device.state.brokersConnection == Peer.carrier.connection)
    }
}
