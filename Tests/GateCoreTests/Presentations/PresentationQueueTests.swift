import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("The queue of presentations")
struct PresentationQueueTests {
    private func queue(_ presentations: QueuedPresentation..., presenters: [Peer] = [.mara, .theo]) -> PresentationQueue
    {
        var queue = PresentationQueue()
        for presenter in presenters { _ = queue.registered(presenter, .everything, at: .seconds(0)) }
        for presentation in presentations { queue.opened(presentation, at: .seconds(0)) }
        return queue
    }

    private func claim(_ id: UInt64, by peer: Peer, in queue: inout PresentationQueue) -> PresentationQueue.ClaimResult
    {
        var random = SeededGenerator(seed: 1)
        return queue.claimed(id, by: peer, at: .seconds(10), using: &random)
    }

    private func isClaimed(_ id: UInt64, by peer: Peer, in queue: inout PresentationQueue) -> Bool {
        if case .claimed = claim(id, by: peer, in: &queue) { true } else { false }
    }

    @Test("one presentation is offered while the others wait, and each gets its full time when its turn comes")
    func modal() {
        var queue = queue(.sample(1, of: 1), .sample(2, of: 2), .sample(3, of: 3))
        #expect(queue.open.map(\.stage) == [.offered, .waiting, .waiting])
        #expect(queue.open.map(\.deadline) == [.seconds(60), .seconds(300), .seconds(300)])
        #expect(queue.closed(RequestID(number: 1), at: .seconds(20))?.id == 1)
        #expect(queue.open.map(\.stage) == [.offered, .waiting])
        #expect(queue.open.map(\.deadline) == [.seconds(80), .seconds(300)])
        // One from the middle blocks nobody.
        #expect(queue.closed(RequestID(number: 3), at: .seconds(30))?.id == 3)
        #expect(queue.open.map(\.id) == [2] && queue.nextDeadline == .seconds(80))
        #expect(queue.closed(RequestID(number: 3), at: .seconds(30)) == nil)
    }

    @Test("the first claim wins, and restarts the presentation's time")
    func claims() {
        var queue = queue(.sample(1, of: 1), .sample(2, of: 2))
        #expect(claim(2, by: .mara, in: &queue) == .closed)
        #expect(claim(9, by: .mara, in: &queue) == .closed)
        guard case .claimed(let presentation) = claim(1, by: .mara, in: &queue) else {
            Issue.record("it was on offer")
            return
        }
        #expect(presentation.deadline == .seconds(70) && presentation.cookie.presentationID == 1)
        #expect(claim(1, by: .theo, in: &queue) == .closed && claim(1, by: .mara, in: &queue) == .closed)
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 1)
        #expect(queue.presentation(forPresenter: Peer.theo.connection)?.id == 2, "theo's screen is free")
    }

    @Test("only a registered presenter with the right abilities can claim a presentation")
    func abilities() {
        var queue = queue(.sample(1, .init(.quiz), style: .fullScreenCover), presenters: [])
        #expect(claim(1, by: .mara, in: &queue) == .notPermitted)
        let others = [
            PresenterAbilities(challenges: [.shapes], styles: [.fullScreenCover]),
            PresenterAbilities(challenges: [.quiz], styles: [.sheet]), PresenterAbilities(challenges: [], styles: []),
        ]
        for abilities in others {
            #expect(queue.registered(.mara, abilities, at: .seconds(0)) == nil)
            #expect(claim(1, by: .mara, in: &queue) == .notPermitted)
            #expect(!queue.canShow(.challenge(.init(.quiz)), .fullScreenCover, for: nil))
            #expect(queue.presentation(forPresenter: Peer.mara.connection) == nil)
        }
        _ = queue.registered(
            .mara, PresenterAbilities(challenges: [.quiz], styles: [.fullScreenCover]), at: .seconds(0))
        #expect(queue.canShow(.challenge(.init(.quiz)), .fullScreenCover, for: nil))
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 1)
    }

    @Test(
        "secrets, and what is left to grown-ups, are for presenters of grown-ups alone",
        arguments: [
            ChallengeSpecification(.passcode), .init(.totp), .init(.confirm, answeredBy: .grownUp),
        ])
    func grownUps(specification: ChallengeSpecification) {
        for (peer, isAllowed) in [(Peer.mara, false), (.olga, true), (.root, true)] {
            var queue = queue(.sample(1, specification), presenters: [peer])
            #expect(queue.canShow(.challenge(specification), .sheet, for: nil) == isAllowed)
            #expect(isClaimed(1, by: peer, in: &queue) == isAllowed)
        }
    }

    @Test("a presenter that leaves hands back what it had claimed, and nothing else")
    func presenterLost() {
        var queue = queue(.sample(1))
        #expect(queue.presenterLost(99, at: .seconds(20)) == .wasNone)
        #expect(queue.presenterLost(Peer.theo.connection, at: .seconds(20)) == .left(handedBack: nil))
        _ = claim(1, by: .mara, in: &queue)
        guard case .left(let open?) = queue.presenterLost(Peer.mara.connection, at: .seconds(20)) else {
            Issue.record("it had one")
            return
        }
        #expect(open.stage == .offered && queue.open.map(\.id) == [open.id])
        #expect(!queue.canShow(.challenge(.init(.arithmeticEntry)), .sheet, for: nil))
    }

    @Test("a presenter that registers with fewer abilities hands back what it can no longer show")
    func registeredAgain() {
        var queue = queue(.sample(1))
        _ = claim(1, by: .mara, in: &queue)
        #expect(
            queue.registered(
                .mara, PresenterAbilities(challenges: [.arithmeticEntry], styles: [.sheet]), at: .seconds(20)) == nil)
        #expect(queue.presentation(1)?.stage == .claimed)
        #expect(
            queue.registered(.mara, PresenterAbilities(challenges: [.quiz], styles: [.sheet]), at: .seconds(20))?.id
                == 1)
        #expect(queue.presentation(1)?.stage == .offered)
    }

    @Test("a presentation that the requester shows itself neither waits for others nor makes them wait")
    func ownScreens() {
        var queue = queue(.sample(1, of: 1))
        let shown = queue.opened(
            .sample(2, of: 2), by: .anna, cookie: .sample(2), at: .seconds(5))
        #expect(shown?.deadline == .seconds(65) && shown?.summary.stage == .claimed)
        #expect(queue.open.map(\.id) == [2, 1] && queue.queuedCount == 1)
        #expect(claim(2, by: .mara, in: &queue) == .closed)
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 1)
        #expect(queue.closed(RequestID(number: 2), at: .seconds(6))?.wasClaimed == true)
    }

    @Test("the next question of a request takes the place of the one before")
    func replaced() {
        var queue = queue(.sample(1, of: 1), .sample(2, of: 2))
        queue.replaced(with: .sample(3, of: 1), at: .seconds(20))
        #expect(queue.open.map(\.id) == [3, 2] && queue.open.map(\.stage) == [.offered, .waiting])
        #expect(queue.presentation(3)?.deadline == .seconds(80))
        queue.replaced(with: .sample(4, of: 2), at: .seconds(20))
        #expect(queue.open.map(\.id) == [3, 4] && queue.open.map(\.stage) == [.offered, .waiting])
    }

    @Test("a form on one screen does not delay a question that another screen can show")
    func severalScreens() {
        var queue = queue(.form(1, of: 1))
        #expect(isClaimed(1, by: .mara, in: &queue))
        queue.opened(.sample(2, of: 2), at: .seconds(20))
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 1)
        #expect(queue.presentation(forPresenter: Peer.theo.connection)?.id == 2)
        #expect(!isClaimed(2, by: .mara, in: &queue), "one screen shows one thing")
        #expect(isClaimed(2, by: .theo, in: &queue))
        #expect(queue.open.map(\.stage) == [.claimed, .claimed])
    }

    @Test("a question takes the only screen from a form, which is offered again afterwards, with the time that it had")
    func formsGiveWay() {
        var queue = queue(.form(1, of: 1), presenters: [.mara])
        #expect(isClaimed(1, by: .mara, in: &queue))
        let (cookie, deadline) = (queue.presentation(1)?.holder?.cookie ?? .sample(0), queue.presentation(1)?.deadline)
        queue.opened(.sample(2, of: 2), at: .seconds(20))
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 2)
        #expect(queue.presentation(1)?.stage == .waiting)
        #expect(queue.presentation(1)?.refusal(of: cookie, from: .mara, at: .seconds(20)) == .closed)
        #expect(isClaimed(2, by: .mara, in: &queue))
        // A question stays on its screen, whatever else is asked.
        queue.opened(.sample(3, of: 3), at: .seconds(20))
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 2)
        _ = queue.closed(RequestID(number: 2), at: .seconds(30))
        _ = queue.closed(RequestID(number: 3), at: .seconds(30))
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 1)
        #expect(queue.presentation(1)?.stage == .offered && queue.presentation(1)?.deadline == deadline)
        #expect(isClaimed(1, by: .mara, in: &queue) && queue.presentation(1)?.deadline == deadline)
    }

    @Test("a presenter that ignores an offer for two seconds no longer delays questions, until it claims one")
    func slowPresenters() {
        var queue = queue(.form(1, of: 1))
        #expect(isClaimed(1, by: .mara, in: &queue))
        queue.opened(.sample(2, of: 2), at: .seconds(20))
        #expect(queue.nextDeadline == .seconds(22) && queue.presentation(1)?.stage == .claimed)
        let ended = [21, 22].map { queue.patienceEnded(at: .seconds($0)) }
        #expect(ended == [false, true])
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 2)
        #expect(queue.presentation(2)?.tookScreen == true && queue.nextDeadline == .seconds(80))
        #expect(isClaimed(2, by: .theo, in: &queue), "it may come late")
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 1)
    }

    @Test("among screens that show forms, the one of the requester's own user gives way")
    func whoseScreenGivesWay() {
        let annas = Peer(connection: 61, uid: 1001, pid: 161, roles: [.app, .presenter])
        var queue = queue(.form(1, of: 1, by: .mara), presenters: [.mara, annas])
        #expect(isClaimed(1, by: .mara, in: &queue))
        queue.opened(.form(2, of: 2, by: .anna), at: .seconds(20))
        #expect(isClaimed(2, by: annas, in: &queue))
        queue.opened(.sample(3, of: 3), at: .seconds(20))
        #expect(queue.presentation(forPresenter: Peer.mara.connection)?.id == 1)
        #expect(queue.presentation(forPresenter: annas.connection)?.id == 3)
    }

    @Test("anything but a question is offered to a screen of the requester's own user, if one can show it")
    func ownScreenFirst() {
        let annas = Peer(connection: 61, uid: 1001, pid: 161, roles: [.app, .presenter])
        var queue = queue(presenters: [.mara])
        _ = queue.registered(annas, .everything, at: .seconds(0))
        queue.opened(.form(1, of: 1, by: .anna), at: .seconds(0))
        #expect(queue.presentation(forPresenter: Peer.mara.connection) == nil && !isClaimed(1, by: .mara, in: &queue))
        #expect(queue.presentation(forPresenter: annas.connection)?.id == 1)
        _ = queue.presenterLost(annas.connection, at: .seconds(10))
        #expect(isClaimed(1, by: .mara, in: &queue))
    }

    @Test("the presentation with the earliest deadline expires first")
    func expiry() {
        let queue = queue(.sample(1, of: 1), .sample(2, of: 2))
        #expect(queue.expired(at: .seconds(59)) == nil)
        #expect(queue.expired(at: .seconds(400))?.id == 1)
    }
}
