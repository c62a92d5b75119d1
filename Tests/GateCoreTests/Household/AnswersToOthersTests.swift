import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A guardian chooses for another device, and hears if that device does not take the answer (W-03, W-04)")
struct AnswersToOthersTests {
    private static let page = RequestName(.tablet, 5)
    private static let why = "That question no longer waits: it was answered, was taken back, or has expired."
    private var laptop = Device(configuration: .ofLaptop)

    init() throws {
        laptop.wallTime = Device.newYear
        try laptop.apply(.applyList(.millers(expires: Int64.max)), as: .carrier)
        try laptop.apply(.takeDeviceKey(RandomWalk.annasKey), as: .root)
    }

    private var asks: [Ask] { laptop.state.asks(visibleTo: .olga) }
    private var number: UInt64 { asks.first?.id ?? 0 }
    private var answer: AnswerToAsk? { laptop.stored.household.answers[Self.page] }

    private static func ask(
        _ name: RequestName = page, choices: [AskChoice] = [.once, .today, .always, .time(.seconds(1800))],
        isAllowed: Bool = false, nonce: UInt8 = 1
    ) -> HeardRequest {
        var heard = HeardRequest.ask(name, nonce: nonce, isAllowed: isAllowed, left: .days(3))
        heard.words.ask?.until = Device.newYear.advanced(by: .days(3))
        heard.words.ask?.choices = choices
        return heard
    }

    private mutating func hear(_ heard: HeardRequest..., isAll: Bool = false) throws {
        try laptop.apply(.receiveRequests(RequestNews(heard: heard, isAll: isAll)), as: .carrier)
    }

    /// The tablet says what became of the answer.
    private mutating func ends(_ refusal: CommandResult.Refusal?) throws {
        let command = try #require(answer?.command)
        try laptop.apply(.household(.endAnswer(Self.page, command: command, refusal)), as: .carrier)
    }

    // MARK: - Choices

    @Test("what the other device offers is offered, the first of it counts if none is named, and nothing else is taken")
    mutating func choices() throws {
        try hear(Self.ask())
        #expect(asks.map(\.choices) == [[.once, .today, .always, .time(.seconds(1800))]])
        for choice in [AskChoice.thisSite, .time(.seconds(60))] {
            laptop.refuses(.answerAsk(number, .yes(choice)), as: .olga, .invalidArgument, .invalidRequest)
        }
        #expect(answer == nil)
        try laptop.apply(.answerAsk(number, .yes()), as: .olga)
        #expect(answer?.answer == .yes(.once) && asks.map(\.choice) == [.once])

        try hear(Self.ask(RequestName(.phone, 1), choices: [.always, .once]))
        let other = try #require(asks.last).id
        try laptop.apply(.answerAsk(other, .yes()), as: .olga)
        #expect(laptop.stored.household.answers[RequestName(.phone, 1)]?.answer == .yes(.always))
        // A device of before says no choices.
        try hear(.ask(RequestName(.television, 1)))
        #expect(asks.last?.choices == [.once])
    }

    @Test("each choice and each kind of no is stored, shown, journalled, and survives a restart")
    mutating func stored() throws {
        let answers: [(AskAnswer, String)] = [
            (.yes(.once), "yes"), (.yes(.always), "yes (always)"), (.yes(.time(.seconds(1800))), "yes (30m)"),
            (.no, "no"), (.notUntilTomorrow, "no (not until tomorrow)"),
        ]
        for (given, text) in answers {
            var scene = self
            try scene.hear(Self.ask())
            try scene.laptop.apply(.answerAsk(scene.number, given), as: .olga)
            #expect(scene.answer?.answer == given)
            #expect(scene.asks.map(\.state) == [given.isAllowed ? .allowed : .refused])
            #expect(scene.asks.map(\.isUntilTomorrow) == [given == .notUntilTomorrow])
            let entry = scene.laptop.journal.last { $0.kind == .commandSent }
            #expect(entry?.detail == "\(text) to Mia's tablet: Share a photo, for mia")
            let again = Device(scene.laptop.stored, configuration: .ofLaptop)
            #expect(again.stored.household.answers == scene.laptop.stored.household.answers)
            try scene.ends(nil)
            #expect(scene.answer == nil && scene.asks.map(\.state) == [given.isAllowed ? .allowed : .refused])
        }
    }

    @Test(
        "a later answer replaces one that is on its way, with another id: yes by no, no by yes, and one no by the other"
    )
    mutating func replaced() throws {
        try hear(Self.ask())
        var ids: Set<HouseholdID> = []
        for answer in [AskAnswer.yes(.always), .no, .notUntilTomorrow, .no, .yes(.today), .notUntilTomorrow] {
            try laptop.apply(.answerAsk(number, answer), as: .olga)
            #expect(self.answer?.answer == answer)
            ids.formUnion([self.answer?.command].compactMap(\.self))
        }
        #expect(ids.count == 6)
        laptop.refuses(.answerAsk(number, .notUntilTomorrow), as: .olga, .notFound, .unknown)
        try ends(nil)
        laptop.refuses(.answerAsk(number, .no), as: .olga, .notFound, .unknown)
    }

    @Test("a yes for today ends with this day, so a broker can't keep it for tomorrow; then the guardian hears of it")
    mutating func today() throws {
        try laptop.pass(.seconds(20 * 3600))
        try hear(Self.ask())
        try laptop.apply(.answerAsk(number, .yes(.today)), as: .olga)
        let midnight = Device.newYear.advanced(by: .days(1))
        #expect(answer?.expires == midnight && answer?.end == midnight)
        #expect(laptop.state.nextDeadline == laptop.now.advanced(by: .seconds(4 * 3600)))
        try laptop.pass(.seconds(4 * 3600))
        #expect(answer == nil && asks.map(\.state) == [.waiting])
        #expect(asks.map(\.refusal) == ["The day is over, and the device has not taken the answer."])
        try laptop.apply(.answerAsk(number, .yes(.always)), as: .olga)
        #expect(answer?.expires == Device.newYear.advanced(by: .days(3)) && asks.map(\.refusal) == [""])
    }

    // MARK: - Refused answers

    @Test("a refused answer is told beside the question, with the reason, until the guardian answers anew")
    mutating func refused() throws {
        try hear(Self.ask())
        try laptop.apply(.answerAsk(number, .yes(.always)), as: .olga)
        let before = laptop.state.revision
        try ends(CommandResult.Refusal(.refused, "It offers these: once."))
        #expect(laptop.state.revision != before, "watchers hear of it")
        #expect(asks.map(\.state) == [.waiting] && asks.map(\.refusal) == ["It offers these: once."])
        let entry = laptop.journal.last { $0.kind == .commandSent }
        #expect(
            entry?.detail
                == "not taken: yes (always) to Mia's tablet: Share a photo, for mia: It offers these: once.")
        for peer in [Peer.anna, .ben, .mara] { #expect(laptop.state.asks(visibleTo: peer).isEmpty) }
        // It stays when the tablet says the same question again, and goes with the next answer.
        var offered = Self.ask(choices: [.once, .today])
        offered.shown = [7]
        try hear(offered)
        #expect(asks.map(\.refusal) == ["It offers these: once."] && asks.map(\.choices) == [[.once, .today]])
        try laptop.apply(.answerAsk(number, .yes(.once)), as: .olga)
        #expect(asks.map(\.refusal) == [""])
    }

    @Test("if the question is over by then, it stays listed for a day, and takes no answer", arguments: [true, false])
    mutating func closed(isOverFirst: Bool) throws {
        try hear(Self.ask())
        let asked = number
        try laptop.apply(.answerAsk(asked, .yes(.always)), as: .olga)
        if isOverFirst {
            try hear(isAll: true)
            #expect(asks.isEmpty && answer != nil)
            try ends(CommandResult.Refusal(.closed, Self.why))
        } else {
            try ends(CommandResult.Refusal(.closed, Self.why))
            try laptop.apply(.receiveRequests(RequestNews(closed: [Self.page])), as: .carrier)
        }
        #expect(asks.map(\.state) == [.closed] && asks.map(\.refusal) == [Self.why] && asks.map(\.id) == [asked])
        for answer in [AskAnswer.yes(), .no, .notUntilTomorrow] {
            laptop.refuses(.answerAsk(asked, answer), as: .olga, .notFound, .unknown)
        }
        // It does not go with the connection, nor with the next news.
        try laptop.apply(.peerDisconnected, as: .carrier)
        try hear(isAll: true)
        #expect(asks.map(\.state) == [.closed])
        try laptop.pass(.days(1))
        #expect(asks.isEmpty)
    }

    @Test("an answer that was confirmed after its question is over leaves nothing behind")
    mutating func confirmed() throws {
        try hear(Self.ask())
        try laptop.apply(.answerAsk(number, .yes()), as: .olga)
        try hear(isAll: true)
        #expect(asks.isEmpty)
        try ends(nil)
        #expect(asks.isEmpty && laptop.state.heardRequests.entries.isEmpty)
    }

    @Test("gate-household is restarted between an answer and its refusal: the guardian hears of it all the same")
    mutating func carrierRestarted() throws {
        try hear(Self.ask())
        try laptop.apply(.answerAsk(number, .no), as: .olga)
        try laptop.apply(.peerDisconnected, as: .carrier)
        #expect(asks.isEmpty)
        let command = try #require(answer?.command)
        let refusal = CommandResult.Refusal(.closed, Self.why)
        try laptop.apply(.household(.endAnswer(Self.page, command: command, refusal)), as: .carrierAgain)
        #expect(asks.map(\.state) == [.closed] && asks.map(\.refusal) == [Self.why])
    }

    @Test(
        "a question that is over and comes again, as a broker may repeat it, can be answered, and the device refuses it"
    )
    mutating func replayed() throws {
        var tablet = try HouseholdDevice.withAsks()
        _ = try tablet.device.asksFor("a")
        let words = try #require(tablet.told.first)
        #expect(try tablet.hears(true, to: words) == nil)
        #expect(try tablet.device.asksFor("a") == .granted)
        #expect(tablet.told.isEmpty)

        var heard = Self.ask(RequestName(.tablet, words.number))
        heard.words.ask?.nonce = try #require(words.ask?.nonce)
        try hear(heard)
        try hear(isAll: true)
        #expect(asks.isEmpty)
        // gate-household was restarted, and the broker sends what the tablet has cleared long ago.
        try laptop.apply(.peerDisconnected, as: .carrier)
        try laptop.apply(.receiveRequests(RequestNews(heard: [heard], isAll: true)), as: .carrierAgain)
        try laptop.apply(.answerAsk(number, .yes(.always)), as: .olga)
        let given = try #require(laptop.stored.household.answers[heard.name])
        #expect(given.nonce == words.ask?.nonce)
        let refusal = try tablet.hears(true, to: words, choice: given.word)
        #expect(refusal?.check == .closed && tablet.device.stored.keptGrants.isEmpty)
        #expect(try tablet.device.asksFor("a") == .asked(2))
        try laptop.apply(.household(.endAnswer(heard.name, command: given.command, refusal)), as: .carrierAgain)
        #expect(asks.map(\.refusal) == [Self.why])
    }

    @Test("a device that refuses without end has sixteen questions listed for it, and takes no place of new ones")
    mutating func limits() throws {
        for number in 1...40 as ClosedRange<UInt64> {
            let name = RequestName(.tablet, number)
            try hear(Self.ask(name), isAll: true)
            let id = try #require(asks.first { $0.state == .waiting }).id
            try laptop.apply(.answerAsk(id, .yes()), as: .olga)
            let command = try #require(laptop.stored.household.answers[name]?.command)
            let long = String(repeating: "x", count: 1000)
            try laptop.apply(
                .household(.endAnswer(name, command: command, CommandResult.Refusal(.refused, long))), as: .carrier)
        }
        #expect(asks.count { $0.state == .closed } <= HeardRequestBook.keptAsksOfDevice)
        #expect(asks.allSatisfy { $0.refusal.utf8.count <= HeardRequestBook.refusalByteCount })
        let names = (101...116).map { RequestName(.tablet, $0) }
        try laptop.apply(.receiveRequests(RequestNews(heard: names.map { Self.ask($0) }, isAll: true)), as: .carrier)
        #expect(asks.count { $0.state == .waiting } == HeardRequestBook.keptAsksOfDevice)
    }
}
