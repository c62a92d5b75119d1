package import GateModel

/// Limits how many wrong answers to a secret a device accepts, from all its users together.
///
/// Lockouts count for each owner and slow guessing down. These counters count for the whole device and stop it, so that
/// nobody finds a secret by using many users.
///
/// | who asks                                  | a wrong answer counts    | at most                                 |
/// |-------------------------------------------|--------------------------|-----------------------------------------|
/// | a stranger: never gave it right           | with all other strangers | 500, until an administrator clears them |
/// | a stranger for whom another gave it right | with them, then apart    | 10 more, until an administrator does    |
/// | an owner who gave it right                | in the owner's own lane  | 100 between two right ones to their own |
/// | anybody, if an administrator answers      | nowhere                  | they may set another secret, too        |
///
/// Guessing therefore can't keep a parent out: an owner who gave the secret right once, or was let in by it once, has a
/// lane that no stranger uses up. The requester's owner counts, since one screen serves many: a child's guesses on the
/// family's screen use up nothing of others who are asked there. A lane is emptied only by its owner's right answer to
/// the owner's own question. Otherwise a child would get a hundred new guesses with each question of theirs that a
/// parent answers.
///
/// An answer counts from when its check begins, so checking many at once allows no more guesses than one after the
/// other. An answer that was right, or could not be checked, is taken back. The counters are stored among the lockouts;
/// a lane exists from its first right answer on. A new secret starts with new counters.
public enum SecretBudget {
    /// The most wrong answers of all strangers together.
    public static let ofStrangers = 500
    /// The most wrong answers in a lane between two right ones.
    public static let ofLane = 100
    /// The most wrong answers in the lane of an owner for whom only somebody else gave the secret right.
    static let ofGuestsLane = 10

    /// The gate under which wrong answers to this secret are counted for the device.
    static func gate(of kind: SecretKind) -> String { Lockout.Gate.secretOfDevice(kind).text }

    /// How many wrong answers this counter accepts; `nil` if it belongs to a lockout, which has no such limit.
    package static func limit(of key: Lockout.Key, _ counter: Lockout? = nil) -> Int? {
        guard SecretKind.allCases.contains(where: { gate(of: $0) == key.gate }) else { return nil }
        guard key.owner != .strangers else { return ofStrangers }
        return counter?.isGuestsLane == true ? ofGuestsLane : ofLane
    }
}

extension GateState {
    /// Why this peer's answer to a secret can't be accepted; `nil` if it can.
    func guessRefusal(at kind: SecretKind, askedBy requester: Owner, for answerer: Peer) -> GateError? {
        guard let key = guessKey(at: kind, askedBy: requester, of: answerer), isUsedUp(key) else { return nil }
        return .guessesUsedUp(key, kind)
    }

    private func isUsedUp(_ key: Lockout.Key) -> Bool {
        let counter = records.lockouts[key]
        return SecretBudget.limit(of: key, counter).map { counter?.wrongAnswers ?? 0 >= $0 } ?? false
    }

    /// Checks before a question is shown whether an answer could be accepted, since a requester that shows the question
    /// itself also answers it.
    func checkGuess(at specification: ChallengeSpecification, by requester: Peer) throws(GateError) {
        if let kind = SecretKind(asking: specification.kind),
            let refusal = guessRefusal(at: kind, askedBy: requester.owner, for: requester)
        {
            throw refusal
        }
    }

    /// The counter for this peer's answer to a question of the requester's; `nil` if it counts nowhere.
    func guessKey(at kind: SecretKind, askedBy requester: Owner, of answerer: Peer) -> Lockout.Key? {
        guard !answerer.isAdministrator else { return nil }
        let gate = SecretBudget.gate(of: kind)
        let (strangers, lane) = (Lockout.Key(owner: .strangers, gate: gate), Lockout.Key(owner: requester, gate: gate))
        guard let counter = records.lockouts[lane] else { return strangers }
        // A guest's lane is used only after the strangers' guesses are used up, and until it is used up itself.
        return counter.isGuestsLane && (!isUsedUp(strangers) || isUsedUp(lane)) ? strangers : lane
    }

    /// Counts an answer as wrong before its check begins.
    mutating func guessBegan(at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        count(1, at: key, &draft)
    }

    /// Takes back an answer that was right, or could not be checked.
    mutating func guessTakenBack(at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        count(-1, at: key, &draft)
    }

    /// Notes a right answer. The answerer's owner has a lane from now on, which is emptied if the question was its own.
    /// The requester's owner has at least a guest's lane.
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

    /// Removes the counters of a secret that was replaced or removed. What was guessed is worth nothing now.
    mutating func forgetGuesses(at kind: SecretKind, _ draft: inout TransitionDraft) {
        for key in lockouts.map(\.key) where key.gate == SecretBudget.gate(of: kind) {
            record(.lockoutRemoved(key), &draft)
        }
    }

    /// Clears a counter for an administrator. A lane remains a lane.
    mutating func clearGuesses(at key: Lockout.Key, _ draft: inout TransitionDraft) {
        set(0, at: key, isGuests: records.lockouts[key]?.isGuestsLane ?? false, &draft)
    }

    private mutating func count(_ step: Int, at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        // If the counter was cleared meanwhile, there is nothing to take back.
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
    /// Whether this is a guest's lane: only somebody else gave the secret right for this owner. `unanswered` marks it,
    /// since nothing is left unanswered at a lane.
    fileprivate var isGuestsLane: Bool { unanswered > 0 }
}
