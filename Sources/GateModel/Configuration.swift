/// The settings of an administrator: the policy, as values. Until a policy says otherwise, `Configuration.builtIn` is
/// in force.
public struct Configuration: Hashable, Sendable {
    /// When wrong answers lock, and for how long (G-03).
    public struct LockoutRule: Hashable, Sendable {
        /// The wrong answer in a row that locks.
        public var after: Int
        /// How long the first lock lasts.
        public var duration: Duration
        /// How many times longer each later lock is.
        public var factor: Int
        /// The longest lock.
        public var maximum: Duration

        /// Makes a rule of these values.
        public init(after: Int, duration: Duration, factor: Int, maximum: Duration) {
            self.after = after
            self.duration = duration
            self.factor = factor
            self.maximum = maximum
        }
    }

    /// The challenge in front of parent mode.
    public var modeChallenge: ChallengeRule
    /// How long parent mode lasts (G-02).
    public var lease: Duration
    /// The longest lease that can be asked for.
    public var maximumLease: Duration
    /// How long a challenge waits for its answer, once it can be shown.
    public var answerTime: Duration
    /// The price of wrong answers.
    public var lockout: LockoutRule
    /// The gated actions by name. One that is not in here is denied (G-04).
    public var gatedActions: [String: GatedAction]
    /// The questions that `quiz` draws from.
    public var questions: [QuizQuestion]
    /// Whether somebody has to sign in, and for how long.
    public var signIn: SignInRule
    /// The entitlements by name.
    public var entitlements: [String: EntitlementDefinition]
    /// The entitlement behind the paywall, and how it is shown.
    public var paywall: PaywallRule
    /// The entitlement that each item of a provider gives, by name.
    public var items: [ProviderItem: String]
    /// The holders of RevenueCat's users here.
    public var customers: [String: Claim.Holder]
    /// The forms by name (F-46).
    public var forms: [String: FormDescription]
    /// The release notes by app (F-56).
    public var releaseNotes: [String: ReleaseNotes]

    /// Makes a configuration of these values.
    public init(
        modeChallenge: ChallengeRule, lease: Duration, maximumLease: Duration, answerTime: Duration,
        lockout: LockoutRule, gatedActions: [String: GatedAction] = [:], questions: [QuizQuestion] = [],
        signIn: SignInRule = .builtIn, entitlements: [String: EntitlementDefinition] = [:],
        paywall: PaywallRule = PaywallRule(), items: [ProviderItem: String] = [:],
        customers: [String: Claim.Holder] = [:], forms: [String: FormDescription] = [:],
        releaseNotes: [String: ReleaseNotes] = [:]
    ) {
        self.modeChallenge = modeChallenge
        self.lease = lease
        self.maximumLease = maximumLease
        self.answerTime = answerTime
        self.lockout = lockout
        self.gatedActions = gatedActions
        self.questions = questions
        self.signIn = signIn
        self.entitlements = entitlements
        self.paywall = paywall
        self.items = items
        self.customers = customers
        self.forms = forms
        self.releaseNotes = releaseNotes
    }

    /// A passcode, 15 minutes of parent mode, a minute to answer; three wrong answers lock for 30 s, each later one twice
    /// as long, at most an hour. No gated actions: all are denied.
    public static let builtIn = Configuration(
        modeChallenge: ChallengeRule(.passcode), lease: .seconds(15 * 60), maximumLease: .seconds(24 * 3600),
        answerTime: .seconds(60),
        lockout: LockoutRule(after: 3, duration: .seconds(30), factor: 2, maximum: .seconds(3600)))
}

/// Something that a policy guards (F-13, F-17).
public struct GatedAction: Hashable, Sendable {
    /// The title that people read: "Open a web page".
    public var title: String
    /// The requirement.
    public var requirement: Requirement
    /// How long its user is not asked again; `nil`: every time.
    public var keep: Duration?
    /// How its questions are shown.
    public var style: Presentation.Style

    /// Makes a gated action of these values.
    public init(title: String, requirement: Requirement, keep: Duration? = nil, style: Presentation.Style = .sheet) {
        self.title = title
        self.requirement = requirement
        self.keep = keep
        self.style = style
    }
}

/// The condition for granting a gated action (F-15).
@nonexhaustive
public indirect enum Requirement: Hashable, Sendable {
    /// The device is in parent mode. Nobody is asked for it here: an authorization never changes the mode.
    case parentMode
    /// A challenge was answered for this authorization.
    case challenge(ChallengeRule)
    /// Somebody is signed in, no matter who.
    case signedIn
    /// The entitlement with this name is active (F-15).
    case entitlement(String)
    /// A completed response to this form, as it is now, stands for the one who asks.
    case form(String)
    /// All of them, presented in this order. Not empty.
    case all([Requirement])
    /// One of them; the first that can be presented. Not empty.
    case any([Requirement])
}

/// Which challenge is asked of whom (F-26).
public struct ChallengeRule: Hashable, Sendable {
    /// The question for some ages.
    public struct Band: Hashable, Sendable {
        /// In years; the last band of a rule has no end.
        public var ages: ClosedRange<Int>
        /// The question.
        public var challenge: ChallengeSpecification

        /// Makes a band of these values.
        public init(ages: ClosedRange<Int>, challenge: ChallengeSpecification) {
            self.ages = ages
            self.challenge = challenge
        }
    }

    /// The greatest age that anybody has.
    public static let maximumAge = 150

    /// In ascending order, without gaps or overlaps, from 0 to `maximumAge`. At least one.
    public var bands: [Band]

    /// Makes a rule of these bands.
    public init(bands: [Band]) {
        self.bands = bands
    }

    /// One for all ages.
    public init(_ challenge: ChallengeSpecification) {
        bands = [Band(ages: 0...Self.maximumAge, challenge: challenge)]
    }

    /// Makes a rule with one kind of question for all ages.
    public init(_ kind: Challenge.Kind) {
        self.init(ChallengeSpecification(kind))
    }
}

/// A challenge as a policy describes it.
public struct ChallengeSpecification: Hashable, Sendable {
    /// How hard a question is.
    @nonexhaustive
    public enum Difficulty: String, Hashable, Sendable, CaseIterable {
        /// For small children.
        case easy
        /// For older children.
        case medium
        /// For grown-ups.
        case hard
    }

    /// The people who may be shown it and answer.
    @nonexhaustive
    public enum AnsweredBy: String, Hashable, Sendable, CaseIterable {
        /// Any presenter, and the requester itself. Secrets: presenters of grown-ups, and the requester itself.
        case anybody
        /// Presenters of grown-ups alone: permission from another session (F-17).
        case grownUp = "grown-up"
    }

    /// The kind of question.
    public var kind: Challenge.Kind
    /// For arithmetic, shapes, quiz and swipe.
    public var difficulty: Difficulty
    /// The people who may answer it.
    public var answeredBy: AnsweredBy
    /// For birthdate: years that somebody must have lived.
    public var minimumAge: Int
    /// For birthdate.
    public var calendar: BirthdateCalendar
    /// For hold: how long at least.
    public var holdDuration: Duration

    /// Makes a specification of these values.
    public init(
        _ kind: Challenge.Kind, difficulty: Difficulty = .medium, answeredBy: AnsweredBy = .anybody,
        minimumAge: Int = 18, calendar: BirthdateCalendar = .gregorian, holdDuration: Duration = .seconds(3)
    ) {
        self.kind = kind
        self.difficulty = difficulty
        self.answeredBy = answeredBy
        self.minimumAge = minimumAge
        self.calendar = calendar
        self.holdDuration = holdDuration
    }
}

/// A question of general knowledge, as a question bank has it.
public struct QuizQuestion: Hashable, Sendable {
    /// The question in one language.
    public struct Text: Hashable, Sendable {
        /// A BCP 47 tag, like "en" or "zh".
        public var language: String
        /// The question.
        public var question: String
        /// The right answer.
        public var right: String
        /// Three.
        public var wrong: [String]

        /// Makes a text of these values.
        public init(language: String, question: String, right: String, wrong: [String]) {
            self.language = language
            self.question = question
            self.right = right
            self.wrong = wrong
        }
    }

    /// Its name in the file.
    public var id: String
    /// How hard it is.
    public var difficulty: ChallengeSpecification.Difficulty
    /// One for each language, the wrong answers in the same order in all. At least one.
    public var texts: [Text]

    /// Makes a question of these values.
    public init(id: String, difficulty: ChallengeSpecification.Difficulty, texts: [Text]) {
        self.id = id
        self.difficulty = difficulty
        self.texts = texts
    }
}

/// How people sign in, and for how long (F-48).
public struct SignInRule: Hashable, Sendable {
    /// Whether the cover shows while nobody is signed in (F-49).
    public var isRequired: Bool
    /// How long a session lasts that nobody uses.
    public var session: Duration
    /// The longest that a session lasts, however much it is used.
    public var maximumSession: Duration

    /// Makes a rule of these values.
    public init(isRequired: Bool, session: Duration, maximumSession: Duration) {
        self.isRequired = isRequired
        self.session = session
        self.maximumSession = maximumSession
    }

    /// Nobody has to; 12 hours, 30 days at most.
    public static let builtIn = SignInRule(
        isRequired: false, session: .seconds(12 * 3600), maximumSession: .seconds(30 * 24 * 3600))
}

/// The paywall for somebody who asks for premium, where the request does not say (F-52).
public struct PaywallRule: Hashable, Sendable {
    /// The entitlement that `subscriptionActive` tells of. `nil`: the only one there is.
    public var entitlement: String?
    /// Through whom it is bought.
    public var provider: ClaimProvider
    /// How it is shown.
    public var style: Presentation.Style

    /// Makes a rule of these values.
    public init(
        entitlement: String? = nil, provider: ClaimProvider = .revenueCat, style: Presentation.Style = .sheet
    ) {
        self.entitlement = entitlement
        self.provider = provider
        self.style = style
    }
}

extension Configuration {
    /// The entitlement that stands behind the paywall; `nil`: the policy does not say which.
    public var subscription: String? {
        paywall.entitlement ?? (entitlements.count == 1 ? entitlements.keys.first : nil)
    }
}
