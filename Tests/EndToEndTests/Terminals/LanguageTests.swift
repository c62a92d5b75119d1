import Foundation
import ProcessSupport
import Testing

/// Gate's texts in the person's language, on a device that has none of these locales installed (L-01, L-02, L-04,
/// L-06).
@Suite("Languages", .serialized, .waitsForProcesses)
struct LanguageTests {
    private static let locales = ["de_DE.UTF-8", "ru_RU.UTF-8", "zh_CN.UTF-8"]

    private static let names = [
        "gatectl", "rev", "link", "open", "photos", "delete", "anna", "Gate", "root", "arithmetic", "entry",
    ]

    private static let policy = """
        mode: {challenge: {kind: passcode}}
        lockout: {after: 3, for: 30s, factor: 2, max: 1h}
        gated-actions:
          link.open: {title: "1", requires: {challenge: {kind: arithmetic-entry}}}
          photos.delete: {title: "2", requires: {mode: parent}}

        """

    private func run(
        _ gate: RunningGate, _ locale: String, _ arguments: [String], input: String = ""
    ) throws -> ChildProcess.Result {
        let process = try ChildProcess(
            builtProgram("gatectl"), arguments + ["--server-user", "root"],
            environment: ["GATE_SOCKET": gate.socket, "LANG": locale])
        process.write(input)
        process.closeInput()
        return try process.ended()
    }

    /// The words of Latin letters that are no names: of commands, of the policy, of people.
    private func latinWords(_ text: String) -> [String] {
        let commands = text.replacing(/`[^`]*`/, with: "")
        return commands.matches(of: /[A-Za-z]{2,}/).map { String($0.0) }
            .filter { !Self.names.contains($0) }
    }

    @Test(
        "without --json every line is in the person's language, and the exit status stays the same", arguments: locales)
    func story(locale: String) throws {
        let gate = try RunningGate(policy: Self.policy)
        let english = try RunningGate(policy: Self.policy)
        let steps: [(words: [String], input: String)] = [
            (["passcode", "set", "--stdin"], "135790\n"),
            (["check", "link.open"], ""), (["check", "photos.delete"], ""), (["check", "no.such"], ""),
            (["authorize", "link.open", "--stdin"], "1\n"),
            (["authorize", "link.open", "--stdin"], "\n"),
            (["authorize", "photos.delete", "--stdin"], ""),
            (["toggle", "--stdin"], "135790\n"), (["status"], ""), (["check", "photos.delete"], ""), (["lock"], ""),
            (["toggle", "--stdin"], "000000\n"), (["toggle", "--stdin"], "000000\n"),
            (["toggle", "--stdin"], "000000\n"), (["toggle", "--stdin"], "000000\n"),
            (["register", "anna", "--password-file", "-"], "green-door\n"),
            (["login", "anna", "--password-file", "-"], "wrong-door\n"),
            (["login", "anna", "--password-file", "-"], "green-door\n"), (["logout"], ""),
        ]
        for (words, input) in steps {
            let said = try run(gate, locale, words, input: input)
            let meant = try run(english, "C.UTF-8", words, input: input)
            #expect(said.status == meant.status, "\(words): \(said.errors)")
            let (text, plain) = (said.output + said.errors, meant.output + meant.errors)
            for (line, same) in zip(text.split(separator: "\n"), plain.split(separator: "\n"))
            where !latinWords(String(same)).isEmpty {
                #expect(line != same, "\(words)")
            }
            guard locale != "de_DE.UTF-8" else { continue }
            #expect(latinWords(text).isEmpty, "\(words): \(text)")
        }
    }

    @Test("the time to wait is in the person's language")
    func wait() throws {
        let gate = try RunningGate(policy: Self.policy)
        for _ in 0..<3 { _ = try run(gate, "C.UTF-8", ["authorize", "link.open", "--stdin"], input: "1\n") }
        let refused = try run(gate, "ru_RU.UTF-8", ["authorize", "link.open", "--stdin"], input: "1\n")
        #expect(refused.status == 75)
        #expect(refused.errors.contains(/через \d+ сек\./), "\(refused.errors)")
    }

    @Test("JSON is the same in every language, and errors in it too", arguments: locales)
    func json(locale: String) throws {
        let gate = try RunningGate(policy: Self.policy)
        for words in [
            ["check", "no.such", "--json"], ["authorize", "photos.delete", "--json"], ["status", "--json"],
        ] {
            let (said, meant) = (try run(gate, locale, words), try run(gate, "C.UTF-8", words))
            #expect(said.output == meant.output)
            #expect(said.status == meant.status)
        }
    }

    @Test("an unknown language, or a terminal without its characters, gets English")
    func english() throws {
        let gate = try RunningGate(policy: Self.policy)
        let plain = try run(gate, "C.UTF-8", ["check", "no.such"]).output
        for locale in ["eo.UTF-8", "ru_RU.KOI8-R", "C", "", "../../../etc.UTF-8"] {
            #expect(try run(gate, locale, ["check", "no.such"]).output == plain)
        }
    }

    @Test("a question's choices, asker and countdown on a terminal are in the person's language", arguments: locales)
    func terminal(locale: String) throws {
        let gate = try RunningGate(policy: Self.policy)
        let words = [
            "de_DE.UTF-8": ["Gerade gibt es keine Frage.", "Frage an einen Erwachsenen:"],
            "ru_RU.UTF-8": ["Вопросов нет.", "Вопрос взрослому:"],
            "zh_CN.UTF-8": ["目前没有问题。", "请家长回答："],
        ]
        let (idle, heading) = try #require(words[locale].map { ($0[0], $0[1]) })
        let screen = try gate.gatectlOnTerminal("present", locale: locale)
        try screen.shows(idle)
        let requester = try gate.gatectlRunning("authorize", "link.open")
        try screen.shows(heading)
        screen.type("\u{1b}")
        #expect(try requester.ended().status == 3)
    }

    @Test("the list of verbs, and the help of what parents use, is in the person's language (L-07)", arguments: locales)
    func help(locale: String) throws {
        func help(_ words: [String], _ locale: String) throws -> String {
            let process = try ChildProcess(
                builtProgram("gatectl"), words, environment: ["LANG": locale], hasInput: false)
            let result = try process.ended()
            #expect(result.status == 0 && result.errors.isEmpty, "\(words): \(result.errors)")
            return result.output
        }
        for words in [
            ["setup"], ["status"], ["toggle"], ["lock"], ["extend"], ["asks"], ["allow"], ["refuse"], ["more-time"],
            ["people"], ["people", "set"], ["people", "confirm"], ["apps"], ["apps", "guard"], ["apps", "run"],
            ["household"], ["household", "lock"], ["household", "approve"], [],
        ] {
            let text = try help(words + ["--help"], locale)
            #expect(text.contains(words.isEmpty ? "more-time" : "gatectl \(words.joined(separator: " "))"))
            #expect(!text.contains(#/\b(the|is|of|and|with|Show|Print)\b/#), "\(words): \(text)")
            #expect(try help(["help"] + words, locale) == text)
            let english = try help(words + ["--help"], "C.UTF-8")
            #expect(english.hasPrefix("OVERVIEW: "))
        }
        // JSON is the same in every language, and so is the help beside it.
        for words in [["allow"], ["people", "set"]] {
            #expect(try help(words + ["--json", "--help"], locale) == help(words + ["--help"], "C.UTF-8"))
        }
    }
}
