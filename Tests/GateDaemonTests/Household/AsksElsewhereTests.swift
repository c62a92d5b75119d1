import GateGuardians
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite(
    "A question that waits on one device, answered on another, through gated (W-03)", .timeLimit(.minutes(10)))
struct AsksElsewhereTests {
    private static let database = UserDatabase(
        uid: { LiveGate.users[$0] }, name: { uid in LiveGate.users.first { $0.value == uid }?.key },
        hasAccount: { _ in true })

    private static let policy =
        TwoDevices.policy
        + "  page.open:\n    title: Open a page\n"
        + "    requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}\n"

    private static let wish = {
        var request = AuthorizationRequest(gatedAction: "page.open", details: "https://a.example/")
        request.mayWait = true
        return AuthorizeRequest(request: request, presenting: .elsewhere)
    }()

    /// The tablet is Mia's, whose user is `ben`. The broker is not there when she asks, so her call ends at once.
    private static func with(_ body: (Scene) async throws -> Void) async throws {
        try await TwoDevices.with(policy: policy, users: database) { devices, carrier in
            let root = try await devices.tablet.connect("root")
            let mia = GatePerson(name: "mia", kind: .child(born: nil), user: .init(name: "ben", uid: 0))
            _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(mia)))
            await devices.tablet.authority.settled()
            try await body(
                Scene(
                    carrier: carrier, devices: devices, mia: try await devices.tablet.connect("ben"),
                    mother: try await devices.laptop.connect("mother")))
        }
    }

    private struct Scene {
        let carrier: Carrier
        let devices: TwoDevices
        let mia: Connected
        let mother: Connected

        /// Mia asks, and the question waits.
        func ask() async -> String? {
            let refusal = await mia.refusal(of: Methods.Authorization.authorize, AsksElsewhereTests.wish)
            return refusal?.reason == .asked ? refusal?.parameters["ask"] : nil
        }

        func listed() async throws -> [Ask] {
            try await mother.call(Methods.Authorization.listAsks, ListAsksRequest()).elements
        }

        func answer(_ isAllowed: Bool) async throws {
            let number = try #require(try await listed().first).id
            _ = try await mother.call(
                Methods.Authorization.answerAsk, AnswerAskRequest(number: number, isAllowed: isAllowed))
        }

        /// What the laptop has the broker keep.
        func kept(after change: UInt64 = 0) async throws -> OutgoingAnswers {
            try await carrier.atLaptop.call(
                Methods.Household.collectAnswers, CollectAnswersRequest(afterChange: change)
            ).answers
        }

        /// Brings an answer to the tablet. Returns what that says, which goes back to the laptop if it `returns`.
        @discardableResult
        func bring(_ answer: OutgoingAnswer, returns: Bool = true) async throws -> CommandResult {
            let said = try await carrier.atTablet.call(
                Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: answer.signed))
            if returns {
                _ = try await carrier.atLaptop.call(
                    Methods.Household.submitResult, SubmitResultRequest(signedResult: said.signedResult))
            }
            return try CommandResult(payload: SignedText(said.signedResult, as: .result).payload)
        }
    }

    @Test(
        "the guardian answers while the tablet is off, and the same words pass once when it is back",
        arguments: [true, false])
    func answered(isAllowed: Bool) async throws {
        try await Self.with { scene in
            #expect(await scene.ask() == "1")
            let told = try await scene.carrier.asked(after: 0)
            #expect(told.requests.map(\.kind) == [AskKind.waiting.rawValue])
            #expect(told.requests.map(\.left) == [.seconds(3 * 24 * 3600)])
            let sealed = told.requests[0].sealed[0].sealed
            #expect(!String(decoding: sealed, as: UTF8.self).contains("a.example"))
            // From now on only the laptop is there.
            try await scene.carrier.bring(told)
            let ask = try #require(try await scene.listed().first)
            #expect(ask.device == "Tablet" && ask.person == "mia" && ask.details == "https://a.example/")
            #expect(ask.title == "Open a page" && ask.state == .waiting)
            try await scene.answer(isAllowed)
            #expect(try await scene.listed().map(\.state) == [isAllowed ? .allowed : .refused])
            let kept = try await scene.kept()
            #expect(kept.answers.map(\.name) == [RequestName(TwoDevices.tablet, 1)])
            #expect(kept.answers.map(\.left) == [.seconds(3 * 24 * 3600)])

            // The tablet is back.
            #expect(try await scene.bring(kept.answers[0]).refusal == nil)
            #expect(try await scene.kept(after: kept.change).answers.isEmpty)
            let result = await scene.mia.refusal(of: Methods.Authorization.authorize, Self.wish)
            #expect(isAllowed ? result == nil : result?.reason == .refused)
            let left = try await scene.devices.tablet.connect("root").call(
                Methods.Authorization.listAsks, ListAsksRequest())
            #expect(left.elements.map(\.state) == (isAllowed ? [] : [.refused]))
        }
    }

    @Test("the same answer signed again is the same; twice counts once, and changed in any byte not at all")
    func repeated() async throws {
        try await Self.with { scene in
            _ = await scene.ask()
            try await scene.carrier.bring(try await scene.carrier.asked(after: 0))
            try await scene.answer(true)
            let kept = try await scene.kept()
            let answer = kept.answers[0]
            #expect(try await scene.kept().answers.map(\.signed) == [answer.signed])
            for place in stride(from: 0, to: answer.signed.count, by: 23) {
                var changed = answer.signed
                changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                let refusal = await scene.carrier.atTablet.refusal(
                    of: Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: changed))
                #expect(refusal?.reason == .badCommand, "\(place)")
            }
            #expect(try await scene.bring(answer, returns: false).refusal == nil)
            #expect(try await scene.bring(answer, returns: false).refusal?.check == .closed)
            guard case .grant = try await scene.mia.call(Methods.Authorization.authorize, Self.wish).result else {
                Issue.record("it has no grant")
                return
            }
            #expect(try await scene.bring(answer).refusal?.check == .closed)
            #expect(try await scene.kept(after: kept.change).answers.isEmpty)
            #expect(await scene.ask() == "2")
            #expect(try await scene.bring(answer).refusal?.check == .closed)
        }
    }

    @Test("a later no replaces a yes that is on its way, and a yes from before it does nothing after it")
    func laterNo() async throws {
        try await Self.with { scene in
            _ = await scene.ask()
            try await scene.carrier.bring(try await scene.carrier.asked(after: 0))
            try await scene.answer(true)
            let yes = try await scene.kept()
            try await scene.answer(false)
            let no = try await scene.kept(after: yes.change)
            #expect(no.answers.map(\.name) == yes.answers.map(\.name) && no.answers != yes.answers)
            // The result of the yes does not end the no.
            try await scene.bring(yes.answers[0])
            #expect(try await scene.kept().answers.map(\.signed) == no.answers.map(\.signed))
            #expect(try await scene.bring(no.answers[0]).refusal == nil)
            #expect(try await scene.bring(yes.answers[0]).refusal?.check == .closed)
            let result = await scene.mia.refusal(of: Methods.Authorization.authorize, Self.wish)
            #expect(result?.reason == .refused)
        }
    }

    @Test("a result that nobody, or another device, has signed leaves the answer with the broker")
    func forgedResult() async throws {
        try await Self.with { scene in
            _ = await scene.ask()
            try await scene.carrier.bring(try await scene.carrier.asked(after: 0))
            try await scene.answer(true)
            let kept = try await scene.kept()
            let command = try GuardianCommand(payload: SignedText(kept.answers[0].signed, as: .command).payload)
            #expect(command.challenge.isEmpty && command.device == TwoDevices.tablet)
            for device in [TwoDevices.tablet, TwoDevices.laptop] {
                let result = CommandResult(
                    household: TwoDevices.household, device: device, command: command.id, refusal: nil, mode: .child)
                let forged = SignedText.sign(result.payload, as: .result, with: SigningKey())
                _ = await scene.carrier.atLaptop.refusal(
                    of: Methods.Household.submitResult, SubmitResultRequest(signedResult: forged))
            }
            #expect(try await scene.kept().answers == kept.answers)
        }
    }

    @Test(
        "how much the guardian allows is signed and counts on the tablet, and what the tablet refuses is listed in words"
    )
    func chosen() async throws {
        try await Self.with { scene in
            _ = await scene.ask()
            try await scene.carrier.bring(try await scene.carrier.asked(after: 0))
            let asked = try #require(try await scene.listed().first)
            #expect(asked.choices == [.once, .today] && asked.refusal.isEmpty)
            let always = await scene.mother.refusal(
                of: Methods.Authorization.answerAsk, AnswerAskRequest(number: asked.id, .yes(.always)))
            #expect(always?.reason == .invalidRequest && always?.parameters["choices"] == "once, today")
            _ = try await scene.mother.call(
                Methods.Authorization.answerAsk, AnswerAskRequest(number: asked.id, .yes(.today)))
            let kept = try await scene.kept()
            let signed = kept.answers[0].signed
            guard
                case .answer(let answer) = try GuardianCommand(payload: SignedText(signed, as: .command).payload).order
            else {
                Issue.record("it is no answer")
                return
            }
            #expect(answer.ask?.choice == "today" && answer.isApproved)
            #expect(try await scene.bring(kept.answers[0], returns: false).refusal == nil)
            for _ in 0..<2 {
                guard case .grant = try await scene.mia.call(Methods.Authorization.authorize, Self.wish).result else {
                    Issue.record("it has no grant")
                    return
                }
            }
            // The broker repeats it, and only the second result reaches the laptop.
            let again = try await scene.bring(kept.answers[0])
            #expect(again.refusal?.check == .closed)
            #expect(try await scene.kept(after: kept.change).answers.isEmpty)
            #expect(try await scene.listed().map(\.refusal) == [again.refusal?.message])
        }
    }

    @Test("only the household's service collects answers")
    func roles() async throws {
        try await Self.with { scene in
            #expect(
                await scene.mother.refusal(of: Methods.Household.collectAnswers, CollectAnswersRequest())?.reason
                    == .notPermitted)
        }
    }
}
