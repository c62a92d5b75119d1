package import GateModel

/// How many wrong answers to a secret a device takes, from all who live on it (T-02).
///
/// Lockouts are for each owner, and slow down; these counters are for the whole device, and end. So a secret falls to nobody, however
/// many users somebody has.
///
/// | who asks                                       | a wrong answer counts    | at most                                  |
/// |------------------------------------------------|--------------------------|------------------------------------------|
/// | a stranger: never gave it right                | with all other strangers | 500, until an administrator clears them  |
/// | a stranger for whom somebody else gave it right| with them, then apart    | 10 more, until an administrator does     |
/// | an owner who gave it right                     | in a lane of their own   | 100 between two right ones to their own  |
/// | anybody, where an administrator answers        | nowhere                  | they may set another secret, too         |
///
/// So nobody keeps out a parent by guessing: who gave the secret right once, or was let in by it once, has a lane that no stranger uses up.
/// It is the requester that counts, since one screen serves many: what a child guesses at the family's screen uses up nothing of those who
/// are asked there otherwise. Only a right answer to their own question empties a lane: else a child would have a hundred guesses more with
/// each question of theirs that a parent answers.
///
/// An answer counts from when its check begins, so that many at once are no more than one after the other; one that was right, or that
/// could not be checked, is taken back. The counters are rows among the lockouts: a lane is there from its first right answer on.
/// Another secret has new ones.
public enum SecretBudget {
    /// Wrong answers of all strangers together.
    public static let ofStrangers = 500
    /// Wrong answers in a lane, between two right ones.
    public static let ofLane = 100
    /// Wrong answers in the lane of an owner who never gave it right, but for whom somebody else did.
    static let ofGuestsLane = 10

    /// Where they are counted.
    static func gate(of kind: SecretKind) -> String { Lockout.Gate.secretOfDevice(kind).text }

    /// How many wrong answers this counter takes; `nil`: it is a lockout's, which has no end.
    package static func limit(of key: Lockout.Key, _ counter: Lockout? = nil) -> Int? {
        guard SecretKind.allCases.contains(where: { gate(of: $0) == key.gate }) else { return nil }
        guard key.owner != .strangers else { return ofStrangers }
        return counter?.isGuestsLane == true ? ofGuestsLane : ofLane
    }
}

extension GateState {
    /// Why this peer's answer to a secret can't be taken; `nil`: it can.
    func guessRefusal(at kind: SecretKind, askedBy requester: Owner, for answerer: Peer) -> GateError? {
        guard let key = guessKey(at: kind, askedBy: requester, of: answerer), isUsedUp(key) else { return nil }
        return .guessesUsedUp(key, kind)
    }

    private func isUsedUp(_ key: Lockout.Key) -> Bool {
        let counter = records.lockouts[key]
        return SecretBudget.limit(of: key, counter).map { counter?.wrongAnswers ?? 0 >= $0 } ?? false
    }

    /// Checks a guess in advance: a requester that shows a question itself answers it itself, and hears before it is
    /// asked that nothing is checked.
    func checkGuess(at specification: ChallengeSpecification, by requester: Peer) throws(GateError) {
        if let kind = SecretKind(asking: specification.kind),
            let refusal = guessRefusal(at: kind, askedBy: requester.owner, for: requester)
        {
            throw refusal
        }
    }

    /// Where an answer of this peer to a question of the requester's counts; `nil`: nowhere.
    func guessKey(at kind: SecretKind, askedBy requester: Owner, of answerer: Peer) -> Lockout.Key? {
        guard !answerer.isAdministrator else { return nil }
        let gate = SecretBudget.gate(of: kind)
        let (strangers, lane) = (Lockout.Key(owner: .strangers, gate: gate), Lockout.Key(owner: requester, gate: gate))
        guard let counter = records.lockouts[lane] else { return strangers }
        // A guest's lane is for when strangers have used up everything.
        return counter.isGuestsLane && (!isUsedUp(strangers) || isUsedUp(lane)) ? strangers : lane
    }

    /// An answer is about to be checked: as wrong, until it is known better.
    mutating func guessBegan(at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        count(1, at: key, &draft)
    }

    /// It was right, or could not be checked.
    mutating func guessTakenBack(at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        count(-1, at: key, &draft)
    }

    /// It was right: whose answer it was has a lane from now on, and nothing wrong in it if it was their own question. Whoever asked has a
    /// guest's lane at least.
    mutating func guessWasRight(
        at key: Lockout.Key?, _ kind: SecretKind, askedBy requester: Owner, by answerer: Peer,
        _ draft: inout TransitionDraft
    ) {
        guessTakenBack(at: key, &draft)
        guard key != nil else { return }
        let lane = Lockout.Key(owner: answerer.owner, gate: SecretBudget.gate(of: kind))
        if answerer.owner == requester || records.lockouts[lane]?.isGuestsLane ?? true { set(0, at: lane, &draft) }
        let guests = Lockout.Key(owner: requester, gate: lane.gate)
        if records.lockouts[guests] == nil { set(0, at: guests, isGuests: true, &draft) }
    }

    /// The secret was replaced, or is gone: what was guessed at it is worth nothing.
    mutating func forgetGuesses(at kind: SecretKind, _ draft: inout TransitionDraft) {
        for key in lockouts.map(\.key) where key.gate == SecretBudget.gate(of: kind) {
            record(.lockoutRemoved(key), &draft)
        }
    }

    /// An administrator forgets what was wrong; a lane stays one.
    mutating func clearGuesses(at key: Lockout.Key, _ draft: inout TransitionDraft) {
        set(0, at: key, isGuests: records.lockouts[key]?.isGuestsLane ?? false, &draft)
    }

    private mutating func count(_ step: Int, at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        // Cleared meanwhile: there is nothing to take back.
        let counter = key.flatMap { records.lockouts[$0] }
        guard let key, let wrong = counter?.wrongAnswers ?? (step > 0 ? 0 : nil) else { return }
        set(max(0, wrong + step), at: key, isGuests: counter?.isGuestsLane ?? false, &draft)
    }

    private mutating func set(
        _ wrongAnswers: Int, at key: Lockout.Key, isGuests: Bool = false, _ draft: inout TransitionDraft
    ) {
        let counter = Lockout(
            wrongAnswers: wrongAnswers, unanswered: isGuests ? 1 : 0, lockedUntil: nil, lockDuration: .zero)
        guard records.lockouts[key] != counter else { return }
        if key.owner == .strangers, wrongAnswers == 0 {
            record(.lockoutRemoved(key), &draft)
        } else {
            record(.lockoutSet(key, counter), &draft)
        }
    }
}

extension Lockout {
    /// Of the lane of a secret: whether only somebody else gave it right for this owner. Nothing is left unanswered there.
    fileprivate var isGuestsLane: Bool { unanswered > 0 }
}
