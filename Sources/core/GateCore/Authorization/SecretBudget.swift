package import GateModel

/// How many wrong answers to a secret a device takes, from all who live on it (T-02).
///
/// Lockouts are for each owner, and slow down; these counters are for the whole device, and end. So a secret falls to nobody, however
/// many users somebody has.
///
/// | who answers                           | counts                   | at most                                 |
/// |---------------------------------------|--------------------------|-----------------------------------------|
/// | a stranger: never gave it right       | with all other strangers | 500, until an administrator clears them |
/// | an owner who gave it right            | in a lane of their own   | 100 between two right ones              |
/// | an administrator                      | nowhere                  | they may set another secret, too        |
///
/// So nobody keeps out a parent by guessing: who gave the secret right once has a lane that no stranger uses up. It is the answerer
/// that counts, who may be another one than the requester.
///
/// An answer counts from when its check begins, so that many at once are no more than one after the other; one that was right, or that
/// could not be checked, is taken back. The counters are rows among the lockouts: a lane is there from its first right answer on.
/// Another secret has new ones.
public enum SecretBudget {
    /// Wrong answers of all strangers together.
    public static let ofStrangers = 500
    /// Wrong answers in a lane, between two right ones.
    public static let ofLane = 100

    /// Where they are counted.
    static func gate(of kind: SecretKind) -> String { Lockout.Gate.secretOfDevice(kind).text }

    /// How many wrong answers this counter takes; `nil`: it is a lockout's, which has no end.
    package static func limit(of key: Lockout.Key) -> Int? {
        guard SecretKind.allCases.contains(where: { gate(of: $0) == key.gate }) else { return nil }
        return key.owner == .strangers ? ofStrangers : ofLane
    }
}

extension GateState {
    /// Why this peer's answer to a secret can't be taken; `nil`: it can.
    func guessRefusal(at kind: SecretKind, for answerer: Peer) -> GateError? {
        guard let key = guessKey(at: kind, of: answerer), let limit = SecretBudget.limit(of: key),
            records.lockouts[key]?.wrongAnswers ?? 0 >= limit
        else { return nil }
        return .guessesUsedUp(key, kind)
    }

    /// Checks a guess in advance: a requester that shows a question itself answers it itself, and hears before it is
    /// asked that nothing is checked.
    func checkGuess(at specification: ChallengeSpecification, by requester: Peer) throws(GateError) {
        if let kind = SecretKind(asking: specification.kind), let refusal = guessRefusal(at: kind, for: requester) {
            throw refusal
        }
    }

    /// Where an answer of this peer counts; `nil`: nowhere.
    func guessKey(at kind: SecretKind, of answerer: Peer) -> Lockout.Key? {
        guard !answerer.isAdministrator else { return nil }
        let lane = Lockout.Key(owner: answerer.owner, gate: SecretBudget.gate(of: kind))
        return records.lockouts[lane] == nil ? Lockout.Key(owner: .strangers, gate: lane.gate) : lane
    }

    /// An answer is about to be checked: as wrong, until it is known better.
    mutating func guessBegan(at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        count(1, at: key, &draft)
    }

    /// It was right, or could not be checked.
    mutating func guessTakenBack(at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        count(-1, at: key, &draft)
    }

    /// It was right: whose it was has a lane from now on, and nothing wrong in it.
    mutating func guessWasRight(
        at key: Lockout.Key?, _ kind: SecretKind, by answerer: Peer, _ draft: inout TransitionDraft
    ) {
        guessTakenBack(at: key, &draft)
        guard key != nil else { return }
        set(0, at: Lockout.Key(owner: answerer.owner, gate: SecretBudget.gate(of: kind)), &draft)
    }

    /// The secret was replaced, or is gone: what was guessed at it is worth nothing.
    mutating func forgetGuesses(at kind: SecretKind, _ draft: inout TransitionDraft) {
        for key in lockouts.map(\.key) where key.gate == SecretBudget.gate(of: kind) {
            record(.lockoutRemoved(key), &draft)
        }
    }

    /// An administrator forgets what was wrong; a lane stays one.
    mutating func clearGuesses(at key: Lockout.Key, _ draft: inout TransitionDraft) {
        set(0, at: key, &draft)
    }

    private mutating func count(_ step: Int, at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        // Cleared meanwhile: there is nothing to take back.
        guard let key, let wrong = records.lockouts[key]?.wrongAnswers ?? (step > 0 ? 0 : nil) else { return }
        set(max(0, wrong + step), at: key, &draft)
    }

    private mutating func set(_ wrongAnswers: Int, at key: Lockout.Key, _ draft: inout TransitionDraft) {
        guard records.lockouts[key]?.wrongAnswers != wrongAnswers else { return }
        if key.owner == .strangers, wrongAnswers == 0 {
            record(.lockoutRemoved(key), &draft)
        } else {
            let counter = Lockout(
                wrongAnswers: wrongAnswers, unanswered: 0, lockedUntil: nil, lockDuration: .zero)
            record(.lockoutSet(key, counter), &draft)
        }
    }
}
