import GateModel

/// Orders challenges by how hard they are to pass for a child.
///
/// What counts first is whether only a grown-up's presenter takes the answer: then it can't be guessed. Second is the
/// kind, from the weakest: hold, swipe, confirm and birthdate say themselves how to pass (it is enough to read, or to
/// think of an early year); shapes, arithmetic-choice, quiz and arithmetic-entry need more and more knowledge or luck;
/// no program can work out passcode and totp. Third, among challenges of one kind, is the difficulty, the minimum age
/// or the length of the hold.
struct Sturdiness: Hashable, Sendable, Comparable {
    private let isForGrownUps: Bool
    private let kind: Int
    private let degree: Int64

    init(_ specification: ChallengeSpecification) {
        isForGrownUps = specification.answeredBy == .grownUp
        kind = specification.kind.rank
        degree =
            switch specification.kind {
            case .arithmeticChoice, .arithmeticEntry, .shapes, .quiz, .swipe: specification.difficulty.rank
            case .birthdate: Int64(specification.minimumAge)
            case .hold: specification.holdDuration.clampedNanoseconds
            case .confirm, .passcode, .totp: 0
            }
    }

    static func < (left: Sturdiness, right: Sturdiness) -> Bool {
        let ranks = { (sturdiness: Sturdiness) in
            (sturdiness.isForGrownUps ? 1 : 0, sturdiness.kind, sturdiness.degree)
        }
        return ranks(left) < ranks(right)
    }
}

extension Challenge.Kind {
    fileprivate var rank: Int {
        switch self {
        case .hold: 0
        case .swipe: 1
        case .confirm: 2
        case .birthdate: 3
        case .shapes: 4
        case .arithmeticChoice: 5
        case .quiz: 6
        case .arithmeticEntry: 7
        case .passcode: 8
        case .totp: 9
        }
    }
}

extension ChallengeSpecification.Difficulty {
    fileprivate var rank: Int64 {
        switch self {
        case .easy: 0
        case .medium: 1
        case .hard: 2
        }
    }
}
