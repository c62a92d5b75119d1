import GatePolicy
import Testing

/// The keys and words of configuration files that 1.0.0 has. They are public: a file that was right stays right.
@Suite("The keys of the policy")
struct PublicKeysTests {
    /// A place in a file, with a key or word that nobody knows, and those that are known there.
    struct Place: Sendable, CustomTestStringConvertible {
        let file: String
        let text: String
        let known: Set<String>
        var testDescription: String { "\(file): \(text)" }

        init(_ file: String, _ text: String, _ known: String) {
            self.file = file
            self.text = text
            self.known = Set(known.split(separator: " ").map(String.init))
        }
    }

    private static let places: [Place] = [
        .init(
            "policy.yaml", "never-heard: 1",
            "mode lockout roles sign-in entitlements paywall schedules allowances gated-actions browser questions"),
        .init("policy.yaml", "mode: {never-heard: 1}", "challenge lease maximum-lease answer-time style"),
        .init("policy.yaml", "lockout: {never-heard: 1}", "after for factor max"),
        .init(
            "policy.yaml", "roles: {never-heard: 1}",
            "administrator presenter grown-up-presenter provider broker household timekeeper"),
        .init("policy.yaml", "roles: {broker: {never-heard: 1}}", "users groups"),
        .init("policy.yaml", "sign-in: {never-heard: 1}", "required session maximum-session"),
        .init("policy.yaml", "entitlements: {a: {never-heard: 1}}", "title features"),
        .init("policy.yaml", "paywall: {never-heard: 1}", "entitlement provider style"),
        .init("policy.yaml", "gated-actions: {a: {never-heard: 1}}", "title requires keep style more-time"),
        .init(
            "policy.yaml", "gated-actions: {a: {requires: {never-heard: 1}}}",
            "mode challenge signed-in entitlement form during allowance all any"),
        .init(
            "policy.yaml", "mode: {challenge: {kind: quiz, never-heard: 1}}",
            "kind difficulty answered-by minimum-age calendar hold may-wait choices"),
        .init("policy.yaml", "questions: [{never-heard: 1}]", "id difficulty"),
        .init("policy.yaml", "questions: [{id: a, en: {never-heard: 1}}]", "question right wrong"),
        .init("providers.yaml", "never-heard: 1", "storekit revenuecat"),
        .init(
            "providers.yaml", "storekit: {never-heard: 1}",
            "bundle-ids roots environments products account-tokens device-verification"),
        .init(
            "providers.yaml", "revenuecat: {never-heard: 1}",
            "public-key root-key unsigned sandbox url poll users entitlements"),
        .init(
            "household.yaml", "never-heard: 1",
            "household device name key broker home-assistant policy receipts usage"),
        .init("household.yaml", "broker: {never-heard: 1}", "host port authority certificate key"),
        .init("household.yaml", "home-assistant: {never-heard: 1}", "may discovery words"),
        .init("release-notes.d/a.yaml", "never-heard: 1", "app versions"),
        .init(
            "release-notes.d/a.yaml", "{app: a, versions: {1.0: {never-heard: 1}}}",
            "title features primary secondary"),
        .init(
            "release-notes.d/a.yaml", "{app: a, versions: {1.0: {title: A, features: [{never-heard: 1}]}}}",
            "title subtitle image colour"),
        .init(
            "release-notes.d/a.yaml", "{app: a, versions: {1.0: {title: A, primary: {never-heard: 1}}}}",
            "title haptic"),
        .init(
            "release-notes.d/a.yaml", "{app: a, versions: {1.0: {title: A, secondary: {never-heard: 1}}}}",
            "title url colour haptic"),
        .init("policy.yaml", "mode: {style: never-heard}", "sheet full-screen-cover"),
        .init(
            "policy.yaml", "mode: {challenge: never-heard}",
            "arithmetic-choice arithmetic-entry shapes quiz confirm birthdate passcode totp hold swipe"),
        .init("policy.yaml", "mode: {challenge: {kind: swipe, difficulty: never-heard}}", "easy medium hard"),
        .init("policy.yaml", "mode: {challenge: {kind: confirm, answered-by: never-heard}}", "anybody grown-up"),
        .init(
            "policy.yaml", "mode: {challenge: {kind: birthdate, calendar: never-heard}}",
            "gregorian buddhist minguo"),
        .init("policy.yaml", "paywall: {provider: never-heard}", "storekit revenuecat manual"),
        .init("providers.yaml", "storekit: {environments: [never-heard]}", "Production Sandbox Xcode LocalTesting"),
        .init("providers.yaml", "revenuecat: {unsigned: never-heard}", "refused accepted"),
        .init("providers.yaml", "revenuecat: {users: {a: {never-heard: 1}}}", "account"),
        .init("household.yaml", "home-assistant: {may: [never-heard]}", "extend answer"),
        .init(
            "release-notes.d/a.yaml", "{app: a, versions: {1.0: {title: A, primary: {haptic: never-heard}}}}",
            "none selection success warning error light medium heavy"),
    ]

    @Test("the keys and words of the policy are those of this list, which only grows", arguments: places)
    func known(place: Place) throws {
        let error = #expect(throws: PolicyError.self) {
            try PolicyReader.read([PolicySource(name: place.file, text: place.text)])
        }
        let message = try #require(error?.problems.map(\.message).first { $0.hasPrefix("'never-heard' is no ") })
        let listed = try #require(message.firstMatch(of: /There (?:are|is): (.*)\.$/)?.1)
        let offered = Set(listed.split(separator: ", ").map(String.init))
        #expect(place.known.subtracting(offered).isEmpty, "a file that was right would be wrong now")
        #expect(offered.subtracting(place.known).isEmpty, "new: describe it in docs/policy.md, and list it here")
    }
}
