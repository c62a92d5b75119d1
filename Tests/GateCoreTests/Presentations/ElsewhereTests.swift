import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

extension PresenterAbilities {
    /// The kinds that a screen of Gate's own registers for.
    static let ownScreen = {
        var abilities = PresenterAbilities.everything
        abilities.hasScreenOfItsOwn = true
        return abilities
    }()
}

@Suite("What is asked on another screen (S-15)")
struct ElsewhereTests {
    /// Mara presents for a child, Olga for a grown-up, Theo for a child too.
    private func queue(
        _ specification: ChallengeSpecification, olgaCan abilities: PresenterAbilities = .ownScreen
    ) -> PresentationQueue {
        var queue = PresentationQueue()
        _ = queue.registered(.mara, .everything, at: .seconds(0))
        _ = queue.registered(.olga, abilities, at: .seconds(0))
        queue.opened(.sample(1, specification), at: .seconds(0))
        return queue
    }

    @discardableResult
    private func claim(_ id: UInt64, by peer: Peer, in queue: inout PresentationQueue) -> PresentationQueue.ClaimResult
    {
        var random = SeededGenerator(seed: 1)
        return queue.claimed(id, by: peer, at: .seconds(10), using: &random)
    }

    @Test(
        "a presenter in a child's session is offered no secret, and is told where it is asked",
        arguments: [ChallengeSpecification(.passcode), .init(.totp), .init(.passcode, answeredBy: .grownUp)])
    func told(specification: ChallengeSpecification) {
        var queue = queue(specification)
        #expect(queue.presentation(forPresenter: Peer.mara.connection) == nil)
        #expect(queue.elsewhere(forPresenter: Peer.mara.connection) == nil, "nobody has it on a screen yet")
        claim(1, by: .olga, in: &queue)
        let elsewhere = queue.elsewhere(forPresenter: Peer.mara.connection)
        #expect(elsewhere?.summary.id == 1 && elsewhere?.place == .screenOfItsOwn)
        #expect(queue.elsewhere(forPresenter: Peer.olga.connection) == nil, "it is there")
        #expect(queue.elsewhere(forPresenter: Peer.theo.connection) == nil, "it is not registered")
        _ = queue.closed(RequestID(number: 1), at: .seconds(20))
        #expect(queue.elsewhere(forPresenter: Peer.mara.connection) == nil)
    }

    @Test("a grown-up's presenter may show a grown-up's yes, and the notice names the grown-up's place")
    func grownUp() {
        var queue = queue(.init(.confirm, answeredBy: .grownUp), olgaCan: .everything)
        claim(1, by: .olga, in: &queue)
        #expect(queue.elsewhere(forPresenter: Peer.mara.connection)?.place == .grownUp)
    }

    @Test("a presenter is not told of questions that it may show itself, or of waiting ones")
    func others() {
        var queue = queue(.init(.arithmeticChoice))
        queue.opened(.sample(2, of: 2, .init(.passcode)), at: .seconds(0))
        claim(1, by: .olga, in: &queue)
        #expect(queue.elsewhere(forPresenter: Peer.mara.connection) == nil)
    }

    @Test("when the screen with the question is gone, the notice is gone too")
    func lost() {
        var queue = queue(.init(.passcode))
        claim(1, by: .olga, in: &queue)
        _ = queue.presenterLost(Peer.olga.connection, at: .seconds(20))
        #expect(queue.elsewhere(forPresenter: Peer.mara.connection) == nil)
    }

    @Test("a screen of its own, which a child may reach, never shows a grown-up's yes, but does show secrets")
    func notOnOwnScreens() {
        let yes = ChallengeSpecification(.confirm, answeredBy: .grownUp)
        var queue = queue(yes)
        #expect(!queue.canShow(.challenge(yes), .sheet, for: nil))
        #expect(claim(1, by: .olga, in: &queue) == .notPermitted)
        #expect(
            queue.canShow(.challenge(.init(.passcode)), .sheet, for: nil) && queue.canShow(.signIn, .sheet, for: nil))
        #expect(queue.canShow(.challenge(.init(.arithmeticChoice)), .sheet, for: nil))
    }

    @Test(
        "a child's presenter gains nothing by claiming a question, or by saying that it has a screen of its own"
    )
    func impostor() throws {
        var device = Device(configuration: .gates)
        try device.apply(.setPasscode(hash: "$y$hash"), as: .root)
        device.changesOnlyVolatileState(.register(.ownScreen), as: .mara)
        device.refuses(
            .authorize(AuthorizationRequest(gatedAction: "settings", details: ""), presenting: .elsewhere), as: .ben,
            .aborted, .noPresenter)
        device.changesOnlyVolatileState(.register(.ownScreen), as: .olga)
        _ = try device.waitFor("settings", as: .ben)
        device.refuses(.claim(presentation: 1), as: .mara, .permissionDenied, .notPermitted)
        let question = try device.claim(1, as: .olga)
        #expect(device.state.elsewhere(forPresenter: Peer.mara.connection)?.place == .screenOfItsOwn)
        device.refuses(.claim(presentation: 1), as: .mara, .permissionDenied, .notPermitted)
        for forged in [Command.report(question.cookie, .shown), .dismiss(question.cookie)] {
            device.refuses(forged, as: .mara, .permissionDenied, .wrongCookie)
        }
        device.refuses(
            .complete(question.cookie, .secret(GateSecret("2468".utf8))), as: .mara, .permissionDenied, .wrongCookie)
    }
}
