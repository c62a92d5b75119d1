package import GateModel

extension GuessingOdds {
    /// The odds of a gated action: those of the part that decides.
    ///
    /// `all` is as likely as the least likely of its parts, where those whose wrong answers are counted together are
    /// one part: its questions have to be answered one after the other, none of them wrong. `any` is as likely as the
    /// likeliest of its parts. Parent mode is as likely as getting into it. To be signed in, to have paid, or to have completed a form is nothing
    /// that is guessed at (`isGuessed`): in `all` it changes nothing about the questions beside it, in `any` it makes them
    /// idle.
    ///
    /// - Parameter age: of the guesser, in years; `nil`: unknown.
    package init(of requirement: Requirement, in configuration: Configuration, forAge age: Int?) {
        switch requirement {
        case .parentMode:
            self.init(of: configuration.modeChallenge, in: configuration, forAge: age)
        case .challenge(let rule):
            self.init(of: rule, in: configuration, forAge: age)
        case .signedIn, .entitlement, .form:
            self = .unasked(configuration.lockout)
        case .all(let requirements):
            self.init(ofAll: requirements, in: configuration, forAge: age)
        case .any(let requirements):
            let parts = requirements.map { GuessingOdds(of: $0, in: configuration, forAge: age) }
            // What asks nothing comes first: no question makes anybody more likely to get through.
            let likeliest = parts.first { !$0.isGuessed } ?? parts.max { $0.probability() < $1.probability() }
            self.init(
                likeliest ?? .impossible(configuration.lockout), programPasses: parts.contains { $0.programPasses })
        }
    }

    /// The odds of the question for somebody of this age; `nil`: unknown.
    package init(of rule: ChallengeRule, in configuration: Configuration, forAge age: Int?) {
        self.init(
            of: rule.specification(forAge: age), lockout: configuration.lockout, answerTime: configuration.answerTime)
    }

    private init(ofAll requirements: [Requirement], in configuration: Configuration, forAge age: Int?) {
        var parts: [GuessingOdds] = []
        var asked: [Counter: [GuessingOdds]] = [:]
        for requirement in requirements.flatMap(\.flattened) {
            let odds = GuessingOdds(of: requirement, in: configuration, forAge: age)
            switch requirement {
            case .challenge(let rule):
                asked[Counter(rule.specification(forAge: age).kind), default: []].append(odds)
            case .parentMode, .signedIn, .entitlement, .form, .all, .any:
                parts.append(odds)
            }
        }
        parts += Counter.allCases.compactMap { asked[$0] }.map { questions in
            GuessingOdds(
                chancePerTry: questions.reduce(1) { $0 * $1.chancePerTry },
                tryDuration: questions.reduce(.zero) { $0 + $1.tryDuration },
                lockout: configuration.lockout, guessLimit: questions.compactMap(\.guessLimit).min(),
                programPasses: questions.allSatisfy(\.programPasses), isGuessed: true)
        }
        let leastLikely = parts.filter(\.isGuessed).min { $0.probability() < $1.probability() }
        self.init(leastLikely ?? .unasked(configuration.lockout), programPasses: parts.allSatisfy(\.programPasses))
    }

    private init(_ decisive: GuessingOdds, programPasses: Bool) {
        self.init(
            chancePerTry: decisive.chancePerTry, tryDuration: decisive.tryDuration, lockout: decisive.lockout,
            guessLimit: decisive.guessLimit, programPasses: programPasses, isGuessed: decisive.isGuessed)
    }

    /// Nothing can be done to pass: `any` of nothing.
    private static func impossible(_ lockout: Configuration.LockoutRule) -> GuessingOdds {
        GuessingOdds(chancePerTry: 0, lockout: lockout, programPasses: false, isGuessed: true)
    }

    /// Nothing is guessed: somebody is signed in, something is paid for, a form is completed, or it is `all` of nothing.
    private static func unasked(_ lockout: Configuration.LockoutRule) -> GuessingOdds {
        GuessingOdds(chancePerTry: 1, lockout: lockout, programPasses: true, isGuessed: false)
    }

    /// Where the wrong answers of one gated action are counted.
    private enum Counter: Hashable, CaseIterable {
        case gatedAction
        case passcode
        case totp

        init(_ kind: Challenge.Kind) {
            switch kind {
            case .passcode: self = .passcode
            case .totp: self = .totp
            case .arithmeticChoice, .arithmeticEntry, .shapes, .quiz, .confirm, .birthdate, .hold, .swipe:
                self = .gatedAction
            }
        }
    }
}

extension Requirement {
    /// The parts of an `all` of `all`s.
    fileprivate var flattened: [Requirement] {
        switch self {
        case .all(let requirements): requirements.flatMap(\.flattened)
        case .parentMode, .challenge, .signedIn, .entitlement, .form, .any: [self]
        }
    }
}
