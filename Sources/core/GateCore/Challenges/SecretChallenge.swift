package import GateModel

// The secrets of grown-ups as questions: what a passcode and a code look like (SecretChallenge), what is asked if the
// secret is not set up (SetUpRules), how many wrong answers the device takes (SecretBudget), and the check.

/// Asks for the passcode or an authenticator's code. The core only checks that the answer has the right form, and
/// leaves the comparison to the daemon.
enum SecretChallenge {
    static let passcode = SealedChallenge(.passcode, solution: .passcode)
    static let totp = SealedChallenge(.totp, solution: .totp)

    static let passcodeByteCounts = 1...128
    static let codeDigitCount = 6

    /// A passcode is taken as typed, with spaces. A zero byte is refused: the hash function would stop there.
    static func verdict(onPasscode answer: ChallengeAnswer) -> SealedChallenge.Verdict {
        guard let secret = secret(answer), passcodeByteCounts.contains(secret.byteCount),
            secret.withBytes({ !$0.contains(0) })
        else {
            return .notAnAnswer("A passcode has from 1 to 128 bytes. Try again.")
        }
        return .checkSecret(secret)
    }

    /// A code has six digits. Spaces are removed before the check.
    static func verdict(onCode answer: ChallengeAnswer) -> SealedChallenge.Verdict {
        guard let code = secret(answer).flatMap(code) else {
            return .notAnAnswer("The code has six digits. Try again.")
        }
        return .checkSecret(code)
    }

    private static func code(in secret: GateSecret) -> GateSecret? {
        // Reserves the capacity at once, since an array that grows would leave unwiped copies of the digits.
        var digits: [UInt8] = []
        digits.reserveCapacity(codeDigitCount)
        defer { digits.withUnsafeMutableBytes { wipe($0) } }
        let isCode = secret.withBytes { bytes in
            for byte in bytes where byte != UInt8(ascii: " ") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits.count < codeDigitCount else {
                    return false
                }
                digits.append(byte)
            }
            return digits.count == codeDigitCount
        }
        return isCode ? GateSecret(wiping: &digits) : nil
    }

    private static func secret(_ answer: ChallengeAnswer) -> GateSecret? {
        switch answer {
        case .secret(let secret): secret
        case .text(let text): GateSecret(text.utf8)
        case .released, .swiped, .acknowledged: nil
        }
    }
}

/// The questions that replace a secret which a policy names but nobody has set up.
///
/// | asked for      | the other secret is set up | nothing is set up                                       |
/// |----------------|----------------------------|---------------------------------------------------------|
/// | a gated action | the other secret           | `arithmetic-entry`                                      |
/// | the mode       | the other secret           | administrators get in unasked, nobody else gets in      |
package struct SetUpRules: Hashable, Sendable {
    private let hasPasscode: Bool
    private let hasTOTP: Bool

    init(hasPasscode: Bool, hasTOTP: Bool) {
        self.hasPasscode = hasPasscode
        self.hasTOTP = hasTOTP
    }

    /// - Parameter secrets: those that are set up.
    package init(secrets: [SecretKind]) {
        self.init(hasPasscode: secrets.contains(.passcode), hasTOTP: secrets.contains(.totp))
    }

    func has(_ secret: SecretKind) -> Bool {
        switch secret {
        case .passcode: hasPasscode
        case .totp: hasTOTP
        }
    }

    /// The question before a gated action. If the action reaches other devices of the household, a grown-up must answer
    /// the replacement, since any program can do a sum.
    package func forGatedAction(
        _ specification: ChallengeSpecification, reachesOthers: @autoclosure () -> Bool = false
    ) -> ChallengeSpecification {
        available(specification)
            ?? ChallengeSpecification(
                .arithmeticEntry, answeredBy: reachesOthers() ? .grownUp : specification.answeredBy)
    }

    /// The question before parent mode and before a longer lease; `nil` if only administrators get past.
    package func forMode(_ specification: ChallengeSpecification) -> ChallengeSpecification? {
        available(specification)
    }

    private func available(_ specification: ChallengeSpecification) -> ChallengeSpecification? {
        guard let secret = specification.kind.secret, !has(secret) else {
            return specification
        }
        guard let other = SecretKind.allCases.first(where: has) else { return nil }
        var substitute = specification
        substitute.kind = other.challenge
        return substitute
    }
}

/// The stored value that a typed secret is compared with.
enum SecretReference: Hashable, Sendable {
    /// A hash as crypt(3) makes it.
    case passcode(hash: String)
    case totp(key: GateSecret)

    var kind: SecretKind {
        switch self {
        case .passcode: .passcode
        case .totp: .totp
        }
    }
}

/// Limits how many wrong answers to a secret a device accepts, from all its users together.
///
/// Lockouts count for each owner and slow guessing down. These counters count for the whole device and stop it, so that
/// nobody finds a secret by using many users.
///
/// | who asks                                  | a wrong answer counts    | at most                                 |
/// |-------------------------------------------|--------------------------|-----------------------------------------|
/// | a stranger: never gave it right           | with all other strangers | 500, until an administrator clears them |
/// | a stranger for whom another gave it right | the same, then in a lane | 10 more, until they are cleared         |
/// | an owner who gave it right                | in the owner's own lane  | 100, until the owner answers right      |
/// | anybody, if an administrator answers      | nowhere                  | no limit: they may replace the secret   |
///
/// Guessing therefore can't keep a parent out: an owner who gave the secret right once, or was let in by it once, has a
/// lane that no stranger uses up. The requester's owner counts, since one screen serves many: a child's guesses on the
/// family's screen use up nothing of others who are asked there. A lane is emptied only by its owner's right answer to
/// the owner's own question, or a child would get a hundred guesses with each question that a parent answers.
///
/// An answer counts from when its check begins, so checking many at once allows no more guesses than one after the
/// other. An answer that was right, or could not be checked, is taken back. The counters are stored among the lockouts;
/// a lane exists from its first right answer on. A new secret starts with new counters.
public enum SecretBudget {
    public static let ofStrangers = 500
    public static let ofLane = 100
    /// The most wrong answers in the lane of an owner for whom only somebody else gave the secret right.
    static let ofGuestsLane = 10

    static func gate(of kind: SecretKind) -> String { Lockout.Gate.secretOfDevice(kind).text }

    /// How many wrong answers this counter accepts; `nil` if it belongs to a lockout, which has no such limit.
    package static func limit(of key: Lockout.Key, _ counter: Lockout? = nil) -> Int? {
        guard SecretKind.allCases.contains(where: { gate(of: $0) == key.gate }) else { return nil }
        guard key.owner != .strangers else { return ofStrangers }
        return counter?.isGuestsLane == true ? ofGuestsLane : ofLane
    }
}

extension GateState {
    func guessRefusal(at kind: SecretKind, askedBy requester: Owner, for answerer: Peer) -> GateError? {
        guard let key = guessKey(at: kind, askedBy: requester, of: answerer), isUsedUp(key) else { return nil }
        return .guessesUsedUp(key, kind)
    }

    private func isUsedUp(_ key: Lockout.Key) -> Bool {
        let counter = records.lockouts[key]
        return SecretBudget.limit(of: key, counter).map { counter?.wrongAnswers ?? 0 >= $0 } ?? false
    }

    /// Checked before a question is shown, since a requester that shows the question itself also answers it.
    func checkGuess(at specification: ChallengeSpecification, by requester: Peer) throws(GateError) {
        if let kind = specification.kind.secret,
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

    mutating func guessBegan(at key: Lockout.Key?, _ draft: inout TransitionDraft) {
        count(1, at: key, &draft)
    }

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

public enum SecretOutcome: Hashable, Sendable {
    /// `step`: the time step of a code; `nil` for a passcode.
    case right(step: UInt64?)
    case wrong
    /// The check itself failed, so nothing is counted.
    case failed
}

/// The checks of typed secrets. Hashing is slow and needs libraries, so the daemon does it (`Effect.checkSecret`) and
/// reports the outcome as `PresentationCommand.secretChecked`.
extension GateState {
    mutating func beginCheck(
        of secret: GateSecret, asked challenge: Challenge.Kind, _ open: QueuedPresentation, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard let kind = challenge.secret else {
            preconditionFailure("only the answers to secrets are checked elsewhere")
        }
        if let refusal = guessRefusal(at: kind, askedBy: open.requester, for: context.peer) { throw refusal }
        let reference: SecretReference
        switch kind {
        case .passcode:
            guard let hash = records.passcodeHash else { throw .notSetUp(kind) }
            reference = .passcode(hash: hash)
            draft.check(.passcode(secret, hash: hash), presentation: open.id)
        case .totp:
            guard let totp = records.totp else { throw .notSetUp(kind) }
            reference = .totp(key: totp.key)
            draft.check(
                .totp(secret, key: totp.key, at: context.wallTime, usedStep: totp.usedStep), presentation: open.id)
        }
        let (wait, guess) = (requests.callWaits(), guessKey(at: kind, askedBy: open.requester, of: context.peer))
        guessBegan(at: guess, &draft)
        queue.update(open.id) {
            $0.checkBegan(
                QueuedPresentation.Check(
                    requester: open.requester, answerer: context.peer, wait: wait, reference: reference, guess: guess))
        }
        return .waiting(wait)
    }

    /// If the question is gone, the outcome still counts as a guess, and a right code is used up. Nothing else happens.
    mutating func secretChecked(
        _ id: UInt64, _ outcome: SecretOutcome, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Reply {
        guard let check = changeOffers(&draft, { $0.checkEnded(of: id, at: context.now) }) else { return .done }
        draft.author = check.answerer
        let judged = judged(outcome, against: check.reference)
        switch judged {
        case .right(let step):
            useUp(step, &draft)
            guessWasRight(
                at: check.guess, check.reference.kind, askedBy: check.requester, by: check.answerer, &draft)
        case .wrong: break
        case .failed: guessTakenBack(at: check.guess, &draft)
        }
        guard let open = queue.presentation(id) else { return .done }
        let reply: Reply
        switch judged {
        case .right: reply = answeredRight(open, by: check.answerer, &context, &draft)
        case .wrong: reply = answeredWrong(open, by: check.answerer, at: context.now, &draft)
        case .failed:
            // Its presenter may be gone, and no other may be able to show it. No peer is charged for that.
            redecide(by: nil, at: context.now, &context, &draft)
            reply = .refused(.checkFailed)
        }
        draft.settle(check.wait, reply)
        return .done
    }

    /// The outcome that counts: failed if the secret was replaced meanwhile, wrong if the code has been used since.
    private func judged(_ outcome: SecretOutcome, against reference: SecretReference) -> SecretOutcome {
        switch (outcome, reference) {
        case (.failed, _):
            return .failed
        case (.right, .passcode(let hash)), (.wrong, .passcode(let hash)):
            return records.passcodeHash == hash ? outcome : .failed
        case (.wrong, .totp(let key)):
            return records.totp?.key == key ? .wrong : .failed
        case (.right(let step), .totp(let key)):
            guard let totp = records.totp, totp.key == key else { return .failed }
            return step.map { $0 > totp.usedStep } ?? false ? outcome : .wrong
        }
    }

    private mutating func useUp(_ step: UInt64?, _ draft: inout TransitionDraft) {
        guard let step, let totp = records.totp else { return }
        record(.totpSet(TOTPEnrolment(key: totp.key, usedStep: max(step, totp.usedStep))), &draft)
    }
}
