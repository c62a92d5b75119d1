import GateModel
import Glibc
import Testing

@testable import GatePolicy

@Suite("Where the policy says what (U-07)")
struct PolicyOriginTests {
    @Test("each line names where it was written: the files with the lines, a choice, or that it is built in")
    func lines() throws {
        let policy = try PolicyReader.read(
            [PolicySource(name: "/etc/gate/policy.yaml", text: "mode:\n  lease: 5m\n")], household: nil,
            choices: ["b.c": "{title: B, requires: {mode: parent}}"],
            shipped: [
                PolicySource(
                    name: "/usr/share/gate/policy.d/a.yaml",
                    text: """
                        mode: {answer-time: 2m}
                        entitlements: {gold: {title: Gold}}
                        gated-actions:
                          a: {requires: {mode: parent}}
                          a.more: {requires: {mode: parent}}
                        """)
            ])
        let lines = policy.linesWithOrigins
        func line(_ start: String) throws -> String { try #require(lines.first { $0.hasPrefix(start) }) }
        #expect(try line("mode: ").hasSuffix(" [/etc/gate/policy.yaml:2; /usr/share/gate/policy.d/a.yaml:1]"))
        #expect(try line("lockout: ").hasSuffix(" [built in]"))
        #expect(try line("gated action a (a): ").hasSuffix(" [/usr/share/gate/policy.d/a.yaml:4]"))
        #expect(try line("gated action b.c (B): ").hasSuffix(" [choice of b.c]"))
        #expect(try line("entitlement gold ").hasSuffix(" [/usr/share/gate/policy.d/a.yaml:2]"))
        #expect(try line("browser: ") == "browser: none")
        #expect(policy.withOrigins("role presenter: nobody") == "role presenter: nobody [built in]")
        #expect(policy.withOrigins("role app: every local user") == "role app: every local user")
        #expect(policy.files == ["/etc/gate/policy.yaml", "/usr/share/gate/policy.d/a.yaml"])
    }

    @Test(
        "the shipped directory is read only if nobody else can write to it, and a file that others can write to is left out"
    )
    func directory() throws {
        let own = try ConfigurationDirectory(["policy.yaml": "mode: {lease: 5m}\n"])
        let shipped = try ConfigurationDirectory([
            "a.yaml": "gated-actions: {a: {requires: {mode: parent}}}\n",
            "b.yaml": "gated-actions: {b: {requires: {mode: parent}}}\n", "README": "nonsense", ".c.yaml": "nonsense",
        ])
        func read() throws(PolicyError) -> Policy {
            try PolicyReader.read(directory: own.path, shipped: shipped.path, trustedOwners: [geteuid()])
        }
        let both = try read()
        #expect(both.files == [own.path + "/policy.yaml", shipped.path + "/a.yaml", shipped.path + "/b.yaml"])
        #expect(both.configuration.gatedActions.count == 2 && both.configuration.lease == .seconds(300))
        try shipped.chmod("b.yaml", 0o666)
        let one = try read()
        #expect(
            Array(one.configuration.gatedActions.keys) == ["a"] && one.broken.map(\.file) == [shipped.path + "/b.yaml"])
        try shipped.chmod(".", 0o777)
        let none = try read()
        #expect(none.configuration.gatedActions.isEmpty && none.broken.count == 1)
        #expect(none.configuration.lease == .seconds(300))
        let missing = try PolicyReader.read(
            directory: own.path, shipped: shipped.path + "/gone", trustedOwners: [geteuid()])
        #expect(missing.broken.isEmpty && missing.files.count == 1)
    }

    @Test("of more than a hundred shipped files, those beyond are left out, each with what to do")
    func tooMany() throws {
        let files = (0..<105).map { number in
            let name = "m\(100 + number)"
            return ("\(name).yaml", "gated-actions: {\(name): {requires: {mode: parent}}}\n")
        }
        let own = try ConfigurationDirectory(["policy.yaml": "mode: {lease: 5m}\n"])
        let shipped = try ConfigurationDirectory(Dictionary(uniqueKeysWithValues: files))
        let policy = try PolicyReader.read(
            directory: own.path, shipped: shipped.path, trustedOwners: [geteuid()])
        #expect(policy.configuration.gatedActions.count == 100 && policy.configuration.lease == .seconds(300))
        #expect(policy.configuration.gatedActions["m199"] != nil && policy.configuration.gatedActions["m200"] == nil)
        #expect(policy.broken.map(\.file) == (200..<205).map { "\(shipped.path)/m\($0).yaml" })
        #expect(
            policy.broken.first?.problems.first?.message
                == "This file is not read, since 100 files come before it. Put some of them together, or remove a package "
                + "that brings one.")
    }

    @Test("only /etc/gate has shipped defaults beneath it")
    func beside() {
        #expect(PolicyReader.shippedDirectory(beside: "/etc/gate") == "/usr/share/gate/policy.d")
        #expect(PolicyReader.shippedDirectory(beside: "/tmp/etc") == nil)
    }

    @Test(
        "a gated action that is written as a choice reads as the same action again",
        arguments: [
            "{title: T, requires: {mode: parent}}",
            "{title: T, requires: signed-in, keep: 90s, style: full-screen-cover}",
            "{title: {en: 'A \"b\"', de: 'Ä: {b}', zh-CN: 打开}, requires: {challenge: passcode}}",
            "{title: T, requires: {challenge: {kind: confirm, answered-by: grown-up}}, keep: 24h}",
            "{title: T, requires: {challenge: {kind: birthdate, minimum-age: 21, calendar: minguo}}}",
            "{title: T, requires: {challenge: {ages: {0-8: {kind: shapes, difficulty: easy}, 9-11: {kind: hold, hold: 5s}, 12+: totp}}}}",
            "{title: T, requires: {any: [{mode: parent}, {all: [{entitlement: gold}, {form: consent}, {challenge: quiz}]}]}}",
        ])
    func notation(text: String) throws {
        func action(_ notation: String) throws -> GatedAction? {
            var draft = PolicyDraft(hasPolicy: true, hasForms: false, rootFiles: .given([:]))
            let source = PolicySource(name: "policy.yaml", text: "gated-actions:\n  a: \(notation)\n")
            let tree = YAMLText(source: source).tree(&draft.problems)
            draft.read(try #require(tree))
            #expect(draft.problems.isEmpty, "\(draft.problems.found)")
            return draft.configuration.gatedActions["a"]
        }
        let first = try #require(try action(text))
        #expect(!first.notation.contains("\n"))
        #expect(try action(first.notation) == first)
    }

    @Test("a requirement is read alone, also by a kind of challenge or `parent`")
    func requirements() throws {
        #expect(try PolicyReader.requirement("passcode") == .challenge(ChallengeRule(.passcode)))
        #expect(try PolicyReader.requirement("parent") == .parentMode)
        #expect(try PolicyReader.requirement("signed-in") == .signedIn)
        #expect(try PolicyReader.requirement("{any: [{mode: parent}, signed-in]}") == .any([.parentMode, .signedIn]))
        for wrong in ["", "{}", "nonsense", "{mode: parent", "{mode: parent}\nroles: {}", "[{mode: parent}]", "# only"]
        {
            #expect(throws: PolicyError.self, "\(wrong)") { try PolicyReader.requirement(wrong) }
        }
    }
}
