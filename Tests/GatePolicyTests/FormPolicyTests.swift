import Foundation
import GateForms
import GateModel
import GatePolicy
import Testing

@Suite("Forms of a configuration directory")
struct FormPolicyTests {
    private static func read(_ files: [String: String]) throws -> Policy {
        try ConfigurationDirectory(files).read()
    }

    @Test("JSON and YAML give the same questionnaire, and the same JSON to the program that shows it")
    func formats() throws {
        let json = try Self.read(["questionnaires.d/a.json": SampleForms.json]).configuration.forms
        let yaml = try Self.read(["questionnaires.d/a.yaml": SampleForms.yaml]).configuration.forms
        let form = try #require(json["school"])
        #expect(json == yaml)
        #expect(form.questionnaire.version == "2026.10")
        #expect(form.questionnaire.items.map(\.linkID) == ["child", "swims", "badge"])
        #expect(form.questionnaire.items[1].text == "true", "a text, though it looks like something else")
        #expect(form.questionnaire.items[0].items[2].initial == [.decimal(try #require(FormDecimal("1.50")))])
        let again = try FHIRNode(json: form.json)
        #expect(QuestionnaireReader(fallbackName: "").questionnaire(again).questionnaire == form.questionnaire)
    }

    @Test("a form without an id gets its file's name as its id, also in its JSON; files are read in order of names")
    func names() throws {
        let policy = try Self.read([
            "questionnaires.d/b.yaml": SampleForms.yaml(id: nil), "questionnaires.d/a.json": SampleForms.json,
            "questionnaires.d/c.yaml": SampleForms.yaml(id: "first"), "questionnaires.d/.hidden.yaml": "nonsense",
        ])
        #expect(policy.configuration.forms.keys.sorted() == ["b", "first", "school"])
        #expect(policy.files.map { $0.suffix(6) } == ["a.json", "b.yaml", "c.yaml"])
        let json = String(decoding: try #require(policy.configuration.forms["b"]).json, as: UTF8.self)
        #expect(json.contains("\"id\":\"b\""))
    }

    @Test("a form is added, changed and taken away by its file alone (F-46)")
    func fileAlone() throws {
        let directory = try ConfigurationDirectory(["policy.yaml": "browser: b\n"])
        #expect(try directory.read().configuration.forms.isEmpty)
        try directory.write("questionnaires.d/club.yaml", Array(SampleForms.yaml(id: "club").utf8))
        #expect(try directory.read().configuration.forms["club"]?.questionnaire.items.first?.kind == .boolean)
        let changed = SampleForms.yaml(id: "club", item: "{linkId: q, type: date}")
        try directory.write("questionnaires.d/club.yaml", Array(changed.utf8))
        #expect(try directory.read().configuration.forms["club"]?.questionnaire.items.first?.kind == .date)
        try directory.remove("questionnaires.d/club.yaml")
        #expect(try directory.read().configuration.forms.isEmpty)
    }

    @Test("two forms with one id are refused, whatever their files are called")
    func oneID() throws {
        let directory = try ConfigurationDirectory([
            "questionnaires.d/a.yaml": SampleForms.yaml(id: "club"),
            "questionnaires.d/b.yaml": SampleForms.yaml(id: "club"),
            "questionnaires.d/club.yaml": SampleForms.yaml(id: nil),
        ])
        let first = "\(directory.path)/questionnaires.d/a.yaml:2"
        #expect(
            directory.problems() == [
                "questionnaires.d/b.yaml:2:5: There is a form 'club' already: \(first). Give this one another id.",
                "questionnaires.d/club.yaml:1:1: There is a form 'club' already: \(first). Give this one another id.",
            ])
    }

    @Test("a form's file that is empty or all commented out gives no form and no problem")
    func nothing() throws {
        let policy = try Self.read([
            "questionnaires.d/a.yaml": "", "questionnaires.d/b.yaml": "# id: b\n",
            "questionnaires.d/c.yaml": "---\n~\n",
        ])
        #expect(policy.configuration.forms.isEmpty)
    }

    @Test("a form with elements that Gate does not use is taken, and each of them gives a warning with its place")
    func warnings() throws {
        let directory = try ConfigurationDirectory([
            "questionnaires.d/a.yaml": SampleForms.yaml(
                id: "a", item: "{linkId: q, type: date, extension: [{url: https://example.org/x, valueString: y}]}")
        ])
        let policy = try directory.read()
        #expect(policy.configuration.forms.count == 1)
        let warning = try #require(policy.warnings.first?.description)
        #expect(policy.warnings.count == 1)
        #expect(warning.hasPrefix("\(directory.path)/questionnaires.d/a.yaml:5:"), "\(warning)")
        #expect(warning.contains("Item 'q': ") && warning.contains("https://example.org/x"), "\(warning)")
    }

    // MARK: - Files

    @Test("a file or a directory of forms that others can write to is refused", arguments: ["", "/a.json"])
    func writable(name: String) throws {
        let directory = try ConfigurationDirectory(["questionnaires.d/a.json": SampleForms.json])
        try directory.chmod("questionnaires.d\(name)", name.isEmpty ? 0o775 : 0o664)
        let problems = directory.problems()
        #expect(problems.count == 1)
        #expect(
            problems[0].hasPrefix("questionnaires.d\(name): Others may write to it, and so could change the policy."))
    }

    @Test("a form's file that is a link or belongs to another user is refused")
    func linksAndOwners() throws {
        let directory = try ConfigurationDirectory(["questionnaires.d/a.json": SampleForms.json])
        #expect(throws: PolicyError.self) {
            try PolicyReader.read(directory: directory.path, trustedOwners: [geteuid() + 1])
        }
        try directory.link("questionnaires.d/b.json", to: "a.json")
        #expect(
            directory.problems() == [
                "questionnaires.d/b.json: This is a symbolic link, and Gate can't tell who may change its target. Put the "
                    + "file itself here."
            ])
    }

    @Test("a form's file with another ending is reported; backups of editors and package managers are skipped")
    func suffixes() throws {
        let directory = try ConfigurationDirectory([
            "questionnaires.d/a.json~": "", "questionnaires.d/a.json.dpkg-old": "", "questionnaires.d/a.yaml.bak": "",
            "questionnaires.d/README": "", "release-notes.d/a.yaml.example": "", "questionnaires.d/b.JSON": "",
            "release-notes.d/c.json": "",
        ])
        #expect(
            try directory.read().warnings.map { $0.description.dropFirst(directory.path.count + 1) } == [
                "questionnaires.d/README: Forms end in .json or .yaml; this one would not be read.",
                "questionnaires.d/b.JSON: Forms end in .json or .yaml; this one would not be read.",
                "release-notes.d/c.json: Release notes end in .yaml; this one would not be read.",
            ])
        try directory.write("questionnaires.d/a.yml", [])
        try directory.write("release-notes.d/a.yml", [])
        #expect(
            directory.problems() == [
                "questionnaires.d/a.yml: Forms end in .json or .yaml; this one would not be read.",
                "release-notes.d/a.yml: Release notes end in .yaml; this one would not be read.",
            ])
    }

    @Test("a form may have 4 MiB, though a policy file may have only 1 MiB", arguments: ["json", "yaml"])
    func size(suffix: String) throws {
        let text = suffix == "json" ? SampleForms.json : SampleForms.yaml
        let padding = [UInt8](repeating: suffix == "json" ? 0x20 : 0x0a, count: (4 << 20) - text.utf8.count)
        let name = "questionnaires.d/a.\(suffix)"
        let directory = try ConfigurationDirectory()
        try directory.write(name, Array(text.utf8) + padding)
        #expect(try directory.read().configuration.forms.count == 1)
        try directory.write(name, Array(text.utf8) + padding + [0x20])
        #expect(directory.problems() == ["\(name): The file is larger than 4 MiB, which no form may be."])
    }

    @Test("there are at most 200 forms")
    func count() throws {
        let sources = (0..<201).map { number in
            PolicySource(name: "questionnaires.d/a\(number).yaml", text: SampleForms.yaml(id: nil))
        }
        #expect(try PolicyReader.read(Array(sources.dropLast())).configuration.forms.count == 200)
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read(sources) }
        #expect(
            error?.description == "questionnaires.d/a200.yaml: There are more than 200 forms. Take some of them away.")
    }

    // MARK: - Who asks for them

    private static let asks = "gated-actions:\n  a: {requires: {all: [signed-in, {form: consnt}]}}\n"

    @Test("a form is a requirement like the others, and can be required before it is read")
    func requirement() throws {
        let policy = try Self.read([
            "policy.yaml": "gated-actions: {a: {requires: {form: club}}}",
            "questionnaires.d/x.yaml": SampleForms.yaml(id: "club"),
        ])
        #expect(policy.configuration.gatedActions["a"]?.requirement == .form("club"))
    }

    @Test("a requirement of a form that does not exist is refused, with the nearest name there is")
    func undefined() throws {
        let directory = try ConfigurationDirectory([
            "policy.yaml": Self.asks, "questionnaires.d/consent.yaml": SampleForms.yaml(id: nil),
            "questionnaires.d/x.yaml": SampleForms.yaml(id: "profile"),
        ])
        #expect(
            directory.problems() == [
                "policy.yaml:2:42: 'consnt' is no form. Did you mean 'consent'? There are: consent, profile."
            ])
        try directory.remove("questionnaires.d/x.yaml")
        try directory.remove("questionnaires.d/consent.yaml")
        #expect(
            directory.problems() == [
                "policy.yaml:2:42: 'consnt' is not a form: there are no forms. Put its questionnaire into questionnaires.d."
            ])
    }

    @Test(
        "a form with a mistake gives no second problem at the requirement that names it",
        arguments: [
            SampleForms.yaml(id: "consnt", item: "{linkId: q, type: bool}"), "id: consnt\n  x: y\n", "{",
            SampleForms.yaml(id: "consnt", item: "&a {linkId: q, type: date}"),
        ])
    func noEcho(form: String) throws {
        for name in ["questionnaires.d/consnt.yaml", "questionnaires.d/other.yaml"] {
            let directory = try ConfigurationDirectory(["policy.yaml": Self.asks, name: form])
            let problems = directory.problems()
            #expect(!problems.isEmpty && problems.allSatisfy { $0.hasPrefix(name) }, "\(problems)")
        }
    }

    @Test("a required form that is missing is a warning if only a policy file is checked, else a mistake")
    func singleFiles() throws {
        let directory = try ConfigurationDirectory([
            "policy.yaml": Self.asks, "questionnaires.d/consent.yaml": SampleForms.yaml(id: nil),
        ])
        let policy = "\(directory.path)/policy.yaml"
        #expect(
            try PolicyReader.read(files: [policy]).warnings.map(\.description) == [
                "\(policy):2:42: Gate could not check whether there is a form 'consnt'. Check this file together "
                    + "with those in questionnaires.d."
            ])
        let form = "\(directory.path)/questionnaires.d/consent.yaml"
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read(files: [policy, form]) }
        #expect(
            error?.description == "\(policy):2:42: 'consnt' is no form. Did you mean 'consent'? There is: consent.")
    }

    @Test("a form or release notes among the policies are refused, and the message names their folder")
    func wrongPlace() {
        #expect(
            PolicyReader.problems("resourceType: Questionnaire") == [
                "1:1: 'resourceType' belongs in questionnaires.d. Move it there."
            ])
        #expect(
            PolicyReader.problems("app: org.example.draw\nversions: {}").map { $0.prefix(64) } == [
                "1:1: 'app' belongs in a file of release-notes.d. Move it there.".prefix(64),
                "2:1: 'versions' belongs in a file of release-notes.d. Move it there.".prefix(64),
            ])
    }
}
