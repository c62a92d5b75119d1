import GateModel
import Testing

@testable import GateCore

@Suite("What a gated action takes (F-15)")
struct RequirementRulesTests {
    private static let sum = Requirement.challenge(ChallengeRule(.arithmeticEntry))
    private static let quiz = Requirement.challenge(ChallengeRule(.quiz))
    private static let permission = Requirement.challenge(
        ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp)))

    /// What is missing, where nobody shows what is for grown-ups.
    private func finding(
        _ requirement: Requirement, parent isParentMode: Bool = false, answered: Set<Int> = [], open: Int? = nil
    ) -> RequirementRules.Finding {
        RequirementRules(isParentMode: isParentMode, answered: answered, open: open).finding(
            on: requirement, specify: { $0.specification(forAge: nil) },
            canShow: { specification, _ in specification.isForRequesters })
    }

    @Test("parent mode is there or missing; a challenge is answered or asked")
    func single() {
        #expect(finding(.parentMode) == .parentModeMissing)
        #expect(finding(.parentMode, parent: true) == .met)
        #expect(finding(Self.sum) == .present(.init(.arithmeticEntry), ordinal: 0))
        #expect(finding(Self.sum, answered: [0]) == .met)
        #expect(finding(Self.sum, parent: true) == .present(.init(.arithmeticEntry), ordinal: 0))
        #expect(finding(Self.permission) == .nobodyShows(.init(.confirm, answeredBy: .grownUp)))
    }

    @Test("of all, one after the other; what can't be had comes before anything is shown")
    func all() {
        let both = Requirement.all([Self.sum, Self.quiz])
        #expect(finding(both) == .present(.init(.arithmeticEntry), ordinal: 0))
        #expect(finding(both, answered: [0]) == .present(.init(.quiz), ordinal: 1))
        #expect(finding(both, answered: [1]) == .present(.init(.arithmeticEntry), ordinal: 0))
        #expect(finding(both, answered: [0, 1]) == .met)
        #expect(finding(.all([Self.sum, .parentMode])) == .parentModeMissing)
        #expect(finding(.all([Self.sum, Self.permission, .parentMode])) == .parentModeMissing)
        #expect(finding(.all([Self.sum, Self.permission])) == .nobodyShows(.init(.confirm, answeredBy: .grownUp)))
    }

    @Test("of any, what is met; else the first that can be presented")
    func any() {
        #expect(finding(.any([Self.sum, .parentMode]), parent: true) == .met)
        #expect(finding(.any([.parentMode, Self.sum])) == .present(.init(.arithmeticEntry), ordinal: 0))
        #expect(finding(.any([Self.permission, Self.quiz])) == .present(.init(.quiz), ordinal: 1))
        #expect(finding(.any([Self.sum, Self.quiz]), answered: [1]) == .met)
        #expect(finding(.any([.parentMode, Self.permission])) == .nobodyShows(.init(.confirm, answeredBy: .grownUp)))
        #expect(finding(.any([.parentMode, .all([Self.sum, .parentMode])])) == .parentModeMissing)
    }

    @Test("a question that is open stays open as long as it leads anywhere")
    func openStays() {
        let either = Requirement.any([Self.sum, Self.quiz])
        #expect(finding(either, open: 1) == .present(.init(.quiz), ordinal: 1))
        #expect(finding(.any([Self.sum, .parentMode]), parent: true, open: 0) == .met)
        #expect(finding(.any([Self.sum, Self.permission]), open: 1) == .present(.init(.arithmeticEntry), ordinal: 0))
    }

    @Test("challenges are counted depth first, whichever branch is taken")
    func ordinals() {
        let nested = Requirement.all([.any([.parentMode, .all([Self.sum, Self.quiz])]), Self.quiz])
        #expect(finding(nested, parent: true) == .present(.init(.quiz), ordinal: 2))
        #expect(finding(nested, answered: [0]) == .present(.init(.quiz), ordinal: 1))
        #expect(finding(nested, answered: [0, 1]) == .present(.init(.quiz), ordinal: 2))
    }

    @Test("nothing at all, which no policy asks for, grants nothing")
    func empty() {
        #expect(finding(.all([])) == .parentModeMissing)
        #expect(finding(.any([]), parent: true) == .parentModeMissing)
    }
}

@Suite("Out of the box (G-13)")
struct SetUpRulesTests {
    @Test("where nothing is set up, gates ask for a sum, and the mode asks nobody")
    func nothing() {
        let rules = SetUpRules(secrets: [])
        for kind in [Challenge.Kind.passcode, .totp] {
            #expect(rules.forGatedAction(.init(kind)) == .init(.arithmeticEntry))
            #expect(rules.forMode(.init(kind)) == nil)
        }
        #expect(
            rules.forGatedAction(.init(.passcode, answeredBy: .grownUp))
                == .init(.arithmeticEntry, answeredBy: .grownUp))
        #expect(rules.forMode(.init(.quiz)) == .init(.quiz) && rules.forGatedAction(.init(.quiz)) == .init(.quiz))
    }

    @Test("one secret stands in for the other")
    func other() {
        #expect(SetUpRules(secrets: [.totp]).forMode(.init(.passcode)) == .init(.totp))
        #expect(SetUpRules(secrets: [.passcode]).forGatedAction(.init(.totp)) == .init(.passcode))
        let both = SetUpRules(secrets: [.passcode, .totp])
        #expect(both.forMode(.init(.passcode)) == .init(.passcode) && both.forMode(.init(.totp)) == .init(.totp))
    }
}
