import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("An ask with a question on a screen, and what a yes to it is worth (W-02, W-05)")
struct AskAnswerTests {
    /// A device on which Olga's presenter shows questions.
    private func device() throws -> Device {
        var device = try Device.withAsks()
        try device.apply(.register(.everything), as: .olga)
        return device
    }

    /// Ben asks, and Olga's screen shows it. Returns the waiting call and the question.
    private func shown(_ device: inout Device) throws -> (WaitID, Presentation) {
        guard case .waits(let wait) = try device.asksFor("a") else { throw NotShown() }
        #expect(device.states() == [1: .waiting])
        return (wait, try device.claim(1, as: .olga))
    }

    private struct NotShown: Error {}

    @Test("a yes on the screen is used at once, and nothing is kept")
    func yesOnScreen() throws {
        var device = try device()
        let (wait, question) = try shown(&device)
        try device.apply(.complete(question.cookie, .text("yes")), as: .olga)
        #expect(Heard(device.reply(to: wait)) == .granted)
        #expect(device.states().isEmpty && device.stored.keptGrants.isEmpty)
        #expect(try device.asksFor("b") != .granted)
    }

    @Test("a yes counts once, also if the user database did not say at that moment whose user had asked")
    func unrecognized() throws {
        var device = try device()
        let (wait, question) = try shown(&device)
        try device.apply(.usersChecked(recognized: [Peer.olga.uid]), as: .daemon)
        var elsewhere = device
        try device.apply(.complete(question.cookie, .text("yes")), as: .olga)
        try elsewhere.apply(.answerAsk(1, isAllowed: true), as: .olga)
        for var device in [device, elsewhere] {
            #expect(Heard(device.reply(to: wait)) == .granted)
            #expect(device.states().isEmpty && device.stored.keptGrants.isEmpty)
            try device.recognizeAll()
            guard case .waits = try device.asksFor("a") else { throw NotShown() }
        }
    }

    @Test("a no on the screen is the ask's no, and holds for a day")
    func noOnScreen() throws {
        var device = try device()
        let (wait, question) = try shown(&device)
        try device.apply(.complete(question.cookie, .text("no")), as: .olga)
        #expect(Heard(device.reply(to: wait)) == .refused)
        #expect(device.states() == [1: .refused])
        #expect(try device.asksFor("a") == .refused)
    }

    @Test("a question that is closed without an answer leaves the ask, and the call hears that it waits")
    func unanswered() throws {
        let endings: [(String, (inout Device, Presentation) throws -> Void)] = [
            ("expired", { device, _ in try device.pass(.seconds(600)) }),
            ("dismissed", { device, question in try device.apply(.dismiss(question.cookie), as: .olga) }),
            (
                "put away",
                { device, question in try device.apply(.presentations(.withdraw(presentation: question.id)), as: .root)
                }
            ),
            ("no screen any more", { device, _ in try device.apply(.peerDisconnected, as: .olga) }),
        ]
        for (name, end) in endings {
            var device = try device()
            let (wait, question) = try shown(&device)
            try end(&device, question)
            #expect(Heard(device.reply(to: wait)) == .asked(1), "\(name)")
            #expect(device.states() == [1: .waiting], "\(name)")
            #expect(device.state.queue.open.isEmpty, "\(name)")
        }
    }

    @Test("the ask stays when the program that asked dies or cancels its call")
    func programGone() throws {
        var dies = try device()
        _ = try shown(&dies)
        try dies.apply(.peerDisconnected, as: .ben)
        #expect(dies.states() == [1: .waiting] && dies.state.queue.open.isEmpty)
        #expect(try dies.asksFor("a", as: .bensOther) == .asked(1))

        var cancels = try device()
        let (wait, _) = try shown(&cancels)
        try cancels.apply(.callEnded(wait), as: .ben)
        #expect(cancels.states() == [1: .waiting] && cancels.reply(to: wait) == nil)
    }

    @Test("an answer without a screen closes the question on the screen, and the waiting call hears it")
    func answeredElsewhere() throws {
        for isAllowed in [true, false] {
            var device = try device()
            let (wait, question) = try shown(&device)
            try device.apply(.answerAsk(1, isAllowed: isAllowed), as: .root)
            #expect(Heard(device.reply(to: wait)) == (isAllowed ? .granted : .refused))
            #expect(device.stored.keptGrants.isEmpty)
            #expect(device.states() == (isAllowed ? [:] : [1: .refused]))
            device.refuses(.complete(question.cookie, .text("yes")), as: .olga, .aborted, .closed)
        }
    }

    @Test("an ask that is taken back closes its question")
    func withdrawn() throws {
        var device = try device()
        let (wait, _) = try shown(&device)
        try device.apply(.withdrawAsk(1), as: .bensOther)
        #expect(Heard(device.reply(to: wait)) == .other(.closed, what: "mode-changed"))
        #expect(device.states().isEmpty && device.state.queue.open.isEmpty)
    }

    @Test("a question that waits already is not shown again")
    func notShownAgain() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        try device.apply(.register(.everything), as: .olga)
        #expect(try device.asksFor("a") == .asked(1))
        #expect(device.state.queue.open.isEmpty)
    }

    @Test("a yes meets its own condition alone: parent mode is looked at when it is used, and so is another question")
    func ownCondition() throws {
        var device = try Device.withAsks()
        device.refuses(
            .authorize(waiting("page.print"), presenting: .elsewhere), as: .ben, .aborted, .notParent)
        try device.enterParentMode(as: .anna)
        #expect(try device.asksFor("a", of: "page.print") == .asked(2))
        try device.apply(.answerAsk(2, isAllowed: true), as: .olga)
        try device.apply(.lock, as: .anna)
        device.refuses(
            .authorize(waiting("page.print"), presenting: .elsewhere), as: .ben, .aborted, .notParent)
        #expect(device.states() == [2: .allowed])
        try device.enterParentMode(as: .anna)
        #expect(try device.asksFor("a", of: "page.print") == .granted)
        #expect(device.states().isEmpty)
    }

    private func waiting(_ gatedAction: String, _ details: String = "a") -> AuthorizationRequest {
        var request = AuthorizationRequest(gatedAction: gatedAction, details: details)
        request.mayWait = true
        return request
    }

    @Test(
        "a question of the program's own comes first, each time, and the program is never shown what grown-ups answer")
    func afterOwnQuestion() throws {
        var device = try Device.withAsks()
        func sum(_ device: inout Device) throws -> Reply {
            let sum = try device.apply(.authorize(waiting("page.send"), presenting: .here), as: .ben).presentation()
            return try device.answerRight(sum, as: .ben).reply
        }
        #expect(Heard(try sum(&device)) == .asked(2))
        #expect(device.state.queue.open.isEmpty)
        try device.apply(.answerAsk(2, isAllowed: true), as: .olga)
        #expect(Heard(try sum(&device)) == .granted)
        #expect(Heard(try sum(&device)) == .asked(5))
    }

    @Test("a yes that is not needed is not used")
    func notNeeded() throws {
        var device = try Device.withAsks()
        #expect(try device.asksFor("a", of: "page.save") == .asked(1))
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        try device.enterParentMode(as: .anna)
        #expect(try device.asksFor("a", of: "page.save") == .granted)
        #expect(device.states() == [1: .allowed])
        try device.apply(.lock, as: .anna)
        #expect(try device.asksFor("a", of: "page.save") == .granted)
        #expect(device.states().isEmpty)
    }

    @Test("the grant of a yes is for whoever the request names, and for the words alone")
    func redeemed() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        let grant = try device.apply(.authorize(waiting("page.open"), presenting: .elsewhere), as: .ben).grant()
        device.refuses(
            .redeem(grant.proof, gatedAction: "page.open", details: "b"), as: .ben, .failedPrecondition, .noGrant)
        try device.apply(.redeem(grant.proof, gatedAction: "page.open", details: "a"), as: .ben)
    }
}
