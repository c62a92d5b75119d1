package import GateModel

extension GuessingOdds {
    /// The odds of a gated action: those of the part that decides.
    ///
    /// The odds of `all` are those of its least likely part. Questions whose wrong answers are counted together form
    /// one part, because all of them have to be answered in succession without a mistake. The odds of `any` are those
    /// of its likeliest part. Parent mode has the odds of entering it. A session, a payment, a completed form or an
    /// open schedule is not guessed (`isGuessed`): it changes nothing in `all`, and makes questions beside it in `any`
    /// pointless.
    ///
    /// - Parameter isInParentMode: whether the device is in parent mode already. Then that is not guessed, either.
    package init(
        of requirement: Requirement, in configuration: Configuration, forAge age: Int?, isInParentMode: Bool = false
    ) {
        switch requirement {
        case .parentMode:
            if isInParentMode {
                self = .unasked(configuration.lockout)
            } else {
                self.init(of: configuration.modeChallenge, in: configuration, forAge: age)
            }
        case .challenge(let rule):
            self.init(of: rule, in: configuration, forAge: age)
        case .signedIn, .entitlement, .form, .during, .allowance:
            self = .unasked(configuration.lockout)
        case .all(let requirements) where requirements.isEmpty:
            self = .impossible(configuration.lockout)
        case .all(let requirements):
            self.init(ofAll: requirements, in: configuration, forAge: age, isInParentMode: isInParentMode)
        case .any(let requirements):
            let parts = requirements.map {
                GuessingOdds(of: $0, in: configuration, forAge: age, isInParentMode: isInParentMode)
            }
            // A part without a question decides, since no question can be likelier to be passed.
            let likeliest = parts.first { !$0.isGuessed } ?? parts.max { $0.probability() < $1.probability() }
            self.init(
                likeliest ?? .impossible(configuration.lockout), programPasses: parts.contains { $0.programPasses })
        }
    }

    package init(of rule: ChallengeRule, in configuration: Configuration, forAge age: Int?) {
        self.init(
            of: rule.specification(forAge: age), lockout: configuration.lockout, answerTime: configuration.answerTime)
    }

    private init(
        ofAll requirements: [Requirement], in configuration: Configuration, forAge age: Int?, isInParentMode: Bool
    ) {
        var parts: [GuessingOdds] = []
        // By the counter of their wrong answers: each secret has its own, and the gated action has one for all others.
        var asked: [SecretKind?: [GuessingOdds]] = [:]
        for requirement in requirements.flatMap(\.flattened) {
            let odds = GuessingOdds(
                of: requirement, in: configuration, forAge: age, isInParentMode: isInParentMode)
            switch requirement {
            case .challenge(let rule):
                asked[rule.specification(forAge: age).kind.secret, default: []].append(odds)
            case .parentMode, .signedIn, .entitlement, .form, .during, .allowance, .all, .any:
                parts.append(odds)
            }
        }
        let counters: [SecretKind?] = [nil] + SecretKind.allCases.map { $0 }
        parts += counters.compactMap { asked[$0] }.map { questions in
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

    /// The odds of `all` and `any` without parts, which are never met.
    private static func impossible(_ lockout: Configuration.LockoutRule) -> GuessingOdds {
        GuessingOdds(chancePerTry: 0, lockout: lockout, programPasses: false, isGuessed: true)
    }

    /// The odds if nothing is guessed: being signed in, having paid, a completed form, an open schedule, or parent mode
    /// if the device is in it.
    private static func unasked(_ lockout: Configuration.LockoutRule) -> GuessingOdds {
        GuessingOdds(chancePerTry: 1, lockout: lockout, programPasses: true, isGuessed: false)
    }
}

extension Requirement {
    fileprivate var flattened: [Requirement] {
        switch self {
        case .all(let requirements) where !requirements.isEmpty: requirements.flatMap(\.flattened)
        case .parentMode, .challenge, .signedIn, .entitlement, .form, .during, .allowance, .all, .any: [self]
        }
    }
}
