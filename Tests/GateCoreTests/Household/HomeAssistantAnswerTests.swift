import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Home Assistant answers what is asked on a device (H-07)")
struct HomeAssistantAnswerTests {
    private var tablet: HouseholdDevice

    init() throws {
        tablet = try HouseholdDevice()
        try tablet.device.apply(.reachBroker(true), as: .carrier)
        try configure([.answer])
    }

    private mutating func configure(
        _ may: Set<HomeAssistantPermission>?, _ change: (inout Configuration) -> Void = { _ in }
    ) throws {
        var configuration = Configuration.ofTablet
        configuration.household?.homeAssistant = may.map { HouseholdSettings.HomeAssistant(may: $0) }
        change(&configuration)
        try tablet.device.apply(.configure(configuration, detail: "test"), as: .root)
    }

    /// Mia's app asks for something that the policy leaves to grown-ups.
    private mutating func ask(_ details: String = "a photo", as peer: Peer = .anna) throws -> WaitID {
        try tablet.device.apply(
            .authorize(AuthorizationRequest(gatedAction: "share", details: details), presenting: .elsewhere), as: peer
        ).wait()
    }

    private var numbers: [UInt64] { tablet.device.state.requestsForGuardians.map(\.words.number) }
    /// The number of the newest presentation.
    private var newest: UInt64 { tablet.device.state.records.nextPresentation - 1 }

    private func refusal(_ number: UInt64, _ isApproved: Bool, as peer: Peer = .carrier) -> GateError? {
        tablet.device.refusal(.obeyHomeAssistant(.answer(number, isApproved: isApproved)), as: peer)
    }

    private mutating func answer(_ number: UInt64, _ isApproved: Bool) throws {
        try tablet.device.apply(.obeyHomeAssistant(.answer(number, isApproved: isApproved)), as: .carrier)
    }

    @Test("a yes grants the request, and the journal says that it was for Home Assistant, without a guardian")
    mutating func approved() throws {
        let wait = try ask()
        let count = tablet.device.journal.count
        try answer(numbers[0], true)
        guard case .granted = tablet.device.settled[wait]?.first else {
            Issue.record("it has no grant")
            return
        }
        let entries = tablet.device.journal.dropFirst(count)
        #expect(entries.first { $0.kind == .answeredRight }?.actor?.uid == Peer.carrier.uid)
        #expect(entries.allSatisfy { $0.detail.hasSuffix("for Home Assistant") })
        #expect(entries.allSatisfy { $0.actor?.guardian == nil })
        #expect(numbers.isEmpty && tablet.device.stored == tablet.device.state.records)
        #expect(
            tablet.device.refusal(.override(.parent, nil, reason: "me"), as: .carrier)?.code == .permissionDenied,
            "what carries it gets no other right by it")
    }

    @Test("a no refuses it, and costs the asker what a guardian's no costs, until it locks", arguments: 1...8)
    func denied(count: Int) throws {
        var (one, other) = (self, self)
        for index in 1...count {
            for isGuardian in [false, true] {
                var test = isGuardian ? other : one
                let answer = AuthorizationRequest(gatedAction: "share", details: "\(index)")
                guard test.tablet.device.refusal(.authorize(answer, presenting: .elsewhere), as: .anna) == nil else {
                    continue
                }
                let wait = try test.ask("\(index)")
                if isGuardian {
                    var command = try test.tablet.command(
                        .answer(RequestAnswer(number: test.numbers[0], shown: [1], isApproved: false)))
                    command.shown = [1]
                    #expect(try test.tablet.obey(command)?.result.refusal == nil)
                } else {
                    try test.answer(test.numbers[0], false)
                    let entry = test.tablet.device.journal.last { $0.kind == .refused }
                    #expect(entry?.detail.hasSuffix("for Home Assistant") == true && entry?.actor?.guardian == nil)
                }
                guard case .refused(let error) = test.tablet.device.settled[wait]?.first else {
                    Issue.record("it was not refused")
                    return
                }
                #expect(error.reason == .refused || error.reason == .lockedOut)
                if isGuardian { other = test } else { one = test }
            }
        }
        #expect(one.tablet.device.stored.lockouts == other.tablet.device.stored.lockouts)
        #expect(!one.tablet.device.stored.lockouts.isEmpty)
    }

    @Test(
        "without the permission in household.yaml, Home Assistant can answer nothing",
        arguments: [nil, [], [.extend]] as [Set<HomeAssistantPermission>?], [true, false])
    func mayNot(may: Set<HomeAssistantPermission>?, isApproved: Bool) throws {
        var test = self
        try test.configure(may)
        let wait = try test.ask()
        let refusal = test.refusal(test.numbers[0], isApproved)
        #expect(refusal?.code == .permissionDenied && refusal?.reason == .notPermitted)
        #expect(refusal?.parameters["what"] == "home-assistant")
        #expect(refusal?.message.contains("may: [answer]") == true)
        #expect(test.numbers.count == 1 && test.tablet.device.settled[wait] == nil)
    }

    @Test("an answer to a question that is not open is refused as closed", arguments: [true, false])
    func closed(isApproved: Bool) throws {
        var test = self
        #expect(test.refusal(1, isApproved)?.reason == .closed, "nothing is asked")
        let wait = try test.ask()
        let number = test.numbers[0]
        for wrong in [0, number - 1, number + 1, .max] {
            #expect(test.refusal(wrong, isApproved)?.parameters["what"] == "question")
        }
        #expect(test.numbers == [number] && test.tablet.device.settled[wait] == nil)
        try test.answer(number, true)
        #expect(test.refusal(number, isApproved)?.reason == .closed)
        // The same details again are another question.
        _ = try test.ask()
        #expect(test.numbers[0] > number && test.refusal(number, isApproved)?.reason == .closed)
        try test.tablet.device.turn(by: .seconds(181))
        #expect(test.refusal(test.newest, isApproved)?.reason == .closed, "its time is over")
    }

    @Test(
        "where the policy leaves parent mode to grown-ups, a yes enters it, and a no does not",
        arguments: [true, false])
    func mode(isApproved: Bool) throws {
        var test = self
        try test.configure([.answer]) {
            $0.modeChallenge = ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp))
        }
        try test.tablet.device.apply(.toggle(presenting: .elsewhere), as: .anna)
        #expect(test.tablet.device.mode == .verifying && test.numbers.count == 1)
        let count = test.tablet.device.journal.count
        try test.answer(test.numbers[0], isApproved)
        #expect(test.tablet.device.mode == (isApproved ? .parent : .child))
        #expect(test.tablet.device.journal.dropFirst(count).allSatisfy { $0.detail.hasSuffix("for Home Assistant") })
    }

    @Test("of two open questions, the one with the given number is answered")
    mutating func two() throws {
        let (first, second) = (try ask("a", as: .anna), try ask("b", as: .ben))
        try answer(numbers[1], true)
        #expect(tablet.device.settled[first] == nil && tablet.device.settled[second] != nil)
    }

    @Test("Home Assistant can't answer questions that guardians are not asked either", arguments: [true, false])
    func others(isApproved: Bool) throws {
        var test = self
        try test.configure([.answer]) {
            $0.gatedActions["settings"] = GatedAction(
                title: "", requirement: .challenge(ChallengeRule(.init(.passcode, answeredBy: .grownUp))))
        }
        try test.tablet.device.apply(.setPasscode(hash: "hash"), as: .root)
        try test.tablet.device.apply(.register(.everything), as: .olga)
        // A question for a secret, and a sum for anybody.
        for (gatedAction, peer) in [("settings", Peer.anna), ("link.open", .ben)] {
            let wait = try test.tablet.device.apply(
                .authorize(AuthorizationRequest(gatedAction: gatedAction), presenting: .elsewhere), as: peer
            ).wait()
            #expect(test.tablet.device.state.presentations(visibleTo: .root).contains { $0.id == test.newest })
            #expect(test.refusal(test.newest, isApproved)?.reason == .closed, "\(gatedAction)")
            #expect(test.tablet.device.settled[wait] == nil)
        }
        // The question for parent mode, by a sum on any screen.
        try test.tablet.device.apply(.toggle(presenting: .elsewhere), as: .mara)
        #expect(test.refusal(test.newest, isApproved)?.reason == .closed && test.tablet.device.mode == .verifying)
    }

    @Test("Home Assistant can't answer a question that came from another device")
    func heard() throws {
        var configuration = Configuration.ofLaptop
        configuration.household?.homeAssistant = .init(may: [.answer])
        var laptop = Device(configuration: configuration)
        try laptop.apply(.applyList(.millers()), as: .carrier)
        try laptop.apply(.takeDeviceKey(RandomWalk.annasKey), as: .root)
        try laptop.apply(.reachBroker(true), as: .carrier)
        try laptop.apply(.register(.everything), as: .olga)
        try laptop.apply(.receiveRequests(RequestNews(heard: [.of(RequestName(.tablet, 5))])), as: .carrier)
        let shown = laptop.state.presentations(visibleTo: .root)
        #expect(shown.count == 1)
        for number in [shown[0].id, 5, 1] {
            #expect(
                laptop.refusal(.obeyHomeAssistant(.answer(number, isApproved: true)), as: .carrier)?.reason == .closed)
        }
        #expect(laptop.sentAnswers.isEmpty)
    }

    @Test("only the household's service can deliver an answer of Home Assistant")
    mutating func permission() throws {
        _ = try ask()
        for peer in [Peer.anna, .mara, .olga, .shop] {
            #expect(refusal(numbers[0], true, as: peer)?.parameters["what"] == "household")
        }
        #expect(numbers.count == 1)
    }

    @Test("where a grown-up has the question on a screen, the first answer counts")
    mutating func first() throws {
        try tablet.device.apply(.register(.everything), as: .olga)
        let wait = try ask()
        let number = numbers[0]
        let shown = try tablet.device.apply(.claim(presentation: number), as: .olga).presentation()
        try answer(number, true)
        #expect(tablet.device.settled[wait] != nil)
        #expect(tablet.device.refusal(.complete(shown.cookie, .text("no")), as: .olga)?.reason == .closed)
    }
}
