import GateModel
import GatePolicy
import Testing

@Suite("household.yaml")
struct HouseholdFileTests {
    private static let household = "8f14e45fceea167a5a36dedd4bea2543"
    private static let device = "c9f0f895fb98ab9159f51fd0297e236d"
    /// The public key of RFC 8032's first test.
    private static let key = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    private static let broker = "{host: gate.example, authority: ca.pem, certificate: device.pem, key: device.key}"

    /// A whole file in which some lines are replaced.
    private static func text(_ changes: [String: String?] = [:]) -> String {
        var lines: [String: String?] = [
            "household": household, "device": device, "name": "Mia's tablet", "key": key, "broker": broker,
        ]
        lines.merge(changes) { $1 }
        return ["household", "device", "name", "key", "broker", "home-assistant", "policy", "usage"].compactMap { key in
            lines[key].flatMap(\.self).map { "\(key): \($0)\n" }
        }.joined()
    }

    private static func read(_ text: String) throws(PolicyError) -> Policy {
        try PolicyReader.read([PolicySource(name: "/etc/gate/household.yaml", text: text)])
    }

    /// `line:column: message`, each.
    private static func problems(_ text: String) -> [String] {
        do throws(PolicyError) {
            _ = try read(text)
            return []
        } catch {
            return error.problems.map { String($0.description.dropFirst("/etc/gate/household.yaml:".count)) }
        }
    }

    @Test("a device takes the household's policy only if household.yaml says so")
    func takesPolicy() throws {
        func takes(_ value: String?) throws -> Bool? {
            try Self.read(Self.text(["policy": value])).configuration.household?.takesPolicy
        }
        #expect(try takes(nil) == false && takes("false") == false && takes("true") == true)
        #expect(!Self.problems(Self.text(["policy": "bedtime.yaml"])).isEmpty)
    }

    @Test("a device sums use with others only if household.yaml says so (Z-02)")
    func sumsUsage() throws {
        func sums(_ value: String?) throws -> Bool? {
            try Self.read(Self.text(["usage": value])).configuration.household?.sumsUsage
        }
        #expect(try sums(nil) == false && sums("false") == false && sums("true") == true)
        #expect(!Self.problems(Self.text(["usage": "1h"])).isEmpty)
    }

    @Test("every setting of household.yaml is read as it is written")
    func all() throws {
        let policy = try Self.read(
            Self.text([
                "broker":
                    "{host: 2001:db8::1, port: 1883, authority: household/ca.pem, certificate: /c.pem, key: household/k}",
                "home-assistant": "{may: [answer, extend]}",
            ]))
        let settings = try #require(policy.configuration.household)
        #expect(settings.household == HouseholdID(Self.household) && settings.device == HouseholdID(Self.device))
        #expect(settings.name == "Mia's tablet")
        #expect(settings.publicKey.count == 32 && settings.publicKey.prefix(3) == [0xd7, 0x5a, 0x98])
        #expect(
            settings.broker
                == .init(
                    host: "2001:db8::1", port: 1883, authority: "household/ca.pem", certificate: "/c.pem",
                    key: "household/k"))
        #expect(settings.homeAssistant == .init(may: [.extend, .answer], isFound: true))
        #expect(policy.files == ["/etc/gate/household.yaml"])
        // The program that carries messages has its role by default.
        #expect(policy.roles.households == Principals(users: ["gate-household"]))
        let roles = "roles: {household: {users: []}}"
        let emptied = try PolicyReader.read([
            PolicySource(name: "policy.yaml", text: roles),
            PolicySource(name: "household.yaml", text: Self.text([:])),
        ])
        #expect(emptied.roles == .builtIn)
    }

    @Test("without a port and a section for Home Assistant, the port is 8883 and Home Assistant is told nothing")
    func defaults() throws {
        let policy = try Self.read(Self.text())
        #expect(policy.configuration.household?.broker.port == 8883)
        #expect(policy.configuration.household?.homeAssistant == nil)
        #expect(policy.warnings.isEmpty)
        #expect(
            policy.description.contains(
                "household \(Self.household): this device is \(Self.device) (Mia's tablet); broker gate.example, port 8883; "
                    + "Home Assistant is not used"))
    }

    @Test(
        "a device with a section for Home Assistant is found by it, unless discovery is switched off",
        arguments: [
            ("{discovery: true}", true, "Home Assistant may lock alone"),
            ("{may: []}", true, "Home Assistant may lock alone"),
            ("{discovery: false}", false, "Home Assistant may lock alone, and does not find this device"),
        ])
    func discovery(section: String, isFound: Bool, words: String) throws {
        let policy = try Self.read(Self.text(["home-assistant": section]))
        #expect(policy.configuration.household?.homeAssistant == .init(may: [], isFound: isFound))
        #expect(policy.description.contains { $0.hasSuffix(words) } && policy.warnings.isEmpty)
    }

    @Test("without household.yaml, or with all of it commented out, the device is in no household")
    func nothing() throws {
        #expect(Configuration.builtIn.household == nil)
        #expect(try PolicyReader.read([]).configuration.household == nil)
        for text in ["", "# household: 1\n", "~"] { #expect(try Self.read(text).configuration.household == nil) }
    }

    @Test(
        "each permission for Home Assistant gives a warning, because whoever runs the broker has it too",
        arguments: [
            ("[extend]", "extend"), ("[extend, answer]", "extend, answer"),
        ])
    func warning(list: String, words: String) throws {
        let policy = try Self.read(Self.text(["home-assistant": "{may: \(list)}"]))
        #expect(
            policy.warnings.map(\.description) == [
                "/etc/gate/household.yaml:6:23: Home Assistant may do this without a guardian: \(words). So may anyone who "
                    + "runs the broker, or gets into Home Assistant."
            ])
        #expect(policy.description.contains { $0.hasSuffix("Home Assistant may lock, \(words) without a guardian") })
        #expect(try Self.read(Self.text(["home-assistant": "{may: []}"])).warnings.isEmpty)
    }

    @Test("telling Home Assistant the words of questions gives a warning, because whoever runs the broker reads them")
    func words() throws {
        #expect(try Self.read(Self.text()).configuration.household?.homeAssistant?.tellsWords == nil)
        for (section, tellsWords) in [("{may: []}", false), ("{words: false}", false), ("{words: true}", true)] {
            let policy = try Self.read(Self.text(["home-assistant": section]))
            #expect(policy.configuration.household?.homeAssistant?.tellsWords == tellsWords)
            #expect(policy.description.contains { $0.hasSuffix(", and reads what is asked here") } == tellsWords)
            #expect(
                policy.warnings.map(\.description)
                    == (tellsWords
                        ? [
                            "/etc/gate/household.yaml:6:25: Home Assistant is told what is asked on this device. Anyone who runs "
                                + "the broker, or gets into Home Assistant, reads it, too."
                        ] : []))
        }
    }

    @Test(
        "each key that is missing in household.yaml is named",
        arguments: ["household", "device", "name", "key", "broker"])
    func missing(key: String) {
        #expect(Self.problems(Self.text([key: nil])) == ["1:1: household.yaml needs '\(key)'."])
    }

    @Test(
        "a wrong value in household.yaml is reported with its place",
        arguments: [
            (
                "household", "8F14e45fceea167a5a36dedd4bea2543",
                "1:12: 'household' is an id of 32 hexadecimal digits in lower case, not '8F14e45fceea167a5a36dedd4bea2543'."
            ),
            ("device", "[a]", "2:9: 'device' is an id of 32 hexadecimal digits in lower case, not a list."),
            (
                "name", "' Mia'",
                "3:7: 'name' is what people call this device, one line of at most 64 bytes, not ' Mia'."
            ),
            (
                "name", "\"a\\u202Eb\"",
                "3:7: 'name' is what people call this device, one line of at most 64 bytes, not 'a\u{FFFD}b'."
            ),
            (
                "key", "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                "4:6: 'key' is the household's public key of Ed25519: 32 bytes in base64url without padding, 43 characters."
            ),
            (
                "key", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
                "4:6: 'key' is the household's public key of Ed25519: 32 bytes in base64url without padding, 43 characters."
            ),
            (
                "broker", "gate.example",
                "5:9: Write the keys of 'broker' here (host, port, authority, certificate, key), not 'gate.example'."
            ),
            ("broker", "{host: a, authority: a, certificate: a}", "5:9: 'broker' needs 'key'."),
            (
                "broker", "{host: 'a:1', authority: a, certificate: a, key: a}",
                "5:16: 'host' is a name like gate.example, or an address without brackets; 'port' is a key of its own, not "
                    + "'a:1'."
            ),
            (
                "broker", "{host: a, port: 0, authority: a, certificate: a, key: a}",
                "5:25: 'port' is a whole number between 1 and 65535, not '0'."
            ),
            (
                "broker", "{host: a, authority: household/, certificate: a, key: a}",
                "5:30: 'authority' is the path of a file, from the configuration directory or from /, like "
                    + "household/authority.pem, not 'household/'."
            ),
            (
                "home-assistant", "{may: [unlock]}",
                "6:24: 'unlock' is no permission. There are: extend, answer."
            ),
            ("home-assistant", "{words: all}", "6:25: 'words' is true or false, not 'all'."),
        ])
    func mistakes(key: String, value: String, problem: String) {
        #expect(Self.problems(Self.text([key: value])) == [problem])
    }

    @Test(
        "a host is a name or an address; anything that a resolver reads otherwise is refused",
        arguments: [
            ("gate", true), ("gate.example", true), ("192.0.2.1", true), ("fe80::1%eth0", true), ("a_b.local", true),
            ("[::1]", false), ("mqtts://a", false), ("a b", false), ("a..b", false), ("-a", false), ("a.", false),
            ("::1%", false), ("fe80::1%e/0", false), ("bücher.example", false),
            (String(repeating: "a", count: 64), false),
        ])
    func hosts(host: String, isRight: Bool) {
        let text = Self.text(["broker": "{host: '\(host)', authority: a, certificate: a, key: a}"])
        #expect(Self.problems(text).isEmpty == isRight)
    }

    @Test("keys in the wrong file are refused with the file they belong to, and household.yaml may be given only once")
    func elsewhere() throws {
        #expect(
            PolicyReader.problems("household: a\nhome-assistant: {may: [extend]}\n") == [
                "1:1: 'household' belongs in household.yaml. Move it there.",
                "2:1: 'home-assistant' belongs in household.yaml. Move it there.",
            ])
        #expect(
            Self.problems(Self.text() + "mode: {lease: 5m}\nstoreKit: {}\nstorekit: {}\n") == [
                "6:1: 'mode' belongs in policy.yaml. Move it there.",
                "7:1: 'storeKit' is no key of household.yaml. There are: household, device, name, key, broker, "
                    + "home-assistant, policy, receipts, usage.",
                "8:1: 'storekit' belongs in providers.yaml. Move it there.",
            ])
        let error = #expect(throws: PolicyError.self) {
            try PolicyReader.read(
                ["a", "b"].map { PolicySource(name: "\($0)/household.yaml", text: Self.text()) })
        }
        #expect(
            error?.description
                == "b/household.yaml:1:1: 'household' is there already: a/household.yaml:1. Keep one of them.")
    }

    @Test("household.yaml must be as trusted as the policy, and belongs beside policy.yaml")
    func directory() throws {
        let directory = try ConfigurationDirectory(["household.yaml": Self.text()])
        #expect(try directory.read().configuration.household?.name == "Mia's tablet")
        try directory.chmod("household.yaml", 0o664)
        #expect(directory.problems().map { $0.prefix(37) } == ["household.yaml: Others may write to i"])
        let misplaced = try ConfigurationDirectory(["policy.d/household.yaml": Self.text()])
        #expect(
            misplaced.problems()
                == ["policy.d/household.yaml: This file stands beside policy.yaml. Move it there."])
    }

    @Test("forms and release notes may be called household.yaml, because their folder decides what they are")
    func othersOfThisName() throws {
        let form = """
            resourceType: Questionnaire
            id: household
            title: Household
            status: active
            item: [{linkId: people, type: integer, text: "How many are you?"}]
            """
        let directory = try ConfigurationDirectory([
            "questionnaires.d/household.yaml": form,
            "questionnaires.d/providers.yaml": form.replacing("household", with: "providers"),
            "release-notes.d/household.yaml": """
            app: org.example.draw
            versions: {1.0.0: {title: New, features: [{title: Layers}]}}
            """,
            "household.yaml": Self.text(),
        ])
        #expect(directory.problems() == [])
        #expect(try directory.read().configuration.household?.name == "Mia's tablet")
    }
}
