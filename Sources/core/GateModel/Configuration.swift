/// The policy of an administrator, as values. Until there is a policy, `Configuration.builtIn` is in force.
package struct Configuration: Hashable, Sendable {
    package typealias LockoutRule = PolicySummary.LockoutRule

    /// The challenge that guards parent mode.
    package var modeChallenge: ChallengeRule
    /// How the questions for parent mode and for extending it are shown.
    package var modeStyle: Presentation.Style
    /// How long parent mode lasts if the request does not say.
    package var lease: Duration
    /// The longest parent mode that can be asked for.
    package var maximumLease: Duration
    /// How long a challenge waits for its answer, from the moment at which it can be shown.
    package var answerTime: Duration
    /// When wrong answers lock, and for how long.
    package var lockout: LockoutRule
    /// The gated actions by name. An action that is not listed is denied.
    package var gatedActions: [String: GatedAction]
    /// The question bank that `quiz` draws from.
    package var questions: [QuizQuestion]
    /// Whether people have to sign in, and how long a session lasts.
    package var signIn: SignInRule
    package var entitlements: [String: EntitlementDefinition]
    /// What the paywall sells, and how it is shown.
    package var paywall: PaywallRule
    /// The name of the entitlement that each item of a provider gives.
    package var items: [ProviderItem: String]
    /// The holder on this device for each RevenueCat user id.
    package var customers: [String: Claim.Holder]
    package var forms: [String: FormDescription]
    package var releaseNotes: [String: ReleaseNotes]
    /// The household that this device belongs to; `nil` if it belongs to none.
    package var household: HouseholdSettings?
    /// The number of the household's policy that is part of this configuration; `nil` if none is.
    package var householdPolicy: UInt64?

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

    /// The longest parent mode that a policy can allow: a week.
    package static let longestLease = Duration.seconds(7 * 24 * 3600)
    /// The longest lock after wrong answers that a policy can set: a week.
    package static let longestLock = Duration.seconds(7 * 24 * 3600)

    /// Asks for the passcode. Parent mode lasts 15 minutes, a day at most, and a question waits a minute for its
    /// answer. Three wrong answers lock for 30 s; each further lock is twice as long, up to an hour. There are no gated
    /// actions, so all are denied.
    package static let builtIn = Configuration(
        modeChallenge: ChallengeRule(.passcode), lease: .seconds(15 * 60), maximumLease: .seconds(24 * 3600),
        answerTime: .seconds(60),
        lockout: LockoutRule(after: 3, duration: .seconds(30), factor: 2, maximum: .seconds(3600)))
}

/// A gated action, as the policy defines it.
package struct GatedAction: Hashable, Sendable {
    /// The title that people read, like "Open a web page", in each of its languages.
    package var titles: LocalizedText
    package var title: String { titles.text }
    /// What has to be true before the action is granted.
    package var requirement: Requirement
    /// How long the user is not asked again after a grant; `nil` if the user is asked every time.
    package var keep: Duration?
    package var style: Presentation.Style
    /// The amounts of more time that a person can ask for, and a grown-up can allow, while a schedule of the requirement
    /// is closed or an allowance of it is used up: amounts, and `today`. Empty: nobody can ask.
    package var moreTime: [AskChoice]

    package init(
        title: LocalizedText, requirement: Requirement, keep: Duration? = nil, style: Presentation.Style = .sheet,
        moreTime: [AskChoice] = []
    ) {
        titles = title
        self.requirement = requirement
        self.keep = keep
        self.style = style
        self.moreTime = moreTime
    }

    /// The gated action that guards changes of Gate which a grown-up makes from their own session, for example of the
    /// list of people. A grown-up's unlocked desktop must not be worth more than the passcode, so each change asks for
    /// the passcode.
    package static let change = "gate.change"

    /// The gated action whose answers are amounts of time in a session. Gate does not count sessions, so the answers are
    /// taken by the role timekeeper, which has another program add the time.
    package static let sessionTime = "session.time"

    /// The name of the app that a gated action guards: `app.` and this name are the action's name. `nil` if the action
    /// guards no app.
    package static func guardedApp(by gatedAction: String) -> String? {
        gatedAction.hasPrefix("app.") ? String(gatedAction.dropFirst(4)) : nil
    }

    /// What stands before `change` if the policy says nothing else.
    fileprivate static let changing = GatedAction(
        title: LocalizedText(
            "Change Gate",
            [
                .init(language: "en", text: "Change Gate"), .init(language: "de", text: "Gate ändern"),
                .init(language: "ru", text: "Изменить настройки Gate"), .init(language: "zh-Hans", text: "更改 Gate 设置"),
            ]), requirement: .challenge(ChallengeRule(.passcode)))

    /// What a grant for this gated action does to other devices of the household or to Gate's own rules; `nil` if it
    /// reaches no further than the action itself. An action that does asks every time, because a kept answer would
    /// count more than once, and it has to ask what only a grown-up can answer. If the policy names a secret that
    /// nobody has set up, a sum takes its place. Only a grown-up may answer that, since any program can solve a sum.
    package static func effectElsewhere(of name: String) -> String? {
        switch name {
        case GuardianOrder.gatedAction: "open other devices"
        case HouseholdRequest.gatedAction: "say yes to other devices"
        case change: "change who is a grown-up"
        default: nil
        }
    }

    /// Whether a grant for this gated action (`nil`: parent mode) reaches further than the action (`effectElsewhere`).
    package static func reachesOthers(_ name: String?) -> Bool { name.flatMap(effectElsewhere) != nil }
}

/// What has to be true before a gated action is granted.
package indirect enum Requirement: Hashable, Sendable {
    /// The device is in parent mode. The person is not asked to enter it: an authorization never changes the mode.
    case parentMode
    /// A challenge was answered for this authorization.
    case challenge(ChallengeRule)
    /// Somebody is signed in, no matter who.
    case signedIn
    /// The entitlement with this name is active.
    case entitlement(String)
    /// There is a completed response to the current version of this form for the holder who asks.
    case form(String)
    /// This schedule is open.
    case during(Schedule)
    /// The person who asks has time left of this allowance.
    case allowance(Allowance)
    /// All of these, presented in this order. Not empty.
    case all([Requirement])
    /// Any one of these. If none is met, the first that can be presented is. Not empty.
    case any([Requirement])
}

extension Requirement {
    /// The conditions that it is made of, in their order, without `all` and `any` around them.
    package var conditions: [Requirement] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.conditions)
        case .parentMode, .challenge, .signedIn, .entitlement, .form, .during, .allowance: [self]
        }
    }

    /// Whether a schedule or an allowance is among its conditions.
    package var limitsTime: Bool {
        conditions.contains { condition in
            switch condition {
            case .during, .allowance: true
            case .parentMode, .challenge, .signedIn, .entitlement, .form, .all, .any: false
            }
        }
    }

    /// The same requirement with each of its conditions replaced.
    package func mapConditions(_ replacement: (Requirement) -> Requirement) -> Requirement {
        switch self {
        case .all(let parts): .all(parts.map { $0.mapConditions(replacement) })
        case .any(let parts): .any(parts.map { $0.mapConditions(replacement) })
        case .parentMode, .challenge, .signedIn, .entitlement, .form, .during, .allowance: replacement(self)
        }
    }
}

/// Which challenge is asked at which age.
package struct ChallengeRule: Hashable, Sendable {
    /// The challenge for one age group.
    package struct Band: Hashable, Sendable {
        /// The ages in years, both ends included. The last band of a rule goes up to `maximumAge`.
        package var ages: ClosedRange<Int>
        package var challenge: ChallengeSpecification

        package init(ages: ClosedRange<Int>, challenge: ChallengeSpecification) {
            self.ages = ages
            self.challenge = challenge
        }
    }

    /// The greatest age that a policy or an account can have, in years.
    package static let maximumAge = 150

    /// In ascending order, without gaps or overlaps, from 0 to `maximumAge`. At least one.
    package var bands: [Band]

    package init(bands: [Band]) {
        self.bands = bands
    }

    /// A rule with one challenge for all ages.
    package init(_ challenge: ChallengeSpecification) {
        bands = [Band(ages: 0...Self.maximumAge, challenge: challenge)]
    }

    /// A rule with one kind of challenge, with its default settings, for all ages.
    package init(_ kind: Challenge.Kind) {
        self.init(ChallengeSpecification(kind))
    }
}

/// A challenge with its settings, as a policy describes it.
package struct ChallengeSpecification: Hashable, Sendable {
    package enum Difficulty: String, Hashable, Sendable, CaseIterable {
        /// For small children.
        case easy
        /// For older children.
        case medium
        /// For grown-ups.
        case hard
    }

    /// Who may be shown the question, and so answer it.
    package enum AnsweredBy: String, Hashable, Sendable, CaseIterable {
        /// Any presenter, and the requester itself. For secrets only presenters of grown-ups, and the requester itself.
        case anybody
        /// Only presenters of grown-ups, so that a grown-up permits it from another session.
        case grownUp = "grown-up"
    }

    package var kind: Challenge.Kind
    /// Matters only for arithmetic, shapes, quiz and swipe.
    package var difficulty: Difficulty
    package var answeredBy: AnsweredBy
    /// For birthdate: the age in years that somebody must have reached.
    package var minimumAge: Int
    /// For birthdate: the calendar in which the date is asked for.
    package var calendar: BirthdateCalendar
    /// For hold: how long the button has to be held at least.
    package var holdDuration: Duration
    /// For a confirm that grown-ups answer: how long the question waits from when it is asked, even after its call has
    /// ended, and how long a yes for once may stay unused; `nil`: the question ends with its call.
    package var mayWait: Duration?
    /// If the question may wait: the choices for a grown-up's yes to it without a screen. An answer that names no
    /// choice means the first one.
    package var choices: [AskChoice]

    /// - Parameter choices: `nil`: `AskChoice.usual` for a question that may wait, and none for another one.
    package init(
        _ kind: Challenge.Kind, difficulty: Difficulty = .medium, answeredBy: AnsweredBy = .anybody,
        minimumAge: Int = 18, calendar: BirthdateCalendar = .gregorian, holdDuration: Duration = .seconds(3),
        mayWait: Duration? = nil, choices: [AskChoice]? = nil
    ) {
        self.kind = kind
        self.difficulty = difficulty
        self.answeredBy = answeredBy
        self.minimumAge = minimumAge
        self.calendar = calendar
        self.holdDuration = holdDuration
        self.mayWait = mayWait
        self.choices = choices ?? (mayWait == nil ? [] : AskChoice.usual)
    }

    /// Whether a grown-up has to answer: it asks for a secret, or the policy leaves it to grown-ups.
    package var takesGrownUp: Bool { kind.isSecret || answeredBy == .grownUp }
}

/// A question of general knowledge in the question bank.
package struct QuizQuestion: Hashable, Sendable {
    package struct Text: Hashable, Sendable {
        /// The language as a BCP 47 tag, like "en" or "zh".
        package var language: String
        package var question: String
        package var right: String
        /// Three wrong answers.
        package var wrong: [String]

        package init(language: String, question: String, right: String, wrong: [String]) {
            self.language = language
            self.question = question
            self.right = right
            self.wrong = wrong
        }
    }

    /// The name of the question in the bank's file.
    package var id: String
    package var difficulty: ChallengeSpecification.Difficulty
    /// One for each language, with the wrong answers in the same order in all of them. At least one.
    package var texts: [Text]

    package init(id: String, difficulty: ChallengeSpecification.Difficulty, texts: [Text]) {
        self.id = id
        self.difficulty = difficulty
        self.texts = texts
    }
}

package typealias SignInRule = PolicySummary.SignInRule

extension SignInRule {
    /// Nobody has to sign in. A session lasts 12 hours, and 30 days at most however much it is used.
    package static let builtIn = SignInRule(
        isRequired: false, session: .seconds(12 * 3600), maximumSession: .seconds(30 * 24 * 3600))
}

/// The paywall that is shown if a request does not say which, or how.
package struct PaywallRule: Hashable, Sendable {
    /// The entitlement that is sold; `nil`: the only one that the policy defines, if it defines exactly one.
    package var entitlement: String?
    /// The provider that sells the entitlement.
    package var provider: ClaimProvider
    package var style: Presentation.Style

    package init(
        entitlement: String? = nil, provider: ClaimProvider = .revenueCat, style: Presentation.Style = .sheet
    ) {
        self.entitlement = entitlement
        self.provider = provider
        self.style = style
    }
}

extension Configuration {
    /// The entitlement that the paywall sells; `nil` if the policy names none and does not define exactly one.
    package var subscription: String? {
        paywall.entitlement ?? (entitlements.count == 1 ? entitlements.keys.first : nil)
    }
}

extension [String: GatedAction] {
    /// The gated action with this name; `nil` if there is none. `GatedAction.change` exists on every device. This is no
    /// function of `Configuration`, which other modules could call only on a copy of the whole configuration.
    package func named(_ name: String) -> GatedAction? {
        self[name] ?? (name == GatedAction.change ? .changing : nil)
    }

    /// The requirement of the gated action with this name; `nil` if there is none. Nothing else of the action is copied,
    /// since each check of a gated action asks for this.
    package func requirement(of name: String) -> Requirement? {
        self[name]?.requirement ?? (name == GatedAction.change ? GatedAction.changing.requirement : nil)
    }
}
