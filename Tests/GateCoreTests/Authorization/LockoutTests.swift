import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("What wrong answers cost (G-03)")
struct LockoutTests {
    @Test("the third wrong answer in a row locks, and each later one for twice as long, up to an hour")
    func growth() throws {
        var device = Device()
        try device.answerWrong(device.ask(as: .ben), as: .ben)
        try device.answerWrong(device.ask(as: .ben), as: .ben)
        #expect(device.lockout(of: .ben)?.lockedUntil == nil)

        for seconds in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600] as [Int64] {
            let transition = try device.answerWrong(device.ask(as: .ben), as: .ben)
            let expected = GateError(
                .failedPrecondition, .wrongAnswer,
                "Wrong answer. Try again in \(Duration.seconds(seconds).shortText).", retryAfter: .seconds(seconds))
            #expect(transition.reply == .refused(expected))
            #expect(transition.audit.map(\.kind) == [.answeredWrong, .lockedOut])
            #expect(transition.audit.last?.actor?.uid == Peer.ben.uid)
            try device.turn(by: .seconds(seconds))
        }
    }

    @Test("a user who is locked out is told for how long, and nothing changes")
    func lockedOut() throws {
        var device = Device()
        #expect(try device.lockOut(.ben) == .seconds(30))
        device.refuses(.toggle(presenting: .here), as: .ben, .resourceExhausted, .lockedOut)
        // Another program of the same user has the same lockout.
        let another = Peer(connection: 77, uid: Peer.ben.uid, pid: 1, roles: .app)
        device.refuses(.toggle(presenting: .here), as: another, .resourceExhausted, .lockedOut)

        device.now = device.now.advanced(by: .milliseconds(29_500))
        let error = #expect(throws: GateError.self) { try device.ask(as: .ben) }
        #expect(error?.retryAfter == .milliseconds(500))
        #expect(error?.message == "Too many wrong or missing answers. Try again in 1s.")

        device.now = device.now.advanced(by: .milliseconds(500))
        _ = try device.ask(as: .ben)
    }

    @Test("a child can't lock a parent out")
    func countersAreEachUsersOwn() throws {
        var device = Device()
        _ = try device.lockOut(.ben)
        try device.enterParentMode(as: .anna)
        #expect(device.mode == .parent && device.lockout(of: .anna) == nil)
        // A user who is locked out can still leave parent mode and lock.
        try device.apply(.toggle(presenting: .here), as: .ben)
        #expect(device.mode == .child)
    }

    @Test("a lock before more time is the same lock")
    func lockedOutInParentMode() throws {
        var device = Device()
        _ = try device.lockOut(.ben)
        try device.enterParentMode(as: .anna)
        device.refuses(.extend(nil, presenting: .here), as: .ben, .resourceExhausted, .lockedOut)
        for _ in 0..<3 { try device.answerWrong(device.askForMore(as: .anna), as: .anna) }
        device.refuses(.extend(nil, presenting: .here), as: .anna, .resourceExhausted, .lockedOut)
        try device.apply(.lock, as: .anna)
        device.refuses(.toggle(presenting: .here), as: .anna, .resourceExhausted, .lockedOut)
    }

    @Test("when a lock ends its count stays; a right answer forgives the lock and the count")
    func decay() throws {
        var device = Device()
        _ = try device.lockOut(.ben)
        #expect(device.state.nextDeadline == .seconds(1030))
        device.now = .seconds(1030)
        let ended = try device.apply(.deadlineReached, as: .daemon)
        #expect(ended.isChange && ended.audit.isEmpty)
        let counted = Lockout(wrongAnswers: 3, unanswered: 0, lockedUntil: nil, lockDuration: .seconds(30))
        #expect(ended.records == [.lockoutSet(.mode(of: .ben), counted)])
        #expect(device.state.nextDeadline == nil)

        try device.enterParentMode(as: .ben)
        #expect(device.lockout(of: .ben) == nil && device.stored.lockouts.isEmpty)
        try device.apply(.lock, as: .anna)
        #expect(try device.lockOut(.ben) == .seconds(30))
        #expect(device.kinds().filter { $0 == .answeredWrong }.count == 6)
    }

    @Test("a right answer with nothing to forgive writes no record")
    func successWithoutCount() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        let answered = try device.apply(
            .complete(question.cookie, .text(question.question.solution)), as: .anna)
        #expect(answered.records.isEmpty && answered.isChange)
    }

    enum Ending: CaseIterable {
        case dismissed, expired, requesterLost, cancelledByRequester, lockedBySameUser, lockedByAdministrator
        case cancelledByAdministrator, overridden

        /// Whether this ending counts as leaving one's own question unanswered.
        var counts: Bool {
            switch self {
            case .dismissed, .expired, .requesterLost, .cancelledByRequester, .lockedBySameUser: true
            case .lockedByAdministrator, .cancelledByAdministrator, .overridden: false
            }
        }

        func end(_ question: Presentation, on device: inout Device) throws {
            switch self {
            case .dismissed: try device.apply(.dismiss(question.cookie), as: .anna)
            case .expired: try device.turn(by: .seconds(60))
            case .requesterLost: try device.apply(.peerDisconnected, as: .anna)
            case .cancelledByRequester: try device.apply(.cancel, as: .anna)
            case .lockedBySameUser: try device.apply(.lock, as: .annasOther)
            case .lockedByAdministrator: try device.apply(.lock, as: .root)
            case .cancelledByAdministrator: try device.apply(.cancel, as: .root)
            case .overridden: try device.apply(.override(.child, nil, reason: "x"), as: .root)
            }
        }
    }

    @Test(
        "the first unanswered question is free, later ones count as wrong; what others end costs nothing",
        arguments: Ending.allCases)
    func unanswered(ending: Ending) throws {
        var device = Device()
        for count in 1...4 {
            try ending.end(device.ask(as: .anna), on: &device)
            #expect(device.mode == .child)
            if ending.counts {
                #expect(device.lockout(of: .anna)?.unanswered == count)
                #expect(device.lockout(of: .anna)?.wrongAnswers == count - 1)
            } else {
                #expect(device.lockout(of: .anna) == nil)
            }
        }
        #expect((device.kinds().last == .lockedOut) == ending.counts)
    }

    @Test("unanswered questions for more time count alike, also when their user leaves parent mode")
    func unansweredInParentMode() throws {
        let endings: [(Command, Peer, Bool)] = [
            (.lock, .annasOther, true), (.lock, .ben, false), (.toggle(presenting: .here), .anna, true),
            (.toggle(presenting: .here), .ben, false), (.override(.child, nil, reason: "x"), .root, false),
            (.peerDisconnected, .anna, true),
        ]
        for (command, peer, counts) in endings {
            var device = Device()
            try device.enterParentMode(as: .anna)
            _ = try device.askForMore(as: .anna)
            try device.apply(command, as: peer)
            #expect(device.lockout(of: .anna)?.unanswered == (counts ? 1 : nil), "\(command)")
        }
    }

    @Test("a wrong answer does not make the next dismissal free again; a right one does")
    func freeDismissal() throws {
        var device = Device()
        try device.apply(.dismiss(device.ask(as: .ben).cookie), as: .ben)
        try device.answerWrong(device.ask(as: .ben), as: .ben)
        try device.apply(.dismiss(device.ask(as: .ben).cookie), as: .ben)
        #expect(device.lockout(of: .ben)?.wrongAnswers == 2)
        try device.enterParentMode(as: .ben)
        try device.apply(.lock, as: .anna)
        try device.apply(.dismiss(device.ask(as: .ben).cookie), as: .ben)
        #expect(device.lockout(of: .ben)?.wrongAnswers == 0)
    }

    @Test("kill -9 shortens nothing: the lock and the count are there again")
    func restart() throws {
        var device = Device()
        _ = try device.lockOut(.ben)
        var again = Device(device.stored)
        again.now = device.now.advanced(by: .seconds(20))
        try again.apply(.start, as: .daemon)
        let error = #expect(throws: GateError.self) { try again.ask(as: .ben) }
        #expect(error?.retryAfter == .seconds(10))
        try again.turn(by: .seconds(10))
        #expect(try again.lockOut(.ben) == .seconds(60))
    }

    @Test("a reboot shortens nothing either: the whole wait begins again, and nobody else waits")
    func reboot() throws {
        var device = Device()
        _ = try device.lockOut(.ben)
        try device.answerWrong(device.ask(as: .anna), as: .anna)
        var stored = device.stored
        // The boot clock starts again, far before the earlier moments.
        stored.deviceRebooted(at: .seconds(3))
        #expect(stored.lockouts[.mode(of: .ben)]?.lockedUntil == .seconds(33))
        #expect(stored.lockouts[.mode(of: .anna)] == device.lockout(of: .anna))
        var again = Device(stored)
        again.now = .seconds(3)
        try again.apply(.start, as: .daemon)
        let error = #expect(throws: GateError.self) { try again.ask(as: .ben) }
        #expect(error?.retryAfter == .seconds(30))
        try again.turn(by: .seconds(30))
        _ = try again.ask(as: .ben)
    }

    @Test("lockout rules with extreme values neither trap nor lock for a negative time")
    func extremes() {
        let odd = LockoutRules(
            Configuration.LockoutRule(after: 0, duration: .seconds(10), factor: 0, maximum: .seconds(Int64.max)))
        #expect(odd.nextLock(after: .zero) == .seconds(10))
        #expect(odd.nextLock(after: .seconds(10)) == .seconds(10))
        let huge = LockoutRules(
            Configuration.LockoutRule(after: 1, duration: .seconds(10), factor: .max, maximum: .seconds(3600)))
        #expect(huge.nextLock(after: .seconds(10)) == .seconds(3600))
        let full = Lockout(
            wrongAnswers: .max, unanswered: .max, lockedUntil: nil, lockDuration: .seconds(Int64.max))
        #expect(huge.counted(.unanswered, on: full, at: .seconds(1)).wrongAnswers == .max)
        let late = BootTime(nanoseconds: .max)
        #expect(huge.counted(.wrongAnswer, on: nil, at: late).lockedUntil == late)
    }
}
