import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("How many wrong answers to a secret a device takes (T-02)")
struct SecretBudgetTests {
    private static let typed = ChallengeAnswer.secret(GateSecret("2468".utf8))

    /// A passcode stands before parent mode without a lockout, so that only the budget counts.
    private func device() throws -> Device {
        var configuration = Configuration.gates
        configuration.modeChallenge = ChallengeRule(.passcode)
        configuration.lockout.after = 1_000_000
        var device = Device(configuration: configuration)
        try device.apply(.setPasscode(hash: "$y$hash"), as: .root)
        return device
    }

    private func stranger(_ number: Int) -> Peer {
        Peer(connection: 20_000 + UInt64(number), uid: 20_000 + UInt32(number), pid: 1, roles: .app)
    }

    /// Types an answer. Returns the refusal if it was not even checked.
    private func guess(_ outcome: SecretOutcome, _ device: inout Device, as peer: Peer) throws -> GateError? {
        let command = Command.toggle(presenting: .here)
        if let refusal = device.refusal(command, as: peer) { return refusal }
        let question = try device.apply(command, as: peer).presentation()
        try device.apply(.complete(question.cookie, Self.typed), as: peer)
        try device.check(question.id, finds: outcome)
        if device.mode == .parent { try device.apply(.lock, as: .root) }
        return nil
    }

    @Test("users who never gave the right secret share 500 wrong answers, and then get no more")
    func strangers() throws {
        var device = try device()
        for number in 0..<SecretBudget.ofStrangers {
            #expect(try guess(.wrong, &device, as: stranger(number % 40)) == nil)
        }
        for peer in [stranger(1), stranger(4000), .anna] {
            let refusal = try #require(try guess(.right(step: nil), &device, as: peer))
            #expect(refusal.code == .resourceExhausted && refusal.reason == .guessesUsedUp && refusal.retryAfter == nil)
        }
        try device.apply(.clearLockouts(uid: nil, gate: "passcode"), as: .root)
        #expect(try guess(.right(step: nil), &device, as: .anna) == nil)
    }

    @Test("a user who gave the right secret before still gets in, with up to 100 wrong answers between two right ones")
    func lane() throws {
        var device = try device()
        #expect(try guess(.right(step: nil), &device, as: .anna) == nil)
        for number in 0..<SecretBudget.ofStrangers { _ = try guess(.wrong, &device, as: stranger(number)) }
        #expect(try guess(.wrong, &device, as: .ben) != nil)
        for _ in 0..<2 {
            for _ in 0..<SecretBudget.ofLane - 1 { #expect(try guess(.wrong, &device, as: .anna) == nil) }
            #expect(try guess(.right(step: nil), &device, as: .annasOther) == nil)
        }
        for _ in 0..<SecretBudget.ofLane { #expect(try guess(.wrong, &device, as: .anna) == nil) }
        #expect(try guess(.right(step: nil), &device, as: .anna)?.reason == .guessesUsedUp)
        // An administrator clears the lockouts; the lane is still hers.
        try device.apply(.clearLockouts(uid: 1001, gate: nil), as: .root)
        #expect(try guess(.right(step: nil), &device, as: .anna) == nil)
        #expect(try guess(.wrong, &device, as: .ben) != nil)
    }

    @Test("an answer whose question is withdrawn during its check counts by the outcome of the check")
    func withdrawn() throws {
        let key = Lockout.Key(owner: .strangers, gate: "passcode on this device")
        for outcome in [SecretOutcome.right(step: nil), .wrong, .failed] {
            var device = try device()
            let question = try device.apply(.toggle(presenting: .here), as: .anna).presentation()
            try device.apply(.complete(question.cookie, Self.typed), as: .anna)
            try device.apply(.cancel, as: .anna)
            #expect(device.state.records.lockouts[key]?.wrongAnswers == 1)
            try device.check(question.id, finds: outcome)
            #expect(device.state.records.lockouts[key]?.wrongAnswers == (outcome == .wrong ? 1 : nil))
            let lane = Lockout.Key(owner: Peer.anna.owner, gate: key.gate)
            #expect(device.state.records.lockouts[lane]?.wrongAnswers == (outcome == .right(step: nil) ? 0 : nil))
            #expect(device.mode == .child && device.stored == device.state.records)
            // The question is gone, so that a later outcome changes nothing.
            try device.check(question.id, finds: .right(step: nil))
            #expect(device.state.records.lockouts[lane]?.wrongAnswers == (outcome == .right(step: nil) ? 0 : nil))
        }
    }

    @Test("answers that are checked at the same time are no more guesses than one after the other")
    func atOnce() throws {
        var device = try device()
        for number in 0..<SecretBudget.ofStrangers - 2 { _ = try guess(.wrong, &device, as: stranger(number)) }
        var questions: [(Presentation, Peer)] = []
        for number in 0..<4 {
            let peer = stranger(1000 + number)
            questions.append((try device.authorize("settings", as: peer).presentation(), peer))
        }
        var taken = 0
        for (question, peer) in questions {
            let command = Command.complete(question.cookie, Self.typed)
            guard device.refusal(command, as: peer) == nil else { continue }
            try device.apply(command, as: peer)
            taken += 1
        }
        #expect(taken == 2)
    }

    @Test("an answer that was right, or could not be checked, does not count as a wrong one")
    func takenBack() throws {
        var device = try device()
        #expect(try guess(.failed, &device, as: .anna) == nil)
        #expect(device.state.lockouts.isEmpty)
        try device.apply(.cancel, as: .root)
        #expect(try guess(.right(step: nil), &device, as: .anna) == nil)
        #expect(device.state.lockouts.map(\.lockout.wrongAnswers) == [0])
    }

    /// Types an answer on another user's screen.
    private func guess(
        _ outcome: SecretOutcome, _ device: inout Device, as peer: Peer, on screen: Peer
    ) throws -> GateError? {
        _ = try device.waitFor("settings", as: peer)
        let offered = try #require(device.state.presentation(forPresenter: screen.connection))
        let question = try device.claim(offered.id, as: screen)
        let command = Command.complete(question.cookie, Self.typed)
        if let refusal = device.refusal(command, as: screen) {
            try device.apply(.dismiss(question.cookie), as: screen)
            return refusal
        }
        try device.apply(command, as: screen)
        try device.check(question.id, finds: outcome)
        return nil
    }

    @Test("a right answer gives a counter of their own to the user who answers, and a small one to the user who asks")
    func answerer() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        #expect(try guess(.right(step: nil), &device, as: .ben, on: .olga) == nil)
        let limits = device.state.lockouts.map { [$0.key.owner: SecretBudget.limit(of: $0.key, $0.lockout)] }
        #expect(limits == [[Peer.ben.owner: SecretBudget.ofGuestsLane], [Peer.olga.owner: SecretBudget.ofLane]])
        #expect(device.state.namedLockouts.isEmpty)
    }

    @Test("a child's guesses on the family's screen do not lock out a parent who was let in there before")
    func familysScreen() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        #expect(try guess(.right(step: nil), &device, as: .anna, on: .olga) == nil)
        for _ in 0..<SecretBudget.ofStrangers { #expect(try guess(.wrong, &device, as: .ben, on: .olga) == nil) }
        #expect(try guess(.wrong, &device, as: .ben, on: .olga)?.reason == .guessesUsedUp)
        for _ in 0..<SecretBudget.ofGuestsLane - 1 { #expect(try guess(.wrong, &device, as: .anna, on: .olga) == nil) }
        #expect(try guess(.right(step: nil), &device, as: .anna, on: .olga) == nil)
        // A user who answers their own question has the usual lane.
        #expect(try guess(.right(step: nil), &device, as: .anna) == nil)
        for _ in 0..<SecretBudget.ofLane - 1 { #expect(try guess(.wrong, &device, as: .anna, on: .olga) == nil) }
        #expect(try guess(.right(step: nil), &device, as: .anna) == nil)
    }

    @Test("a parent's right answers to a child's questions give the child no further guesses")
    func noRefill() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        var wrong = 0
        while wrong < 1000 {
            if wrong.isMultiple(of: 90) { _ = try guess(.right(step: nil), &device, as: .ben, on: .olga) }
            guard try guess(.wrong, &device, as: .ben, on: .olga) == nil else { break }
            wrong += 1
        }
        #expect(wrong == SecretBudget.ofStrangers + SecretBudget.ofGuestsLane)
        try device.apply(.clearLockouts(uid: nil, gate: "passcode"), as: .root)
        #expect(try guess(.right(step: nil), &device, as: .ben, on: .olga) == nil)
        for _ in 0..<2 { #expect(try guess(.wrong, &device, as: .ben, on: .olga) == nil) }
        let lane = Lockout.Key(owner: Peer.ben.owner, gate: "passcode on this device")
        #expect(device.state.records.lockouts[lane]?.wrongAnswers == 0)
    }

    @Test("a new passcode has new counters, and administrators have none")
    func another() throws {
        var device = try device()
        _ = try guess(.right(step: nil), &device, as: .anna)
        for number in 0..<SecretBudget.ofStrangers { _ = try guess(.wrong, &device, as: stranger(number)) }
        try device.apply(.setPasscode(hash: "another"), as: .root)
        #expect(device.state.lockouts.filter { SecretBudget.limit(of: $0.key) != nil }.isEmpty)
        for _ in 0..<3 { #expect(try guess(.wrong, &device, as: .root) == nil) }
        #expect(device.state.lockouts.filter { SecretBudget.limit(of: $0.key) != nil }.isEmpty)
    }

    @Test("the secret budget survives a restart and a reboot")
    func restart() throws {
        var device = try device()
        for number in 0..<SecretBudget.ofStrangers { _ = try guess(.wrong, &device, as: stranger(number)) }
        var records = device.stored
        records.deviceRebooted(at: .seconds(1))
        var after = Device(records, configuration: device.state.configuration)
        #expect(try guess(.right(step: nil), &after, as: .anna)?.reason == .guessesUsedUp)
    }
}
