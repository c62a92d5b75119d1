import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Where a question is shown if the requester can show it and a presenter may be able to.
@Suite("Requests that prefer another screen")
struct PresentingTests {
    private static let requests: [Command] = [
        .toggle(presenting: .elsewhereIfPossible),
        .authorize(AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .elsewhereIfPossible),
        .requestPaywall(PaywallRequest(entitlement: "premium"), presenting: .elsewhereIfPossible),
        .showWhatsNew(app: "org.example.draw", AppVersion(1, 2, 3), presenting: .elsewhereIfPossible),
    ]

    private func device(_ presenters: Peer...) throws -> Device {
        var configuration = Configuration.asking
        configuration.entitlements = ["premium": EntitlementDefinition(title: "Premium")]
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    @Test(
        "without a presenter the requester shows the question, as if it had asked to",
        arguments: requests)
    func nobodyElse(request: Command) throws {
        var device = try device()
        let shown = try device.apply(request, as: .anna).presentation()
        #expect(shown.summary.stage == .claimed && device.state.requests.open.first?.presentsItself == true)
    }

    @Test(
        "a call waits while any presenter can show its question; when the last one leaves, the caller gets it to show",
        arguments: requests)
    func handedOver(request: Command) throws {
        var device = try device(.mara, .theo)
        let wait = try device.apply(request, as: .anna).wait()
        let offered = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        let onScreen = try device.claim(offered.id, as: .mara)
        try device.apply(.unregister, as: .mara)
        #expect(device.settled[wait] == nil, "theo can show it")
        try device.apply(.peerDisconnected, as: .theo)
        guard case .presentation(let shown)? = device.reply(to: wait) else {
            Issue.record("the call waits still: \(String(describing: device.settled[wait]))")
            return
        }
        #expect(shown.id != onScreen.id && shown.content.kind == onScreen.content.kind)
        // The requester shows it now, and it ends with the requester.
        #expect(device.refusal(.dismiss(shown.cookie), as: .mara)?.reason == .wrongCookie)
        try device.apply(.dismiss(shown.cookie), as: .anna)
        #expect(device.state.requests.open.isEmpty)
    }

    @Test("a question handed over to its requester is answered like any other, and grants")
    func answered() throws {
        var device = try device(.mara)
        let wait = try device.apply(Self.requests[1], as: .anna).wait()
        _ = try device.claim(1, as: .mara)
        try device.apply(.unregister, as: .mara)
        guard case .presentation(let shown)? = device.reply(to: wait) else {
            Issue.record("nothing was handed over")
            return
        }
        #expect(try device.answerRight(shown, as: .anna).grant().gatedAction == "link.open")
    }

    @Test(
        "a form for grown-ups is not handed over, and a grown-up's answer elsewhere does not complete it here"
    )
    func consents() throws {
        let sum = Requirement.challenge(ChallengeRule(.arithmeticChoice))
        let yes = Requirement.challenge(ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp)))
        for requirement in [Requirement.all([yes, .form("consent")]), .all([yes, sum, .form("consent")])] {
            var configuration = Configuration.asking
            configuration.gatedActions["chat"] = GatedAction(title: "Chat", requirement: requirement)
            var device = Device(configuration: configuration)
            device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
            try device.apply(.register(.everything), as: .olga)
            let request = AuthorizationRequest(gatedAction: "chat", details: "")
            let wait = try device.apply(.authorize(request, presenting: .elsewhereIfPossible), as: .anna).wait()
            let asked = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
            let question = try device.claim(asked.id, as: .olga)
            try device.apply(.complete(question.cookie, .text("yes")), as: .olga)
            try device.apply(.peerDisconnected, as: .olga)
            guard case .presentation(let sum)? = device.reply(to: wait) else {
                #expect(device.refusal(of: wait)?.reason == .noPresenter)
                continue
            }
            let next = try device.answerRight(sum, as: .anna)
            guard case .presentation(let form) = next.reply else { continue }
            try device.openForm("consent", form.cookie, as: .anna)
            let error = #expect(throws: GateError.self) { try device.complete("consent", form.cookie, as: .anna) }
            #expect(error == .onlyGrownUpsComplete && device.state.records.responses.isEmpty)
        }
    }

    @Test("nothing is handed over while an answer is being checked: the answer decides")
    func checking() throws {
        var configuration = Configuration.asking
        configuration.gatedActions["chat"] = GatedAction(
            title: "Chat",
            requirement: .all([.challenge(ChallengeRule(.passcode)), .challenge(ChallengeRule(.arithmeticChoice))]))
        var device = Device(configuration: configuration)
        try device.apply(.setPasscode(hash: "$y$hash"), as: .root)
        try device.apply(.register(.everything), as: .olga)
        let annas = Peer(connection: 61, uid: Peer.anna.uid, pid: 161, roles: [.app, .presenter])
        try device.apply(
            .register(PresenterAbilities(challenges: [.arithmeticChoice], styles: [.sheet])), as: annas)
        try device.apply(.register(PresenterAbilities(challenges: [.passcode], styles: [.sheet])), as: .olga)
        let request = AuthorizationRequest(gatedAction: "chat", details: "")
        let wait = try device.apply(.authorize(request, presenting: .elsewhereIfPossible), as: .anna).wait()
        let question = try device.claim(1, as: .olga)
        let answer = try device.apply(
            .complete(question.cookie, .secret(GateSecret("2468".utf8))), as: .olga
        ).wait()
        try device.apply(.unregister, as: annas)
        #expect(device.settled[wait] == nil && device.settled[answer] == nil)
        try device.check(question.id, finds: .wrong)
        #expect(device.refusal(of: answer)?.reason == .wrongAnswer && device.refusal(of: wait)?.reason == .wrongAnswer)
    }

    @Test("a requester that asks only elsewhere is refused when the last presenter leaves")
    func onlyElsewhere() throws {
        var device = try device(.mara)
        let wait = try device.waitFor("link.open", as: .anna)
        try device.apply(.unregister, as: .mara)
        #expect(device.refusal(of: wait)?.reason == .noPresenter)
    }

    @Test("a program's second question is not handed over while it shows the first")
    func oneAtATime() throws {
        var device = try device(.mara)
        let wait = try device.apply(Self.requests[1], as: .anna).wait()
        _ = try device.apply(Self.requests[2].here, as: .anna).presentation()
        try device.apply(.unregister, as: .mara)
        #expect(device.refusal(of: wait)?.reason == .noPresenter)
    }

    @Test(
        "a question that no presenter claims within two seconds goes to the requester, at no cost", arguments: requests)
    func untaken(request: Command) throws {
        var device = try device(.mara)
        let wait = try device.apply(request, as: .anna).wait()
        #expect(device.state.nextDeadline == device.now.advanced(by: Limits.presenterPatience))
        try device.turn(by: .milliseconds(1900))
        #expect(device.settled[wait] == nil)
        try device.turn(by: .milliseconds(100))
        guard case .presentation(let shown)? = device.reply(to: wait) else {
            Issue.record("the call waits still: \(String(describing: device.settled[wait]))")
            return
        }
        #expect(device.shown(to: .anna)?.id == shown.id && device.state.lockouts.isEmpty)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection) == nil)
    }

    @Test("a presenter that claims in time keeps the question, also one that waited behind another")
    func takenInTime() throws {
        var device = try device(.mara)
        let first = try device.apply(Self.requests[1], as: .anna).wait()
        try device.turn(by: .seconds(1))
        let question = try device.claim(1, as: .mara)
        let second = try device.apply(Self.requests[1], as: .ben).wait()
        try device.turn(by: .seconds(10))
        #expect(device.settled[first] == nil && device.settled[second] == nil)
        try device.answerRight(question, as: .mara)
        try device.turn(by: .seconds(1))
        _ = try device.claim(2, as: .mara)
        try device.turn(by: .seconds(10))
        #expect(device.settled[second] == nil)
    }

    @Test("a user who may take no screens is asked on their own, behind another user's form")
    func heldBack() throws {
        var device = try device(.olga)
        _ = try device.apply(.requestForm(name: "profile"), as: .ben).wait()
        let form = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        _ = try device.claim(form.id, as: .olga)
        for _ in 0..<4 {
            let wait = try device.waitFor("link.open", as: .anna)
            try device.apply(.callEnded(wait), as: .anna)
            _ = try device.claim(form.id, as: .olga)
            try device.answerRight(device.authorize("link.open", as: .anna).presentation(), as: .anna)
        }
        let wait = try device.apply(Self.requests[0], as: .anna).wait()
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.id == form.id)
        try device.turn(by: Limits.presenterPatience)
        guard case .presentation? = device.reply(to: wait) else {
            Issue.record("the call waits still: \(String(describing: device.settled[wait]))")
            return
        }
    }

    @Test("a screen that a question took from a silent presenter costs the requester nothing")
    func silentScreen() throws {
        var device = try device(.theo)
        _ = try device.apply(.requestForm(name: "profile"), as: .theo).wait()
        let form = try #require(device.state.presentation(forPresenter: Peer.theo.connection))
        _ = try device.claim(form.id, as: .theo)
        let wait = try device.apply(Self.requests[0], as: .anna).wait()
        #expect(device.state.presentation(forPresenter: Peer.theo.connection)?.id != form.id)
        try device.turn(by: Limits.presenterPatience)
        guard case .presentation? = device.reply(to: wait) else {
            Issue.record("the call waits still: \(String(describing: device.settled[wait]))")
            return
        }
        #expect(device.state.lockouts.isEmpty)
        #expect(device.state.presentation(forPresenter: Peer.theo.connection)?.id == form.id)
    }

    @Test("a passcode waits for the grown-up's screen, however long that takes")
    func secret() throws {
        var configuration = Configuration.asking
        configuration.modeChallenge = ChallengeRule(.passcode)
        var device = Device(configuration: configuration)
        try device.apply(.setPasscode(hash: "$y$hash"), as: .root)
        try device.apply(.register(.everything), as: .olga)
        let wait = try device.apply(Self.requests[0], as: .anna).wait()
        try device.turn(by: .seconds(30))
        #expect(device.settled[wait] == nil)
        _ = try device.claim(1, as: .olga)
    }

    @Test("stopping one's own presenter is no way to find an easier question: each look counts")
    func looking() throws {
        let annas = Peer(connection: 61, uid: Peer.anna.uid, pid: 161, roles: [.app, .presenter])
        var device = try device()
        for look in 1...4 {
            try device.apply(.register(.everything), as: annas)
            guard case .waiting(let wait) = try device.apply(Self.requests[1], as: .anna).reply else {
                Issue.record("look \(look) was refused")
                return
            }
            let offered = try #require(device.state.presentation(forPresenter: annas.connection))
            _ = try device.claim(offered.id, as: annas)
            try device.apply(.peerDisconnected, as: annas)
            if case .presentation(let shown)? = device.reply(to: wait) {
                try device.apply(.dismiss(shown.cookie), as: .anna)
            }
            if device.state.lockouts.contains(where: { $0.lockout.lockedUntil != nil }) {
                #expect(look == 2, "two looks each time")
                return
            }
        }
        Issue.record("looking was never locked out")
    }
}

extension Command {
    /// The same command, shown by the requester.
    fileprivate var here: Command {
        switch self {
        case .entitlements(.requestPaywall(let request, _)): .requestPaywall(request, presenting: .here)
        case let other: other
        }
    }
}
