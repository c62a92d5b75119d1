import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The sign-in cover (F-49, F-64, F-70)")
struct CoverTests {
    private func device() throws -> Device {
        var device = Device(configuration: .premium)
        try device.apply(.start, as: .daemon)
        try device.register("anna")
        return device
    }

    private func cover(_ device: Device) -> PresentationSummary? {
        device.state.presentations(visibleTo: .root).first { $0.purpose == .signIn }
    }

    @Test("the cover is shown exactly while a sign-in is required and nobody is signed in")
    func exactly() throws {
        var device = try device()
        let shown = try #require(cover(device))
        #expect(shown.kind == .signIn && shown.style == .fullScreenCover && !shown.isDismissible)
        #expect(shown.deadline == .never && shown.asked.program == "gated" && device.state.nextDeadline == nil)
        try device.logIn("anna", .wrong, as: .anna)
        #expect(cover(device)?.id == shown.id)
        try device.logIn("anna", as: .anna)
        #expect(cover(device) == nil)
        try device.apply(.logOut, as: .anna)
        #expect(try #require(cover(device)).id > shown.id)
        var configuration = Configuration.premium
        configuration.signIn.isRequired = false
        try device.apply(.configure(configuration, detail: ""), as: .daemon)
        #expect(cover(device) == nil && !device.state.signIn.needsAuthentication)
    }

    @Test("the cover is for presenters of grown-ups, is claimed like a question, and can't be dismissed or answered")
    func claimed() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .mara)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection) == nil)
        try device.apply(.register(.everything), as: .olga)
        let presentation = try device.claim(try #require(cover(device)).id, as: .olga)
        #expect(presentation.content == .signIn && presentation.deadline == .never)
        let dismissal = #expect(throws: GateError.self) { try device.applied(.dismiss(presentation.cookie), as: .olga) }
        #expect(dismissal?.reason == .notDismissible)
        let answer = #expect(throws: GateError.self) {
            try device.applied(.complete(presentation.cookie, .text("anna")), as: .olga)
        }
        #expect(answer?.code == .invalidArgument)
        try device.logIn("anna", as: .olga)
        let late = #expect(throws: GateError.self) {
            try device.applied(.report(presentation.cookie, .shown), as: .olga)
        }
        #expect(late?.reason == .closed)
    }

    @Test("the cover gives way to anything else that is shown, even the question for parent mode, and comes back")
    func givesWay() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        let id = try #require(cover(device)).id
        let held = try device.claim(id, as: .olga)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        #expect(device.state.presentations(visibleTo: .root).map(\.purpose) == [.enterParentMode, .signIn])
        #expect(device.state.presentations(visibleTo: .root).map(\.stage) == [.offered, .waiting])
        let gone = #expect(throws: GateError.self) { try device.applied(.report(held.cookie, .shown), as: .olga) }
        #expect(gone?.reason == .closed)
        // Other presentations wait before it too.
        _ = try device.waitFor("link.open", as: .anna)
        #expect(device.state.presentations(visibleTo: .root).last?.purpose == .signIn)
        let question = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        try device.answerRight(device.claim(question.id, as: .olga), as: .olga)
        #expect(device.reply(to: wait) == .done && device.mode == .parent)
        let link = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        try device.answerRight(device.claim(link.id, as: .olga), as: .olga)
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.id == id)
        #expect(try device.claim(id, as: .olga).cookie != held.cookie)
    }

    @Test("a presenter that keeps the cover without a sign-in loses it after a time, and at once if it leaves (F-70)")
    func hangs() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        let id = try #require(cover(device)).id
        _ = try device.claim(id, as: .olga)
        // No other presenter could show it, so it is not taken from her.
        #expect(device.state.nextDeadline == nil)
        try device.apply(.register(.everything), as: .mara)
        #expect(device.state.nextDeadline == nil, "not hers to show")
        try device.apply(.register(.everything), as: .root)
        #expect(cover(device)?.deadline == device.now.advanced(by: Limits.coverTime))
        try device.turn(by: Limits.coverTime)
        #expect(cover(device)?.stage == .offered && cover(device)?.deadline == .never && cover(device)?.id == id)
        _ = try device.claim(id, as: .olga)
        try device.apply(.peerDisconnected, as: .olga)
        #expect(cover(device)?.stage == .offered && device.state.nextDeadline == nil)
    }

    @Test(
        "an administrator puts the cover away until somebody has signed in and out, or the policy is read again (F-70)")
    func putAway() throws {
        var device = try device()
        let id = try #require(cover(device)).id
        let refusal = #expect(throws: GateError.self) { try device.applied(.withdraw(presentation: id), as: .anna) }
        #expect(refusal?.code == .permissionDenied)
        try device.apply(.withdraw(presentation: id), as: .root)
        #expect(cover(device) == nil && !device.state.signIn.needsAuthentication)
        var reloaded = device
        try reloaded.apply(.configure(.premium, detail: ""), as: .daemon)
        #expect(cover(reloaded) != nil)
        try device.logIn("anna", as: .anna)
        try device.apply(.logOut, as: .anna)
        #expect(cover(device) != nil)
        let unknown = #expect(throws: GateError.self) { try device.applied(.withdraw(presentation: 99), as: .root) }
        #expect(unknown?.code == .notFound)
    }

    @Test("a question that an administrator closes costs nobody anything, and its requester is told")
    func withdrawn() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        let wait = try device.waitFor("link.open", as: .ben)
        let id = try #require(device.state.presentation(forPresenter: Peer.olga.connection)).id
        _ = try device.claim(id, as: .olga)
        try device.apply(.withdraw(presentation: id), as: .root)
        #expect(device.refusal(of: wait)?.reason == .closed && device.state.lockouts.isEmpty)
    }

    @Test("the cover takes no room from anybody's questions")
    func room() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        for _ in 0..<Limits.openRequests { _ = try device.waitFor("link.open", as: .ben) }
        #expect(device.state.presentations(visibleTo: .root).count == Limits.openRequests + 1)
        #expect(device.state.presentations(visibleTo: .ben).count == Limits.openRequests)
        try device.apply(.peerDisconnected, as: .ben)
        #expect(device.state.presentations(visibleTo: .root).map(\.purpose) == [.signIn])
    }

    @Test(
        "each screen that could show the cover stays covered while it is open, also beneath a question (K-02)"
    )
    func covered() throws {
        var device = try device()
        for peer in [Peer.olga, .mara] { try device.apply(.register(.everything), as: peer) }
        func covered(_ peer: Peer) -> Bool { device.state.isCovered(forPresenter: peer.connection) }
        #expect(covered(.olga) && !covered(.mara), "mara's is not for secrets")
        _ = try device.claim(try #require(cover(device)).id, as: .olga)
        #expect(covered(.olga))
        // Two questions occupy both screens.
        _ = try device.apply(.toggle(presenting: .elsewhere), as: .anna).wait()
        let first = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        _ = try device.claim(first.id, as: .mara)
        _ = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.kind == .challenge(.arithmeticChoice))
        #expect(covered(.olga))
        try device.apply(.peerDisconnected, as: .olga)
        try device.apply(.register(.everything), as: .olga)
        #expect(covered(.olga), "a presenter that was killed is covered again at once")
        try device.logIn("anna", as: .anna)
        #expect(!covered(.olga))
    }
}

@Suite("The cover on a device without accounts")
struct CoverWithoutAccountsTests {
    @Test("the cover says how an account is made, until there is one")
    func hint() throws {
        func cover(_ device: Device) -> PresentationSummary? {
            device.state.presentations(visibleTo: .root).first { $0.purpose == .signIn }
        }
        var device = Device(configuration: .premium)
        try device.apply(.start, as: .daemon)
        try device.apply(.register(.everything), as: .olga)
        let first = try #require(cover(device))
        #expect(first.asked.details.contains("sudo gatectl register"))
        _ = try device.claim(first.id, as: .olga)
        try device.register("anna")
        let second = try #require(cover(device))
        #expect(second.asked.details.isEmpty && second.id > first.id)
        #expect(device.state.presentation(forPresenter: Peer.olga.connection)?.stage == .offered)
        try device.register("ben")
        #expect(cover(device) == second)
        for name in ["anna", "ben"] { try device.apply(.removePerson(name: name), as: .root) }
        #expect(cover(device)?.asked.details == first.asked.details)
    }
}
