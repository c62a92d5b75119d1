import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Open requests are decided anew")
struct RedecidingTests {
    private func device(_ presenters: Peer...) throws -> Device {
        var device = Device(configuration: .gates)
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    @Test("parent mode makes a question needless: it goes, and the requester has its grant")
    func met() throws {
        var device = try device(.mara)
        let wait = try device.waitFor("photos.send", as: .ben)
        _ = try device.claim(1, as: .mara)
        let overridden = try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        #expect(overridden.audit.map(\.kind) == [.overridden, .withdrawn, .granted])
        guard case .granted = device.reply(to: wait) else {
            Issue.record("Ben has no grant")
            return
        }
        #expect(device.state.presentation(forPresenter: Peer.mara.connection) == nil)
        #expect(device.stored.lockouts.isEmpty)
    }

    @Test("when parent mode ends, requests that need it end too, whatever ended it")
    func impossible() throws {
        for ending in [
            Command.lock, .toggle(presenting: .here), .override(.child, nil, reason: "x"), .deadlineReached,
        ] {
            var configuration = Configuration.gates
            configuration.gatedActions["purchase"]?.requirement = .all([
                .parentMode, .challenge(ChallengeRule(.arithmeticEntry)),
            ])
            var device = Device(configuration: configuration)
            try device.apply(.register(.everything), as: .mara)
            try device.apply(.override(.parent, .seconds(50), reason: "x"), as: .root)
            let wait = try device.waitFor("purchase", as: .ben)
            let own = try device.authorize("purchase", as: .anna).presentation()
            if ending == .deadlineReached { device.now = device.now.advanced(by: .seconds(50)) }
            try device.apply(ending, as: ending == .deadlineReached ? .daemon : .root)
            #expect(device.mode == .child && device.refusal(of: wait)?.reason == .notParent)
            device.refuses(.complete(own.cookie, .text("1")), as: .anna, .aborted, .closed)
            #expect(device.stored.lockouts.isEmpty)
        }
    }

    @Test("a requester that shows its own question finds it closed, and asks again")
    func ownScreen() throws {
        var device = try device()
        let question = try device.authorize("photos.send", as: .ben).presentation()
        try device.enterParentMode(as: .anna)
        device.refuses(.complete(question.cookie, .text("1")), as: .ben, .aborted, .closed)
        _ = try device.authorize("photos.send", as: .ben).grant()
    }

    @Test("after a new policy each request stays open, is denied, or is asked anew")
    func configure() throws {
        var device = try device(.mara)
        let same = try device.waitFor("link.open", as: .ben)
        let gone = try device.waitFor("cover", as: .ben)
        let other = try device.waitFor("store.open", as: .anna)
        let question = try device.claim(1, as: .mara)
        let parent = try device.apply(.toggle(presenting: .elsewhere), as: .theo).wait()
        var configuration = Configuration.gates
        configuration.modeChallenge = ChallengeRule(.quiz)
        configuration.gatedActions["cover"] = nil
        configuration.gatedActions["store.open"]?.requirement = .challenge(ChallengeRule(.shapes))
        try device.apply(.configure(configuration, detail: "SIGHUP"), as: .daemon)
        #expect(device.refusal(of: gone)?.reason == .denied)
        let open = device.state.presentations(visibleTo: .root)
        #expect(open.map(\.id) == [4, 1, 5])
        #expect(open.map(\.kind.challenge) == [.arithmeticChoice, .arithmeticEntry, .shapes])
        #expect([same, other, parent].allSatisfy { device.settled[$0] == nil })
        try device.answerRight(question, as: .mara)
        #expect(device.reply(to: same) != nil)
    }

    @Test(
        "a new style of the policy holds for later questions; if no presenter shows that style, nobody waits for it")
    func style() throws {
        var device = Device(configuration: .gates)
        try device.apply(
            .register(PresenterAbilities(challenges: [.arithmeticEntry, .quiz], styles: [.sheet])), as: .mara)
        let same = try device.waitFor("link.open", as: .ben)
        let other = try device.waitFor("photos.send", as: .anna)
        var configuration = Configuration.gates
        configuration.gatedActions["link.open"]?.style = .fullScreenCover
        configuration.gatedActions["photos.send"]?.style = .fullScreenCover
        configuration.gatedActions["photos.send"]?.requirement = .challenge(ChallengeRule(.quiz))
        try device.apply(.configure(configuration, detail: ""), as: .daemon)
        // A question that stays open is unchanged, and can be answered.
        #expect(device.settled[same] == nil && device.refusal(of: other)?.reason == .noPresenter)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection)?.style == .sheet)
        let more = Command.authorize(
            AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .elsewhere)
        device.refuses(more, as: .anna, .aborted, .noPresenter)
        try device.answerRight(device.claim(1, as: .mara), as: .mara)
        #expect(device.refusal(of: same) == nil && device.reply(to: same) != nil)
    }

    @Test("a question that replaces another after a reload has the new policy's style")
    func newStyle() throws {
        var configuration = Configuration.gates
        var device = Device(configuration: configuration)
        try device.apply(
            .register(PresenterAbilities(challenges: [.arithmeticEntry], styles: [.fullScreenCover])), as: .mara)
        try device.apply(.register(PresenterAbilities(challenges: [.shapes], styles: [.sheet])), as: .theo)
        let wait = try device.waitFor("cover", as: .ben)
        configuration.gatedActions["cover"]?.requirement = .challenge(ChallengeRule(.shapes))
        configuration.gatedActions["cover"]?.style = .sheet
        try device.apply(.configure(configuration, detail: ""), as: .daemon)
        #expect(device.settled[wait] == nil)
        let shown = device.state.presentation(forPresenter: Peer.theo.connection)
        #expect(shown?.style == .sheet && shown?.kind == .challenge(.shapes))
    }

    @Test("an answer given under another policy does not answer the new policy's question")
    func answeredBefore() throws {
        var device = try device(.mara)
        let wait = try device.waitFor("purchase", as: .ben)
        try device.answerRight(device.claim(1, as: .mara), as: .mara)
        var configuration = Configuration.gates
        configuration.gatedActions["purchase"]?.requirement = .all([
            .challenge(ChallengeRule(.shapes)), .challenge(ChallengeRule(.arithmeticEntry)),
        ])
        try device.apply(.configure(configuration, detail: ""), as: .daemon)
        #expect(device.state.presentations(visibleTo: .root).map(\.kind.challenge) == [.shapes])
        #expect(device.reply(to: wait) == nil)
    }

    @Test("once a passcode is set up it is asked for at once, in place of the sum")
    func secretSet() throws {
        var device = try device(.olga)
        _ = try device.waitFor("settings", as: .ben)
        #expect(device.state.presentations(visibleTo: .root).map(\.kind.challenge) == [.arithmeticEntry])
        try device.apply(.setPasscode(hash: "hash"), as: .root)
        #expect(device.state.presentations(visibleTo: .root).map(\.kind.challenge) == [.passcode])
    }

    @Test("a grant that is kept for one request settles the same user's other requests")
    func kept() throws {
        var device = try device(.mara)
        let first = try device.waitFor("store.open", "a", as: .ben)
        let second = try device.waitFor("store.open", "b", as: .ben)
        let annas = try device.waitFor("store.open", "c", as: .anna)
        try device.answerRight(device.claim(1, as: .mara), as: .mara)
        for wait in [first, second] {
            guard case .granted = device.reply(to: wait) else {
                Issue.record("Ben has no grant")
                return
            }
        }
        #expect(device.settled[annas] == nil)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection)?.id == 3)
    }

    @Test("when the last able presenter leaves, its question is withdrawn, and others' questions stay")
    func presenters() throws {
        var device = try device(.mara, .olga)
        let share = try device.waitFor("share", as: .ben)
        let link = try device.waitFor("link.open", as: .anna)
        let left = try device.apply(.unregister, as: .olga)
        #expect(left.isChange && left.audit.map(\.kind) == [.withdrawn])
        #expect(device.refusal(of: share)?.reason == .noPresenter && device.settled[link] == nil)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection)?.stage == .offered)
        #expect(device.lockout(of: .ben, at: "share") == nil)
    }

    @Test("a presenter that can do more than before displaces no question")
    func newPresenter() throws {
        var configuration = Configuration.gates
        let permission = ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp))
        configuration.gatedActions["share"]?.requirement = .any([
            .challenge(permission), .challenge(ChallengeRule(.arithmeticEntry)),
        ])
        var device = Device(configuration: configuration)
        try device.apply(.register(.everything), as: .mara)
        _ = try device.waitFor("share", as: .ben)
        let before = device.state.presentations(visibleTo: .root)
        #expect(before.map(\.kind.challenge) == [.arithmeticEntry])
        device.changesOnlyVolatileState(.register(.everything), as: .olga)
        #expect(device.state.presentations(visibleTo: .root) == before)
    }

    @Test("a lockout closes the user's open questions, at gates and before parent mode")
    func lockedOut() throws {
        var configuration = Configuration.gates
        configuration.lockout.after = 1
        configuration.gatedActions["settings"]?.requirement = .challenge(ChallengeRule(.passcode))
        configuration.modeChallenge = ChallengeRule(.passcode)
        var device = Device(configuration: configuration)
        try device.apply(.setPasscode(hash: "hash"), as: .root)
        let mode = try device.ask(as: .anna)
        let gate = try device.authorize("settings", as: .annasOther).presentation()
        try device.apply(.complete(gate.cookie, .secret(GateSecret("1".utf8))), as: .annasOther)
        try device.check(gate.id, finds: .wrong)
        // The question was on a screen, and her own wrong answer closed it.
        #expect(device.mode == .child && device.lockout(of: .anna, at: "passcode")?.unanswered == 1)
        device.refuses(.complete(mode.cookie, .secret(GateSecret("1".utf8))), as: .anna, .aborted, .closed)
    }
}
