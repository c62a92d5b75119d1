import Foundation
import GatePolicy
import Testing

@Suite("Mistakes in providers.yaml")
struct ProvidersMistakesTests {
    private static let rootKey = "UC1upXWg5QVmyOSwozp755xLqquBKjjU+di6U8QhMlM="

    @Test(
        "a mistake in the settings of StoreKit is reported with its place",
        arguments: [
            (
                "a",
                "1:11: Write the keys of 'storekit' here (bundle-ids, roots, environments, products, account-tokens, "
                    + "device-verification), not 'a'."
            ),
            (
                "{bundle-ids: [a], roots: [a], account-tokens: {anna: device}}",
                "1:58: 'account-tokens' are what apps give StoreKit as app account tokens, a UUID like "
                    + "7e3fb20b-4cdb-47cc-936d-99d65f608138, not 'anna'."
            ),
            (
                "{bundle-ids: [a], roots: [a], account-tokens: {7e3fb20b-4cdb-47cc-936d-99d65f608138: anna}}",
                "1:96: Write 'device' here, or an account like {account: anna}, not 'anna'."
            ),
            (
                "{bundle-ids: [a], roots: [a], device-verification: this}",
                "1:62: 'device-verification' is this device's AppStore.deviceVerificationID, a UUID like "
                    + "7e3fb20b-4cdb-47cc-936d-99d65f608138, not 'this'."
            ),
            ("{roots: [a]}", "1:11: 'storekit' needs 'bundle-ids'."),
            ("{bundle-ids: [a]}", "1:11: 'storekit' needs 'roots'."),
            ("{bundle-ids: a, roots: [a]}", "1:24: 'bundle-ids' is a list like [one, two], not 'a'."),
            ("{bundle-ids: [], roots: [a]}", "1:24: 'bundle-ids' has nothing in it."),
            (
                "{bundle-ids: [a, 'a b'], roots: [a]}",
                "1:28: 'bundle-ids' are names of apps as Apple has them, letters, digits, hyphens and dots, like "
                    + "org.example.app, not 'a b'."
            ),
            ("{bundle-ids: [a], roots: a}", "1:36: 'roots' is a list like [one, two], not 'a'."),
            ("{bundle-ids: [a], roots: []}", "1:36: 'roots' has nothing in it."),
            (
                "{bundle-ids: [a], roots: [[a]]}",
                "1:37: 'roots' are files with certificates, like roots/AppleRootCA-G3.cer, not a list."
            ),
            (
                "{bundle-ids: [a], roots: [a, b]}",
                "1:40: 'b': There is no such file. Put it there, or correct its name."
            ),
            (
                "{bundle-ids: [a], roots: [a], environment: [Production]}",
                "1:41: 'environment' is no key of 'storekit'. Did you mean 'environments'? There are: bundle-ids, roots, "
                    + "environments, products, account-tokens, device-verification."
            ),
            (
                "{bundle-ids: [a], roots: [a], environments: [production]}",
                "1:56: 'production' is no environment. Did you mean 'Production'? There are: Production, Sandbox, Xcode, "
                    + "LocalTesting."
            ),
            ("{bundle-ids: [a], roots: [a], environments: []}", "1:55: 'environments' has nothing in it."),
            (
                "{bundle-ids: [a], roots: [a], products: [b]}",
                "1:51: 'products' are what is sold, each with the entitlement that it gives, like "
                    + "{org.example.monthly: premium}, not a list."
            ),
            (
                "{bundle-ids: [a], roots: [a], products: {b: premum}}",
                "1:55: 'premum' is no entitlement. Did you mean 'premium'? There are: plus, premium."
            ),
            (
                "{bundle-ids: [a], roots: [a], products: {b: [premium]}}",
                "1:55: Write the name of an entitlement here, not a list."
            ),
            (
                "{bundle-ids: [a], roots: [a], products: {\" b\": premium}}",
                "1:52: ' b' can't be a name in 'products': those are one line, without spaces around them, of 1 to 128 bytes."
            ),
        ])
    func storeKit(section: String, problem: String) {
        #expect(
            PolicyReader.providersProblems("storekit: \(section)", rootFiles: ["a": TestCertificate.der]) == [problem])
    }

    @Test(
        "a mistake in the settings of RevenueCat is reported with its place",
        arguments: [
            (
                "[]",
                "1:13: Write the keys of 'revenuecat' here (public-key, root-key, unsigned, sandbox, url, poll, users, "
                    + "entitlements), not a list."
            ),
            ("{unsigned: accepted}", "1:13: 'revenuecat' needs 'public-key'."),
            (
                "{public-key: a}",
                "1:13: Without 'root-key' no signature can be checked, and so nothing of RevenueCat's would be taken. Give "
                    + "it, or say 'unsigned: accepted'."
            ),
            (
                "{public-key: a, unsigned: refused}",
                "1:13: Without 'root-key' no signature can be checked, and so nothing of RevenueCat's would be taken. Give "
                    + "it, or say 'unsigned: accepted'."
            ),
            (
                "{public-key: [a], unsigned: accepted}",
                "1:26: 'public-key' is the app's public key, like appl_…, not a list."
            ),
            (
                "{public-key: a, unsigned: true, root-key: \(rootKey)}",
                "1:39: 'true' is no word for 'unsigned'. There are: refused, accepted."
            ),
            (
                "{public-key: a, unsigned: accepted, poll: 15}",
                "1:55: 'poll' is a duration like 90s, 15m or 1h30m (units d, h, m, s), not '15'."
            ),
            ("{public-key: a, unsigned: accepted, poll: 25h}", "1:55: 'poll' is between 1s and 24h, not 25h."),
            (
                "{public-key: a, unsigned: accepted, users: [b]}",
                "1:56: 'users' are RevenueCat's users, each with whose they are here, like {anna-17: {account: anna}, "
                    + "family-3: device}, not a list."
            ),
            (
                "{public-key: a, unsigned: accepted, users: {b: anna}}",
                "1:60: Write 'device' here, or an account like {account: anna}, not 'anna'."
            ),
            (
                "{public-key: a, unsigned: accepted, users: {b: }}",
                "1:60: Write 'device' here, or an account like {account: anna}, not nothing."
            ),
            (
                "{public-key: a, unsigned: accepted, users: {b: {acount: anna}}}",
                "1:61: 'acount' is no key of a user's holder. Did you mean 'account'? There is: account."
            ),
            (
                "{public-key: a, unsigned: accepted, users: {b: {account: ' anna'}}}",
                "1:70: 'account' is the name of an account, one line of at most 64 bytes, not ' anna'."
            ),
            (
                "{public-key: a, unsigned: accepted, users: {a/b: device}}",
                "1:57: 'a/b' is no user of RevenueCat's: none has a '/'."
            ),
            (
                "{public-key: a, unsigned: accepted, users: {'': device}}",
                "1:57: '' can't be a name in 'users': those are one line, without spaces around them, of 1 to 128 bytes."
            ),
            (
                "{public-key: a, unsigned: accepted, entitlements: {pro: plsu}}",
                "1:69: 'plsu' is no entitlement. Did you mean 'plus'? There are: plus, premium."
            ),
            (
                "{public-key: a, unsigned: accepted, rootkey: a}",
                "1:49: 'rootkey' is no key of 'revenuecat'. Did you mean 'root-key'? There are: public-key, root-key, "
                    + "unsigned, sandbox, url, poll, users, entitlements."
            ),
        ])
    func revenueCat(section: String, problem: String) {
        let problems = PolicyReader.providersProblems("revenuecat: \(section)")
        // A misspelt key is missing, too.
        let others = ["Without 'root-key'", "needs 'account'"]
        #expect(
            problems.filter { problem in !others.contains(where: problem.contains) || problems.count == 1 } == [problem]
        )
    }

    @Test(
        "a root key that is not 32 bytes in base64 is refused, and the message does not repeat it",
        arguments: [
            "c2hvcnQ=", "UC1upXWg5QVmyOSwozp755xLqquBKjjU+di6U8QhMlM", "\(rootKey)\(rootKey)",
            "UC1upXWg5QVmyOSwozp755xLqquBKjjU-di6U8QhMlM=", "'\(rootKey) '", "[]", "",
            "UC1upXWg5QVmyOSwozp755xLqquBKjjU+di6U8QhMg==", "UC1upXWg5QVmyOSwozp755xLqquBKjjU+di6U8QhMlMA",
        ])
    func rootKeys(key: String) {
        #expect(
            PolicyReader.providersProblems("revenuecat: {public-key: a, root-key: \(key)}") == [
                "1:39: 'root-key' is RevenueCat's public key of Ed25519: 32 bytes in base64, 44 characters."
            ])
    }

    @Test(
        "a secret key in place of the public one is refused, and the message does not repeat it",
        arguments: ["sk_VerySecret", "'appl_a b'", "appl_ä"])
    func secretKeys(key: String) throws {
        let problems = PolicyReader.providersProblems("revenuecat: {public-key: \(key), unsigned: accepted}")
        try #require(problems.count == 1)
        #expect(problems[0].hasPrefix("1:26: "))
        #expect(!problems[0].contains("VerySecret") && !problems[0].contains("appl_a") && !problems[0].contains("ä"))
    }

    @Test(
        "an address that is not the base of an API is refused",
        arguments: [
            "api.revenuecat.com", "ftp://a.org", "https://", "https:///a", "https://a.org?b=c", "https://a.org/#b",
            "https://user@a.org", "https://a.org:0", "https://a.org:65536", "https://a.org:", "https://a.org:+1",
            "https://a b.org", "https://ä.org", "https://a..org", "https://-a.org", "https://[::1", "https://[]",
            "https://[::1]x", "https://[a.org]", "https://300.1.1.1", "https://127.1", "https://a.org\\\\b", "''", "[]",
        ])
    func noURLs(url: String) throws {
        let problems = PolicyReader.providersProblems(
            "revenuecat: {public-key: a, unsigned: accepted, url: \(url.hasPrefix("[") ? url : "\"\(url)\"")}")
        try #require(problems.count == 1)
        #expect(
            problems[0].hasPrefix("1:54: 'url' is where the API is, like https://api.revenuecat.com"), "\(problems)")
    }

    @Test(
        "an http address is refused unless it is this device's own",
        arguments: [
            "http://api.revenuecat.com", "http://localhost.example.org", "http://127.0.0.1.example.org",
            "http://10.0.0.1",
            "http://[::2]", "http://[::ffff:127.0.0.1]", "http://localhost", "http://128.0.0.1",
        ])
    func insecure(url: String) {
        #expect(
            PolicyReader.providersProblems("revenuecat: {public-key: a, unsigned: accepted, url: '\(url)'}") == [
                "1:54: 'url' begins with https://. Only this device itself (127.0.0.1, [::1]) may be asked by http."
            ])
    }

    @Test("there are at most a thousand products and users")
    func counts() {
        func users(_ count: Int) -> String {
            "revenuecat: {public-key: a, unsigned: accepted, users: {"
                + (0..<count).map { "u\($0): device" }.joined(separator: ", ") + "}}"
        }
        #expect(PolicyReader.providersProblems(users(1000)) == [])
        #expect(
            PolicyReader.providersProblems(users(1001)) == ["1:56: 'users' has 1001 entries; at most 1000 are read."])
    }

    @Test("providers.yaml checked without a policy says which file to check it with")
    func alone() {
        let error = #expect(throws: PolicyError.self) {
            try PolicyReader.read([
                PolicySource(
                    name: "providers.yaml",
                    text: "revenuecat: {public-key: a, unsigned: accepted, entitlements: {pro: premium}}")
            ])
        }
        #expect(
            error?.description
                == "providers.yaml:1:69: 'premium' is not an entitlement: no file here defines any. Check this file together with "
                + "policy.yaml.")
    }
}
