import GateModel
import GatePolicy
import Testing

@Suite("What is no YAML, or more YAML than a policy needs")
struct YAMLMistakesTests {
    @Test(
        "a mistake of syntax is reported with line, column and a likely cause",
        arguments: [
            (
                "mode: {lease: 5m\nbrowser: a\n",
                "2:8: This is not YAML: did not find expected ',' or '}', while parsing a flow mapping that begins in line 1. "
                    + "Is a quote or a bracket missing?"
            ),
            ("mode:\n\tlease: 5m\n", "2:1: There is a tab here. Indent with spaces."),
            (
                "mode:\n  lease: 5m\n answer-time: 1m\n",
                "3:2: This is not YAML: did not find expected key, while parsing a block mapping that begins in line 1. "
                    + "Lines that belong together have to begin in the same column."
            ),
            (
                "browser: a: b\n",
                "1:11: This is not YAML: mapping values are not allowed in this context. Is this line indented too far? If "
                    + "a text has a colon in it, put the text in quotes."
            ),
            (
                "browser: \"a\n",
                "2:1: This is not YAML: found unexpected end of stream, while scanning a quoted scalar that begins in line 1. "
                    + "Is a quote or a bracket missing?"
            ),
            (
                "browser: @a\n",
                "1:10: This is not YAML: found character that cannot start any token. Put a text that begins with such a "
                    + "character in quotes."
            ),
            (
                "---\nbrowser: a\n---\nbrowser: b\n",
                "3:1: Each file is one document. Delete the '---' and what follows, or make a file of it."
            ),
            ("browser: a\u{7}b\n", "1:11: There is a character here that no text has (U+7). Delete it."),
        ])
    func syntax(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test(
        "a duplicate key is reported at its second place",
        arguments: [
            (
                "mode: {lease: 5m}\nbrowser: a\nmode: {}\n",
                "3:1: The key 'mode' is there twice. The first is in line 1. Keep one of them."
            ),
            (
                "mode:\n  lease: 5m\n  lease: 5m\n",
                "3:3: The key 'lease' is there twice. The first is in line 2. Keep one of them."
            ),
            ("mode: {lease: 5m, \"lease\": 6m}\n", "1:8: The key 'lease' is there twice. Keep one of them."),
        ])
    func duplicateKeys(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test(
        "anchors, aliases, tags and keys that are not words are refused",
        arguments: [
            (
                "mode: &a {lease: 5m}\n",
                "1:7: Policies have no anchors ('&name') and no aliases ('*name'). Write it out."
            ),
            (
                "roles: &a {presenter: {users: []}}\nlockout: *a\n",
                "1:8: Policies have no anchors ('&name') and no aliases ('*name'). Write it out."
            ),
            ("mode: *a\n", "1:7: Policies have no aliases ('*name'). Write it out, or put it in quotes."),
            ("browser: !!binary aaaa\n", "1:10: Policies have no tags ('tag:yaml.org,2002:binary'). Leave it out."),
            ("browser: !x firefox\n", "1:10: Policies have no tags ('!x'). Leave it out."),
            ("mode: !!str {lease: 5m}\n", "1:7: Policies have no tags ('tag:yaml.org,2002:str'). Leave it out."),
            ("browser: !!seq firefox\n", "1:10: Policies have no tags ('tag:yaml.org,2002:seq'). Leave it out."),
            ("? [a, b]\n: c\n", "1:3: A key is a single word, not a list."),
        ])
    func moreThanNeeded(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test("aliases that double in size at each level are refused before they are expanded")
    func aliasBomb() {
        let levels = (1...40).map { "x\($0): &x\($0) [*x\($0 - 1), *x\($0 - 1)]\n" }.joined()
        let problems = PolicyReader.problems("x0: &x0 [a]\n\(levels)? *x40\n: a\n? *x39\n: a\n")
        #expect(problems.count == 41)
        #expect(
            problems.allSatisfy {
                $0.hasSuffix(": Policies have no anchors ('&name') and no aliases ('*name'). Write it out.")
            })
    }

    @Test("a tag that says what the value is anyway is accepted, and a tagged word is a word")
    func harmlessTags() throws {
        let policy = try PolicyReader.read(
            """
            !!str gated-actions: !!map
              !!str a: {title: !!str ~, requires: {all: !!seq [{mode: ! parent}]}}
              b: {title: ! null, requires: !!map {mode: !!str parent}}
            """)
        #expect(policy.configuration.gatedActions["a"]?.title == "~")
        #expect(policy.configuration.gatedActions["a"]?.requirement == .all([.parentMode]))
        #expect(policy.configuration.gatedActions["b"]?.title == "null")
    }

    @Test("stars in texts and comments are not taken for aliases")
    func stars() {
        let titles = (0..<40).map { "  a\($0): {title: 'Rate it ** or *** * now', requires: {mode: parent}}\n" }
            .joined()
        #expect(PolicyReader.problems("# * one\n# * two\ngated-actions:\n\(titles)") == [])
    }

    @Test("a word that YAML takes for a number, a truth value or nothing stays a word where a word is expected")
    func words() throws {
        let policy = try PolicyReader.read("roles: {presenter: {users: [no, 0777, 1e3], groups: ['null', on]}}")
        #expect(policy.roles.presenters == Principals(users: ["no", "0777", "1e3"], groups: ["null", "on"]))
    }

    @Test("a file with 100,000 nested levels is refused without recursion", arguments: ["[", "- ", "{a: ", "? "])
    func deep(opening: String) {
        #expect(PolicyReader.problems(String(repeating: opening, count: 100_000)).count == 1)
    }

    @Test("a file is at most 1 MiB, and there are at most a hundred")
    func size() {
        #expect(PolicyReader.problems(String(repeating: "#", count: 1 << 20)) == [])
        #expect(
            PolicyReader.problems(String(repeating: "#", count: (1 << 20) + 1))
                == [" The file is larger than 1 MiB. Split it."])
        let sources = (0...100).map { PolicySource(name: "\($0).yaml", text: "") }
        #expect(throws: Never.self) { try PolicyReader.read(Array(sources.dropLast())) }
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read(sources) }
        #expect(error?.description == "100.yaml: There are more than 100 policy files. Put some of them together.")
    }

    @Test("a policy has at most a thousand gated actions, and reports at most a hundred problems")
    func counts() {
        func policy(_ count: Int, _ requirement: String) -> String {
            "gated-actions:\n" + (0..<count).map { "  a\($0): {requires: {\(requirement)}}\n" }.joined()
        }
        #expect(PolicyReader.problems(policy(1000, "mode: parent")) == [])
        #expect(
            PolicyReader.problems(policy(1001, "mode: parent")) == ["1002:3: There are more than 1000 gated actions."])
        #expect(PolicyReader.problems(policy(1001, "mood: parent")).count == 100)
    }
}
