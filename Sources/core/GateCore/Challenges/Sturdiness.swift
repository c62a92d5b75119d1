import GateModel

/// How much a challenge holds back, to compare challenges by.
///
/// First of all it counts whether only a grown-up's presenter takes the answer: then there is nothing to guess. Then
/// the kind, from the weakest: hold, swipe, confirm and birthdate, which say themselves how to pass them (anyone who can
/// read, or thinks of an early year, does); shapes, arithmetic-choice, quiz and arithmetic-entry, which have ever more
/// to know or more to guess among; passcode and totp, which no program can work out. Last, within a kind, the
/// difficulty, the minimum age or the length of a hold.
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
