import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension HeardRequest {
    /// An ask as a device of the household has signed it.
    static func ask(
        _ name: RequestName, _ details: String = "a page", nonce: UInt8 = 1, isAllowed: Bool = false,
        left: Duration = .days(1)
    ) -> HeardRequest {
        var heard = HeardRequest.of(name, details, left: left)
        heard.words.ask = HouseholdAsk(
            nonce: [UInt8](repeating: nonce, count: HouseholdAsk.nonceByteCount), person: "mia", isAllowed: isAllowed,
            until: WallTime(unixMilliseconds: 86_400_000))
        heard.shown = [UInt8(truncatingIfNeeded: name.number), nonce, isAllowed ? 1 : 0]
        return heard
    }
}

@Suite("What waits on other devices, on a guardian's device (W-03)")
struct AsksOfOthersTests {
    private static let page = RequestName(.tablet, 5)
    private var laptop = Device(configuration: .ofLaptop)

    init() throws {
        try laptop.apply(.applyList(.millers()), as: .carrier)
        try laptop.apply(.takeDeviceKey(RandomWalk.annasKey), as: .root)
    }

    private func asks(of peer: Peer = .olga) -> [Ask] { laptop.state.asks(visibleTo: peer) }
    private var number: UInt64 { asks().first?.id ?? 0 }
    private var answer: AnswerToAsk? { laptop.stored.household.answers[Self.page] }

    private mutating func hear(_ heard: HeardRequest..., isAll: Bool = false) throws {
        try laptop.apply(.receiveRequests(RequestNews(heard: heard, isAll: isAll)), as: .carrier)
    }

    @Test("an ask of another device is listed for grown-ups with the device's name, and comes up on no screen")
    mutating func listed() throws {
        try laptop.apply(.register(.everything), as: .olga)
        let before = laptop.state.revision
        try hear(.ask(Self.page))
        #expect(laptop.state.revision != before, "watchers hear of it")
        let ask = try #require(asks().first)
        #expect(ask.device == "Mia's tablet" && ask.person == "mia" && ask.uid == 0 && ask.state == .waiting)
        #expect(ask.title == "Share a photo" && ask.details == "a page")
        #expect(ask.ends == WallTime(unixMilliseconds: 86_400_000))
        #expect((100_000...999_999).contains(ask.id))
        #expect(asks(of: .root) == asks())
        for peer in [Peer.anna, .ben, .mara, .shop, .carrier] { #expect(asks(of: peer).isEmpty, "\(peer)") }
        #expect(laptop.state.presentations(visibleTo: .root).isEmpty)
        #expect(laptop.state.requestsOfOthers(at: laptop.now).isEmpty)
        #expect(!laptop.journal.contains { $0.detail.contains("a page") })
    }

    @Test(
        "an answer is stored until the asking device has confirmed it, and is shown meanwhile and after",
        arguments: [true, false])
    mutating func answered(isAllowed: Bool) throws {
        try hear(.ask(Self.page))
        try laptop.apply(.answerAsk(number, isAllowed: isAllowed), as: .olga)
        let given = try #require(answer)
        #expect(given.isAllowed == isAllowed && given.nonce == [UInt8](repeating: 1, count: 16))
        #expect(given.expires == WallTime(unixMilliseconds: 86_400_000))
        #expect(given.end == laptop.wallTime.advanced(by: .days(1)))
        #expect(asks().map(\.state) == [isAllowed ? .allowed : .refused])
        let entry = laptop.journal.last { $0.kind == .commandSent }
        #expect(entry?.detail == "\(isAllowed ? "yes" : "no") to Mia's tablet: Share a photo, for mia")
        laptop.refuses(.answerAsk(number, isAllowed: isAllowed), as: .olga, .notFound, .unknown)

        // Another command's result, or another device's, changes nothing.
        try laptop.apply(.endAnswer(Self.page, command: .command(1), isDone: true), as: .carrier)
        try laptop.apply(.endAnswer(RequestName(.phone, 5), command: given.command, isDone: true), as: .carrier)
        #expect(answer == given)
        #expect(laptop.state.answerToAsk(of: .tablet, command: given.command) == Self.page)
        #expect(laptop.state.answerToAsk(of: .phone, command: given.command) == nil)
        try laptop.apply(.endAnswer(Self.page, command: given.command, isDone: true), as: .carrier)
        #expect(answer == nil)
        #expect(asks().map(\.state) == [isAllowed ? .allowed : .refused])
        // Nobody elsewhere takes back a no that the tablet has taken.
        #expect(asks().map(\.choices) == [[]])
        laptop.refuses(.answerAsk(number, isAllowed: true), as: .olga, .notFound, .unknown)
        try laptop.apply(.receiveRequests(RequestNews(closed: [Self.page])), as: .carrier)
        #expect(asks().isEmpty)
    }

    @Test("an answer that the device has refused leaves the ask as that device tells it")
    mutating func refusedThere() throws {
        try hear(.ask(Self.page))
        try laptop.apply(.answerAsk(number, isAllowed: true), as: .olga)
        let command = try #require(answer?.command)
        try laptop.apply(.endAnswer(Self.page, command: command, isDone: false), as: .carrier)
        #expect(answer == nil && asks().map(\.state) == [.waiting])
    }

    @Test("a later no replaces a yes that is on its way, and takes back one that the device has confirmed")
    mutating func laterNo() throws {
        try hear(.ask(Self.page))
        try laptop.apply(.answerAsk(number, isAllowed: true), as: .olga)
        let yes = try #require(answer)
        try laptop.apply(.answerAsk(number, isAllowed: false), as: .root)
        let no = try #require(answer)
        #expect(!no.isAllowed && no.command != yes.command)
        // The yes was on its way already, and its result does not end the no.
        try laptop.apply(.endAnswer(Self.page, command: yes.command, isDone: true), as: .carrier)
        #expect(answer == no)

        try laptop.apply(.endAnswer(Self.page, command: no.command, isDone: false), as: .carrier)
        try hear(.ask(Self.page, isAllowed: true))
        #expect(asks().map(\.state) == [.allowed])
        laptop.refuses(.answerAsk(number, isAllowed: true), as: .olga, .notFound, .unknown)
        try laptop.apply(.answerAsk(number, isAllowed: false), as: .olga)
        #expect(answer?.isAllowed == false)
    }

    @Test("only grown-ups' presenters and administrators answer, and parent mode is not enough")
    mutating func roles() throws {
        try hear(.ask(Self.page))
        try laptop.enterParentMode(as: .anna)
        for peer in [Peer.anna, .ben, .mara, .shop, .carrier] {
            for isAllowed in [true, false] {
                laptop.refuses(.answerAsk(number, isAllowed: isAllowed), as: peer, .permissionDenied, .notPermitted)
            }
        }
        laptop.refuses(.answerAsk(99, isAllowed: true), as: .olga, .notFound, .unknown)
        laptop.refuses(.withdrawAsk(number), as: .root, .notFound, .unknown)
        for peer in [Peer.anna, .olga] {
            laptop.refuses(
                .endAnswer(Self.page, command: .command(1), isDone: true), as: peer, .permissionDenied, .notPermitted)
        }
        try laptop.apply(.applyList(.millers(2)), as: .carrier)
        try laptop.apply(.answerAsk(number, isAllowed: true), as: .olga)
    }

    @Test("answers survive a restart, and asks are heard again under other numbers")
    mutating func restarted() throws {
        try hear(.ask(Self.page))
        try laptop.apply(.answerAsk(number, isAllowed: true), as: .olga)
        var again = Device(laptop.stored, configuration: .ofLaptop)
        try again.apply(.start, as: .daemon)
        #expect(again.state.records.household.answers == laptop.stored.household.answers)
        #expect(again.state.asks(visibleTo: .olga).isEmpty)
        try again.apply(.receiveRequests(RequestNews(heard: [.ask(Self.page)])), as: .carrier)
        #expect(again.state.asks(visibleTo: .olga).map(\.state) == [.allowed])
        // A new ask with the same number, as after a reset of that device, has not been answered.
        try again.apply(.receiveRequests(RequestNews(heard: [.ask(Self.page, nonce: 2)])), as: .carrier)
        #expect(again.state.asks(visibleTo: .olga).map(\.state) == [.waiting])
    }

    @Test("a question whose call has ended goes on as an ask: it leaves the screen, and keeps its number")
    mutating func fromScreen() throws {
        try laptop.apply(.register(.everything), as: .olga)
        try hear(.of(Self.page, "a page"))
        let asked = try #require(laptop.state.requestsOfOthers(at: laptop.now).first?.id)
        #expect(laptop.state.presentations(visibleTo: .root).count == 1)
        try hear(.ask(Self.page))
        #expect(laptop.state.presentations(visibleTo: .root).isEmpty)
        #expect(laptop.state.requestsOfOthers(at: laptop.now).isEmpty && laptop.sentAnswers.isEmpty)
        #expect(number == asked)
        #expect(
            laptop.refusal(.answerRequest(asked, isApproved: false, grant: nil), as: .root)?.reason == .unknown)
        try laptop.apply(.answerAsk(asked, isAllowed: true), as: .olga)
    }

    @Test("an ask is over at its end, also if its device is off, and watchers hear that")
    mutating func over() throws {
        try hear(.ask(Self.page, left: .seconds(3600)))
        #expect(laptop.state.nextDeadline == laptop.now.advanced(by: .seconds(3600)))
        let before = laptop.state.revision
        try laptop.turn(by: .seconds(3601))
        #expect(asks().isEmpty && laptop.state.revision != before)
        // The longest that any policy lets a question wait.
        try hear(.ask(RequestName(.tablet, 6), left: .days(400)))
        #expect(laptop.state.nextDeadline == laptop.now.advanced(by: HouseholdAsk.longestLife))
    }

    /// Whether watchers hear of something new.
    private mutating func isNews(_ command: Command, as peer: Peer = .carrier) throws -> Bool {
        let before = laptop.state.revision
        try laptop.apply(command, as: peer)
        return laptop.state.revision != before
    }

    @Test("watchers hear when asks of other devices come, change and go, and of nothing else that their carrier says")
    mutating func news() throws {
        let other = RequestName(.phone, 1)
        #expect(try !isNews(.receiveRequests(RequestNews())))
        #expect(try isNews(.receiveRequests(RequestNews(heard: [.ask(Self.page), .ask(other)]))))
        #expect(try !isNews(.receiveRequests(RequestNews(heard: [.ask(Self.page)]))))
        #expect(try isNews(.receiveRequests(RequestNews(heard: [.ask(Self.page, isAllowed: true)]))))
        #expect(try !isNews(.receiveRequests(RequestNews(heard: [.of(RequestName(.phone, 2), "a page")]))))
        #expect(try !isNews(.receiveRequests(RequestNews(closed: [RequestName(.phone, 2)]))))
        #expect(try isNews(.receiveRequests(RequestNews(closed: [other]))))
        #expect(try isNews(.peerDisconnected))
        #expect(try !isNews(.peerDisconnected))
    }

    @Test(
        "an ask stays when gate-household has connected anew before its old connection is gone, and goes with the last")
    mutating func connectedAnew() throws {
        try hear(.ask(Self.page))
        let before = number
        try laptop.apply(.receiveRequests(RequestNews(heard: [.ask(Self.page)], isAll: true)), as: .carrierAgain)
        try laptop.apply(.peerDisconnected, as: .carrier)
        #expect(number == before)
        try laptop.apply(.peerDisconnected, as: .carrierAgain)
        #expect(asks().isEmpty)
        // A restarted gate-household tells it again, and people have read its number.
        try hear(.ask(RequestName(.phone, 1)), .ask(Self.page))
        #expect(asks().map(\.person) == ["mia", "mia"] && asks().map(\.id) == [before, before + 1])
        #expect(asks().map(\.device) == ["Mia's tablet", "Tom's phone"])
    }

    @Test("a number that people have read names no other words: what a device says in their place has another one")
    mutating func otherWords() throws {
        try hear(.ask(Self.page))
        let before = number
        try hear(.ask(Self.page, isAllowed: true))
        #expect(number == before)
        try hear(.ask(Self.page, "another page", nonce: 3))
        #expect(number == before + 1)
        laptop.refuses(.answerAsk(before, isAllowed: true), as: .olga, .notFound, .unknown)
        // The same nonce does not help.
        var swapped = HeardRequest.ask(Self.page, "a third page", nonce: 3)
        swapped.shown = [9]
        try hear(swapped)
        #expect(number == before + 2)
        // Nor does going away in between, with the carrier or without.
        try laptop.apply(.receiveRequests(RequestNews(closed: [Self.page])), as: .carrier)
        try hear(.ask(Self.page, nonce: 3))
        #expect(number == before + 3)
        try laptop.apply(.peerDisconnected, as: .carrier)
        try hear(.ask(Self.page, "a fourth page", nonce: 3))
        #expect(number == before + 4)
    }

    @Test("asks of strangers and revoked devices are not listed, and go when their device is revoked")
    mutating func strangers() throws {
        var forged = HeardRequest.ask(Self.page)
        forged.verifiedBy = [9]
        var foreign = HeardRequest.ask(Self.page)
        foreign.words.household = .others
        try hear(forged, foreign, .ask(RequestName(.others, 1)))
        #expect(asks().isEmpty)
        try hear(.ask(RequestName(.phone, 1)))
        #expect(asks().map(\.device) == ["Tom's phone"])
        try laptop.apply(.applyList(.millers(2, isTomRevoked: true)), as: .carrier)
        #expect(asks().isEmpty)
    }

    @Test("a device that asks endlessly has sixteen places, all devices 32, and questions of open calls keep theirs")
    mutating func limits() throws {
        for device in [HouseholdID.tablet, .phone, .television] {
            for number in 1...50 { try hear(.ask(RequestName(device, UInt64(number)))) }
        }
        #expect(asks().count == HeardRequestBook.keptAsks)
        #expect(asks().count { $0.device == "Mia's tablet" } == HeardRequestBook.keptAsksOfDevice)
        for number in 101...150 { try hear(.of(RequestName(.television, UInt64(number)))) }
        #expect(laptop.state.requestsOfOthers(at: laptop.now).count == HeardRequestBook.keptOfDevice)
    }

    @Test("of more than 64 answers that no device has confirmed, the one that ends first goes, and those that are over")
    mutating func manyAnswers() throws {
        for round in 0..<10 {
            let names = (1...10).map { RequestName(.tablet, UInt64(round * 10 + $0)) }
            try laptop.apply(
                .receiveRequests(RequestNews(heard: names.map { .ask($0) }, isAll: true)), as: .carrier)
            for ask in asks() { try laptop.apply(.answerAsk(ask.id, isAllowed: true), as: .olga) }
        }
        #expect(laptop.stored.household.answers.count == OutgoingAnswers.maximumCount)
        laptop.wallTime = laptop.wallTime.advanced(by: .days(2))
        try hear(.ask(RequestName(.tablet, 500)), isAll: true)
        try laptop.apply(.answerAsk(number, isAllowed: true), as: .olga)
        #expect(laptop.stored.household.answers.keys.map(\.number) == [500])
    }

    @Test("a restored backup keeps the answers of this device, and takes none from the file")
    mutating func backup() throws {
        try hear(.ask(Self.page))
        let empty = laptop.stored
        try laptop.apply(.answerAsk(number, isAllowed: true), as: .olga)
        let given = laptop.stored
        try laptop.apply(.restore(empty, detail: ""), as: .root)
        #expect(laptop.stored.household.answers == given.household.answers)
    }
}
