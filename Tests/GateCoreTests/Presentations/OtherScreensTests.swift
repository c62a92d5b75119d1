import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Anna asks, and Olga, a grown-up, has the only screen.
@Suite("The price of using other users' screens")
struct OtherScreensTests {
    enum Shown: CaseIterable {
        case signIn
        case paywall
        case form
        case news
    }

    enum Ending: CaseIterable {
        case dismissed
        case expired
        case requesterLost
        case callEnded
    }

    private static let key = Lockout.Key(owner: Peer.anna.owner, gate: Lockout.Gate.otherScreens.text)

    private func device(_ presenters: Peer...) throws -> Device {
        var configuration = Configuration.asking
        configuration.entitlements = ["premium": EntitlementDefinition(title: "Premium")]
        configuration.gatedActions["members"] = GatedAction(title: "Come in", requirement: .signedIn)
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    private func command(_ shown: Shown, presenting: Presenting = .elsewhere) -> Command {
        switch shown {
        case .signIn: .authorize(AuthorizationRequest(gatedAction: "members", details: ""), presenting: presenting)
        case .paywall: .requestPaywall(PaywallRequest(entitlement: "premium"), presenting: presenting)
        case .form: .requestForm(name: "profile")
        case .news: .showWhatsNew(app: "org.example.draw", AppVersion(1, 2, 3), presenting: presenting)
        }
    }

    /// Anna's request, which is claimed by a presenter.
    private func shown(
        _ shown: Shown, by presenter: Peer, _ device: inout Device
    ) throws -> (wait: WaitID, open: Presentation) {
        if shown == .news { try device.apply(.resetWhatsNew(app: nil), as: .anna) }
        let wait = try device.apply(command(shown), as: .anna).wait()
        let offered = try #require(device.state.presentation(forPresenter: presenter.connection))
        return (wait, try device.claim(offered.id, as: presenter))
    }

    @Test(
        "the first dismissal is free, and the fourth locks the requester out of all other users' screens",
        arguments: Shown.allCases)
    func dismissed(what: Shown) throws {
        var device = try device(.olga)
        for wrong in 0...3 {
            let (_, open) = try shown(what, by: .olga, &device)
            try device.apply(.dismiss(open.cookie), as: .olga)
            #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == wrong)
        }
        if what == .news { try device.apply(.resetWhatsNew(app: nil), as: .anna) }
        for other in Shown.allCases where other != .news || what == .news {
            #expect(device.refusal(command(other), as: .anna)?.reason == .lockedOut)
        }
        // Other users are not locked out by that, and Anna can still ask and show questions herself.
        _ = try device.apply(command(.form), as: .ben).wait()
        _ = try device.ask(as: .anna)
        #expect(
            try device.apply(command(.paywall, presenting: .here), as: .anna).presentation().content.kind == .paywall)
        try device.turn(by: .seconds(30))
        if what != .form { _ = try device.apply(command(.form), as: .anna).wait() }
    }

    @Test(
        "however a presentation leaves the screen, it has its price, so nobody can switch a screen at will",
        arguments: Ending.allCases)
    func endings(ending: Ending) throws {
        var device = try device(.olga)
        for wrong in 0...3 {
            let (wait, open) = try shown(.signIn, by: .olga, &device)
            switch ending {
            case .dismissed: try device.apply(.dismiss(open.cookie), as: .olga)
            case .expired: try device.turn(by: Limits.signInTime)
            case .requesterLost: try device.apply(.peerDisconnected, as: .anna)
            case .callEnded: try device.apply(.callEnded(wait), as: .anna)
            }
            #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == wrong)
        }
        #expect(device.refusal(command(.signIn), as: .anna)?.reason == .lockedOut)
        #expect(device.state.presentation(forPresenter: Peer.olga.connection) == nil)
    }

    @Test("a presentation that never reached a screen costs nothing, not even a question about the mode")
    func neverShown() throws {
        var device = try device(.olga)
        let link = AuthorizationRequest(gatedAction: "link.open", details: "")
        _ = try device.apply(.authorize(link, presenting: .elsewhere), as: .ben).wait()
        _ = try device.claim(1, as: .olga)
        for _ in 0..<5 {
            let form = try device.apply(command(.form), as: .anna).wait()
            try device.apply(.callEnded(form), as: .anna)
        }
        _ = try device.apply(.toggle(presenting: .elsewhere), as: .anna).wait()
        try device.turn(by: Limits.waitingTime)
        #expect(device.state.modeState.mode == .child)
        #expect(device.state.records.lockouts.keys.allSatisfy { $0.owner != Peer.anna.owner })
    }

    @Test("a question that takes a screen from a form costs as if it had been seen, even if it is taken back at once")
    func flood() throws {
        var device = try device(.olga)
        _ = try shown(.form, by: .olga, &device)
        for wrong in 0...3 {
            _ = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
            try device.apply(.cancel, as: .ben)
            #expect(device.state.records.lockouts[.mode(of: .ben)]?.wrongAnswers == wrong)
            let offered = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
            _ = try device.claim(offered.id, as: .olga)
        }
        #expect(device.refusal(.toggle(presenting: .elsewhere), as: .ben)?.reason == .lockedOut)
    }

    @Test("right answers in between do not pay for the screens that questions took")
    func taking() throws {
        var device = try device(.olga)
        _ = try device.apply(command(.form), as: .ben).wait()
        let link = AuthorizationRequest(gatedAction: "link.open", details: "")
        for wrong in 0...3 {
            let form = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
            _ = try device.claim(form.id, as: .olga)
            _ = try device.apply(.toggle(presenting: .elsewhere), as: .anna).wait()
            #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.id != form.id)
            try device.apply(.cancel, as: .anna)
            let question = try device.ask(as: .anna)
            try device.answerRight(question, as: .anna)
            try device.apply(.lock, as: .anna)
            #expect(device.state.records.lockouts[.mode(of: .anna)] == nil, "it is forgiven there")
            #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == wrong)
        }
        let form = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        _ = try device.claim(form.id, as: .olga)
        _ = try device.apply(.authorize(link, presenting: .elsewhere), as: .anna).wait()
        #expect(
            device.state.presentation(forPresenter: Peer.olga.connection)?.id == form.id, "it waits behind the form")
        try device.turn(by: .seconds(40))
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.id != form.id, "the lock is over")
    }

    @Test("a lockout also holds for a request's later steps, and for a requester whose own screen has gone")
    func laterSteps() throws {
        let annas = Peer(connection: 61, uid: Peer.anna.uid, pid: 161, roles: [.app, .presenter])
        var device = try device(.olga)
        for _ in 0...3 {
            let (_, open) = try shown(.form, by: .olga, &device)
            try device.apply(.dismiss(open.cookie), as: .olga)
        }
        try device.apply(.register(.everything), as: annas)
        _ = try device.apply(command(.form), as: .anna).wait()
        #expect(device.state.presentation(forPresenter: annas.connection) != nil)
        try device.apply(.unregister, as: annas)
        #expect(device.state.presentation(forPresenter: Peer.olga.connection) == nil)
        // The same form in a style that only others show.
        try device.apply(.register(PresenterAbilities(kinds: [.form], styles: [.fullScreenCover])), as: annas)
        #expect(device.refusal(command(.signIn), as: .anna)?.reason == .lockedOut)
        #expect(device.state.presentation(forPresenter: Peer.olga.connection) == nil)
    }

    @Test("a waiting question that gets the screen when another is closed has taken the screen too")
    func chains() throws {
        var device = try device(.olga)
        _ = try device.apply(command(.form), as: .ben).wait()
        let form = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        _ = try device.claim(form.id, as: .olga)
        let link = Command.authorize(
            AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .elsewhere)
        var last = try device.apply(link, as: .anna).wait()
        for wrong in 0...3 {
            let question = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
            #expect(question.id != form.id)
            _ = try device.claim(question.id, as: .olga)
            let next = try device.apply(link, as: .anna).wait()
            try device.apply(.callEnded(last), as: .anna)
            last = next
            #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == wrong)
        }
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.id == form.id, "it comes first now")
    }

    @Test("a free screen goes to the question that took it, and no user pays for another one's question")
    func inFront() throws {
        var device = try device(.olga)
        _ = try device.apply(command(.form), as: .theo).wait()
        let form = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        _ = try device.claim(form.id, as: .olga)
        let idle = Peer(connection: 61, uid: Peer.anna.uid, pid: 161, roles: [.app, .presenter])
        try device.apply(
            .register(PresenterAbilities(challenges: [.arithmeticChoice], styles: [.sheet])), as: idle)
        let link = AuthorizationRequest(gatedAction: "link.open", details: "")
        _ = try device.apply(.authorize(link, presenting: .elsewhere), as: .anna).wait()
        let bens = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        let shown = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        if shown.id == form.id {
            // Anna's question is first and waits for her own presenter.
            try device.apply(.callEnded(bens), as: .ben)
            #expect(device.state.records.lockouts[.mode(of: .ben)] == nil, "it reached no screen")
        } else {
            #expect(shown.purpose == .enterParentMode)
        }
    }

    @Test("a wrong answer on the screen that was taken costs nothing there, and a right one forgives")
    func answeredThere() throws {
        var device = try device(.olga)
        func take(_ answersRight: Bool) throws {
            _ = try device.apply(command(.form), as: .ben).wait()
            let form = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
            _ = try device.claim(form.id, as: .olga)
            _ = try device.apply(.toggle(presenting: .elsewhere), as: .anna).wait()
            let offered = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
            let question = try device.claim(offered.id, as: .olga)
            if answersRight {
                try device.answerRight(question, as: .olga)
                try device.apply(.lock, as: .anna)
            } else {
                try device.apply(.dismiss(question.cookie), as: .olga)
            }
            try device.apply(.peerDisconnected, as: .ben)
        }
        for _ in 0..<3 { try take(false) }
        #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == 2)
        try take(true)
        #expect(device.state.records.lockouts[Self.key] == nil)
    }

    @Test("a question waits two seconds for presenters that do not take it, however often they come and go")
    func patience() throws {
        var device = try device(.olga)
        _ = try shown(.form, by: .olga, &device)
        let bens = (0..<2).map { Peer(connection: 71 + $0, uid: Peer.ben.uid, pid: 171, roles: [.app, .presenter]) }
        try device.apply(.register(.everything), as: bens[0])
        _ = try device.apply(.toggle(presenting: .elsewhere), as: .anna).wait()
        for round in 1...2 {
            try device.turn(by: .milliseconds(700))
            try device.apply(.register(.everything), as: bens[round % 2])
            try device.apply(.unregister, as: bens[(round + 1) % 2])
            #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.purpose != .enterParentMode)
        }
        try device.turn(by: .milliseconds(700))
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.purpose == .enterParentMode)
    }

    @Test("a user has at most sixteen presenters, and one of them may register anew")
    func manyPresenters() throws {
        var device = try device()
        let bens = (0...Limits.presentersOfOwner).map {
            Peer(connection: 100 + UInt64($0), uid: Peer.ben.uid, pid: 171, roles: [.app, .presenter])
        }
        for peer in bens.dropLast() { try device.apply(.register(.everything), as: peer) }
        #expect(device.refusal(.register(.everything), as: bens[Limits.presentersOfOwner]) == .tooManyPresenters)
        try device.apply(.register(.everything), as: bens[0])
        try device.apply(.register(.everything), as: .olga)
        try device.apply(.unregister, as: bens[1])
        try device.apply(.register(.everything), as: bens[Limits.presentersOfOwner])
    }

    @Test("another user's screen may fill in a form, and save a limited number of copies")
    func copies() throws {
        var device = try device(.olga)
        let (_, open) = try shown(.form, by: .olga, &device)
        try device.openForm("profile", open.cookie, as: .olga)
        let target = FormTarget(name: "profile", cookie: open.cookie)
        for _ in 0..<Limits.copiesOfRequest { _ = try device.apply(.saveForm(target), as: .olga).responseID() }
        #expect(device.refusal(.saveForm(target), as: .olga)?.reason == .limit)
        try device.openForm("profile", as: .anna)
        #expect(device.refusal(.saveForm(FormTarget(name: "profile")), as: .anna) == nil)
    }

    @Test("a presentation on a screen of the requester's own user costs nothing", arguments: Shown.allCases)
    func ownScreens(what: Shown) throws {
        let annas = Peer(connection: 61, uid: Peer.anna.uid, pid: 161, roles: [.app, .presenter, .grownUpPresenter])
        var device = try device(annas)
        for _ in 0..<6 {
            let (_, open) = try shown(what, by: annas, &device)
            try device.apply(.dismiss(open.cookie), as: annas)
        }
        #expect(device.state.lockouts.isEmpty)
    }

    @Test("a presentation that its requester settles itself while it is shown costs as much, and forgives nothing")
    func ownClosing() throws {
        var device = try device(.olga)
        for wrong in 0...2 {
            let (wait, _) = try shown(.form, by: .olga, &device)
            try device.openForm("profile", as: .anna)
            try device.set("profile", "name", .string("Lina"), as: .anna)
            try device.complete("profile", as: .anna)
            #expect(device.refusal(of: wait) == nil)
            #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == wrong)
        }
        let (_, _) = try shown(.news, by: .olga, &device)
        try device.apply(.acknowledgeWhatsNew(app: "org.example.draw", AppVersion(1, 2, 3)), as: .annasOther)
        #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == 3)
        #expect(device.refusal(command(.signIn), as: .anna)?.reason == .lockedOut)
    }

    @Test("completing a form on another user's screen forgives earlier dismissals")
    func forgiven() throws {
        var device = try device(.olga)
        for _ in 0..<3 {
            let (_, open) = try shown(.form, by: .olga, &device)
            try device.apply(.dismiss(open.cookie), as: .olga)
        }
        #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == 2)
        let (wait, open) = try shown(.form, by: .olga, &device)
        try device.openForm("profile", open.cookie, as: .olga)
        try device.set("profile", "name", .string("Lina"), cookie: open.cookie, as: .olga)
        _ = try device.complete("profile", open.cookie, as: .olga)
        #expect(device.refusal(of: wait) == nil && device.state.records.lockouts[Self.key] == nil)
    }
}
