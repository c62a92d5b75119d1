import GateModel
import Testing

@testable import GateCore

@Suite("What a gated action takes (F-15)")
struct RequirementRulesTests {
    private static let sum = Requirement.challenge(ChallengeRule(.arithmeticEntry))
    private static let quiz = Requirement.challenge(ChallengeRule(.quiz))
    private static let permission = Requirement.challenge(
        ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp)))

    /// The finding if no presenter of grown-ups is there.
    private func finding(
        _ requirement: Requirement, parent isParentMode: Bool = false, signedIn isSignedIn: Bool = false,
        paid entitlements: Set<String> = [], completed forms: Set<String> = [], kept isKept: Bool = false,
        answered: Set<Int> = [], open: Int? = nil, closed schedules: [String: Int64] = [:]
    ) -> RequirementRules.Finding {
        RequirementRules(
            isParentMode: isParentMode, isSignedIn: isSignedIn, isKept: isKept, answered: answered, open: open
        ).finding(
            on: requirement, specify: { rule, _ in rule.specification(forAge: nil) },
            paywall: { entitlements.contains($0) ? nil : Self.paywall($0) },
            form: { forms.contains($0) ? nil : Self.invitation($0) },
            opening: { schedule in schedules[schedule.name].map { Self.opening(schedule.name, $0) } },
            canShow: { step, _ in step.isForRequesters })
    }

    private static func paywall(_ entitlement: String) -> Paywall {
        Paywall(entitlement: entitlement, title: LocalizedText(entitlement), provider: .revenueCat, products: [])
    }

    private static func invitation(_ form: String) -> FormInvitation {
        FormInvitation(name: form, title: LocalizedText(form), holder: .user(1001), isForGrownUps: false)
    }

    private static func opening(_ schedule: String, _ time: Int64) -> ScheduleOpening {
        ScheduleOpening(schedule: schedule, time: time == 0 ? nil : WallTime(unixMilliseconds: time))
    }

    @Test("a closed schedule is told before anything is asked, and nothing replaces it (Z-01)")
    func schedules() {
        let (day, night) = (Requirement.during(Schedule("day")), Requirement.during(Schedule("night")))
        #expect(finding(day) == .met)
        #expect(finding(day, kept: true, closed: ["day": 5]) == .closed(Self.opening("day", 5)))
        let asked = Requirement.all([Self.sum, day])
        #expect(finding(asked, closed: ["day": 5]) == .closed(Self.opening("day", 5)))
        #expect(finding(asked, answered: [0], closed: ["day": 5]) == .closed(Self.opening("day", 5)))
        #expect(finding(asked) == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        // `all` waits for the schedule that opens last, and `any` for the one that opens first. 0 stands for a schedule
        // that never opens, which is later than all others.
        let closed: [String: Int64] = ["day": 5, "night": 7]
        #expect(finding(.all([day, night]), closed: closed) == .closed(Self.opening("night", 7)))
        #expect(finding(.any([night, day]), closed: closed) == .closed(Self.opening("day", 5)))
        #expect(finding(.all([day, night]), closed: ["day": 0, "night": 7]) == .closed(Self.opening("day", 0)))
        #expect(finding(.any([day, night]), closed: ["day": 0, "night": 7]) == .closed(Self.opening("night", 7)))
        // If `any` has a question beside the closed schedule, the question is asked.
        #expect(
            finding(.any([day, Self.sum]), closed: closed) == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        #expect(finding(.any([.parentMode, day]), parent: true, closed: closed) == .met)
        #expect(finding(.any([.parentMode, day]), closed: closed) == .closed(Self.opening("day", 5)))
    }

    @Test("a form is asked for until it is completed; neither a kept grant nor another form replaces it")
    func forms() {
        let consent = Requirement.form("consent")
        #expect(finding(consent) == .present(.form(Self.invitation("consent")), ordinal: 0))
        #expect(finding(consent, completed: ["consent"]) == .met)
        #expect(finding(consent, completed: ["profile"], kept: true, answered: [0]) != .met)
        let both = Requirement.all([Self.sum, consent, .form("profile")])
        #expect(
            finding(both, completed: ["profile"], answered: [0])
                == .present(.form(Self.invitation("consent")), ordinal: 1))
        #expect(
            finding(both, completed: ["consent"], answered: [0])
                == .present(.form(Self.invitation("profile")), ordinal: 2))
        #expect(
            finding(both, completed: ["consent", "profile"])
                == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        #expect(finding(both, completed: ["consent", "profile"], answered: [0]) == .met)
        #expect(finding(.any([consent, .parentMode]), parent: true) == .met)
        #expect(
            finding(.any([.parentMode, consent]), open: 0) == .present(.form(Self.invitation("consent")), ordinal: 0))
    }

    private static let signedInAndPaid = Requirement.all([.signedIn, .entitlement("premium"), sum])

    @Test("a sign-in is shown first, then the paywall, then the question (F-15, F-54)")
    func signInAndPaywall() {
        #expect(finding(Self.signedInAndPaid) == .present(.signIn, ordinal: 0))
        #expect(
            finding(Self.signedInAndPaid, signedIn: true) == .present(.paywall(Self.paywall("premium")), ordinal: 1))
        #expect(finding(Self.signedInAndPaid, paid: ["premium"]) == .present(.signIn, ordinal: 0))
        #expect(
            finding(Self.signedInAndPaid, signedIn: true, paid: ["premium"])
                == .present(.challenge(.init(.arithmeticEntry)), ordinal: 2))
        #expect(finding(Self.signedInAndPaid, signedIn: true, paid: ["premium"], answered: [2]) == .met)
        #expect(finding(.any([.entitlement("premium"), .signedIn]), signedIn: true) == .met)
        // A kept grant stands for the question alone.
        #expect(
            finding(Self.signedInAndPaid, signedIn: true, kept: true) == finding(Self.signedInAndPaid, signedIn: true))
        #expect(finding(Self.signedInAndPaid, signedIn: true, paid: ["premium"], kept: true) == .met)
        #expect(finding(.all([.parentMode, Self.sum]), kept: true) == .parentModeMissing)
        #expect(finding(.any([.entitlement("other"), .signedIn]), paid: ["premium"]).ordinalOfPaywall == 0)
    }

    @Test("parent mode is there or missing; a challenge is answered or asked")
    func single() {
        #expect(finding(.parentMode) == .parentModeMissing)
        #expect(finding(.parentMode, parent: true) == .met)
        #expect(finding(Self.sum) == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        #expect(finding(Self.sum, answered: [0]) == .met)
        #expect(finding(Self.sum, parent: true) == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        #expect(finding(Self.permission) == .nobodyShows(.challenge(.init(.confirm, answeredBy: .grownUp))))
    }

    @Test("\"all\" asks for its parts in order, and fails before showing anything if one part is impossible")
    func all() {
        let both = Requirement.all([Self.sum, Self.quiz])
        #expect(finding(both) == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        #expect(finding(both, answered: [0]) == .present(.challenge(.init(.quiz)), ordinal: 1))
        #expect(finding(both, answered: [1]) == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        #expect(finding(both, answered: [0, 1]) == .met)
        #expect(finding(.all([Self.sum, .parentMode])) == .parentModeMissing)
        #expect(finding(.all([Self.sum, Self.permission, .parentMode])) == .parentModeMissing)
        #expect(
            finding(.all([Self.sum, Self.permission]))
                == .nobodyShows(.challenge(.init(.confirm, answeredBy: .grownUp))))
    }

    @Test("\"any\" takes a part that is met, else the first one that can be shown")
    func any() {
        #expect(finding(.any([Self.sum, .parentMode]), parent: true) == .met)
        #expect(finding(.any([.parentMode, Self.sum])) == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
        #expect(finding(.any([Self.permission, Self.quiz])) == .present(.challenge(.init(.quiz)), ordinal: 1))
        #expect(finding(.any([Self.sum, Self.quiz]), answered: [1]) == .met)
        #expect(
            finding(.any([.parentMode, Self.permission]))
                == .nobodyShows(.challenge(.init(.confirm, answeredBy: .grownUp))))
        #expect(finding(.any([.parentMode, .all([Self.sum, .parentMode])])) == .parentModeMissing)
    }

    @Test("an open question stays open as long as answering it can still help")
    func openStays() {
        let either = Requirement.any([Self.sum, Self.quiz])
        #expect(finding(either, open: 1) == .present(.challenge(.init(.quiz)), ordinal: 1))
        #expect(finding(.any([Self.sum, .parentMode]), parent: true, open: 0) == .met)
        #expect(
            finding(.any([Self.sum, Self.permission]), open: 1)
                == .present(.challenge(.init(.arithmeticEntry)), ordinal: 0))
    }

    @Test("challenges are numbered depth first, whichever branch is taken")
    func ordinals() {
        let nested = Requirement.all([.any([.parentMode, .all([Self.sum, Self.quiz])]), Self.quiz])
        #expect(finding(nested, parent: true) == .present(.challenge(.init(.quiz)), ordinal: 2))
        #expect(finding(nested, answered: [0]) == .present(.challenge(.init(.quiz)), ordinal: 1))
        #expect(finding(nested, answered: [0, 1]) == .present(.challenge(.init(.quiz)), ordinal: 2))
    }

    @Test("an empty requirement, which no policy makes, grants nothing")
    func empty() {
        #expect(finding(.all([])) == .parentModeMissing)
        #expect(finding(.any([]), parent: true) == .parentModeMissing)
    }
}

@Suite("A device on which nothing is set up (G-13)")
struct SetUpRulesTests {
    @Test("without a secret, gates ask for a sum, and nobody is asked for parent mode")
    func nothing() {
        let rules = SetUpRules(secrets: [])
        for kind in [Challenge.Kind.passcode, .totp] {
            #expect(rules.forGatedAction(.init(kind)) == .init(.arithmeticEntry))
            #expect(rules.forMode(.init(kind)) == nil)
        }
        #expect(
            rules.forGatedAction(.init(.passcode, answeredBy: .grownUp))
                == .init(.arithmeticEntry, answeredBy: .grownUp))
        #expect(
            rules.forGatedAction(.init(.passcode), reachesOthers: true)
                == .init(.arithmeticEntry, answeredBy: .grownUp), "any program can do a sum")
        #expect(rules.forMode(.init(.quiz)) == .init(.quiz) && rules.forGatedAction(.init(.quiz)) == .init(.quiz))
    }

    @Test("a secret that is set up replaces one that is not")
    func other() {
        #expect(SetUpRules(secrets: [.totp]).forMode(.init(.passcode)) == .init(.totp))
        #expect(SetUpRules(secrets: [.passcode]).forGatedAction(.init(.totp)) == .init(.passcode))
        let both = SetUpRules(secrets: [.passcode, .totp])
        #expect(both.forMode(.init(.passcode)) == .init(.passcode) && both.forMode(.init(.totp)) == .init(.totp))
    }
}

extension RequirementRules.Finding {
    fileprivate var ordinalOfPaywall: Int? {
        guard case .present(.paywall, let ordinal) = self else { return nil }
        return ordinal
    }
}
