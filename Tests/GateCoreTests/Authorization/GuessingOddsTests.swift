import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("How likely guessing passes")
struct GuessingOddsTests {
    private static let builtIn = Configuration.builtIn.lockout

    @Test("three answers and the built-in lockout: nine tries in the first hour, 97 in 100 (docs/security.md)")
    func threeAnswers() {
        let odds = odds(.init(.arithmeticChoice))
        #expect(odds.tries() == 9)
        #expect((0.965..<0.975).contains(odds.probability()))
        #expect(odds.programPasses)
    }

    @Test("the tries are those that the lockout allows, two seconds each")
    func tries() {
        // Waits of 2, 4 and 6 s; then lockouts of 30, 60, 120 … s, each followed by one try.
        let odds = odds(.init(.arithmeticChoice))
        let answered: [Int64] = [2, 4, 6, 38, 100, 222, 464, 946, 1908, 3830]
        for (index, second) in answered.enumerated() {
            let moment = Duration.seconds(second)
            #expect(odds.tries(within: moment) == index + 1)
            #expect(odds.tries(within: moment - .nanoseconds(1)) == index)
        }
        #expect(odds.tries(within: .zero) == 0 && odds.tries(within: .seconds(-1)) == 0)
        // The lockout doubles up to an hour: 3600 s takes the place of 3840.
        let day: Int64 = 24 * 3600
        let later = Int((day - 3830) / 3602)
        #expect(odds.tries(within: .seconds(day)) == 10 + later)
    }

    @Test("a milder lockout gives more tries, and a sterner one fewer")
    func lockouts() {
        let mild = Configuration.LockoutRule(after: 5, duration: .seconds(10), factor: 1, maximum: .seconds(10))
        let stern = Configuration.LockoutRule(after: 1, duration: .seconds(3600), factor: 2, maximum: .seconds(7200))
        // Five tries within 10 s; then one every 12 s.
        let quiz = ChallengeSpecification(.quiz)
        let (milder, sterner) = (odds(quiz, mild), odds(quiz, stern))
        let later: Int = (3600 - 10) / 12
        #expect(milder.tries() == 5 + later)
        #expect(sterner.tries() == 1)
        #expect(sterner.probability() == 0.25)
    }

    @Test("each kind of challenge has its own chance of a right guess")
    func chances() {
        let chances: [Challenge.Kind: Double] = [
            .arithmeticChoice: 1.0 / 3, .arithmeticEntry: 1.0 / 91, .shapes: 1.0 / 3, .quiz: 0.25, .confirm: 1,
            .birthdate: 133.0 / 151, .passcode: 0.0001, .totp: 0.000003, .hold: 1, .swipe: 1,
        ]
        for kind in Challenge.Kind.allCases {
            let chance = odds(.init(kind)).chancePerTry
            #expect(abs(chance - (chances[kind] ?? -1)) < 1e-12, "\(kind): \(chance)")
        }
        #expect(abs(odds(.init(.arithmeticEntry, difficulty: .easy)).chancePerTry - 1.0 / 41) < 1e-12)
        #expect(odds(.init(.arithmeticEntry, difficulty: .hard)).chancePerTry < 1.0 / 91)
    }

    @Test("a program can pass any challenge but a secret or a grown-up's permission")
    func programs() {
        for kind in Challenge.Kind.allCases {
            #expect(odds(.init(kind)).programPasses == (kind != .passcode && kind != .totp), "\(kind)")
            let answeredByGrownUp = odds(.init(kind, answeredBy: .grownUp))
            #expect(!answeredByGrownUp.programPasses && answeredByGrownUp.probability() == 0, "\(kind)")
        }
    }

    @Test("trying a hold takes as long as the hold; a hold that outlasts its deadline can't be passed")
    func holds() {
        #expect(odds(.init(.hold, holdDuration: .seconds(1))).tryDuration == .seconds(2))
        let long = odds(.init(.hold, holdDuration: .seconds(30)))
        #expect(long.tryDuration == .seconds(30) && long.probability(within: .seconds(29)) == 0)
        #expect(long.probability(within: .seconds(30)) == 1)
        let tooLong = odds(.init(.hold, holdDuration: .seconds(60)))
        #expect(tooLong.probability() == 0 && !tooLong.programPasses)
    }

    // MARK: Requirements

    @Test("passing all requirements is as likely as the least likely one, passing any as the likeliest")
    func allAndAny() {
        let choice = Requirement.challenge(ChallengeRule(.arithmeticChoice))
        let passcode = Requirement.challenge(ChallengeRule(.passcode))
        let one = odds(.init(.arithmeticChoice)).probability()
        let secret = odds(.init(.passcode)).probability()
        #expect(odds(choice).probability() == one && odds(passcode).probability() == secret)
        #expect(odds(.all([choice, passcode])).probability() == secret)
        #expect(odds(.any([choice, passcode])).probability() == one)
        #expect(odds(.all([choice, .any([choice, passcode])])).probability() == one)
        #expect(odds(.all([choice, passcode])).programPasses == false)
        #expect(odds(.any([choice, passcode])).programPasses)
        // A requirement without parts is never met, wherever it stands.
        for nothing in [Requirement.all([]), .any([]), .all([.all([]), .signedIn]), .all([.any([])])] {
            #expect(odds(nothing).probability() == 0 && !odds(nothing).programPasses, "\(nothing)")
        }
    }

    @Test("questions of one request have to be guessed right one after the other, however they are nested")
    func questionsInARow() {
        let choice = Requirement.challenge(ChallengeRule(.arithmeticChoice))
        let quiz = Requirement.challenge(ChallengeRule(.quiz))
        for requirement in [Requirement.all([choice, quiz]), .all([choice, .all([quiz])])] {
            let both = odds(requirement)
            #expect(abs(both.chancePerTry - 1.0 / 12) < 1e-12 && both.tryDuration == .seconds(4))
            #expect(both.tries() == 9 && both.programPasses)
        }
    }

    @Test("being signed in and having paid are not guessed: they count as passed, and a program can do both")
    func nothingToGuess() {
        for requirement in [Requirement.signedIn, .entitlement("premium"), .all([.signedIn, .entitlement("premium")])] {
            let odds = odds(requirement)
            #expect(!odds.isGuessed && odds.probability() == 1 && odds.programPasses)
            #expect(odds.tries() == 9, "the lockout is the policy's all the same")
            let byAge = OddsByAge(of: requirement, in: .builtIn)
            #expect(!byAge.isGuessed && byAge.programPasses && byAge.bands.map(\.ages) == [0...150])
            #expect(byAge.likeliest == odds)
        }
        #expect(odds(.init(.confirm)).isGuessed, "who asks for a yes asks something")
        #expect(odds(.parentMode).isGuessed && odds(.any([])).isGuessed)
    }

    @Test("a sign-in beside a question does not change the odds; as an alternative, it makes the question pointless")
    func nothingToGuessAmongQuestions() {
        let passcode = Requirement.challenge(ChallengeRule(.passcode))
        let choice = Requirement.challenge(ChallengeRule(.arithmeticChoice))
        let confirm = Requirement.challenge(ChallengeRule(.confirm))
        let denied = Requirement.challenge(ChallengeRule(.init(.confirm, answeredBy: .grownUp)))
        for condition in [Requirement.signedIn, .entitlement("premium")] {
            for question in [passcode, choice, confirm, denied, .all([choice, passcode]), .any([choice, passcode])] {
                #expect(odds(.all([condition, question])) == odds(question))
                #expect(odds(.all([question, .all([condition])])) == odds(question))
                let either = odds(.any([question, condition]))
                #expect(!either.isGuessed && either.probability() == 1 && either.programPasses)
            }
            // One way has a question, and one has none.
            #expect(!odds(.any([.all([condition, passcode]), condition])).isGuessed)
            #expect(odds(.all([passcode, .any([condition, choice])])) == odds(passcode))
            #expect(odds(.any([.all([condition, passcode]), choice])) == odds(choice))
        }
    }

    @Test("passing a requirement for parent mode is as likely as entering parent mode")
    func parentMode() {
        var configuration = Configuration.builtIn
        #expect(!GuessingOdds(of: .parentMode, in: configuration, forAge: nil).programPasses)
        configuration.modeChallenge = ChallengeRule(.arithmeticChoice)
        let mode = GuessingOdds(of: .parentMode, in: configuration, forAge: nil)
        #expect(mode == odds(.init(.arithmeticChoice)))
        #expect(OddsByAge(ofModeIn: configuration).likeliest == mode)
    }

    @Test("parent mode is not guessed before an action on other devices, or on Gate: it lasts, for every program")
    func parentModeIsGiven() {
        var configuration = Configuration.builtIn
        configuration.modeChallenge = ChallengeRule(.totp)
        let confirm = Requirement.challenge(ChallengeRule(.confirm))
        let requirements: [Requirement] = [
            .all([.parentMode, confirm]), .any([.all([.parentMode, confirm]), .challenge(ChallengeRule(.passcode))]),
        ]
        for requirement in requirements {
            for name in ["household.open", "household.answer", "gate.change"] {
                let odds = OddsByAge(of: requirement, before: name, in: configuration)
                #expect(odds.programPasses && odds.isGuessed && odds.likeliest.probability() == 1, "\(name)")
            }
            for name in ["link.open", nil] {
                let odds = OddsByAge(of: requirement, before: name, in: configuration)
                #expect(!odds.programPasses && odds.likeliest.probability() < 0.01)
            }
        }
        #expect(!OddsByAge(of: .parentMode, before: "household.open", in: configuration).isGuessed)
    }

    @Test("each age that the policy tells apart has its odds, and the unknown one those of the sturdiest (F-26)")
    func ages() {
        let rule = ChallengeRule(bands: [
            .init(ages: 0...8, challenge: .init(.arithmeticChoice)),
            .init(ages: 9...11, challenge: .init(.arithmeticEntry)),
            .init(ages: 12...150, challenge: .init(.passcode)),
        ])
        let byAge = OddsByAge(of: .challenge(rule), in: .builtIn)
        #expect(byAge.bands.map(\.ages) == [0...8, 9...11, 12...150])
        #expect(byAge.bands.map(\.odds.programPasses) == [true, true, false])
        #expect(byAge.unknownAge == odds(.init(.passcode)))
        #expect(byAge.likeliest == odds(.init(.arithmeticChoice)) && byAge.programPasses)

        let other = ChallengeRule(bands: [
            .init(ages: 0...10, challenge: .init(.quiz)), .init(ages: 11...150, challenge: .init(.confirm)),
        ])
        let either = OddsByAge(of: .any([.challenge(rule), .challenge(other)]), in: .builtIn)
        #expect(either.bands.map(\.ages) == [0...8, 9...10, 11...150])
        #expect(OddsByAge(of: .challenge(ChallengeRule(.shapes)), in: .builtIn).bands.map(\.ages) == [0...150])
    }

    // MARK: Simulation

    @Test(
        "somebody who guesses passes as often as computed: thousands of hours, played",
        arguments: [
            Guesser.Play(.init(.arithmeticChoice), hours: 1_000),
            Guesser.Play(.init(.arithmeticChoice, difficulty: .easy), after: 1, hours: 1_000),
            Guesser.Play(.init(.shapes, difficulty: .easy), after: 2, hours: 1_000),
            Guesser.Play(.init(.quiz), hours: 1_000),
            Guesser.Play(.init(.quiz, difficulty: .hard), after: 1, hours: 1_000),
            Guesser.Play(.init(.arithmeticEntry), hours: 1_000),
            Guesser.Play(.init(.arithmeticEntry, difficulty: .easy), hours: 1_000),
            Guesser.Play(.init(.birthdate, minimumAge: 120), after: 1, hours: 1_000),
            Guesser.Play(.init(.passcode), after: 1_000, hours: 300),
            Guesser.Play(.init(.confirm), hours: 100),
            Guesser.Play(.init(.hold), hours: 100),
            Guesser.Play(.init(.swipe), hours: 100),
        ])
    func simulated(play: Guesser.Play) {
        let expected = GuessingOdds(
            of: play.specification, lockout: play.lockout, answerTime: .seconds(60)
        ).probability()
        var guesser = Guesser(play, seed: 3)
        let passed = (0..<play.hours).count { _ in guesser.passesWithinAnHour() }
        // Five standard deviations, and the seed is fixed.
        let deviation = (expected * (1 - expected) / Double(play.hours)).squareRoot()
        let share = Double(passed) / Double(play.hours)
        #expect(abs(share - expected) <= 5 * deviation + 1e-9, "\(share) of the hours, computed: \(expected)")
    }

    private func odds(
        _ specification: ChallengeSpecification, _ lockout: Configuration.LockoutRule = builtIn
    ) -> GuessingOdds {
        GuessingOdds(of: specification, lockout: lockout, answerTime: .seconds(60))
    }

    private func odds(_ requirement: Requirement) -> GuessingOdds {
        GuessingOdds(of: requirement, in: .builtIn, forAge: nil)
    }
}

/// A guesser who knows nothing and tries whenever the lockout allows it.
struct Guesser {
    /// The challenge that is guessed at, the lockout, and the number of tries.
    struct Play: CustomTestStringConvertible {
        let specification: ChallengeSpecification
        let lockout: Configuration.LockoutRule
        let hours: Int

        init(_ specification: ChallengeSpecification, after: Int = 3, hours: Int) {
            self.specification = specification
            lockout = Configuration.LockoutRule(
                after: after, duration: .seconds(30), factor: 2, maximum: .seconds(3600))
            self.hours = hours
        }

        var testDescription: String {
            "\(specification.kind.rawValue), \(specification.difficulty.rawValue), locked after \(lockout.after)"
        }
    }

    private let play: Play
    private var random: SeededGenerator
    private static let today = WallTime(unixMilliseconds: 1_750_000_000_000)
    private static let questions = ChallengeSpecification.Difficulty.allCases.map { difficulty in
        QuizQuestion(
            id: difficulty.rawValue, difficulty: difficulty,
            texts: [.init(language: "en", question: "?", right: "a", wrong: ["b", "c", "d"])])
    }

    init(_ play: Play, seed: UInt64) {
        self.play = play
        random = SeededGenerator(seed: seed)
    }

    mutating func passesWithinAnHour() -> Bool {
        let rules = LockoutRules(play.lockout)
        var now = BootTime(nanoseconds: 0)
        var lockout: Lockout?
        while true {
            let asked = now
            now = now.advanced(by: max(.seconds(2), play.specification.kind == .hold ? .seconds(3) : .zero))
            guard now <= BootTime(nanoseconds: 3_600_000_000_000) else { return false }
            let sealed = SealedChallenge.make(play.specification, questions: Self.questions, using: &random)
            let verdict = sealed.verdict(
                on: answer(to: sealed.challenge), at: now, wallTime: Self.today, pressedAt: asked)
            switch verdict {
            case .right:
                return true
            case .checkSecret(let typed):
                if typed == GateSecret("2468".utf8) { return true }
            case .wrong, .refused:
                break
            case .notAnAnswer(let sentence):
                Issue.record("\(sentence)")
                return false
            }
            lockout = rules.counted(.wrongAnswer, on: lockout, at: now)
            now = max(now, lockout?.lockedUntil ?? now)
        }
    }

    private mutating func answer(to challenge: Challenge) -> ChallengeAnswer {
        switch challenge {
        case .arithmeticChoice(_, let choices), .shapes(_, let choices):
            .text("\(choices[Int.random(in: choices.indices, using: &random)])")
        case .arithmeticEntry:
            // The likeliest sum of two numbers from the same range.
            .text(play.specification.difficulty == .easy ? "60" : "110")
        case .quiz(let texts):
            .text("\(Int.random(in: 1...texts[0].choices.count, using: &random))")
        case .birthdate:
            .text(randomBirthdate())
        case .passcode, .totp:
            .secret(GateSecret("\(Int.random(in: 10_000...19_999, using: &random))".utf8.dropFirst()))
        case .confirm:
            .text("yes")
        case .hold:
            .released
        case .swipe(let gesture):
            .swiped(gesture)
        }
    }

    /// The birthdate of somebody from 0 to 150 years old.
    private mutating func randomBirthdate() -> String {
        let milliseconds = Int64.random(in: 0..<(151 * 365_2422 * 8_640), using: &random)
        let date = CivilDate(WallTime(unixMilliseconds: Self.today.unixMilliseconds - milliseconds))
        let twoDigits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day))"
    }
}
