import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Anna and Theo are children, and Theo's account may show what others ask. Olga's screen is the family's, and Ben wants a form filled in there.
@Suite("Two children together take no screens from others for nothing")
struct TwoChildrenTests {
    private static let key = Lockout.Key(owner: Peer.anna.owner, gate: Lockout.Gate.otherScreens.text)
    private static let link = Command.authorize(
        AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .elsewhere)
    private static let linkIfPossible = Command.authorize(
        AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .elsewhereIfPossible)
    private static let forms = PresenterAbilities(kinds: [.form], styles: [.sheet])
    /// A presenter of Theo's that registered before all others.
    private static let theosFirst = Peer(connection: 2, uid: Peer.theo.uid, pid: 161, roles: [.app, .presenter])

    private func device() throws -> Device {
        var configuration = Configuration.asking
        configuration.gatedActions["members"] = GatedAction(
            title: "Come in", requirement: .any([.challenge(ChallengeRule(.arithmeticEntry)), .signedIn]))
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        return device
    }

    /// Puts this peer's form on this presenter's screen. Returns its id.
    @discardableResult
    private func putForm(of peer: Peer, on presenter: Peer, _ device: inout Device) throws -> UInt64 {
        _ = try device.apply(.requestForm(name: "profile"), as: peer).wait()
        return try claimNext(presenter, &device).id
    }

    @discardableResult
    private func claimNext(_ presenter: Peer, _ device: inout Device) throws -> Presentation {
        let offered = try #require(device.state.presentation(forPresenter: presenter.connection))
        return try device.claim(offered.id, as: presenter)
    }

    private func shown(_ presenter: Peer, _ device: Device) -> PresentationSummary? {
        device.state.presentation(forPresenter: presenter.connection)
    }

    /// Anna's question pushes the form off Olga's screen, and is taken back.
    private func push(_ device: inout Device) throws {
        let wait = try device.apply(Self.link, as: .anna).wait()
        #expect(shown(.olga, device)?.asked.gatedAction == "link.open")
        try device.apply(.callEnded(wait), as: .anna)
        try claimNext(.olga, &device)
    }

    private func wrongAnswers(_ device: Device) -> Int? { device.state.records.lockouts[Self.key]?.wrongAnswers }

    @Test("a right answer on the second child's screen does not pay for taking the screen from the parent's form")
    func rightAnswer() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        let form = try putForm(of: .ben, on: .olga, &device)
        try device.apply(.register(Self.forms), as: .theo)
        try putForm(of: .anna, on: .theo, &device)
        for _ in 0..<3 { try push(&device) }
        #expect(wrongAnswers(device) == 2)
        // Theo's presenter shows sums too now, and Anna's next sum takes its screen from her own form.
        try device.apply(.register(.everything), as: .theo)
        let wait = try device.apply(Self.link, as: .anna).wait()
        try device.answerRight(claimNext(.theo, &device), as: .theo)
        #expect(device.refusal(of: wait) == nil && wrongAnswers(device) == 2)
        try device.apply(.register(Self.forms), as: .theo)
        try claimNext(.theo, &device)
        try push(&device)
        _ = try device.apply(Self.link, as: .anna).wait()
        #expect(shown(.olga, device)?.id == form, "it is locked out, and waits behind the form")
    }

    @Test(
        "a question that took the parent's screen costs, whatever the second child answers on another screen",
        arguments: [true, false])
    func answeredElsewhere(isRight: Bool) throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        let form = try putForm(of: .ben, on: .olga, &device)
        for wrong in 0..<3 {
            _ = try device.apply(Self.link, as: .anna).wait()
            try device.apply(.register(.everything), as: .theo)
            let question = try claimNext(.theo, &device)
            if isRight {
                try device.answerRight(question, as: .theo)
            } else {
                try device.answerWrong(question, as: .theo)
            }
            #expect(wrongAnswers(device) == wrong)
            try device.apply(.unregister, as: .theo)
            #expect(try claimNext(.olga, &device).id == form)
        }
    }

    @Test("an answer on the only screen that was taken costs nothing there, and only a grown-up's answer forgives")
    func answeredThere() throws {
        for (presenter, after) in [(Peer.mara, 2), (.olga, nil)] as [(Peer, Int?)] {
            var device = try device()
            try device.apply(.register(.everything), as: .olga)
            try putForm(of: .ben, on: .olga, &device)
            for _ in 0..<3 { try push(&device) }
            try device.apply(.peerDisconnected, as: .olga)
            try device.apply(.register(.everything), as: presenter)
            try putForm(of: .ben, on: presenter, &device)
            _ = try device.apply(Self.link, as: .anna).wait()
            try device.answerRight(claimNext(presenter, &device), as: presenter)
            #expect(wrongAnswers(device) == after)
        }
    }

    @Test("a sign-in of the second child's that makes the question needless costs as much as taking it back")
    func signIn() throws {
        var device = try device()
        try device.register("lina")
        try device.apply(.register(.everything), as: .olga)
        let form = try putForm(of: .ben, on: .olga, &device)
        for wrong in 0..<3 {
            let members = AuthorizationRequest(gatedAction: "members", details: "")
            _ = try device.apply(.authorize(members, presenting: .elsewhere), as: .anna).wait()
            try claimNext(.olga, &device)
            try device.logIn("lina", as: .theo)
            #expect(wrongAnswers(device) == wrong)
            try device.apply(.logOut, as: .theo)
            #expect(try claimNext(.olga, &device).id == form)
        }
    }

    @Test("a form on the parent's screen that the second child completes elsewhere costs as much as taking it back")
    func form() throws {
        var device = try device()
        try device.register("lina")
        try device.logIn("lina", as: .ben)
        try device.apply(.register(.everything), as: .olga)
        for wrong in 0..<3 {
            let wait = try device.apply(.requestForm(name: "profile"), as: .anna).wait()
            try claimNext(.olga, &device)
            try device.openForm("profile", as: .theo)
            try device.set("profile", "name", .string("Lina"), as: .theo)
            try device.complete("profile", as: .theo)
            #expect(device.refusal(of: wait) == nil && wrongAnswers(device) == wrong)
        }
    }

    @Test("news that are pressed away forgive nothing")
    func news() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        try putForm(of: .ben, on: .olga, &device)
        for _ in 0..<3 { try push(&device) }
        try device.apply(.peerDisconnected, as: .ben)
        let news = Command.showWhatsNew(app: "org.example.draw", AppVersion(1, 2, 3), presenting: .elsewhere)
        let wait = try device.apply(news, as: .anna).wait()
        let open = try claimNext(.olga, &device)
        try device.apply(.complete(open.cookie, .acknowledged(.primary)), as: .olga)
        #expect(device.reply(to: wait) == .whatsNew(.shown) && wrongAnswers(device) == 2)
    }

    @Test("a second child's presenters can delay a question by ignoring it once, and not one after the other")
    func inTurn() throws {
        for letsLie in [false, true] {
            var device = try device()
            try device.apply(.register(Self.forms), as: Self.theosFirst)
            try putForm(of: .theo, on: Self.theosFirst, &device)
            try device.apply(.register(Self.forms), as: .theo)
            try putForm(of: .theo, on: .theo, &device)
            try device.apply(.register(.everything), as: .olga)
            try putForm(of: .anna, on: .olga, &device)
            for presenter in [Self.theosFirst, .theo] { try device.apply(.register(.everything), as: presenter) }
            _ = try device.apply(.toggle(presenting: .elsewhere), as: .mara).wait()
            #expect(shown(Self.theosFirst, device)?.purpose == .enterParentMode)
            if letsLie {
                try device.turn(by: Limits.presenterPatience)
            } else {
                try device.apply(.register(Self.forms), as: Self.theosFirst)
            }
            #expect(shown(.olga, device)?.purpose == .enterParentMode)
        }
    }

    /// Whether the call was answered with a question to show.
    private func isHandedOver(_ wait: WaitID, _ device: Device) -> Bool {
        if case .presentation? = device.reply(to: wait) { true } else { false }
    }

    @Test(
        "a second child's own questions in front stretch the two seconds by nothing, whether they come and go or stay",
        arguments: [true, false])
    func inFront(comesAndGoes: Bool) throws {
        var device = try device()
        try device.apply(.register(.everything), as: .theo)
        let wait = try device.apply(Self.linkIfPossible, as: .olgasOther).wait()
        for _ in 0..<2 {
            try device.turn(by: .milliseconds(900))
            guard comesAndGoes || shown(.theo, device)?.asked.uid != Peer.theo.uid else { continue }
            _ = try device.apply(.toggle(presenting: .elsewhere), as: .theo).wait()
            #expect(shown(.theo, device)?.asked.uid == Peer.theo.uid)
            if comesAndGoes { try device.apply(.cancel, as: .theo) }
        }
        try device.turn(by: .milliseconds(199))
        #expect(!isHandedOver(wait, device))
        try device.turn(by: .milliseconds(1))
        #expect(isHandedOver(wait, device) && device.state.lockouts.isEmpty)
    }

    @Test("while the second child's screen shows something else, the two seconds stand still, and go on afterwards")
    func busy() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .theo)
        let wait = try device.apply(Self.linkIfPossible, as: .olgasOther).wait()
        try device.turn(by: .milliseconds(1500))
        _ = try device.apply(.toggle(presenting: .elsewhere), as: .theo).wait()
        let shown = try claimNext(.theo, &device)
        try device.turn(by: .seconds(30))
        #expect(!isHandedOver(wait, device))
        try device.apply(.dismiss(shown.cookie), as: .theo)
        try device.turn(by: .milliseconds(499))
        #expect(!isHandedOver(wait, device))
        try device.turn(by: .milliseconds(1))
        #expect(isHandedOver(wait, device))
    }

    @Test("a question that is given one screen of the second child's after another waits two seconds for all of them")
    func screenAfterScreen() throws {
        var device = try device()
        for presenter in [Self.theosFirst, .theo] {
            try device.apply(.register(Self.forms), as: presenter)
            try putForm(of: .theo, on: presenter, &device)
        }
        for presenter in [Self.theosFirst, .theo] { try device.apply(.register(.everything), as: presenter) }
        let wait = try device.apply(Self.linkIfPossible, as: .olgasOther).wait()
        #expect(shown(Self.theosFirst, device)?.asked.uid == Peer.olga.uid)
        try device.turn(by: .milliseconds(1500))
        try device.apply(.register(Self.forms), as: Self.theosFirst)
        try claimNext(Self.theosFirst, &device)
        #expect(shown(.theo, device)?.asked.uid == Peer.olga.uid)
        try device.turn(by: .milliseconds(499))
        #expect(!isHandedOver(wait, device))
        try device.turn(by: .milliseconds(1))
        #expect(isHandedOver(wait, device) && device.state.lockouts.isEmpty)
    }

    @Test("a question that nobody has had on a screen costs nothing when it expires, though a form had to go for it")
    func nobodySawIt() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .theo)
        try putForm(of: .theo, on: .theo, &device)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        #expect(shown(.theo, device)?.purpose == .enterParentMode)
        try device.turn(by: .seconds(60))
        #expect(device.refusal(of: wait)?.reason == .expired && device.state.lockouts.isEmpty)
    }

    @Test(
        "looking at sums on the second child's screen costs as on one's own, even if that presenter ends it each time")
    func looking() throws {
        var device = try device()
        for wrong in 0...3 {
            try device.apply(.register(.everything), as: .theo)
            let wait = try device.apply(Self.link, as: .anna).wait()
            try claimNext(.theo, &device)
            try device.apply(.peerDisconnected, as: .theo)
            #expect(device.refusal(of: wait)?.reason == .noPresenter)
            #expect(device.lockout(of: .anna, at: "link.open")?.wrongAnswers == wrong)
        }
        try device.apply(.register(.everything), as: .theo)
        #expect(device.refusal(Self.link, as: .anna)?.reason == .lockedOut)
    }

    @Test("a parent who answers on the parent's own screen does not pay for a child's form that gave way")
    func atHome() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        try device.apply(.register(Self.forms), as: .theo)
        for _ in 0..<4 {
            let annas = try device.apply(Self.link, as: .anna).wait()
            let annasQuestion = try claimNext(.olga, &device)
            try putForm(of: .theo, on: .theo, &device)
            try device.apply(.register(.everything), as: .theo)
            let wait = try device.apply(Self.link, as: .olgasOther).wait()
            #expect(shown(.theo, device)?.asked.uid == Peer.olga.uid)
            try device.apply(.register(Self.forms), as: .theo)
            try device.answerRight(annasQuestion, as: .olga)
            #expect(device.refusal(of: annas) == nil)
            try device.answerRight(claimNext(.olga, &device), as: .olga)
            #expect(device.refusal(of: wait) == nil && device.state.lockouts.isEmpty)
            try device.apply(.dismiss(claimNext(.theo, &device).cookie), as: .theo)
        }
    }
}
