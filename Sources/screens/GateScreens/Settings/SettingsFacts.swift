package import GateModel

/// Something that has to be fetched from the daemon.
package enum Known<Value: Hashable & Sendable>: Hashable, Sendable {
    /// It was not fetched since the daemon was reached.
    case notYet
    /// This user may not see it, so it is not shown.
    case forbidden
    /// It could not be fetched. The sentence says why.
    case failed(String)
    case known(Value)

    /// The value; `nil` if it is not known.
    package var value: Value? {
        switch self {
        case .known(let value): value
        case .notYet, .forbidden, .failed: nil
        }
    }
}

/// The parts of `SettingsFacts` that have to be fetched, because a watch does not report them.
package enum SettingsPart: Hashable, Sendable, CaseIterable {
    case gates
    /// Read from `gatectl apps list`.
    case apps
    case grants
    case usage
    case ages
    case people
    case providers
    case claims
    case offers
    case forms
    case responses
    case lockouts
    case secrets
    case policy
    /// Fetched once, and watched from then on.
    case household

    /// The parts that change with the mode, the session and the entitlements. These decide whether the list of people
    /// and the age ranges may be seen, and what is missing before the gates.
    static let changedByState: Set<SettingsPart> = [.gates, .people, .grants, .ages]

    /// The parts that have changed after such an entry of the journal.
    static func changed(by kind: AuditEntry.Kind) -> Set<SettingsPart> {
        switch kind {
        case .granted, .redeemed, .revoked, .grantExpired: [.grants]
        case .answeredRight, .answeredWrong, .dismissed, .expired, .requesterLost, .lockedOut, .lockoutCleared,
            .signInFailed, .signedIn:
            [.lockouts, .gates]
        case .registered, .passwordChanged, .accountConfirmed, .personSet: [.people]
        case .accountRemoved: [.people, .claims, .responses]
        case .paid, .entitlementClaimed, .claimRevoked, .entitlementChanged: [.claims, .gates]
        case .providerChanged: [.providers, .offers]
        case .formCompleted, .responseWithdrawn, .formSaved, .formDiscarded: [.responses, .gates]
        case .secretSet, .secretRemoved: [.secrets, .gates]
        case .householdListed: [.household]
        case .started, .recovered, .reloaded, .gateChanged, .restored: Set(allCases)
        case .challengeOpened, .cancelled, .withdrawn, .parentEntered, .parentLeft, .locked, .extended, .leaseExpired,
            .overridden, .storeDamaged, .claimed, .shown, .presenterLost, .refused, .signInOpened, .paywallOpened,
            .signedOut, .sessionExpired, .formAsked, .formOpened, .whatsNewOpened, .whatsNewSeen, .whatsNewReset,
            .backedUp, .commandSent, .used, .ageSettingsChanged, .ageChosen, .unrecognized:
            []
        }
    }
}

/// A gated action, and what a person would have to do now to pass.
package struct GateFacts: Hashable, Sendable {
    package var summary: GatedActionSummary
    /// `nil` if it was not fetched, because there are more than 100 gated actions.
    package var outlook: AuthorizationOutlook?
    /// What stands before the gated action, with its odds; `nil` if it was not fetched, as for `outlook`.
    package var rule: GateRule?
    /// Whether its questions have settings that `rule` does not tell, like how hard a sum is.
    package var hasSettings: Bool

    package init(
        _ summary: GatedActionSummary, outlook: AuthorizationOutlook?, rule: GateRule? = nil, hasSettings: Bool = false
    ) {
        self.summary = summary
        self.outlook = outlook
        self.rule = rule
        self.hasSettings = hasSettings
    }
}

/// The wrong answers of a user, and the end of the lockout; `nil` if the user is not locked out.
package struct LockoutFacts: Hashable, Sendable {
    package var summary: LockoutSummary
    package var deadline: BootTime?

    package init(_ summary: LockoutSummary, at now: BootTime) {
        self.summary = summary
        deadline = summary.remaining.map { now.advanced(by: $0) }
    }
}

/// The settings and choices about age ranges.
package struct AgeFacts: Hashable, Sendable {
    package var settings: AgeSettings
    /// By person, then by app.
    package var apps: [AgeApp]

    package init(_ settings: AgeSettings, _ apps: [AgeApp]) { (self.settings, self.apps) = (settings, apps) }
}

/// How easily a gate is passed by somebody who should not pass it.
package struct GateOdds: Hashable, Sendable {
    /// The name of the gated action; `nil`: parent mode.
    package var gatedAction: String?
    /// The answers, payments and the like that the gate requires.
    package var requirement: Requirement
    /// The probability to get through by guessing within an hour, from 0 to 1; `nil` if there is nothing to guess.
    package var guessed: Double?
    /// The ages for which this is the probability. Empty if age makes no difference.
    package var ages: [ClosedRange<Int>]
    /// Whether a program could work out the answer.
    package var programPasses: Bool

    package init(
        gatedAction: String?, requirement: Requirement, guessed: Double?, ages: [ClosedRange<Int>], programPasses: Bool
    ) {
        self.gatedAction = gatedAction
        self.requirement = requirement
        self.guessed = guessed
        self.ages = ages
        self.programPasses = programPasses
    }
}

/// The policy in force, and how safe it is.
package struct PolicyFacts: Hashable, Sendable {
    /// The odds, which are calculated from the policy's files.
    package enum Odds: Hashable, Sendable {
        /// This user may not read the files.
        case unreadable
        /// The files differ from the policy in force.
        case outdated
        /// The odds of parent mode, and of each gated action.
        case known([GateOdds])
    }

    package var summary: PolicySummary
    package var odds: Odds

    package init(_ summary: PolicySummary, odds: Odds) {
        self.summary = summary
        self.odds = odds
    }
}

/// Everything that gate-settings knows about the device.
package struct SettingsFacts: Hashable, Sendable {
    /// Whether this user is an administrator; `nil` if it is not known yet.
    package var isAdministrator: Bool?
    package var mode = ModeState.closed
    package var signIn = SignInState.closed
    package var entitlements = EntitlementsState.closed
    package var drafts: [FormSummary] = []
    /// The asks that this user may see, by number.
    package var asks: [Ask] = []
    /// The time that people have used today, as far as this user may see it.
    package var usageToday: [UsedTime] = []
    package var schedules: [ScheduleState] = []
    /// The apps that wait for this user's answer about a person's age.
    package var waitingApps: [AgeApp] = []
    package var gates = Known<[GateFacts]>.notYet
    package var apps = Known<AppsFacts>.notYet
    package var grants = Known<[KeptGrantSummary]>.notYet
    /// The time used in the last days, in the daemon's order.
    package var usage = Known<[UsedTime]>.notYet
    package var ages = Known<AgeFacts>.notYet
    package var people = Known<[GatePerson]>.notYet
    package var providers = Known<[ProviderReport]>.notYet
    package var claims = Known<[ClaimSummary]>.notYet
    package var offers = Known<[ReportedOffers]>.notYet
    package var forms = Known<[QuestionnaireSummary]>.notYet
    package var responses = Known<[ResponseSummary]>.notYet
    package var lockouts = Known<[LockoutFacts]>.notYet
    package var secrets = Known<[SecretKind]>.notYet
    package var policy = Known<PolicyFacts>.notYet
    package var household = Known<HouseholdFacts>.notYet
    /// The outcomes of the newest actions on other devices.
    package var outcomes: [HouseholdID: DeviceOutcome] = [:]
    package var journal = JournalReading()

    package init() {}
}
