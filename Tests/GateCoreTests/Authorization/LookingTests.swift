import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Every look at a question counts, however it was ended (T-11)")
struct LookingTests {
    private static let bands = ChallengeRule(bands: [
        ChallengeRule.Band(ages: 0...8, challenge: .init(.arithmeticChoice)),
        ChallengeRule.Band(ages: 9...150, challenge: .init(.arithmeticEntry)),
    ])

    private static let configuration = {
        var configuration = Configuration.gates
        configuration.gatedActions["by.age"] = GatedAction(title: "By age", requirement: .challenge(bands))
        configuration.gatedActions["signed.in"] = GatedAction(
            title: "Signed in", requirement: .all([.signedIn, .challenge(ChallengeRule(.arithmeticEntry))]))
        return configuration
    }()

    private func device(_ presenters: Peer...) throws -> Device {
        var device = Device(configuration: Self.configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        let born = try #require(CivilDate(year: 2019, month: 1, day: 1))
        try device.register("dora", .child(born: born))
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    @Test(
        "signing one's own account in and out does not replace a question that is on a screen")
    func inAndOut() throws {
        var device = try device()
        let question = try device.authorize("by.age", as: .ben).presentation()
        for _ in 0..<6 {
            try device.logIn("dora", as: .ben)
            #expect(device.shown(to: .ben) == question)
            try device.apply(.logOut, as: .ben)
            #expect(device.shown(to: .ben) == question)
        }
        try device.answerWrong(question, as: .ben)
        #expect(device.lockout(of: .ben, at: "by.age")?.wrongAnswers == 1)
    }

    @Test("twelve looks by signing in and out lead to a lockout, like any other way of getting rid of a question")
    func twelve() throws {
        var device = try device()
        var seen = 0
        for count in 0..<12 {
            guard let question = try? device.authorize("by.age", as: .ben).presentation() else { break }
            seen += 1
            if count.isMultiple(of: 2) {
                try device.logIn("dora", as: .ben)
            } else {
                try device.apply(.logOut, as: .ben)
            }
            // The question is dismissed, if it is still there.
            _ = try? device.apply(.dismiss(question.cookie), as: .ben)
        }
        #expect(seen == 4, "the first is free, and the third after that locks")
    }

    @Test(
        "a question on a screen stays when somebody signs in or out, and counts for the age it was asked for"
    )
    func onAScreen() throws {
        var device = try device(.mara)
        try device.logIn("dora", as: .ben)
        let wait = try device.waitFor("by.age", as: .ben)
        let question = try device.claim(1, as: .mara)
        #expect(question.question.kind == .arithmeticChoice)
        try device.apply(.logOut, as: .anna)
        #expect(device.shown(to: .mara) == question && device.settled[wait] == nil)
        try device.answerRight(question, as: .mara)
        guard case .granted = device.reply(to: wait) else {
            Issue.record("Ben has no grant")
            return
        }
    }

    @Test("a question that is on no screen yet is asked anew for whoever is signed in by then")
    func notYetShown() throws {
        var device = try device(.mara)
        try device.logIn("dora", as: .ben)
        _ = try device.waitFor("by.age", as: .ben)
        try device.apply(.logOut, as: .ben)
        #expect(device.state.presentations(visibleTo: .root).map(\.kind.challenge) == [.arithmeticEntry])
        #expect(device.stored.lockouts.isEmpty)
    }

    @Test(
        "a question that was asked of a signed-in user stays after signing out, and the sign-in is asked for after it")
    func signedOut() throws {
        var device = try device()
        try device.logIn("dora", as: .ben)
        let question = try device.authorize("signed.in", as: .ben).presentation()
        try device.apply(.logOut, as: .ben)
        #expect(device.shown(to: .ben) == question)
        let next = try device.answerRight(question, as: .ben).presentation()
        #expect(next.content.kind == .signIn)
    }

    @Test(
        "a question that its user closes by leaving parent mode counts; an administrator's or the lease's end does not"
    )
    func leaving() throws {
        var configuration = Self.configuration
        configuration.gatedActions["purchase"]?.requirement = .all([
            .parentMode, .challenge(ChallengeRule(.arithmeticEntry)),
        ])
        for (ending, peer, isCounted) in [
            (Command.lock, Peer.ben, true), (.toggle(presenting: .here), .ben, true),
            (.override(.child, nil, reason: "x"), .root, false), (.deadlineReached, .daemon, false),
        ] {
            var device = Device(configuration: configuration)
            try device.apply(.override(.parent, .seconds(50), reason: "x"), as: .root)
            _ = try device.authorize("purchase", as: .ben).presentation()
            if ending == .deadlineReached { device.now = device.now.advanced(by: .seconds(50)) }
            try device.apply(ending, as: peer)
            #expect((device.lockout(of: .ben, at: "purchase")?.unanswered == 1) == isCounted, "\(ending)")
        }
    }

    @Test("when wrong answers lock a user, the other questions on their screens count as unanswered")
    func lockedOut() throws {
        var device = try device()
        let programs = (30..<34).map { Peer(connection: $0, uid: Peer.ben.uid, pid: Int32($0), roles: [.app]) }
        let questions = try programs.map { try device.authorize("by.age", as: $0).presentation() }
        for (question, program) in zip(questions, programs).prefix(3) { try device.answerWrong(question, as: program) }
        #expect(device.shown(to: programs[3]) == nil)
        #expect(device.lockout(of: .ben, at: "by.age")?.unanswered == 1)
    }

    @Test("a question that ends because of a grant or a reload costs nothing")
    func innocent() throws {
        var device = try device()
        _ = try device.authorize("photos.send", as: .ben).presentation()
        try device.enterParentMode(as: .ben)
        #expect(device.lockout(of: .ben, at: "photos.send") == nil)
        _ = try device.authorize("by.age", as: .anna).presentation()
        var other = Self.configuration
        other.gatedActions["by.age"]?.requirement = .challenge(ChallengeRule(.quiz))
        try device.apply(.configure(other, detail: ""), as: .daemon)
        #expect(device.shown(to: .anna) == nil && device.lockout(of: .anna, at: "by.age") == nil)
    }
}
