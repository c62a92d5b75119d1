import Foundation
import GateModel
import Testing

@testable import GatePolicy

/// The example that is installed in /etc/gate as policy.yaml.example, and the defaults that are installed.
@Suite("The example policy")
struct ExamplePolicyTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("examples/device")
    private static let file = folder.appendingPathComponent("policy.yaml")
    private static let providersFile = folder.appendingPathComponent("providers.yaml")

    @Test("the example is valid, and sets mode, lockout, sign-in and roles to what is built in")
    func example() throws {
        let policy = try PolicyReader.read(files: [Self.file.path])
        let builtIn = Configuration.builtIn
        #expect(policy.configuration.modeChallenge == builtIn.modeChallenge)
        #expect(policy.configuration.lease == builtIn.lease)
        #expect(policy.configuration.maximumLease == builtIn.maximumLease)
        #expect(policy.configuration.answerTime == builtIn.answerTime)
        #expect(policy.configuration.lockout == builtIn.lockout)
        #expect(policy.configuration.signIn == builtIn.signIn)
        #expect(policy.configuration.subscription == "premium")
        #expect(policy.configuration.paywall.provider == builtIn.paywall.provider)
        #expect(policy.configuration.paywall.style == builtIn.paywall.style)
        #expect(policy.roles == .builtIn)
        #expect(policy.browser == nil)
    }

    @Test("the installed defaults say what the example says, and set no section that a product may want to set (U-07)")
    func defaults() throws {
        let folder = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("packaging/policy.d")
        let shipped = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            PolicySource(
                name: name, text: try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
        }
        let policy = try PolicyReader.read([try Self.consent()], household: nil, shipped: shipped)
        #expect(policy.broken.isEmpty && policy.warnings.isEmpty)
        let example = try PolicyReader.read([
            PolicySource(name: "policy.yaml", text: try String(contentsOf: Self.file, encoding: .utf8)),
            try Self.consent(),
        ])
        #expect(policy.configuration == example.configuration)
        #expect(policy.roles == example.roles && policy.browser == example.browser)
        for section in ["mode.", "lockout.", "sign-in.", "roles."] {
            #expect(!policy.origins.keys.contains { $0.hasPrefix(section) })
        }
        // Without the form, the gate that needs it is denied, and no other.
        let without = try PolicyReader.read([], household: nil, shipped: shipped)
        #expect(without.broken.map(\.gatedActions) == [["photos.upload"]])
        #expect(without.configuration.gatedActions.count == example.configuration.gatedActions.count - 1)
    }

    @Test("the example guards what programs of a family's device ask for")
    func gatedActions() throws {
        let gatedActions = try PolicyReader.read(files: [Self.file.path]).configuration.gatedActions
        #expect(
            gatedActions.keys.sorted() == [
                "link.open", "photos.delete", "photos.save", "photos.send", "photos.upload", "premium.filters",
                "purchase",
                "share", "store.open", "subscribe",
            ])
        #expect(gatedActions["link.open"]?.keep == .seconds(300))
        #expect(gatedActions["photos.delete"]?.title == "Delete photos")
        #expect(gatedActions["photos.delete"]?.requirement == .parentMode)
        #expect(
            gatedActions["photos.upload"]?.requirement
                == .all([.challenge(ChallengeRule(.passcode)), .form("consent")]))
        #expect(gatedActions["premium.filters"]?.requirement == .all([.signedIn, .entitlement("premium")]))
        #expect(gatedActions.values.allSatisfy { !$0.title.isEmpty })
    }

    @Test("the example of household.yaml sets nothing until its settings are uncommented, and is valid then (H-01)")
    func household() throws {
        let file = Self.folder.appendingPathComponent("household.yaml")
        #expect(try PolicyReader.read(files: [file.path]).configuration.household == nil)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
            let indent = line.prefix { $0 == " " }
            let setting = line.dropFirst(indent.count + 1)
            return setting.isEmpty || setting.hasPrefix(" ") ? nil : String(indent + setting)
        }
        let policy = try PolicyReader.read([
            PolicySource(name: "household.yaml", text: lines.joined(separator: "\n"))
        ])
        #expect(policy.configuration.household?.broker.host == "gate.example")
        #expect(
            policy.configuration.household?.homeAssistant
                == .init(may: [.extend, .answer], isFound: true, tellsWords: true))
    }

    @Test("all that is installed has every text in English, German, Russian and Chinese (L-03)")
    func languages() throws {
        let files =
            ["policy.yaml", "release-notes.d/org.example.draw.yaml", "questions.d/general.yaml"]
            + ["child-profile", "consent", "motor-insurance"].map { "questionnaires.d/\($0).yaml" }
        let policy = try PolicyReader.read(files: files.map { Self.folder.appendingPathComponent($0).path })
        #expect(policy.warnings.isEmpty, "\(policy.warnings.map(\.description))")
        let configuration = policy.configuration
        let titles =
            configuration.gatedActions.values.map(\.titles) + configuration.entitlements.values.map(\.titles)
            + configuration.forms.values.map(\.questionnaire.titles)
            + configuration.releaseNotes.values.flatMap(\.entries).map(\.titles)
        #expect(titles.count == 16)
        for title in titles {
            #expect(title.translations.map(\.language) == ["en", "de", "ru", "zh-CN"], "\(title.text)")
        }
        #expect(configuration.questions.allSatisfy { $0.texts.map(\.language) == ["en", "de", "ru", "zh"] })
    }

    @Test("the example is valid with all its settings uncommented, and shows every key and word there is")
    func commentedOut() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let policy = try PolicyReader.read([
            PolicySource(name: "policy.yaml", text: text.withSettingsInUse), try Self.consent(),
        ])
        #expect(policy.roles == .builtIn)
        #expect(policy.browser != nil)
        #expect(policy.configuration.questions.count == 1)
        #expect(policy.configuration.gatedActions.count > 8)
        let words =
            [
                "mode", "challenge", "lease", "maximum-lease", "answer-time", "lockout", "after", "for", "factor",
                "max",
                "roles", "administrator", "presenter", "grown-up-presenter", "provider", "users", "groups", "browser",
                "sign-in", "required", "session", "maximum-session", "entitlements", "paywall", "entitlement",
                "signed-in", "form",
                "gated-actions",
                "title", "requires", "keep", "style", "all", "any", "ages", "kind", "difficulty", "answered-by",
                "minimum-age",
                "calendar", "hold", "may-wait", "choices", "questions", "id", "question", "right", "wrong",
            ] + Challenge.Kind.allCases.map(\.rawValue)
        try expect(words, in: text)
    }

    private static func consent() throws -> PolicySource {
        let file = folder.appendingPathComponent("questionnaires.d/consent.yaml")
        return PolicySource(
            name: "questionnaires.d/consent.yaml", text: try String(contentsOf: file, encoding: .utf8))
    }

    @Test("the whole example directory is valid, with its forms and release notes, and Gate uses every file in it")
    func wholeDirectory() throws {
        let directory = try ConfigurationDirectory()
        for name in try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path) where name.hasSuffix(".yaml")
        {
            try directory.write(
                name, Array(try Data(contentsOf: Self.folder.appendingPathComponent(name))))
        }
        let policy = try directory.read()
        #expect(policy.warnings.map(\.description) == [])
        #expect(policy.configuration.forms["consent"]?.questionnaire.completedBy == .grownUp)
        #expect(policy.configuration.forms.count >= 3)
        let notes = try #require(policy.configuration.releaseNotes["org.example.draw"])
        #expect(notes.entries.map(\.version) == [AppVersion(1, 2, 0), AppVersion(1, 1, 0)])
    }

    @Test("the example of providers.yaml sets nothing as installed, so that it can be copied and filled in")
    func providersAsInstalled() throws {
        #expect(try PolicyReader.read(files: [Self.file.path, Self.providersFile.path]).providers == .none)
    }

    @Test("the example of providers.yaml is valid with all settings uncommented, and shows every key there is")
    func providers() throws {
        let policyText = try String(contentsOf: Self.file, encoding: .utf8)
        let text = try String(contentsOf: Self.providersFile, encoding: .utf8)
        let policy = try PolicyReader.read(
            [
                PolicySource(name: "policy.yaml", text: policyText),
                PolicySource(name: "providers.yaml", text: text.withSettingsInUse), try Self.consent(),
            ], rootFiles: ["roots/AppleRootCA-G3.cer": TestCertificate.der])
        #expect(policy.providers.storeKit?.environments == [.production])
        let revenueCat = try #require(policy.providers.revenueCat)
        #expect(revenueCat.rootKey != nil && !revenueCat.acceptsUnsigned)
        #expect(revenueCat.baseURL == RevenueCatSettings.defaultBaseURL)
        #expect(revenueCat.pollInterval == .seconds(15 * 60))
        #expect(Set(policy.configuration.items.values) == ["premium"])
        #expect(Set(policy.configuration.items.keys.map(\.provider)) == [.storeKit, .revenueCat])
        #expect(Set(policy.configuration.customers.values) == [.device, .account("anna")])
        try expect(
            [
                "storekit", "bundle-ids", "roots", "environments", "products", "revenuecat", "public-key", "root-key",
                "unsigned", "url", "poll", "users", "account", "entitlements",
            ], in: text)
    }

    private func expect(_ words: [String], in text: String) throws {
        let settings = text.withSettingsInUse.split(separator: "\n")
            .filter { !$0.drop { $0 == " " }.hasPrefix("#") }.joined(separator: "\n")
        for word in words {
            let pattern = try Regex("(^|[^a-z-])\(word)([^a-z-]|$)").anchorsMatchLineEndings()
            #expect(settings.contains(pattern), "'\(word)' is nowhere in the example")
        }
    }
}

extension String {
    /// The text with its commented-out settings in use: those after a "#" without a space.
    var withSettingsInUse: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let (indentation, rest) = (line.prefix { $0 == " " }, line.drop { $0 == " " })
            return rest.hasPrefix("#") && !rest.hasPrefix("# ") ? indentation + rest.dropFirst() : line
        }
        .joined(separator: "\n")
    }
}
