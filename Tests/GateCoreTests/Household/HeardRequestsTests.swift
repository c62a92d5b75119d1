import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

extension HeardRequest {
    /// A question as a device of the household has signed it.
    static func of(
        _ name: RequestName, _ details: String = "a photo", left: Duration = .seconds(120)
    ) -> HeardRequest {
        HeardRequest(
            words: RequestWords(
                household: .millers, device: name.device, number: name.number, purpose: .authorize,
                asked: PresentationContext(
                    uid: 0, pid: 0, program: "shop", gatedAction: "share", title: "Share a photo", details: details)),
            shown: [UInt8(truncatingIfNeeded: name.number)], verifiedBy: SignedHouseholdList.keyBytes(name.device),
            left: left, askedAt: WallTime(unixMilliseconds: 1))
    }
}

@Suite("What other devices ask, on a guardian's device (H-04)")
struct HeardRequestsTests {
    private static let photo = RequestName(.tablet, 5)
    private var laptop = Device(configuration: .ofLaptop)

    init() throws {
        try laptop.apply(.applyList(.millers()), as: .carrier)
        try laptop.apply(.takeDeviceKey(RandomWalk.annasKey), as: .root)
    }

    private var open: [HouseholdRequest] { laptop.state.requestsOfOthers(at: laptop.now) }
    private var shown: [PresentationSummary] { laptop.state.presentations(visibleTo: .root) }

    private mutating func hear(_ heard: HeardRequest...) throws {
        try laptop.apply(.receiveRequests(RequestNews(heard: heard)), as: .carrier)
    }

    @Test("a question from another device is shown to grown-ups alone, with its words and the device's name")
    mutating func shownToGrownUps() throws {
        try laptop.apply(.register(.everything), as: .mara)
        try hear(.of(Self.photo))
        #expect(shown.isEmpty)
        try laptop.apply(.register(.everything), as: .olga)
        #expect(shown.map(\.asked.device) == ["Mia's tablet"])
        #expect(shown.map(\.asked.details) == ["a photo"])
        #expect(shown.map(\.kind) == [.challenge(.confirm)])
        #expect(laptop.state.presentation(forPresenter: Peer.mara.connection) == nil)
    }

    @Test(
        "an answer is sent with what was shown; if the question is dismissed or expires, nothing is sent",
        arguments: [true, false, nil])
    mutating func answered(isApproved: Bool?) throws {
        try laptop.apply(.register(.everything), as: .olga)
        try hear(.of(Self.photo))
        let presentation = try laptop.apply(.claim(presentation: shown[0].id), as: .olga).presentation()
        if let isApproved {
            try laptop.apply(.complete(presentation.cookie, .text(isApproved ? "yes" : "no")), as: .olga)
            #expect(
                laptop.sentAnswers == [
                    AnswerToSend(
                        device: .tablet, answer: RequestAnswer(number: 5, shown: [5], isApproved: isApproved))
                ])
            #expect(
                laptop.journal.last { $0.kind == .commandSent }?.detail.hasPrefix(isApproved ? "yes" : "no") == true)
        } else {
            try laptop.apply(.dismiss(presentation.cookie), as: .olga)
            #expect(laptop.sentAnswers.isEmpty)
        }
        #expect(shown.isEmpty)
        #expect(laptop.state.lockouts.isEmpty)
        // The request is not shown again, and stays on the list until the device closes it.
        try hear(.of(Self.photo))
        #expect(shown.isEmpty)
        #expect(open.count == 1)
        try laptop.apply(.receiveRequests(RequestNews(closed: [Self.photo])), as: .carrier)
        #expect(open.isEmpty)
    }

    @Test("neither the household's service nor other presenters see the question, or that there is one")
    mutating func secret() throws {
        try laptop.apply(.register(.everything), as: .mara)
        try laptop.apply(.register(.everything), as: .olga)
        try hear(.of(Self.photo))
        _ = try laptop.apply(.claim(presentation: shown[0].id), as: .olga)
        for peer in [Peer.carrier, .mara, .anna, .shop] {
            #expect(laptop.state.presentations(visibleTo: peer).isEmpty, "\(peer)")
        }
        #expect(laptop.state.elsewhere(forPresenter: Peer.mara.connection) == nil)
        #expect(laptop.state.presentations(visibleTo: .olga).count == 1)
        #expect(!laptop.journal.contains { $0.detail.contains("a photo") })
    }

    @Test("a question that the other device closes is withdrawn here")
    mutating func withdrawn() throws {
        try laptop.apply(.register(.everything), as: .olga)
        for news in [RequestNews(closed: [Self.photo]), RequestNews(isAll: true)] {
            try hear(.of(Self.photo))
            #expect(shown.count == 1)
            try laptop.apply(.receiveRequests(news), as: .carrier)
            #expect(shown.isEmpty && open.isEmpty)
        }
        try hear(.of(Self.photo))
        try laptop.apply(.peerDisconnected, as: .carrier)
        #expect(shown.isEmpty && open.isEmpty)
        #expect(laptop.sentAnswers.isEmpty)
    }

    @Test("a question stays as long as it is open on its device, even if this device's own questions are shorter")
    mutating func stays() throws {
        try laptop.apply(.register(.everything), as: .olga)
        try hear(.of(Self.photo, left: .seconds(900)))
        _ = try laptop.apply(.claim(presentation: shown[0].id), as: .olga)
        try laptop.turn(by: .seconds(899))
        #expect(shown.count == 1)
        try laptop.turn(by: .seconds(2))
        #expect(shown.isEmpty)
    }

    @Test("a question ends at its device's deadline at the latest, and is shown again if its presenter left")
    mutating func over() throws {
        try laptop.apply(.register(.everything), as: .olga)
        try hear(.of(Self.photo, left: .seconds(20)))
        try laptop.apply(.unregister, as: .olga)
        #expect(shown.isEmpty)
        try laptop.apply(.register(.everything), as: .olga)
        #expect(shown.count == 1)
        try laptop.turn(by: .seconds(21))
        #expect(shown.isEmpty && open.isEmpty)
    }

    @Test("questions of unlisted or revoked devices are not shown, and are withdrawn when their device is revoked")
    mutating func strangers() throws {
        try laptop.apply(.register(.everything), as: .olga)
        var forged = HeardRequest.of(Self.photo)
        forged.verifiedBy = [9]
        try hear(forged, .of(RequestName(.others, 1)))
        var foreign = HeardRequest.of(Self.photo)
        foreign.words.household = .others
        try hear(foreign)
        #expect(shown.isEmpty && open.isEmpty)
        try hear(.of(RequestName(.phone, 1)))
        #expect(shown.count == 1)
        try laptop.apply(.applyList(.millers(2, isTomRevoked: true)), as: .carrier)
        #expect(shown.isEmpty && open.isEmpty)
    }

    @Test("a device that asks endlessly fills only its own places, and at most four questions are shown at once")
    mutating func limits() throws {
        try laptop.apply(.register(.everything), as: .olga)
        for number in 1...50 { try hear(.of(RequestName(.tablet, UInt64(number)))) }
        try hear(.of(RequestName(.television, 1)))
        #expect(open.count == HeardRequestBook.keptOfDevice + 1)
        #expect(shown.count == HeardRequestBook.askedAtOnce)
        // The device's own questions still have room.
        try laptop.apply(
            .authorize(AuthorizationRequest(gatedAction: "link.open"), presenting: .elsewhere), as: .anna)
    }

    @Test("a number that was read before a restart names no other question after it")
    mutating func numbersAfterRestart() throws {
        try hear(.of(Self.photo))
        let read = open[0].id
        // A restarted gated knows none of the questions, and its random numbers are others.
        var restarted = try HeardRequestsTests()
        restarted.laptop.random = SeededGenerator(seed: 2)
        for number in UInt64(1)...3 { try restarted.hear(.of(RequestName(.tablet, number))) }
        let numbers = restarted.open.map(\.id)
        #expect(numbers[1] == numbers[0] + 1 && numbers[2] == numbers[0] + 2)
        #expect(!numbers.contains(read))
        // Six digits, which people can type.
        #expect([read, numbers[0]].allSatisfy { (100_000...999_999).contains($0) })
        #expect(
            restarted.laptop.refusal(.answerRequest(read, isApproved: true, grant: nil), as: .root)?.reason == .unknown)
    }

    @Test("without a presenter, saying no takes parent mode, and saying yes an administrator or an exact grant")
    mutating func unshown() throws {
        var configuration = Configuration.ofLaptop
        configuration.gatedActions["household.answer"] = GatedAction(
            title: "", requirement: .challenge(ChallengeRule(.arithmeticEntry)))
        try laptop.apply(.configure(configuration, detail: "test"), as: .root)
        try hear(.of(Self.photo))
        let number = open[0].id
        #expect(
            laptop.refusal(.answerRequest(number, isApproved: false, grant: nil), as: .anna)?.reason == .notPermitted)
        #expect(laptop.state.refusalToListRequests(.anna)?.reason == .notPermitted)
        try laptop.enterParentMode(as: .anna)
        #expect(laptop.state.refusalToListRequests(.anna) == nil)
        #expect(
            laptop.refusal(.answerRequest(number, isApproved: true, grant: nil), as: .anna)?.parameters["what"]
                == "answer-grant")
        guard
            case .answering(let no) = try laptop.apply(.answerRequest(number, isApproved: false, grant: nil), as: .anna)
                .reply
        else {
            Issue.record("it is not sent")
            return
        }
        #expect(!no.answer.isApproved)

        func grant(_ details: String, _ laptop: inout Device) throws -> Grant.Proof {
            let asked = try laptop.apply(
                .authorize(
                    AuthorizationRequest(gatedAction: "household.answer", details: details), presenting: .here),
                as: .anna
            ).presentation()
            return try laptop.answerRight(asked, as: .anna).grant().proof
        }
        let other = try grant("Mia's tablet: Share a photo: another", &laptop)
        #expect(laptop.refusal(.answerRequest(number, isApproved: true, grant: other), as: .anna) != nil)
        let right = try grant(open[0].grantDetails, &laptop)
        try laptop.apply(.answerRequest(number, isApproved: true, grant: right), as: .anna)
        #expect(laptop.refusal(.answerRequest(number, isApproved: true, grant: right), as: .anna) != nil)
        try laptop.apply(.answerRequest(number, isApproved: true, grant: nil), as: .root)
        #expect(laptop.refusal(.answerRequest(99, isApproved: true, grant: nil), as: .root)?.reason == .unknown)
    }

    @Test("a device that belongs to no guardian accepts no questions and answers none")
    func notGuardians() throws {
        let tablet = try HouseholdDevice()
        #expect(tablet.device.refusal(.receiveRequests(RequestNews()), as: .carrier)?.parameters["what"] == "guardian")
        #expect(
            tablet.device.refusal(.answerRequest(1, isApproved: false, grant: nil), as: .root)?.parameters["what"]
                == "guardian")
    }
}
