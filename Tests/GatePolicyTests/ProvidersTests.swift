import GateModel
import GatePolicy
import Testing

@Suite("providers.yaml")
struct ProvidersTests {
    @Test("every setting of StoreKit and RevenueCat is read as it is written")
    func all() throws {
        let policy = try PolicyReader.read(
            providers: """
                storekit:
                  bundle-ids: [org.example.app, org.example.App-2]
                  roots: [roots/a.cer, b.pem]
                  environments: [Sandbox, Xcode]
                  products: {org.example.monthly: premium, "Plus, for ever": plus}
                revenuecat:
                  public-key: appl_AbC123
                  root-key: UC1upXWg5QVmyOSwozp755xLqquBKjjU+di6U8QhMlM=
                  unsigned: accepted
                  url: http://127.0.0.1:8080/v/
                  poll: 1h
                  users: {"anna-17": {account: anna}, "$device": device, "$RCAnonymousID:87c6": {account: Jo van Dijk}}
                  entitlements: {pro: premium}
                """, rootFiles: ["roots/a.cer": TestCertificate.der, "b.pem": Array(TestCertificate.pem.utf8)])
        #expect(
            policy.providers.storeKit
                == StoreKitSettings(
                    bundleIDs: ["org.example.app", "org.example.App-2"],
                    roots: [TestCertificate.der, TestCertificate.der], environments: [.sandbox, .xcode],
                    products: ["org.example.monthly": "premium", "Plus, for ever": "plus"]))
        let revenueCat = try #require(policy.providers.revenueCat)
        #expect(revenueCat.publicKey == "appl_AbC123")
        #expect(revenueCat.rootKey?.count == 32 && revenueCat.rootKey?.prefix(3) == [0x50, 0x2d, 0x6e])
        #expect(revenueCat.acceptsUnsigned)
        #expect(revenueCat.baseURL == "http://127.0.0.1:8080/v")
        #expect(revenueCat.pollInterval == .seconds(3600))
        #expect(
            revenueCat.users == [
                "anna-17": .account("anna"), "$device": .device, "$RCAnonymousID:87c6": .account("Jo van Dijk"),
            ])
        #expect(revenueCat.entitlements == ["pro": "premium"])
        #expect(
            policy.configuration.items == [
                ProviderItem(.storeKit, "org.example.monthly"): "premium",
                ProviderItem(.storeKit, "Plus, for ever"): "plus", ProviderItem(.revenueCat, "pro"): "premium",
            ])
        #expect(policy.configuration.customers == revenueCat.users)
        #expect(policy.files == ["policy.yaml", "/etc/gate/providers.yaml"])
    }

    @Test("settings that are left out have defaults that accept nothing")
    func defaults() throws {
        let policy = try PolicyReader.read(
            providers: """
                storekit: {bundle-ids: [a], roots: [a]}
                revenuecat: {public-key: appl_a, root-key: UC1upXWg5QVmyOSwozp755xLqquBKjjU+di6U8QhMlM=}
                """, rootFiles: ["a": TestCertificate.der])
        #expect(policy.providers.storeKit?.environments == [.production])
        #expect(policy.providers.storeKit?.products == [:])
        let revenueCat = try #require(policy.providers.revenueCat)
        #expect(!revenueCat.acceptsUnsigned)
        #expect(revenueCat.baseURL == RevenueCatSettings.defaultBaseURL)
        #expect(revenueCat.pollInterval == .seconds(15 * 60))
        #expect(revenueCat.users == [:] && revenueCat.entitlements == [:])
        #expect(policy.configuration.items == [:] && policy.configuration.customers == [:])
    }

    @Test("providers.yaml may be empty, and a key without a value counts as left out")
    func nothing() throws {
        for text in ["", "# only a comment\n", "storekit:\nrevenuecat: ~\n"] {
            #expect(try PolicyReader.read(providers: text).providers == .none)
        }
        let unsigned = try PolicyReader.read(
            providers: "revenuecat: {public-key: a, unsigned: accepted, users: , entitlements: ~}")
        #expect(unsigned.providers.revenueCat?.rootKey == nil)
    }

    @Test("settings of providers are read only from a file named providers.yaml")
    func name() throws {
        #expect(
            PolicyReader.problems("storekit: {bundle-ids: [a], roots: [a]}\nrevenuecat:\n") == [
                "1:1: 'storekit' belongs in providers.yaml. Move it there.",
                "2:1: 'revenuecat' belongs in providers.yaml. Move it there.",
            ])
        #expect(
            PolicyReader.providersProblems("mode: {lease: 5m}\nstoreKit:\n") == [
                "1:1: 'mode' belongs in policy.yaml. Move it there.",
                "2:1: 'storeKit' is no key of providers.yaml. Did you mean 'storekit'? There are: storekit, revenuecat.",
            ])
        let second = PolicySource(name: "b/providers.yaml", text: "revenuecat: {public-key: a, unsigned: accepted}")
        let error = #expect(throws: PolicyError.self) {
            try PolicyReader.read([PolicySource(name: "a/providers.yaml", text: second.text), second])
        }
        #expect(
            error?.description
                == "b/providers.yaml:1:13: 'revenuecat' is there already: a/providers.yaml:1. Keep one of them.")
    }

    @Test(
        "the API's address is https, or http on this device itself",
        arguments: [
            ("https://api.example.org", "https://api.example.org"), ("https://api.example.org/v1//", nil),
            ("HTTPS://Proxy.example.org:8443/rc/", "https://Proxy.example.org:8443/rc"),
            ("https://192.0.2.1", "https://192.0.2.1"), ("https://[2001:db8::1]:443", "https://[2001:db8::1]:443"),
            ("http://127.0.0.1", "http://127.0.0.1"), ("http://127.8.9.1:80/", "http://127.8.9.1:80"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] as [(String, String?)])
    func urls(text: String, url: String?) throws {
        let policy = try PolicyReader.read(
            providers: "revenuecat: {public-key: a, unsigned: accepted, url: '\(text)'}")
        #expect(policy.providers.revenueCat?.baseURL == url ?? "https://api.example.org/v1")
    }
}

extension PolicyReader {
    /// Beside a policy with the entitlements premium and plus.
    static func read(providers: String, rootFiles: [String: [UInt8]] = [:]) throws(PolicyError) -> Policy {
        try read(
            [
                PolicySource(name: "policy.yaml", text: "entitlements: {premium: , plus: }"),
                PolicySource(name: "/etc/gate/providers.yaml", text: providers),
            ], rootFiles: rootFiles)
    }

    /// `line:column: message`, each.
    static func providersProblems(_ text: String, rootFiles: [String: [UInt8]] = [:]) -> [String] {
        do throws(PolicyError) {
            _ = try read(providers: text, rootFiles: rootFiles)
            return []
        } catch {
            return error.problems.map { String($0.description.dropFirst("/etc/gate/providers.yaml:".count)) }
        }
    }
}
