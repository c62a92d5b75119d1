import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Each event in each state. Every table must have a row for every state, or its test fails.
@Suite("One presentation in the queue")
struct QueuedPresentationTests {
    enum Start: CaseIterable {
        case waiting
        case offered
        /// The presentation was handed back while an answer is being checked.
        case offeredChecking
        case held
        case shown
        case checking

        var open: QueuedPresentation {
            var open = QueuedPresentation.sample()
            switch self {
            case .waiting:
                break
            case .offered:
                open.offered(at: .seconds(0))
            case .offeredChecking:
                open = Start.checking.open
                open.handedBack()
            case .held:
                open.offered(at: .seconds(0))
                open.claimed(by: .mara, cookie: .sample(1), at: .seconds(10))
            case .shown:
                open = Start.held.open
                _ = open.shown()
            case .checking:
                open = Start.held.open
                open.checkBegan(.sample)
            }
            return open
        }
    }

    @Test("a presentation is offered once, and then gets its time for an answer")
    func offered() {
        expect([
            .waiting: (.offered, 90), .offered: (.offered, 60), .offeredChecking: (.offered, 70),
            .held: (.claimed, 70), .shown: (.shown, 70), .checking: (.claimed, 70),
        ]) { $0.offered(at: .seconds(30)) }
    }

    @Test("a presentation is on a screen only while a presenter holds it")
    func shown() {
        expect([
            .waiting: (.waiting, 300), .offered: (.offered, 60), .offeredChecking: (.offered, 70),
            .held: (.shown, 70), .shown: (.shown, 70), .checking: (.shown, 70),
        ]) { _ = $0.shown() }
        let news: Set<Start> = [.held, .checking]
        for start in Start.allCases {
            var open = start.open
            #expect(open.shown() == news.contains(start))
        }
    }

    @Test("a presentation that is handed back is offered again, with its old deadline")
    func handedBack() {
        expect([
            .waiting: (.waiting, 300), .offered: (.offered, 60), .offeredChecking: (.offered, 70),
            .held: (.offered, 70), .shown: (.offered, 70), .checking: (.offered, 70),
        ]) { $0.handedBack() }
        var checking = Start.checking.open
        checking.handedBack()
        #expect(checking.check == .sample && checking.presentation == nil && checking.wasClaimed)
    }

    @Test("a hold begins only while a presenter holds the presentation, and pressing again restarts it")
    func pressed() {
        let begins: Set<Start> = [.held, .shown, .checking]
        for start in Start.allCases {
            var open = start.open
            open.pressed(at: .seconds(1))
            open.pressed(at: .seconds(2))
            #expect(open.holder?.pressedAt == (begins.contains(start) ? .seconds(2) : nil))
        }
    }

    @Test("when a check ends the presentation stays where it is, open for another try")
    func checkEnded() {
        let checked: Set<Start> = [.offeredChecking, .checking]
        for start in Start.allCases {
            var open = start.open
            #expect((open.checkEnded() == .sample) == checked.contains(start))
            #expect(open.check == nil && open.stage == start.open.stage)
        }
    }

    @Test("a second claim after its presenter left keeps the deadline and gets another cookie")
    func claimedAgain() {
        var open = Start.held.open
        open.handedBack()
        open.claimed(by: .theo, cookie: .sample(2), at: .seconds(440))
        #expect(open.deadline == .seconds(70) && open.isHeld(by: Peer.theo.connection))
        #expect(open.refusal(of: .sample(2), from: .theo, at: .seconds(1)) == nil)
        #expect(open.refusal(of: .sample(1), from: .mara, at: .seconds(1)) == .closed)
        #expect(open.refusal(of: .sample(1), from: .theo, at: .seconds(1)) == .closed)
        #expect(open.refusal(of: .sample(3), from: .theo, at: .seconds(1)) == .forged)
        #expect(open.refusal(of: .sample(2), from: .mara, at: .seconds(1)) == .forged)
        #expect(open.refusal(of: .sample(2), from: .theo, at: .seconds(70)) == .expired)
    }

    @Test("no event extends a presentation beyond the end of its lease")
    func latestDeadline() {
        var open = QueuedPresentation.sample(before: .seconds(50))
        #expect(open.deadline == .seconds(50))
        open.offered(at: .seconds(30))
        #expect(open.deadline == .seconds(50))
        open.claimed(by: .mara, cookie: .sample(1), at: .seconds(30))
        #expect(open.deadline == .seconds(50))
    }

    @Test("claiming and checking out of turn are our own bugs")
    func ourOwnBugs() async {
        await #expect(processExitsWith: .failure) {
            var open = Start.waiting.open
            open.claimed(by: .mara, cookie: .sample(1), at: .seconds(-59))
        }
        await #expect(processExitsWith: .failure) {
            var open = Start.held.open
            open.claimed(by: .mara, cookie: .sample(1), at: .seconds(-59))
        }
        await #expect(processExitsWith: .failure) {
            var open = Start.offeredChecking.open
            open.claimed(by: .mara, cookie: .sample(1), at: .seconds(-59))
        }
        await #expect(processExitsWith: .failure) {
            var open = Start.offered.open
            open.checkBegan(.sample)
        }
        await #expect(processExitsWith: .failure) {
            var open = Start.checking.open
            open.checkBegan(.sample)
        }
    }

    /// Expects this stage and deadline afterwards, for each state.
    private func expect(
        _ table: [Start: (Presentation.Stage, Int64)], location: SourceLocation = #_sourceLocation,
        _ event: (inout QueuedPresentation) -> Void
    ) {
        #expect(Set(table.keys) == Set(Start.allCases), "a state is missing", sourceLocation: location)
        for (start, (stage, deadline)) in table {
            var open = start.open
            event(&open)
            #expect(open.stage == stage, "\(start)", sourceLocation: location)
            #expect(open.deadline == .seconds(deadline), "\(start)", sourceLocation: location)
        }
    }
}

extension QueuedPresentation.Check {
    static let sample = Self(
        requester: Peer.anna.owner, answerer: .mara, wait: WaitID(7), reference: .passcode(hash: "hash"), guess: nil)
}

extension PresentationCookie {
    static func sample(_ byte: UInt8) -> PresentationCookie {
        PresentationCookie(bytes: Array(repeating: byte, count: PresentationCookie.byteCount))
    }
}

extension QueuedPresentation {
    /// A sum that Anna's program asks for, with a deadline of 300 s.
    static func sample(
        _ id: UInt64 = 1, of request: UInt64 = 1, _ specification: ChallengeSpecification = .init(.arithmeticEntry),
        style: Presentation.Style = .sheet, before latest: BootTime? = nil
    ) -> QueuedPresentation {
        var random = SeededGenerator(seed: id)
        let kind = RequestKind.authorize(AuthorizationRequest(gatedAction: "link.open", details: ""))
        let open = OpenRequest(
            id: RequestID(number: request), requester: .anna, kind: kind, route: .presenters(WaitID(request)))
        return QueuedPresentation(
            id: id, of: open, asking: .challenge(specification), ordinal: 0,
            content: .make(.challenge(specification), questions: [], using: &random), style: style,
            title: "Open a web page", showTime: .seconds(60), before: latest, until: .seconds(300))
    }

    /// A form that a program of this peer asks for.
    static func form(_ id: UInt64, of request: UInt64, by requester: Peer = .anna) -> QueuedPresentation {
        let holder = FormHolder(userOf: requester)
        let invitation = FormInvitation(name: "trip", title: "A trip", holder: holder, isForGrownUps: false)
        let open = OpenRequest(
            id: RequestID(number: request), requester: requester, kind: .fillForm(invitation, since: 0),
            route: .presenters(WaitID(request)))
        return QueuedPresentation(
            id: id, of: open, asking: .form(invitation), ordinal: 0, content: .form(invitation), style: .sheet,
            title: "",
            showTime: .seconds(3600), before: nil, until: .seconds(300))
    }
}
