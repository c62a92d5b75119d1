import GateModel
import GatePolicy
import Testing

@Suite("Sign-in, entitlements and the paywall in policies")
struct EntitlementPolicyTests {
    @Test("the settings of sign-in are read as they are written, and those left out keep their defaults")
    func signIn() throws {
        #expect(
            try PolicyReader.read("sign-in: {required: true, session: 1h30m, maximum-session: 7d}").configuration.signIn
                == SignInRule(isRequired: true, session: .seconds(5400), maximumSession: .seconds(7 * 86_400)))
        #expect(
            try PolicyReader.read("sign-in: {required: false, session: 1h}").configuration.signIn
                == SignInRule(
                    isRequired: false, session: .seconds(3600), maximumSession: SignInRule.builtIn.maximumSession))
        #expect(try PolicyReader.read("sign-in:\nentitlements: ~\npaywall:\n").configuration == .builtIn)
    }

    @Test("an entitlement has a title, and without one its name is the title")
    func entitlements() throws {
        let configuration = try PolicyReader.read(
            "entitlements:\n  premium: {title: Premium for all}\n  plus:\n  in-app.extra-2: {}\n"
        ).configuration
        #expect(
            configuration.entitlements == [
                "premium": EntitlementDefinition(title: "Premium for all"),
                "plus": EntitlementDefinition(title: "plus"),
                "in-app.extra-2": EntitlementDefinition(title: "in-app.extra-2"),
            ])
        #expect(configuration.subscription == nil, "nobody said which of them")
    }

    @Test("an entitlement lists its features in each language (K-11)")
    func features() throws {
        let configuration = try PolicyReader.read(
            "entitlements:\n  premium: {title: Premium, features: [{en: All levels, de: Alle Level}, No waiting]}\n"
        ).configuration
        #expect(
            configuration.entitlements["premium"]?.features == [
                LocalizedText(
                    "All levels",
                    [.init(language: "en", text: "All levels"), .init(language: "de", text: "Alle Level")]),
                "No waiting",
            ])
        for wrong in ["All levels", "[a, b, c, d, e, f, g, h, i]"] {
            #expect(throws: PolicyError.self) {
                try PolicyReader.read("entitlements: {premium: {features: \(wrong)}}")
            }
        }
    }

    @Test("a paywall has an entitlement, a provider and a style; by default RevenueCat and a sheet (F-52)")
    func paywall() throws {
        let configuration = try PolicyReader.read(
            "paywall: {entitlement: plus, provider: storekit, style: full-screen-cover}\nentitlements: {premium: , plus: }"
        ).configuration
        #expect(
            configuration.paywall == PaywallRule(entitlement: "plus", provider: .storeKit, style: .fullScreenCover))
        #expect(configuration.subscription == "plus")
        let only = try PolicyReader.read("entitlements: {premium: }").configuration
        #expect(only.paywall == PaywallRule(entitlement: nil, provider: .revenueCat, style: .sheet))
        #expect(only.subscription == "premium")
        for provider in ClaimProvider.allCases {
            #expect(
                try PolicyReader.read("paywall: {provider: \(provider.rawValue)}").configuration.paywall.provider
                    == provider)
        }
    }

    @Test(
        "\"signed-in\" and \"entitlement\" are requirements like the others",
        arguments: [
            ("signed-in", Requirement.signedIn), ("{signed-in: true}", .signedIn),
            ("{entitlement: premium}", .entitlement("premium")),
            ("{all: [signed-in, {entitlement: premium}]}", .all([.signedIn, .entitlement("premium")])),
            ("{any: [{signed-in: true}, {mode: parent}]}", .any([.signedIn, .parentMode])),
        ])
    func requirements(text: String, requirement: Requirement) throws {
        let policy = try PolicyReader.read("gated-actions: {a: {requires: \(text)}}\nentitlements: {premium: }")
        #expect(policy.configuration.gatedActions["a"]?.requirement == requirement)
    }

    @Test(
        "a requirement of an entitlement that is not defined is refused, with the nearest name there is",
        arguments: [
            (
                "entitlements: {premium: , plus: }\ngated-actions:\n  a: {requires: {any: [signed-in, {entitlement: premum}]}}",
                "3:49: 'premum' is no entitlement. Did you mean 'premium'? There are: plus, premium."
            ),
            (
                "gated-actions: {a: {requires: {entitlement: xylophone}}}\nentitlements: {premium: }",
                "1:45: 'xylophone' is no entitlement. There is: premium."
            ),
            (
                "gated-actions: {a: {requires: {entitlement: premium}}}",
                "1:45: 'premium' is not an entitlement: no file here defines any. Name it under 'entitlements' in policy.yaml."
            ),
            (
                "entitlements: {premium: }\npaywall: {entitlement: Premium}",
                "2:24: 'Premium' is no entitlement. Did you mean 'premium'? There is: premium."
            ),
        ])
    func undefined(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test("an entitlement may be named in a later file than the one that asks for it")
    func laterFile() throws {
        let asks = PolicySource(name: "policy.yaml", text: "gated-actions: {a: {requires: {entitlement: premium}}}")
        let names = PolicySource(name: "policy.d/a.yaml", text: "entitlements: {premium: }")
        #expect(try PolicyReader.read([asks, names]).configuration.gatedActions.count == 1)

        let again = PolicySource(name: "policy.d/b.yaml", text: "entitlements: {premium: {title: Again}}\n")
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read([asks, names, again]) }
        #expect(
            error?.description
                == "policy.d/b.yaml:1:16: 'premium' is there already: policy.d/a.yaml:1. Keep one of them.")
    }

    @Test("a mistake in an entitlement is one problem, even where requirements name that entitlement")
    func noEcho() {
        let asks = "gated-actions: {a: {requires: {entitlement: premium}}}\n"
        #expect(PolicyReader.problems(asks + "entitlements: {premium: {title: ''}}").count == 1)
        #expect(PolicyReader.problems(asks + "entitlments: {premium: }").count == 1)
        #expect(PolicyReader.problems(asks + "entitlements: [premium]").count == 1)
        #expect(PolicyReader.problems(asks + "entitlements: {premium: *a}").count == 1)
        #expect(PolicyReader.problems(asks + "entitlements: {plus: , premium: &a {}}").count == 1)
        #expect(
            PolicyReader.problems("gated-actions: {a: {requires: {entitlement: Big}}}\nentitlements: {Big: , b: }")
                .count
                == 1)
    }

    @Test(
        "names of entitlements are lower-case words joined by dots",
        arguments: ["Premium", "premium!", "a b", "''", "a..b", "-a", String(repeating: "a", count: 65)])
    func badNames(name: String) throws {
        let problems = PolicyReader.problems("entitlements: {\(name): }")
        try #require(problems.count == 1)
        #expect(problems[0].hasPrefix("1:16: ") && problems[0].contains("can't be the name of an entitlement"))
    }

    @Test("there are at most a hundred entitlements")
    func count() {
        func policy(_ count: Int) -> String { "entitlements:\n" + (0..<count).map { "  a\($0):\n" }.joined() }
        #expect(PolicyReader.problems(policy(100)) == [])
        #expect(PolicyReader.problems(policy(101)) == ["102:3: There are more than 100 entitlements."])
    }
}
