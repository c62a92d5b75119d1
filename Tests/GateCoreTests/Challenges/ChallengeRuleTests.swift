import GateModel
import Testing

@testable import GateCore

@Suite("Which challenge is asked of whom")
struct ChallengeRuleTests {
    private static let rule = ChallengeRule(bands: [
        .init(ages: 0...8, challenge: .init(.arithmeticChoice)),
        .init(ages: 9...11, challenge: .init(.arithmeticEntry)),
        .init(ages: 12...ChallengeRule.maximumAge, challenge: .init(.passcode)),
    ])

    @Test("each age gets the challenge of its band, to the ends of it (F-26)")
    func bands() {
        let kinds: [Int: Challenge.Kind] = [
            0: .arithmeticChoice, 8: .arithmeticChoice, 9: .arithmeticEntry, 11: .arithmeticEntry, 12: .passcode,
            150: .passcode,
        ]
        for (age, kind) in kinds {
            #expect(Self.rule.specification(forAge: age).kind == kind, "\(age)")
        }
    }

    @Test("an age outside the bands gets the nearest band's challenge")
    func impossibleAges() {
        #expect(Self.rule.specification(forAge: -1).kind == .arithmeticChoice)
        #expect(Self.rule.specification(forAge: .min).kind == .arithmeticChoice)
        #expect(Self.rule.specification(forAge: 151).kind == .passcode)
        #expect(Self.rule.specification(forAge: .max).kind == .passcode)
    }

    @Test("an unknown age gets the sturdiest challenge, wherever it stands in the rule")
    func unknownAge() {
        #expect(Self.rule.specification(forAge: nil).kind == .passcode)
        let reversed = ChallengeRule(bands: [
            .init(ages: 0...11, challenge: .init(.arithmeticEntry, difficulty: .hard)),
            .init(ages: 12...150, challenge: .init(.arithmeticEntry, difficulty: .easy)),
        ])
        #expect(reversed.specification(forAge: nil).difficulty == .hard)
        let grownUp = ChallengeRule(bands: [
            .init(ages: 0...11, challenge: .init(.confirm, answeredBy: .grownUp)),
            .init(ages: 12...150, challenge: .init(.totp)),
        ])
        #expect(grownUp.specification(forAge: nil).kind == .confirm)
    }

    @Test("one challenge for all ages is asked of everybody")
    func oneForAll() {
        let rule = ChallengeRule(.shapes)
        for age in [nil, 0, 7, 99] as [Int?] {
            #expect(rule.specification(forAge: age) == ChallengeSpecification(.shapes))
        }
    }

    @Test("a rule without bands, which no policy makes, asks for a passcode")
    func noBands() {
        for age in [nil, 5] as [Int?] {
            #expect(ChallengeRule(bands: []).specification(forAge: age).kind == .passcode)
        }
    }

    @Test("the kinds are in this order, from the weakest to the sturdiest")
    func orderOfKinds() {
        let order = Challenge.Kind.allCases.sorted {
            Sturdiness(ChallengeSpecification($0)) < Sturdiness(ChallengeSpecification($1))
        }
        #expect(
            order == [
                .hold, .swipe, .confirm, .birthdate, .shapes, .arithmeticChoice, .quiz, .arithmeticEntry, .passcode,
                .totp,
            ])
    }

    @Test("within a kind, a harder challenge, a higher age or a longer hold is sturdier")
    func orderWithinKinds() {
        let ascending: [[ChallengeSpecification]] = [
            [.init(.shapes, difficulty: .easy), .init(.shapes), .init(.shapes, difficulty: .hard)],
            [.init(.birthdate, minimumAge: 14), .init(.birthdate), .init(.birthdate, minimumAge: 21)],
            [.init(.hold, holdDuration: .seconds(1)), .init(.hold), .init(.hold, holdDuration: .seconds(10))],
            [.init(.quiz, difficulty: .hard), .init(.arithmeticEntry, difficulty: .easy)],
            [.init(.totp), .init(.hold, answeredBy: .grownUp), .init(.passcode, answeredBy: .grownUp)],
        ]
        for specifications in ascending {
            for (weaker, sturdier) in zip(specifications, specifications.dropFirst()) {
                #expect(Sturdiness(weaker) < Sturdiness(sturdier), "\(weaker) \(sturdier)")
            }
        }
        // A setting that a kind does not use makes it no sturdier.
        let passcode = Sturdiness(.init(.passcode, difficulty: .easy))
        #expect(passcode == Sturdiness(.init(.passcode, difficulty: .hard, minimumAge: 99)))
    }

    @Test("a sturdier kind is never easier to guess")
    func sturdinessAndOdds() {
        let odds = Challenge.Kind.allCases.map(ChallengeSpecification.init(kind:)).sorted {
            Sturdiness($0) < Sturdiness($1)
        }.map { GuessingOdds(of: $0, lockout: Configuration.builtIn.lockout, answerTime: .seconds(60)) }
        for (weaker, sturdier) in zip(odds, odds.dropFirst()) {
            #expect(weaker.chancePerTry >= sturdier.chancePerTry)
        }
    }
}

extension ChallengeSpecification {
    fileprivate init(kind: Challenge.Kind) {
        self.init(kind)
    }
}
