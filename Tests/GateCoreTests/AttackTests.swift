import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Attacks on every kind of challenge (F-07, F-08, F-23, F-24)")
struct AttackTests {
    typealias Kind = Challenge.Kind
    typealias Route = AttackScene.Route

    // MARK: - Answers

    @Test(
        "a second answer to a question finds it closed, whether the first was right or wrong", arguments: Kind.allCases,
        Route.allCases)
    func secondAnswer(kind: Kind, route: Route) throws {
        var right = try AttackScene(kind, route)
        try right.give(.right)
        right.expectClosed()
        #expect(right.grantCount == 1)

        var wrong = try AttackScene(kind, route)
        try wrong.give(.wrong)
        wrong.expectClosed()
        #expect(wrong.grantCount == 0)
        let closing: AuditEntry.Kind = kind == .confirm ? .refused : .answeredWrong
        #expect(wrong.device.journal.last?.kind == closing)
        if let wait = wrong.wait {
            #expect(wrong.device.refusal(of: wait)?.reason == (kind == .confirm ? .refused : .wrongAnswer))
        }
    }

    @Test("an answer at the deadline is too late, one before it is not", arguments: Kind.allCases, Route.allCases)
    func late(kind: Kind, route: Route) throws {
        var scene = try AttackScene(kind, route)
        try scene.prepare(.right)
        scene.device.now = scene.question.deadline.advanced(by: .nanoseconds(-1))
        var inTime = scene
        try inTime.complete(.right)
        var foundOutLate = inTime
        try inTime.findOut()
        #expect(inTime.grantCount == 1)
        if kind.isSecret {
            foundOutLate.device.now = scene.question.deadline
            try foundOutLate.findOut()
            foundOutLate.expectClosed()
            #expect(foundOutLate.grantCount == 0)
        }

        // The timer is later still.
        for moment in [scene.question.deadline, scene.question.deadline.advanced(by: .seconds(86_400))] {
            scene.device.now = moment
            scene.device.refuses(scene.completion(.right), as: scene.holder, .deadlineExceeded, .expired)
        }
        try scene.device.apply(.deadlineReached, as: .daemon)
        scene.expectClosed()
        #expect(scene.grantCount == 0)
        if let wait = scene.wait { #expect(scene.device.refusal(of: wait)?.reason == .expired) }
    }

    @Test(
        "an answer of another type than the question's is never right, and costs nothing",
        arguments: Kind.allCases, Route.allCases)
    func otherTypes(kind: Kind, route: Route) throws {
        var scene = try AttackScene(kind, route)
        // Nothing was pressed, so releasing is no answer to a hold either.
        var answers: [ChallengeAnswer] = [
            .released, .text(""), .text("\0"), .text(String(repeating: "x", count: 10_000)),
            .text(String(repeating: "👩‍👧", count: 10_000)), .text("yes 2468"), .text("٣"), .secret(GateSecret([])),
            .secret(GateSecret(repeatElement(UInt8(ascii: "1"), count: 10_000))),
            .swiped(SwipeGesture(.up, fingers: 0)), .swiped(SwipeGesture(.left, fingers: .min)),
        ]
        if kind == .passcode {
            // Any text of 1 to 128 bytes may be a secret.
            answers.removeAll { $0 == .text("yes 2468") || $0 == .text("٣") }
        } else {
            answers.append(.text(" \t"))
        }
        if !kind.isSecret { answers += [.secret(GateSecret("1".utf8)), .secret(GateSecret("yes".utf8))] }
        if kind != .swipe { answers.append(.swiped(SwipeGesture(.up, fingers: 2))) }
        let digits = ChallengeAnswer.text(String(repeating: "9", count: 10_000))
        switch kind {
        case .arithmeticChoice, .arithmeticEntry, .shapes:
            // The text is a number, so it is a wrong answer and not a malformed one.
            var numbered = scene
            let reply = try numbered.device.apply(.complete(scene.question.cookie, digits), as: scene.holder).reply
            #expect(reply == .refused(.wrongAnswer(lockedOutFor: nil)))
            numbered.expectClosed()
            #expect(numbered.grantCount == 0)
        case .quiz, .confirm, .birthdate, .passcode, .totp, .hold, .swipe:
            answers.append(digits)
        }
        for answer in answers {
            scene.device.refuses(
                .complete(scene.question.cookie, answer), as: scene.holder, .invalidArgument, .invalidRequest)
        }
        #expect(scene.isOpen && scene.grantCount == 0)
        try scene.give(.right)
        #expect(scene.grantCount == 1)
    }

    // MARK: - Cookies

    @Test("a made-up cookie opens nothing", arguments: Kind.allCases, Route.allCases)
    func forged(kind: Kind, route: Route) throws {
        var scene = try AttackScene(kind, route)
        let genuine = scene.question.cookie.bytes
        // One bit of each byte is changed; in the id, that makes an earlier or later id.
        for index in genuine.indices {
            var bytes = genuine
            bytes[index] ^= 0x80
            scene.expectForged(PresentationCookie(bytes: bytes), from: scene.holder)
        }
        let random = genuine.suffix(16)
        for id in [0, scene.question.id + 1, .max] as [UInt64] {
            scene.expectForged(PresentationCookie(id, random), from: scene.holder)
        }
        for bytes in [[], Array(genuine.dropLast()), genuine + [0], Array(random)] {
            scene.expectForged(PresentationCookie(bytes: bytes), from: scene.holder)
        }
        scene.expectForged(PresentationCookie(scene.question.id, repeatElement(0, count: 16)), from: scene.holder)
        #expect(scene.isOpen && scene.grantCount == 0)
        try scene.give(.right)
        #expect(scene.grantCount == 1)
    }

    @Test(
        "a stolen cookie opens nothing, and its owner can still answer", arguments: Kind.allCases, Route.allCases)
    func stolen(kind: Kind, route: Route) throws {
        var scene = try AttackScene(kind, route)
        try scene.prepare(.right)
        for thief in scene.thieves { scene.expectForged(scene.question.cookie, from: thief) }
        #expect(scene.isOpen && scene.grantCount == 0)
        try scene.complete(.right)
        // It has no effect while the owner's answer is being checked either.
        if kind.isSecret {
            for thief in scene.thieves { scene.expectForged(scene.question.cookie, from: thief) }
        }
        try scene.findOut()
        #expect(scene.grantCount == 1)
        if let wait = scene.wait, case .granted = scene.device.reply(to: wait) {} else { #expect(route == .requester) }
    }

    enum Ending: CaseIterable {
        case right, wrong, dismissed, expired

        func end(_ scene: inout AttackScene) throws {
            switch self {
            case .right: try scene.give(.right)
            case .wrong: try scene.give(.wrong)
            case .dismissed: try scene.device.apply(.dismiss(scene.question.cookie), as: scene.holder)
            case .expired: try scene.device.turn(by: .seconds(60))
            }
        }
    }

    @Test(
        "the cookie of an earlier question does not open the next one of the same kind",
        arguments: Kind.allCases, Route.allCases)
    func stale(kind: Kind, route: Route) throws {
        for ending in Ending.allCases {
            var scene = try AttackScene(kind, route)
            let stale = scene.question
            try ending.end(&scene)
            let granted = ending == .right ? 1 : 0
            #expect(scene.grantCount == granted)
            try scene.askAgain()
            try scene.prepare(.right)
            for answer in [scene.answer(.right), scene.answer(.wrong)] {
                scene.device.refuses(.complete(stale.cookie, answer), as: scene.holder, .aborted, .closed)
            }
            scene.device.refuses(.dismiss(stale.cookie), as: scene.holder, .aborted, .closed)
            scene.device.refuses(.report(stale.cookie, .pressed), as: scene.holder, .aborted, .closed)
            // The id of this question with the random part of the other one's cookie.
            scene.expectForged(PresentationCookie(scene.question.id, stale.cookie.bytes.suffix(16)), from: scene.holder)
            #expect(scene.isOpen && scene.grantCount == granted)
            try scene.complete(.right)
            try scene.findOut()
            #expect(scene.grantCount == granted + 1)
        }
    }

    @Test(
        "no peer can use the cookie of a presenter that left, whoever has the question now",
        arguments: Kind.allCases, [Command.peerDisconnected, .unregister])
    func presenterLost(kind: Kind, leaving: Command) throws {
        var scene = try AttackScene(kind, .presenter)
        let dead = scene.question
        // A hold that Olga pressed can't be released by another peer.
        try scene.prepare(.right)
        let attempts = [scene.completion(.right), .dismiss(dead.cookie), .report(dead.cookie, .pressed)]
        try scene.device.apply(leaving, as: .olga)
        #expect(scene.isOpen)
        for isClaimed in [false, true] {
            if isClaimed { try scene.claim(as: .otto) }
            for peer in [Peer.olga, .olgasOther, .otto, .ben, .root] {
                for command in attempts { scene.device.refuses(command, as: peer, .aborted, .closed) }
            }
        }
        #expect(scene.question.cookie != dead.cookie && scene.question.question == dead.question)
        if kind == .hold {
            scene.device.refuses(scene.completion(.right), as: .otto, .invalidArgument, .invalidRequest)
        }
        #expect(scene.grantCount == 0)
        try scene.give(.right, as: .otto)
        #expect(scene.grantCount == 1)
    }

    @Test("the cookie of a requester that died is good for nobody", arguments: Kind.allCases, Route.allCases)
    func requesterLost(kind: Kind, route: Route) throws {
        var scene = try AttackScene(kind, route)
        try scene.prepare(.right)
        var answered = scene
        try scene.device.apply(.peerDisconnected, as: .ben)
        for peer in [Peer.ben, .bensOther, .olga, .root] { scene.expectClosed(to: peer) }
        #expect(scene.grantCount == 0)
        guard kind.isSecret else { return }
        // An answer that is being checked when Ben leaves gives no grant either.
        try answered.complete(.right)
        try answered.device.apply(.peerDisconnected, as: .ben)
        try answered.findOut()
        answered.expectClosed()
        #expect(answered.grantCount == 0)
    }

    // MARK: - Secrets

    @Test(
        "while an answer is being checked, further answers are refused, and its outcome counts once",
        arguments: Kind.allCases.filter(\.isSecret), Route.allCases)
    func beingChecked(kind: Kind, route: Route) throws {
        for first in AttackScene.Sort.allCases {
            var scene = try AttackScene(kind, route)
            try scene.complete(first)
            let check = scene.device.checks[scene.question.id]
            for second in AttackScene.Sort.allCases {
                scene.device.refuses(scene.completion(second), as: scene.holder, .failedPrecondition, .verifying)
            }
            scene.device.refuses(
                .dismiss(scene.question.cookie), as: scene.holder, .failedPrecondition, .verifying)
            // The first answer is still the one that is checked.
            #expect(check != nil && scene.device.checks == [scene.question.id: check])
            #expect(scene.isOpen && scene.grantCount == 0)
            try scene.findOut()
            scene.expectClosed()
            #expect(scene.grantCount == (first == .right ? 1 : 0))
        }
    }

    @Test(
        "the outcome of a check counts for its own answer alone, not for one that is checked beside it",
        arguments: Kind.allCases.filter(\.isSecret))
    func twoAreChecked(kind: Kind) throws {
        var scene = try AttackScene(kind, .requester)
        try scene.complete(.wrong)
        let annas = try scene.device.authorize("attacked", as: .anna).presentation()
        let wait = try scene.device.apply(.complete(annas.cookie, scene.answer(.right)), as: .anna).wait()
        try scene.device.check(annas.id, finds: .right(step: kind == .totp ? 11 : nil))
        guard case .granted = scene.device.reply(to: wait) else {
            Issue.record("Anna has no grant")
            return
        }
        #expect(scene.isOpen && scene.grantCount == 1)
        try scene.findOut()
        scene.expectClosed()
        #expect(scene.grantCount == 1)
    }

    @Test(
        "an outcome of a check changes nothing if no answer is being checked", arguments: Kind.allCases, Route.allCases)
    func nothingToCheck(kind: Kind, route: Route) throws {
        var scene = try AttackScene(kind, route)
        for outcome in [SecretOutcome.right(step: nil), .right(step: 11), .wrong, .failed] {
            scene.device.changesNothing(.secretChecked(presentation: scene.question.id, outcome), as: .daemon)
            for peer in [scene.holder, .root] {
                scene.device.refuses(
                    .secretChecked(presentation: scene.question.id, outcome), as: peer, .permissionDenied,
                    .notPermitted)
            }
        }
        #expect(scene.isOpen && scene.grantCount == 0)
        try scene.give(.right)
        #expect(scene.grantCount == 1)
    }

    // MARK: - The wall clock

    @Test(
        "a wall clock that jumps by a century helps nobody, except where the question is a date of birth",
        arguments: Kind.allCases, [WallTime.millisecondsOfACentury, -WallTime.millisecondsOfACentury])
    func wallClock(kind: Kind, jump: Int64) throws {
        for route in Route.allCases {
            var scene = try AttackScene(kind, route)
            try scene.prepare(.wrong)
            scene.device.wallTime.unixMilliseconds += jump
            try scene.device.apply(.deadlineReached, as: .daemon)
            #expect(scene.isOpen)

            var late = scene
            late.device.now = scene.question.deadline
            late.device.refuses(late.completion(.right), as: late.holder, .deadlineExceeded, .expired)

            var right = scene
            if kind == .birthdate {
                // No person is that old, or not born yet.
                right.device.refuses(right.completion(.right), as: right.holder, .invalidArgument, .invalidRequest)
                #expect(right.grantCount == 0)
            } else {
                try right.give(.right)
                #expect(right.grantCount == 1)
            }

            guard kind != .birthdate || jump > 0 else {
                scene.device.refuses(scene.completion(.wrong), as: scene.holder, .invalidArgument, .invalidRequest)
                continue
            }
            try scene.complete(.wrong)
            if case .totp(_, _, let moment, _) = scene.device.checks[scene.question.id] {
                #expect(moment == scene.device.wallTime)
            } else {
                #expect(kind != .totp)
            }
            try scene.findOut()
            scene.expectClosed()
            // With the clock a century ahead, somebody of six is a hundred and six.
            #expect(scene.grantCount == (kind == .birthdate ? 1 : 0))
        }
    }
}

extension PresentationCookie {
    /// A cookie with the id of one question and the random part of another.
    fileprivate init(_ id: UInt64, _ random: some Sequence<UInt8>) {
        self.init(bytes: (0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * $0)) } + random)
    }
}
