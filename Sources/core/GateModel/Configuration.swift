/// The settings of an administrator: the policy, as values. Until a policy says otherwise, `Configuration.builtIn` is
/// in force.
package struct Configuration: Hashable, Sendable {
    package typealias LockoutRule = PolicySummary.LockoutRule

    /// The challenge in front of parent mode.
    package var modeChallenge: ChallengeRule
    /// How the questions before parent mode and before a longer lease are shown.
    package var modeStyle: Presentation.Style
    /// How long parent mode lasts (G-02).
    package var lease: Duration
    /// The longest lease that can be asked for.
    package var maximumLease: Duration
    /// How long a challenge waits for its answer, once it can be shown.
    package var answerTime: Duration
    /// The price of wrong answers.
    package var lockout: LockoutRule
    /// The gated actions by name. One that is not in here is denied (G-04).
    package var gatedActions: [String: GatedAction]
    /// The questions that `quiz` draws from.
    package var questions: [QuizQuestion]
    /// Whether somebody has to sign in, and for how long.
    package var signIn: SignInRule
    /// The entitlements by name.
    package var entitlements: [String: EntitlementDefinition]
    /// The entitlement behind the paywall, and how it is shown.
    package var paywall: PaywallRule
    /// The entitlement that each item of a provider gives, by name.
    package var items: [ProviderItem: String]
    /// The holders of RevenueCat's users here.
    package var customers: [String: Claim.Holder]
    /// The forms by name (F-46).
    package var forms: [String: FormDescription]
    /// The release notes by app (F-56).
    package var releaseNotes: [String: ReleaseNotes]
    /// The household that this device belongs to; `nil`: none.
    package var household: HouseholdSettings?
    /// The number of the household's policy that is part of this; `nil`: none is.
    package var householdPolicy: UInt64?

    /// Makes a configuration of these values.
    package init(
        modeChallenge: ChallengeRule, modeStyle: Presentation.Style = .sheet, lease: Duration, maximumLease: Duration,
        answerTime: Duration, lockout: LockoutRule, gatedActions: [String: GatedAction] = [:],
        questions: [QuizQuestion] = [], signIn: SignInRule = .builtIn,
        entitlements: [String: EntitlementDefinition] = [:],
        paywall: PaywallRule = PaywallRule(), items: [ProviderItem: String] = [:],
        customers: [String: Claim.Holder] = [:], forms: [String: FormDescription] = [:],
        releaseNotes: [String: ReleaseNotes] = [:], household: HouseholdSettings? = nil, householdPolicy: UInt64? = nil
    ) {
        self.modeChallenge = modeChallenge
        self.modeStyle = modeStyle
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
        self.household = household
        self.householdPolicy = householdPolicy
    }

    /// The longest that a policy lets parent mode last.
    package static let longestLease = Duration.seconds(7 * 24 * 3600)

    /// A passcode, 15 minutes of parent mode, a minute to answer; three wrong answers lock for 30 s, each later one twice
    /// as long, at most an hour. No gated actions: all are denied.
    package static let builtIn = Configuration(
        modeChallenge: ChallengeRule(.passcode), lease: .seconds(15 * 60), maximumLease: .seconds(24 * 3600),
        answerTime: .seconds(60),
        lockout: LockoutRule(after: 3, duration: .seconds(30), factor: 2, maximum: .seconds(3600)))
}

/// Something that a policy guards (F-13, F-17).
package struct GatedAction: Hashable, Sendable {
    /// The title that people read, in each of its languages: "Open a web page".
    package var titles: LocalizedText
    /// The title in its default language.
    package var title: String { titles.text }
    /// The requirement.
    package var requirement: Requirement
    /// How long its user is not asked again; `nil`: every time.
    package var keep: Duration?
    /// How its questions are shown.
    package var style: Presentation.Style

    /// Makes a gated action of these values.
    package init(
        title: LocalizedText, requirement: Requirement, keep: Duration? = nil, style: Presentation.Style = .sheet
    ) {
        titles = title
        self.requirement = requirement
        self.keep = keep
        self.style = style
    }

    /// The gated actions whose grant reaches other devices of the household, and what the grant does there. Each of them asks every time,
    /// since a kept answer would count more than once. If the policy names a secret that nobody has set up, a grown-up answers the sum
    /// that takes its place, since any program can do a sum.
    package static let effectsElsewhere = [
        GuardianOrder.gatedAction: "open other devices", HouseholdRequest.gatedAction: "say yes to other devices",
    ]
}

/// The condition for granting a gated action (F-15).
package indirect enum Requirement: Hashable, Sendable {
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
package struct ChallengeRule: Hashable, Sendable {
    /// The question for some ages.
    package struct Band: Hashable, Sendable {
        /// In years; the last band of a rule has no end.
        package var ages: ClosedRange<Int>
        /// The question.
        package var challenge: ChallengeSpecification

        /// Makes a band of these values.
        package init(ages: ClosedRange<Int>, challenge: ChallengeSpecification) {
            self.ages = ages
            self.challenge = challenge
        }
    }

    /// The greatest age that anybody has.
    package static let maximumAge = 150

    /// In ascending order, without gaps or overlaps, from 0 to `maximumAge`. At least one.
    package var bands: [Band]

    /// Makes a rule of these bands.
    package init(bands: [Band]) {
        self.bands = bands
    }

    /// One for all ages.
    package init(_ challenge: ChallengeSpecification) {
        bands = [Band(ages: 0...Self.maximumAge, challenge: challenge)]
    }

    /// Makes a rule with one kind of question for all ages.
    package init(_ kind: Challenge.Kind) {
        self.init(ChallengeSpecification(kind))
    }
}

/// A challenge as a policy describes it.
package struct ChallengeSpecification: Hashable, Sendable {
    /// How hard a question is.
    package enum Difficulty: String, Hashable, Sendable, CaseIterable {
        /// For small children.
        case easy
        /// For older children.
        case medium
        /// For grown-ups.
        case hard
    }

    /// The people who may be shown it and answer.
    package enum AnsweredBy: String, Hashable, Sendable, CaseIterable {
        /// Any presenter, and the requester itself. Secrets: presenters of grown-ups, and the requester itself.
        case anybody
        /// Presenters of grown-ups alone: permission from another session (F-17).
        case grownUp = "grown-up"
    }

    /// The kind of question.
    package var kind: Challenge.Kind
    /// For arithmetic, shapes, quiz and swipe.
    package var difficulty: Difficulty
    /// The people who may answer it.
    package var answeredBy: AnsweredBy
    /// For birthdate: years that somebody must have lived.
    package var minimumAge: Int
    /// For birthdate.
    package var calendar: BirthdateCalendar
    /// For hold: how long at least.
    package var holdDuration: Duration

    /// Makes a specification of these values.
    package init(
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
package struct QuizQuestion: Hashable, Sendable {
    /// The question in one language.
    package struct Text: Hashable, Sendable {
        /// A BCP 47 tag, like "en" or "zh".
        package var language: String
        /// The question.
        package var question: String
        /// The right answer.
        package var right: String
        /// Three.
        package var wrong: [String]

        /// Makes a text of these values.
        package init(language: String, question: String, right: String, wrong: [String]) {
            self.language = language
            self.question = question
            self.right = right
            self.wrong = wrong
        }
    }

    /// Its name in the file.
    package var id: String
    /// How hard it is.
    package var difficulty: ChallengeSpecification.Difficulty
    /// One for each language, the wrong answers in the same order in all. At least one.
    package var texts: [Text]

    /// Makes a question of these values.
    package init(id: String, difficulty: ChallengeSpecification.Difficulty, texts: [Text]) {
        self.id = id
        self.difficulty = difficulty
        self.texts = texts
    }
}

package typealias SignInRule = PolicySummary.SignInRule

extension SignInRule {
    /// Nobody has to; 12 hours, 30 days at most.
    package static let builtIn = SignInRule(
        isRequired: false, session: .seconds(12 * 3600), maximumSession: .seconds(30 * 24 * 3600))
}

/// The paywall for somebody who asks for premium, where the request does not say (F-52).
package struct PaywallRule: Hashable, Sendable {
    /// The entitlement that `subscriptionActive` tells of. `nil`: the only one there is.
    package var entitlement: String?
    /// Through whom it is bought.
    package var provider: ClaimProvider
    /// How it is shown.
    package var style: Presentation.Style

    /// Makes a rule of these values.
    package init(
        entitlement: String? = nil, provider: ClaimProvider = .revenueCat, style: Presentation.Style = .sheet
    ) {
        self.entitlement = entitlement
        self.provider = provider
        self.style = style
    }
}

extension Configuration {
    /// The entitlement that stands behind the paywall; `nil`: the policy does not say which.
    package var subscription: String? {
        paywall.entitlement ?? (entitlements.count == 1 ? entitlements.keys.first : nil)
    }
}
