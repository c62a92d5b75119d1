import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Presenters (F-05, F-17, F-53)")
struct PresenterTests {
    /// A device where Mara's screen is on.
    private func device(_ presenters: Peer..., configuration: Configuration = .gates) throws -> Device {
        var device = Device(configuration: configuration)
        for presenter in presenters { device.changesOnlyVolatileState(.register(.everything), as: presenter) }
        return device
    }

    @Test("without a presenter a request is refused at once")
    func nobody() throws {
        var device = try device()
        device.refuses(.toggle(presenting: .elsewhere), as: .ben, .aborted, .noPresenter)
        let command = Command.authorize(
            AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .elsewhere)
        device.refuses(command, as: .ben, .aborted, .noPresenter)
    }

    @Test("a presenter shows what somebody else asks; the requester alone gets the grant")
    func grantedElsewhere() throws {
        var device = try device(.mara)
        let wait = try device.waitFor("link.open", "https://example.org/", as: .ben)
        let offered = try #require(device.state.presentation(forPresenter: Peer.mara.connection))
        #expect(
            offered.stage == .offered && offered.asked.uid == 1002 && offered.asked.details == "https://example.org/")
        let claimed = try device.apply(.claim(presentation: 1), as: .mara)
        let question = try claimed.presentation()
        #expect(claimed.isChange && claimed.audit.map(\.kind) == [.claimed])
        #expect(question.summary.stage == .claimed)
        #expect(try device.apply(.report(question.cookie, .shown), as: .mara).audit.map(\.kind) == [.shown])
        device.changesNothing(.report(question.cookie, .shown), as: .mara)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection)?.stage == .shown)

        let answered = try device.answerRight(question, as: .mara)
        #expect(answered.reply == .done && answered.audit.map(\.actor?.uid) == [1003, 1002])
        guard case .granted(let grant) = device.reply(to: wait) else {
            Issue.record("Ben has no grant")
            return
        }
        device.refuses(
            .redeem(grant.proof, gatedAction: "link.open", details: grant.details), as: .mara, .permissionDenied,
            .notPermitted)
        try device.apply(.redeem(grant.proof, gatedAction: "link.open", details: grant.details), as: .ben)
    }

    @Test("parent mode by a presenter: the mode says verifying, with the deadline of the question")
    func modeElsewhere() throws {
        var device = try device(.mara)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        #expect(device.state.modeState == ModeState(mode: .verifying, deadline: .seconds(1060)))
        try device.turn(by: .seconds(30))
        let question = try device.claim(1, as: .mara)
        #expect(device.state.modeState == ModeState(mode: .verifying, deadline: .seconds(1090)))
        device.refuses(.toggle(presenting: .here), as: .ben, .failedPrecondition, .verifying)
        device.refuses(.toggle(presenting: .elsewhere), as: .ben, .failedPrecondition, .verifying)
        try device.answerRight(question, as: .mara)
        #expect(device.mode == .parent && device.reply(to: wait) == .done)
        #expect(device.journal.last?.kind == .parentEntered && device.journal.last?.actor?.uid == 1002)
    }

    enum Ending: CaseIterable {
        case wrong, dismissed, expired, cancelled, locked, overridden, callEnded, requesterLost, presenterLost

        func end(_ question: Presentation, _ wait: WaitID, on device: inout Device) throws {
            switch self {
            case .wrong: try device.answerWrong(question, as: .mara)
            case .dismissed: try device.apply(.dismiss(question.cookie), as: .mara)
            case .expired: try device.turn(by: .seconds(60))
            case .cancelled: try device.apply(.cancel, as: .ben)
            case .locked: try device.apply(.lock, as: .root)
            case .overridden: try device.apply(.override(.child, nil, reason: "x"), as: .root)
            case .callEnded: try device.apply(.callEnded(wait), as: .ben)
            case .requesterLost: try device.apply(.peerDisconnected, as: .ben)
            case .presenterLost: try device.apply(.peerDisconnected, as: .mara)
            }
        }

        /// The error that the requester gets; `nil` if it is gone.
        var heard: (GateError.Code, GateError.Reason)? {
            switch self {
            case .wrong: (.failedPrecondition, .wrongAnswer)
            case .dismissed: (.cancelled, .dismissed)
            case .expired: (.deadlineExceeded, .expired)
            case .cancelled, .locked, .overridden: (.aborted, .closed)
            case .callEnded, .requesterLost: nil
            case .presenterLost: (.aborted, .noPresenter)
            }
        }

        var journalled: AuditEntry.Kind {
            switch self {
            case .wrong: .answeredWrong
            case .dismissed: .dismissed
            case .expired: .expired
            case .cancelled, .callEnded: .cancelled
            case .locked: .locked
            case .overridden, .presenterLost: .withdrawn
            case .requesterLost: .requesterLost
            }
        }

        var cost: Lockout? {
            let counted = { (wrong: Int, unanswered: Int) in
                Lockout(wrongAnswers: wrong, unanswered: unanswered, lockedUntil: nil, lockDuration: .zero)
            }
            return switch self {
            case .wrong: counted(1, 0)
            case .dismissed, .expired, .cancelled, .callEnded, .requesterLost, .presenterLost: counted(0, 1)
            case .locked, .overridden: nil
            }
        }
    }

    @Test(
        "however a question on another screen ends, the requester hears it once, and pays what it costs",
        arguments: Ending.allCases)
    func endings(ending: Ending) throws {
        var device = try device(.mara)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        let question = try device.claim(1, as: .mara)
        let entries = device.journal.count
        try ending.end(question, wait, on: &device)
        #expect(device.mode == .child && device.kinds(from: entries).contains(ending.journalled))
        #expect(device.refusal(of: wait)?.code == ending.heard?.0)
        #expect(device.refusal(of: wait)?.reason == ending.heard?.1)
        #expect(device.lockout(of: .ben) == ending.cost)
        #expect(device.state.presentations(visibleTo: .root).isEmpty)
        device.refuses(.complete(question.cookie, .text("1")), as: .mara, .aborted, .closed)
        // Later events for that call change nothing.
        device.changesNothing(.callEnded(wait), as: .ben)
    }

    @Test("the requester hears whether another user dismissed the question, or its own one (U-09)")
    func whoDismissed() throws {
        let marasOther = Peer(connection: 50, uid: Peer.mara.uid, pid: 150, roles: .app)
        for (requester, parameters) in [(Peer.ben, ["by": "other-user"]), (marasOther, [:])] {
            var device = try device(.mara)
            let wait = try device.waitFor("link.open", as: requester)
            try device.apply(.dismiss(device.claim(1, as: .mara).cookie), as: .mara)
            let refusal = try #require(device.refusal(of: wait))
            #expect(refusal.reason == .dismissed && refusal.parameters == parameters)
        }
    }

    @Test(
        "a question that no presenter has claimed costs nothing when it ends",
        arguments: [Ending.cancelled, .callEnded, .requesterLost])
    func unclaimed(ending: Ending) throws {
        var device = try device(.mara)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        let question = Presentation(
            device.state.presentations(visibleTo: .root)[0], cookie: PresentationCookie(bytes: []), challenge: .confirm)
        try ending.end(question, wait, on: &device)
        #expect(device.mode == .child && device.lockout(of: .ben) == nil)
    }

    @Test("a request for parent mode that no presenter claims expires, and costs nothing")
    func modeExpired() throws {
        var device = try device(.mara)
        for count in 0...3 {
            let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
            try device.turn(by: .seconds(60))
            #expect(device.refusal(of: wait)?.reason == .expired && device.mode == .child)
            #expect(device.lockout(of: .ben) == nil, "the \(count + 1)th")
        }
        _ = try device.apply(.toggle(presenting: .elsewhere), as: .anna).wait()
    }

    @Test("a request for parent mode comes before all presentations that are on no screen yet")
    func modeFirst() throws {
        var device = try device(.mara)
        _ = try device.waitFor("link.open", as: .ben)
        _ = try device.waitFor("link.open", as: .anna)
        let first = try device.claim(1, as: .mara)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .anna).wait()
        #expect(device.state.presentations(visibleTo: .root).map(\.id) == [3, 1, 2])
        #expect(device.state.presentations(visibleTo: .root).map(\.stage) == [.waiting, .claimed, .waiting])
        try device.answerRight(first, as: .mara)
        try device.answerRight(device.claim(3, as: .mara), as: .mara)
        #expect(device.reply(to: wait) == .done && device.mode == .parent)
        let more = try device.apply(.extend(.seconds(60), presenting: .elsewhere), as: .ben).wait()
        #expect(device.state.presentations(visibleTo: .root).map(\.id) == [4, 2] && device.settled[more] == nil)
    }

    @Test("questions are shown one at a time and in order, and each gets its full time when its turn comes")
    func modal() throws {
        var device = try device(.mara)
        let first = try device.waitFor("link.open", as: .ben)
        let second = try device.waitFor("link.open", as: .anna)
        #expect(device.state.presentations(visibleTo: .mara).map(\.stage) == [.offered, .waiting])
        device.refuses(.claim(presentation: 2), as: .mara, .aborted, .closed)
        try device.turn(by: .seconds(60))
        #expect(device.refusal(of: first)?.reason == .expired && device.lockout(of: .ben, at: "link.open") == nil)
        #expect(device.state.presentation(forPresenter: 5)?.deadline == .seconds(1120))
        try device.answerRight(device.claim(2, as: .mara), as: .mara)
        #expect(device.reply(to: second) != nil && device.refusal(of: second) == nil)
    }

    @Test("a request that waits behind others expires after five minutes")
    func waitsTooLong() throws {
        var configuration = Configuration.gates
        configuration.answerTime = .seconds(1000)
        var device = try device(.mara, configuration: configuration)
        _ = try device.waitFor("link.open", as: .ben)
        let second = try device.waitFor("link.open", as: .anna)
        try device.turn(by: .seconds(300))
        #expect(device.refusal(of: second)?.reason == .expired && device.lockout(of: .anna, at: "link.open") == nil)
        #expect(device.state.presentations(visibleTo: .root).map(\.id) == [1])
    }

    @Test("when a presenter dies the same question is on the next one's screen, with the deadline that it had")
    func handedOn() throws {
        var device = try device(.mara, .theo)
        let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
        let maras = try device.claim(1, as: .mara)
        #expect(device.state.presentation(forPresenter: Peer.theo.connection) == nil)
        device.refuses(.claim(presentation: 1), as: .theo, .aborted, .closed)
        device.now = device.now.advanced(by: .seconds(20))
        let lost = try device.apply(.peerDisconnected, as: .mara)
        #expect(lost.isChange && lost.audit.map(\.kind) == [.presenterLost])
        #expect(device.state.presentation(forPresenter: Peer.theo.connection)?.stage == .offered)
        let theos = try device.claim(1, as: .theo)
        #expect(theos.question == maras.question)
        #expect(theos.deadline == maras.deadline)
        #expect(theos.cookie != maras.cookie)
        for peer in [Peer.mara, .theo] {
            device.refuses(.complete(maras.cookie, .text("1")), as: peer, .aborted, .closed)
        }
        device.refuses(.complete(theos.cookie, .text("1")), as: .mara, .permissionDenied, .wrongCookie)
        try device.apply(.unregister, as: .theo)
        #expect(device.refusal(of: wait)?.reason == .noPresenter && device.lockout(of: .ben)?.unanswered == 1)
    }

    @Test("a presenter that registers late displaces no other, and gets nothing that is not for it")
    func falsePresenter() throws {
        var device = try device(.olga)
        _ = try device.waitFor("share", as: .ben)
        let question = try device.claim(1, as: .olga)
        device.changesOnlyVolatileState(.register(.everything), as: .mara)
        #expect(device.state.presentation(forPresenter: Peer.mara.connection) == nil)
        device.refuses(.claim(presentation: 1), as: .mara, .permissionDenied, .notPermitted)
        for cookie in [question.cookie, .sample(0)] {
            device.refuses(.complete(cookie, .text("yes")), as: .mara, .permissionDenied, .wrongCookie)
            device.refuses(.dismiss(cookie), as: .mara, .permissionDenied, .wrongCookie)
            device.refuses(.report(cookie, .shown), as: .mara, .permissionDenied, .wrongCookie)
        }
        device.refuses(.register(.everything), as: .ben, .permissionDenied, .notPermitted)
        device.refuses(.claim(presentation: 1), as: .ben, .permissionDenied, .notPermitted)
    }

    @Test("a grown-up's first no is free, and from the second on it counts as a wrong answer")
    func refused() throws {
        var device = try device(.olga)
        for count in 0...3 {
            let wait = try device.waitFor("share", as: .ben)
            let question = try device.claim(UInt64(count) + 1, as: .olga)
            #expect(try device.apply(.complete(question.cookie, .text("no")), as: .olga).reply == .done)
            #expect(device.refusal(of: wait)?.reason == .refused)
            #expect(device.lockout(of: .ben, at: "share")?.wrongAnswers == count)
        }
        let more = Command.authorize(AuthorizationRequest(gatedAction: "share", details: ""), presenting: .elsewhere)
        device.refuses(more, as: .ben, .resourceExhausted, .lockedOut)
    }

    @Test("a wrong answer on another screen is told to both")
    func wrong() throws {
        var device = try device(.mara)
        let wait = try device.waitFor("link.open", as: .ben)
        let answered = try device.answerWrong(device.claim(1, as: .mara), as: .mara)
        #expect(answered.reply == .refused(.wrongAnswer(lockedOutFor: nil)) && answered.reply == device.reply(to: wait))
        #expect(device.lockout(of: .mara, at: "link.open") == nil)
    }

    @Test("two questions of one request come one after the other, before anybody else's")
    func twoQuestions() throws {
        var device = try device(.mara)
        let purchase = try device.waitFor("purchase", as: .ben)
        _ = try device.waitFor("link.open", as: .anna)
        #expect(try device.answerRight(device.claim(1, as: .mara), as: .mara).reply == .done)
        #expect(device.reply(to: purchase) == nil)
        #expect(device.state.presentations(visibleTo: .root).map(\.id) == [3, 2])
        try device.answerRight(device.claim(3, as: .mara), as: .mara)
        #expect(device.reply(to: purchase) != nil && device.refusal(of: purchase) == nil)
    }

    @Test("a flood of requests fills neither the queue nor anybody's screen")
    func flood() throws {
        var device = try device(.mara)
        let ask = Command.authorize(AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .elsewhere)
        var accepted = 0
        for number in 0..<60 as Range<UInt64> {
            let peer = Peer(connection: 100 + number, uid: UInt32(2000 + number / 10), pid: 1, roles: .app)
            if (try? device.apply(ask, as: peer)) != nil { accepted += 1 }
        }
        #expect(accepted == 12 && device.state.presentations(visibleTo: .root).count == 12)
        // Four places are reserved for administrators.
        for _ in 0..<4 { try device.apply(ask, as: .root) }
        device.refuses(ask, as: .root, .resourceExhausted, .limit)
        // At a terminal of their own grown-ups can still enter parent mode.
        try device.enterParentMode(as: .anna)
        try device.apply(.peerDisconnected, as: Peer(connection: 100, uid: 2000, pid: 1, roles: .app))
        try device.apply(ask, as: .root)
    }

    @Test("presenters and administrators see all open presentations without their content, and others their own")
    func whoSees() throws {
        var device = try device(.mara)
        _ = try device.waitFor("link.open", as: .ben)
        _ = try device.authorize("link.open", as: .anna)
        for (peer, ids) in [
            (Peer.mara, [2, 1]), (.theo, [2, 1]), (.root, [2, 1]), (.ben, [1]), (.anna, [2]), (.annasOther, []),
        ] as [(Peer, [UInt64])] {
            #expect(device.state.presentations(visibleTo: peer).map(\.id) == ids)
        }
        #expect(device.state.connections == [1, 2, 5])
        device.changesNothing(.peerDisconnected, as: .theo)
    }

    @Test("a peer can't end another peer's call")
    func othersCall() throws {
        var device = try device(.mara)
        let wait = try device.waitFor("link.open", as: .ben)
        device.changesNothing(.callEnded(wait), as: .anna)
        #expect(device.state.presentations(visibleTo: .root).count == 1)
    }

    @Test("a wall clock that jumps moves no deadline")
    func wallClock() throws {
        var device = try device(.mara)
        let wait = try device.waitFor("link.open", as: .ben)
        let question = try device.claim(1, as: .mara)
        for milliseconds in [Int64.max, 0, Int64.min] {
            device.wallTime = WallTime(unixMilliseconds: milliseconds)
            try device.apply(.deadlineReached, as: .daemon)
            #expect(device.reply(to: wait) == nil)
        }
        try device.answerRight(question, as: .mara)
        #expect(device.reply(to: wait) != nil)
    }

    @Test("a longer lease, by a presenter, ends with the lease")
    func extend() throws {
        var device = try device(.mara)
        try device.enterParentMode(as: .anna)
        try device.turn(by: .seconds(880))
        let wait = try device.apply(.extend(.seconds(3600), presenting: .elsewhere), as: .ben).wait()
        #expect(device.state.presentations(visibleTo: .root).first?.deadline == .seconds(1900))
        var late = device
        try late.turn(by: .seconds(20))
        #expect(late.refusal(of: wait)?.reason == .closed && late.lockout(of: .ben) == nil)
        try device.answerRight(device.claim(2, as: .mara), as: .mara)
        #expect(device.reply(to: wait) == .done && device.state.modeState.deadline == .seconds(1880 + 3600))
    }
}
