import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Asking for gated actions (F-13, F-16)")
struct AuthorizationTests {
    @Test("a right answer grants it, and the mode stays what it was")
    func granted() throws {
        var device = Device(configuration: .gates)
        let asked = try device.authorize("link.open", "https://example.org/", as: .anna)
        let question = try asked.presentation()
        #expect(asked.audit.map(\.detail) == ["challenge 1, link.open"])
        #expect(question.summary.purpose == .authorize && question.summary.stage == .claimed)
        #expect(
            question.summary.asked
                == PresentationContext(
                    uid: 1001, pid: 101, program: "gatectl", gatedAction: "link.open", title: "Open a web page",
                    details: "https://example.org/"))
        let transition = try device.answerRight(question, as: .anna)
        #expect(try transition.grant().details == "https://example.org/")
        #expect(transition.audit.map(\.kind) == [.answeredRight, .granted])
        #expect(device.state.modeState == .closed && device.state.presentations(visibleTo: .root).isEmpty)
    }

    @Test("a wrong answer and a dismissal grant nothing, and count at that gate alone")
    func notGranted() throws {
        var device = Device(configuration: .gates)
        let wrong = try device.answerWrong(device.authorize("link.open", as: .anna).presentation(), as: .anna)
        #expect(wrong.reply == .refused(.wrongAnswer(lockedOutFor: nil)))
        try device.apply(.dismiss(device.authorize("link.open", as: .anna).presentation().cookie), as: .anna)
        #expect(device.lockout(of: .anna, at: "link.open")?.wrongAnswers == 1)
        #expect(device.lockout(of: .anna, at: "link.open")?.unanswered == 1)
        #expect(device.lockout(of: .anna) == nil && device.state.connections.isEmpty)
    }

    @Test("a gated action that the policy does not name is denied to everybody")
    func denied() {
        var device = Device(configuration: .gates)
        let command = Command.authorize(AuthorizationRequest(gatedAction: "rocket", details: ""), presenting: .here)
        // Its details are not even checked.
        device.refuses(
            .authorize(AuthorizationRequest(gatedAction: "rocket", details: "a\nb"), presenting: .here), as: .anna,
            .failedPrecondition, .denied)
        for peer in [Peer.anna, .root] { device.refuses(command, as: peer, .failedPrecondition, .denied) }
    }

    @Test("a gated action that needs parent mode is refused at once in another mode, without a question")
    func parentModeMissing() throws {
        var device = Device(configuration: .gates)
        let command = Command.authorize(
            AuthorizationRequest(gatedAction: "photos.delete", details: ""), presenting: .here)
        device.refuses(command, as: .anna, .aborted, .notParent)
        try device.enterParentMode(as: .anna)
        _ = try device.authorize("photos.delete", as: .ben).grant()
    }

    @Test("of two challenges, the second comes after the first, and only then the grant")
    func oneAfterTheOther() throws {
        var device = Device(configuration: .gates)
        let first = try device.authorize("purchase", as: .anna).presentation()
        let between = try device.answerRight(first, as: .anna)
        let second = try between.presentation()
        #expect(first.question.kind == .arithmeticChoice && second.question.kind == .arithmeticEntry)
        #expect(second.id == 2 && between.audit.map(\.kind) == [.answeredRight, .challengeOpened])
        device.refuses(.complete(first.cookie, .text("1")), as: .anna, .aborted, .closed)
        _ = try device.answerRight(second, as: .anna).grant()
    }

    @Test("knowing the answer to the first question gives no further guesses at the second")
    func firstAnswerForgivesNothing() throws {
        var device = Device(configuration: .gates)
        for count in 1...3 {
            let first = try device.authorize("purchase", as: .ben).presentation()
            try device.answerWrong(device.answerRight(first, as: .ben).presentation(), as: .ben)
            #expect(device.lockout(of: .ben, at: "purchase")?.wrongAnswers == count)
        }
        let more = Command.authorize(AuthorizationRequest(gatedAction: "purchase", details: ""), presenting: .here)
        device.refuses(more, as: .ben, .resourceExhausted, .lockedOut)
        // Other gates, and other users, are not locked.
        _ = try device.authorize("link.open", as: .ben).presentation()
        try device.apply(more, as: .anna)
    }

    @Test("a grant forgives at its own gate alone")
    func forgives() throws {
        var device = Device(configuration: .gates)
        try device.answerWrong(device.authorize("link.open", as: .anna).presentation(), as: .anna)
        try device.answerWrong(device.authorize("store.open", as: .anna).presentation(), as: .anna)
        _ = try device.grant(to: .anna)
        #expect(device.lockout(of: .anna, at: "link.open") == nil)
        #expect(device.lockout(of: .anna, at: "store.open")?.wrongAnswers == 1)
    }

    @Test(
        "details that could pass for something else are refused",
        arguments: [
            "two\nlines", "bell\u{7}", "\u{1b}[2J", "\u{9b}31m", "a\u{2028}b", "a\u{2029}b", "\u{202e}gpj.exe",
            "a\u{2066}b", "nul\0", "tab\there", String(repeating: "x", count: 4097),
            String(repeating: "я", count: 2049),
        ])
    func details(text: String) {
        var device = Device(configuration: .gates)
        let command = Command.authorize(
            AuthorizationRequest(gatedAction: "link.open", details: text), presenting: .here)
        device.refuses(command, as: .anna, .invalidArgument, .invalidRequest)
    }

    @Test("details of 4,096 bytes, in any script, are kept as they are")
    func longDetails() throws {
        var device = Device(configuration: .gates)
        let details = String(repeating: "я", count: 2048)
        #expect(try device.grant(details, to: .anna).details == details)
    }

    @Test("nobody can answer on their own screen a question that is left to a grown-up")
    func grownUpOnly() {
        var device = Device(configuration: .gates)
        let command = Command.authorize(AuthorizationRequest(gatedAction: "share", details: ""), presenting: .here)
        for peer in [Peer.anna, .olga, .root] { device.refuses(command, as: peer, .aborted, .noPresenter) }
    }

    @Test("a program shows one question at a time for gated actions, beside the mode's")
    func oneAtATime() throws {
        var device = Device(configuration: .gates)
        _ = try device.ask(as: .anna)
        _ = try device.authorize("link.open", as: .anna)
        let more = Command.authorize(AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .here)
        device.refuses(more, as: .anna, .resourceExhausted, .limit)
        try device.apply(more, as: .annasOther)
    }

    @Test("a user has four requests open at most; others, and administrators, are not in the way")
    func fourRequests() throws {
        var device = Device(configuration: .gates)
        let open = Command.authorize(AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .here)
        for connection in 100..<104 as Range<UInt64> {
            try device.apply(open, as: Peer(connection: connection, uid: 1002, pid: 1, roles: .app))
        }
        device.refuses(open, as: .ben, .resourceExhausted, .limit)
        device.refuses(.toggle(presenting: .here), as: .ben, .resourceExhausted, .limit)
        try device.apply(open, as: .anna)
        for connection in 200..<206 as Range<UInt64> {
            try device.apply(open, as: Peer(connection: connection, uid: 0, pid: 1, roles: [.app, .administrator]))
        }
        try device.apply(.peerDisconnected, as: Peer(connection: 100, uid: 1002, pid: 1, roles: .app))
        try device.apply(open, as: .ben)
    }

    @Test("guessing at four questions at once gains nothing: the lock closes the ones that are left")
    func parallelGuesses() throws {
        var device = Device(configuration: .gates)
        let bens = (100..<104).map { Peer(connection: $0, uid: 1002, pid: 1, roles: .app) }
        let questions = try bens.map { try device.authorize("link.open", as: $0).presentation() }
        for index in 0..<3 { try device.answerWrong(questions[index], as: bens[index]) }
        #expect(device.kinds().suffix(3) == [.answeredWrong, .lockedOut, .withdrawn])
        device.refuses(.complete(questions[3].cookie, .text("1")), as: bens[3], .aborted, .closed)
        #expect(device.lockout(of: .ben, at: "link.open")?.wrongAnswers == 3)
    }

    @Test("an administrator forgets wrong answers, of one user, at one gate, or all of them")
    func clearLockouts() throws {
        var device = Device(configuration: .gates)
        _ = try device.lockOut(.ben)
        try device.answerWrong(device.authorize("link.open", as: .ben).presentation(), as: .ben)
        try device.answerWrong(device.authorize("link.open", as: .anna).presentation(), as: .anna)
        #expect(device.state.lockouts.map(\.key.owner.uid) == [1001, 1002, 1002])
        #expect(device.state.lockouts.map(\.key.gate) == ["link.open", "link.open", "mode"])
        #expect(try device.apply(.clearLockouts(uid: 1002, gate: "mode"), as: .root).reply == .count(1))
        #expect(device.journal.last?.kind == .lockoutCleared && device.journal.last?.detail == "1")
        _ = try device.ask(as: .ben)
        #expect(try device.apply(.clearLockouts(uid: nil, gate: nil), as: .root).reply == .count(2))
        #expect(device.stored.lockouts.isEmpty)
        #expect(try device.apply(.clearLockouts(uid: nil, gate: nil), as: .root).isChange == false)
    }

    @Test("checking a gated action tells the outcome without showing or changing anything")
    func outlook() throws {
        var device = Device(configuration: .gates)
        let outlook = { (device: Device, name: String) in
            device.state.outlook(of: name, for: .ben, at: device.now).outcome
        }
        #expect(outlook(device, "rocket") == .denied)
        #expect(outlook(device, "link.open") == .personNeeded)
        #expect(outlook(device, "photos.delete") == .personNeeded)
        #expect(outlook(device, "share") == .personNeeded)
        let needs = ["rocket", "link.open", "photos.delete"].map {
            device.state.outlook(of: $0, for: .ben, at: device.now).need
        }
        #expect(needs == [nil, .challenge(.arithmeticEntry), .parentMode])
        try device.enterParentMode(as: .anna)
        #expect(outlook(device, "photos.delete") == .granted && outlook(device, "photos.send") == .granted)
        for _ in 0..<3 { try device.answerWrong(device.authorize("link.open", as: .ben).presentation(), as: .ben) }
        let locked = device.state.outlook(of: "link.open", for: .ben, at: device.now)
        #expect(locked.outcome == .personNeeded && locked.explanation.contains("30s"))
        #expect(locked.need == .wait && locked.refusal?.reason == .lockedOut)
        try device.apply(.closeForDamage(quarantinedFile: "old"), as: .daemon)
        #expect(outlook(device, "photos.send") == .denied && outlook(device, "link.open") == .denied)
    }

    @Test("nothing is granted while the store is closed for damage")
    func damaged() throws {
        var device = Device(configuration: .gates)
        try device.apply(.closeForDamage(quarantinedFile: "old"), as: .daemon)
        for name in ["link.open", "photos.send", "rocket"] {
            let command = Command.authorize(AuthorizationRequest(gatedAction: name, details: ""), presenting: .here)
            device.refuses(command, as: .root, .unavailable, .storeDamaged)
        }
        device.refuses(.setPasscode(hash: "x"), as: .root, .unavailable, .storeDamaged)
        device.refuses(.removeSecret(.totp), as: .root, .unavailable, .storeDamaged)
    }

    @Test("a hold is timed by the daemon, from the newest press")
    func hold() throws {
        var device = Device(configuration: .gates)
        let question = try device.authorize("save", as: .anna).presentation()
        device.refuses(.complete(question.cookie, .released), as: .anna, .invalidArgument, .invalidRequest)
        device.changesOnlyVolatileState(.report(question.cookie, .pressed), as: .anna)
        device.now = device.now.advanced(by: .seconds(2))
        device.changesOnlyVolatileState(.report(question.cookie, .pressed), as: .anna)
        device.now = device.now.advanced(by: .seconds(2))
        var early = device
        #expect(
            try early.apply(.complete(question.cookie, .released), as: .anna).reply
                == .refused(.wrongAnswer(lockedOutFor: nil)))
        device.now = device.now.advanced(by: .seconds(1))
        _ = try device.apply(.complete(question.cookie, .released), as: .anna).grant()
    }
}

extension Device {
    /// The command succeeds, and there is nothing to store or to publish.
    mutating func changesOnlyVolatileState(
        _ command: Command, as peer: Peer, location: SourceLocation = #_sourceLocation
    ) {
        let seen = seenByAll
        let transition = try? apply(command, as: peer)
        #expect(transition?.isChange == false && transition?.audit == [], sourceLocation: location)
        #expect(seenByAll == seen, sourceLocation: location)
    }

    /// The part of the state that watchers with every right see.
    var seenByAll: Seen {
        Seen(mode: state.modeState, presentations: state.presentations(visibleTo: .root), records: state.records)
    }
}

struct Seen: Hashable {
    let mode: ModeState
    let presentations: [PresentationSummary]
    let records: DurableRecords
}
