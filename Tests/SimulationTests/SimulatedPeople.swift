import GateModel
import GateProtocol
import GateScripting

/// Who is there in a simulation, and what they can do with a question.
enum SimulatedPeople {
    /// Two children, one with two programs and a range of uids; a screen in the hall, a grown-up's telephone; root; somebody without
    /// an account.
    static let all: [(uid: UInt32, roles: Roles)] = [
        (1001, .app), (1001, .app), (1002, .app), (1003, [.app, .presenter]),
        (1004, [.app, .presenter, .grownUpPresenter]),
        (0, [.app, .presenter, .grownUpPresenter, .administrator]), (1005, [.app, .provider]),
        (100_001, .app), (100_002, .app), (70_001, .app), (70_002, .app),
    ]

    /// The owner who is billed for a uid.
    static func owner(of uid: UInt32) -> Owner {
        switch uid {
        case 100_000..<200_000: .user(1001)
        case 70_000..<80_000: .withoutAccount
        default: .user(uid)
        }
    }

    /// The watchers, and their topics.
    static let watchers: [(person: (uid: UInt32, roles: Roles), topics: Set<WatchTopic>)] = [
        ((1001, .app), [.mode]), ((1001, .app), [.mode, .signIn, .entitlements]),
        ((1002, .app), Set(WatchTopic.allCases)), ((1003, [.app, .presenter]), [.presentations]),
        ((1005, [.app, .provider]), [.presentations, .entitlements]),
        ((0, [.app, .presenter, .grownUpPresenter, .administrator]), Set(WatchTopic.allCases)),
    ]

    static let gatedActions = [
        "link.open", "photos.send", "photos.delete", "purchase", "subscribe", "subscribe", "subscribe", "share",
        "premium", "premium",
    ]

    static var configuration: Configuration {
        let sum = ChallengeRule(.arithmeticChoice)
        var configuration = Configuration.builtIn
        configuration.modeChallenge = sum
        configuration.gatedActions = [
            "link.open": GatedAction(title: "Open a web page", requirement: .challenge(sum)),
            "photos.send": GatedAction(title: "Send photos", requirement: .challenge(sum), keep: .seconds(1200)),
            "photos.delete": GatedAction(title: "Delete photos", requirement: .parentMode),
            "purchase": GatedAction(
                title: "Buy", requirement: .all([.challenge(sum), .challenge(ChallengeRule(.passcode))])),
            "subscribe": GatedAction(
                title: "Subscribe",
                requirement: .challenge(ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp)))),
            "share": GatedAction(title: "Share", requirement: .any([.parentMode, .challenge(sum)])),
            "premium": GatedAction(title: "Filters", requirement: .all([.signedIn, .entitlement("premium")])),
        ]
        configuration.signIn = SignInRule(isRequired: true, session: .seconds(300), maximumSession: .seconds(900))
        configuration.entitlements = ["premium": EntitlementDefinition(title: "Premium")]
        configuration.items = [ProviderItem(.storeKit, "monthly"): "premium"]
        return configuration
    }

    static func rightAnswer(to challenge: Challenge) -> ChallengeAnswer {
        switch challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): .text("\(result(of: problem))")
        case .confirm: .text("yes")
        case .passcode: .secret(SimulatedDevice.passcode)
        case .shapes, .quiz, .birthdate, .totp, .hold, .swipe: .text("")
        }
    }

    static func wrongAnswer(to challenge: Challenge) -> ChallengeAnswer {
        switch challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): .text("1\(result(of: problem))")
        case .confirm: .text("no")
        case .passcode: .secret(GateSecret("4321".utf8))
        case .shapes, .quiz, .birthdate, .totp, .hold, .swipe: .text("")
        }
    }

    private static func result(of problem: ArithmeticProblem) -> Int {
        switch problem.operator {
        case .plus: problem.left + problem.right
        case .minus: problem.left - problem.right
        case .times: problem.left * problem.right
        case .dividedBy: problem.left / problem.right
        }
    }
}
