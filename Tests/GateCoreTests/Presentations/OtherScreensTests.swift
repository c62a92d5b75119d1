import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Anna asks, and Olga is a grown-up who has the only screen.
@Suite("The price of what takes the screens of others")
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
        "the first that is dismissed is free, and the fourth locks its user out of them all", arguments: Shown.allCases)
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
        // Others are not locked out by that, nor is anna from questions, or from what she shows herself.
        _ = try device.apply(command(.form), as: .ben).wait()
        _ = try device.ask(as: .anna)
        #expect(
            try device.apply(command(.paywall, presenting: .here), as: .anna).presentation().content.kind == .paywall)
        try device.turn(by: .seconds(30))
        if what != .form { _ = try device.apply(command(.form), as: .anna).wait() }
    }

    @Test(
        "however it is left: each look has its price, so nobody switches a screen at will", arguments: Ending.allCases)
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

    @Test("what has never reached a screen costs nobody anything, not even a question about the mode")
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

    @Test("a question that takes a screen from a form costs as if it had been seen, however soon it is taken back")
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

    @Test("on a screen of the one who asks it costs nothing", arguments: Shown.allCases)
    func ownScreens(what: Shown) throws {
        let annas = Peer(connection: 61, uid: Peer.anna.uid, pid: 161, roles: [.app, .presenter, .grownUpPresenter])
        var device = try device(annas)
        for _ in 0..<6 {
            let (_, open) = try shown(what, by: annas, &device)
            try device.apply(.dismiss(open.cookie), as: annas)
        }
        #expect(device.state.lockouts.isEmpty)
    }

    @Test("what the asker itself brings about while it stands there costs as much, and forgives nothing")
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

    @Test("a form that is completed there forgives")
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
