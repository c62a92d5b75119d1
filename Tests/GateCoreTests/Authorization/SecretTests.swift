import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Secrets that are checked outside the core (F-25, G-11, G-13)")
struct SecretTests {
    private static let typed = ChallengeAnswer.secret(GateSecret("2468".utf8))
    private static let code = ChallengeAnswer.secret(GateSecret("123456".utf8))
    private static let key = GateSecret("key".utf8)

    /// A passcode stands before parent mode.
    private func device(_ kind: Challenge.Kind = .passcode, _ presenters: Peer...) throws -> Device {
        var configuration = Configuration.gates
        configuration.modeChallenge = ChallengeRule(kind)
        var device = Device(configuration: configuration)
        try device.apply(.setPasscode(hash: "$y$hash"), as: .root)
        try device.apply(.setTOTP(key: Self.key, usedStep: 10), as: .root)
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    @Test("a typed passcode is checked outside the core, and the outcome decides")
    func right() throws {
        var device = try device()
        let question = try device.ask(as: .anna)
        let asked = try device.apply(.complete(question.cookie, Self.typed), as: .anna)
        let wait = try asked.wait()
        #expect(device.checks[1] == .passcode(GateSecret("2468".utf8), hash: "$y$hash"))
        try device.check(1, finds: .right(step: nil))
        #expect(device.mode == .parent && device.reply(to: wait) == .done)
        #expect(device.kinds().suffix(2) == [.answeredRight, .parentEntered])
        device.changesNothing(.secretChecked(presentation: 1, .right(step: nil)), as: .daemon)
    }

    @Test("a wrong passcode counts for all gates that ask it, and locks none that doesn't")
    func wrong() throws {
        var device = try device()
        for count in 1...3 {
            let question =
                count % 2 == 0
                ? try device.ask(as: .ben) : try device.authorize("settings", as: .ben).presentation()
            let wait = try device.apply(.complete(question.cookie, Self.typed), as: .ben).wait()
            try device.check(question.id, finds: .wrong)
            #expect(device.refusal(of: wait)?.reason == .wrongAnswer)
            #expect(device.lockout(of: .ben, at: "passcode")?.wrongAnswers == count)
        }
        device.refuses(.toggle(presenting: .here), as: .ben, .resourceExhausted, .lockedOut)
        _ = try device.authorize("link.open", as: .ben)
        _ = try device.ask(as: .anna)
    }

    @Test("while an answer is being checked there is no second one, and it can't be taken back")
    func noSecondAnswer() throws {
        var device = try device()
        let question = try device.ask(as: .anna)
        try device.apply(.complete(question.cookie, Self.typed), as: .anna)
        device.refuses(.complete(question.cookie, Self.typed), as: .anna, .failedPrecondition, .verifying)
        device.refuses(.dismiss(question.cookie), as: .anna, .failedPrecondition, .verifying)
    }

    @Test("a check that fails counts nothing, and leaves the question open for another try")
    func failed() throws {
        var device = try device()
        let question = try device.ask(as: .anna)
        let wait = try device.apply(.complete(question.cookie, Self.typed), as: .anna).wait()
        #expect(try device.check(1, finds: .failed).audit.isEmpty)
        #expect(device.state.lockouts.isEmpty)
        #expect(device.refusal(of: wait)?.code == .unavailable && device.lockout(of: .anna, at: "passcode") == nil)
        let again = try device.apply(.complete(question.cookie, Self.typed), as: .anna).wait()
        try device.check(1, finds: .right(step: nil))
        #expect(device.reply(to: again) == .done && device.mode == .parent)
    }

    @Test("an outcome that arrives after the deadline or a withdrawal opens nothing")
    func late() throws {
        for command in [Command.cancel, .lock, .override(.child, nil, reason: "x"), .deadlineReached] {
            var device = try device()
            let question = try device.ask(as: .anna)
            let wait = try device.apply(.complete(question.cookie, Self.typed), as: .anna).wait()
            if command == .deadlineReached { device.now = question.deadline }
            try device.apply(command, as: command == .deadlineReached ? .daemon : .root)
            #expect(device.refusal(of: wait)?.reason == (command == .deadlineReached ? .expired : .closed))
            let late = try device.check(1, finds: .right(step: nil))
            #expect(late.audit.isEmpty && late.effects.isEmpty && device.mode == .child)
            // The right answer is counted once.
            let lane = Lockout.Key(owner: Peer.anna.owner, gate: "passcode on this device")
            #expect(device.state.records.lockouts[lane]?.wrongAnswers == 0)
            device.changesNothing(.secretChecked(presentation: 1, .wrong), as: .daemon)
        }
        // The timer is late. An outcome that comes before it, but after the deadline, is too late all the same.
        var device = try device()
        let question = try device.ask(as: .anna)
        let wait = try device.apply(.complete(question.cookie, Self.typed), as: .anna).wait()
        device.now = question.deadline
        try device.check(1, finds: .right(step: nil))
        #expect(device.mode == .child && device.refusal(of: wait)?.reason == .expired)
    }

    @Test("an outcome for a passcode that was replaced meanwhile has no effect")
    func replaced() throws {
        for outcome in [SecretOutcome.right(step: nil), .wrong] {
            var device = try device()
            let question = try device.ask(as: .anna)
            let wait = try device.apply(.complete(question.cookie, Self.typed), as: .anna).wait()
            try device.apply(.setPasscode(hash: "another"), as: .root)
            try device.check(1, finds: outcome)
            #expect(device.mode == .verifying && device.refusal(of: wait)?.code == .unavailable)
            #expect(device.lockout(of: .anna, at: "passcode") == nil)
        }
    }

    @Test("each code is good once, also where two come at the same time")
    func codes() throws {
        var device = try device(.totp)
        try device.apply(.configure(Self.twoGates(device.state.configuration), detail: ""), as: .daemon)
        let annas = try device.ask(as: .anna)
        let bens = try device.authorize("settings", as: .ben).presentation()
        #expect(annas.question == .totp && bens.question == .totp)
        let annasWait = try device.apply(.complete(annas.cookie, Self.code), as: .anna).wait()
        let bensWait = try device.apply(.complete(bens.cookie, Self.code), as: .ben).wait()
        #expect(
            device.checks[bens.id]
                == .totp(GateSecret("123456".utf8), key: Self.key, at: device.wallTime, usedStep: 10))
        try device.check(annas.id, finds: .right(step: 11))
        #expect(device.reply(to: annasWait) == .done && device.stored.totp?.usedStep == 11)
        try device.check(bens.id, finds: .right(step: 11))
        #expect(device.refusal(of: bensWait)?.reason == .wrongAnswer && device.stored.totp?.usedStep == 11)
    }

    private static func twoGates(_ configuration: Configuration) -> Configuration {
        var configuration = configuration
        configuration.gatedActions["settings"]?.requirement = .challenge(ChallengeRule(.totp))
        return configuration
    }

    @Test("an answer stays valid if its presenter leaves while it is being checked")
    func presenterDies() throws {
        for outcome in [SecretOutcome.right(step: nil), .wrong, .failed] {
            var device = try device(.passcode, .olga)
            let wait = try device.apply(.toggle(presenting: .elsewhere), as: .ben).wait()
            let question = try device.claim(1, as: .olga)
            let answer = try device.apply(.complete(question.cookie, Self.typed), as: .olga).wait()
            try device.apply(.peerDisconnected, as: .olga)
            #expect(device.mode == .verifying && device.reply(to: wait) == nil)
            // No other presenter can get the question, and give an answer that the outcome would be taken for.
            try device.apply(.register(.everything), as: .root)
            #expect(device.state.presentation(forPresenter: Peer.root.connection) == nil)
            device.refuses(.claim(presentation: 1), as: .root, .aborted, .closed)
            try device.apply(.unregister, as: .root)
            try device.check(1, finds: outcome)
            #expect(device.settled[answer] == nil)
            switch outcome {
            case .right: #expect(device.reply(to: wait) == .done && device.mode == .parent)
            case .wrong: #expect(device.refusal(of: wait)?.reason == .wrongAnswer)
            case .failed: #expect(device.refusal(of: wait)?.reason == .noPresenter)
            }
        }
    }

    @Test("a secret is not shown to any presenter, only to grown-ups' and to the requester itself")
    func grownUps() throws {
        var device = try device(.passcode, .mara)
        device.refuses(.toggle(presenting: .elsewhere), as: .ben, .aborted, .noPresenter)
        try device.apply(.register(.everything), as: .olga)
        _ = try device.apply(.toggle(presenting: .elsewhere), as: .ben)
        device.refuses(.claim(presentation: 1), as: .mara, .permissionDenied, .notPermitted)
        #expect(try device.claim(1, as: .olga).question == .passcode)
    }

    // MARK: - What is set up

    @Test("while nothing is set up an administrator gets in unasked, nobody else does, and gates ask for a sum")
    func outOfTheBox() throws {
        var configuration = Configuration.gates
        configuration.modeChallenge = ChallengeRule(.passcode)
        var device = Device(configuration: configuration)
        device.refuses(.toggle(presenting: .here), as: .anna, .failedPrecondition, .notSetUp)
        let entered = try device.apply(.toggle(presenting: .here), as: .root)
        #expect(entered.reply == .done && entered.audit.map(\.kind) == [.parentEntered] && device.mode == .parent)
        device.refuses(.extend(nil, presenting: .here), as: .anna, .failedPrecondition, .notSetUp)
        try device.apply(.toggle(presenting: .here), as: .root)
        #expect(device.mode == .child)
        #expect(try device.authorize("settings", as: .anna).presentation().question.kind == .arithmeticEntry)
    }

    @Test("without a passcode, the code of an authenticator is asked for in its place")
    func other() throws {
        var device = try device()
        #expect(device.state.secretKinds == [.passcode, .totp])
        try device.apply(.removeSecret(.passcode), as: .root)
        #expect(device.state.secretKinds == [.totp] && device.journal.last?.detail == "passcode")
        #expect(try device.ask(as: .anna).question == .totp)
        device.refuses(.removeSecret(.passcode), as: .root, .failedPrecondition, .notSetUp)
    }

    @Test("a secret that is removed while it is asked for opens nothing")
    func removedWhileAsked() throws {
        var device = try device()
        let question = try device.ask(as: .anna)
        let gate = try device.authorize("settings", as: .ben).presentation()
        try device.apply(.removeSecret(.passcode), as: .root)
        device.refuses(.complete(question.cookie, Self.typed), as: .anna, .failedPrecondition, .notSetUp)
        // The gate asks again, for the secret that is set up now.
        device.refuses(.complete(gate.cookie, Self.typed), as: .ben, .aborted, .closed)
        #expect(try device.authorize("settings", as: .ben).presentation().question == .totp)
    }

    @Test("neither journal nor dump shows a secret")
    func nothingSecretIsTold() throws {
        var device = try device()
        let question = try device.ask(as: .anna)
        let asked = try device.apply(.complete(question.cookie, Self.typed), as: .anna)
        var dumped = ""
        dump(asked, to: &dumped)
        dump(device.state, to: &dumped)
        #expect(!dumped.contains("2468") && !device.journal.contains { $0.detail.contains("2468") })
    }
}
