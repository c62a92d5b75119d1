import Foundation
import ProcessSupport
import Testing

/// The example device in a family that reads no English: its policy, forms, notes and questions are in four languages
/// (L-03).
@Suite("The example device in the family's language", .serialized, .waitsForProcesses)
struct LanguageStoryTests {
    /// Names and words that are the same in each language: commands, addresses, laws, file formats.
    private static let names: Set<String> = [
        "gatectl", "rev", "link", "open", "anna", "Gate", "root", "https", "example", "org", "draw", "new", "Draw",
        "Premium",
        "RevenueCat", "Example", "Drawing", "drawing", "privacy", "children", "Ltd", "Street", "London", "COPPA", "CFR",
        "form", "withdraw", "consent", "name", "help", "save", "skip", "Enter", "application", "pdf", "image", "jpeg",
        "png", "MB", "premium", "purchase", "share", "subscribe", "totp", "manual", "uid", "UTC", "qqq",
    ]

    private static func example(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: repositoryFile("examples/device/\(path)"))))
    }

    private static func gate() throws -> RunningGate {
        let files = [
            "questionnaires.d/consent.yaml", "release-notes.d/org.example.draw.yaml", "questions.d/general.yaml",
        ]
        let gate = try RunningGate(
            policy: String(decoding: try example("policy.yaml"), as: UTF8.self),
            files: Dictionary(uniqueKeysWithValues: try files.map { ($0, try example($0)) }))
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "135790\n").status == 0)
        return gate
    }

    private static func run(
        _ gate: RunningGate, _ locale: String, _ arguments: [String], input: String
    ) throws -> ChildProcess.Result {
        let process = try ChildProcess(
            builtProgram("gatectl"), arguments + ["--server-user", "root"],
            environment: ["GATE_SOCKET": gate.socket, "LANG": locale])
        process.write(input)
        process.closeInput()
        return try process.ended()
    }

    /// The words of Latin letters that are no names: commands, paths of items and files, gated actions and groups are none.
    private static func latinWords(_ text: some StringProtocol) -> [String] {
        String(text).replacing(/`[^`]*`|\[[^\]]*\]|\/[\w.\/-]+|\b[a-z]+\.[a-z]+\b|\bgate-(admin|presenter)\b/, with: "")
            .matches(of: /[A-Za-z]{2,}/).map { String($0.0) }
            .filter { !names.contains($0) }
    }

    /// The lines that a parent types into the consent form; an empty line skips a question.
    private static let answers = [
        "Мария", "Иванова", "1980-05-17", "1", "m@example.org", "", "2", "Лина", "2016-03-02", "", "1", "", "y", "1",
        "y", "",
        "", "1", "Мария Иванова", "2026-11-25", "",
    ]

    private static let steps: [(words: [String], input: String, status: Int32)] = [
        (["open", "https://example.org/", "--browser", "/bin/true", "--stdin"], "1\n", 1),
        (["open", "https://example.org/", "--browser", "/bin/true", "--stdin"], "135790\n", 0),
        (["toggle", "--stdin"], "135790\n", 0), (["extend", "5m", "--stdin"], "", 0), (["lock"], "", 0),
        (["register", "anna", "--password-file", "-"], "green-door\n", 0),
        (["login", "anna", "--password-file", "-"], "green-door\n", 0),
        (["check", "premium.filters"], "", 2),
        (["form", "list"], "", 0), (["form", "fill", "consent"], answers.joined(separator: "\n") + "\n", 0),
        (["whatsnew", "show", "org.example.draw", "1.2.0", "--stdin"], "\n", 0),
        (["gates"], "", 0), (["check", "purchase"], "", 2), (["whatsnew", "list"], "", 0),
        (["whatsnew", "reset"], "", 0),
        (["form", "responses"], "", 0), (["form", "open", "consent"], "", 0), (["form", "drafts"], "", 0),
        (["form", "set", "consent", "qqq", "1"], "", 65),
        (["form", "get", "consent"], "", 0),
        (["form", "discard", "consent"], "", 0),
        (["form", "open", "qqq"], "", 65), (["form", "response", "99"], "", 65),
        (["policy", "show"], "", 0), (["policy", "check", "--config-directory", "ETC"], "", 0), (["reload"], "", 0),
        (["lockouts"], "", 0), (["grants"], "", 0), (["grants", "revoke"], "", 0), (["lockouts", "clear"], "", 0),
        (["accounts"], "", 0), (["entitlements"], "", 0),
        (["entitlements", "add", "premium", "--until", "2090-01-31"], "", 0), (["entitlements"], "", 0),
        (["entitlements", "claims"], "", 0), (["entitlements", "revoke", "manual", "1"], "", 0),
        (["entitlements", "add", "premium", "--until", "2001-01-31"], "", 65), (["entitlements", "offers"], "", 0),
        (["status", "--page"], "", 0), (["cancel", "99"], "", 65),
    ]

    @Test(
        "the whole story on the example device is translated, except for names",
        arguments: ["de_DE.UTF-8", "ru_RU.UTF-8", "zh_CN.UTF-8"])
    func story(locale: String) throws {
        let (gate, english) = (try Self.gate(), try Self.gate())
        for (words, input, status) in Self.steps {
            func run(_ gate: RunningGate, _ locale: String) throws -> ChildProcess.Result {
                let words = words.map { $0 == "ETC" ? gate.directory + "/etc" : $0 }
                return try Self.run(gate, locale, words, input: input)
            }
            let (said, meant) = (try run(gate, locale), try run(english, "C.UTF-8"))
            #expect(said.status == status && meant.status == status, "\(words): \(said.status) \(said.errors)")
            let (text, plain) = (said.output + said.errors, meant.output + meant.errors)
            #expect(!text.isEmpty || plain.isEmpty, "\(words)")
            // German has the letters of English, so no line of it may equal the English one.
            let same = Set(plain.split(separator: "\n").filter { !Self.latinWords($0).isEmpty })
            for line in text.split(separator: "\n") { #expect(!same.contains(line), "\(words): \(line)") }
            guard locale != "de_DE.UTF-8" else { continue }
            #expect(Self.latinWords(text).isEmpty, "\(words): \(Self.latinWords(text)) in \(text)")
            // Chinese has marks of its own between the parts of a sentence.
            #expect(text.matches(of: /\p{Han}[,;:] |\p{Han} ?\(/).isEmpty, "\(words): \(text)")
        }
    }

    @Test(
        "a paywall on a terminal shows the titles of the policy and of offers in the person's language",
        arguments: [
            ("de_DE.UTF-8", "Gerade gibt es keine Frage.", "Premium", "Jeden Monat"),
            ("ru_RU.UTF-8", "Вопросов нет.", "Премиум", "Каждый месяц"),
            ("zh_CN.UTF-8", "目前没有问题。", "高级版", "每月"),
        ])
    func paywall(locale: String, idle: String, title: String, offer: String) throws {
        let gate = try Self.gate()
        let titles = ["en": "Every month", "de": "Jeden Monat", "ru": "Каждый месяц", "zh": "每月"]
            .map { #"{"language":"\#($0.key)","text":"\#($0.value)"}"# }
        let offers = #"{"offers":[{"product":"p1","titles":[\#(titles.joined(separator: ","))],"period":"P1M"}]}"#
        let file = gate.directory + "/offers.json"
        try Data(offers.utf8).write(to: URL(filePath: file))
        let report = ["entitlements", "report-offers", "--provider", "revenuecat", "premium", file]
        #expect(try Self.run(gate, "C.UTF-8", report, input: "").status == 0)
        let screen = try gate.gatectlOnTerminal("present", rows: 24, locale: locale)
        try screen.shows(idle)
        let requester = try gate.gatectlRunning("paywall", "request", "premium")
        try screen.shows(offer)
        #expect(screen.text.contains(title) && !screen.text.contains("Every month"), "\(screen.text)")
        screen.type("\u{1b}")
        #expect(try requester.ended().status == 3)
    }

    @Test("an administrator's texts are shown in the person's language, and JSON and the journal keep one (L-06)")
    func texts() throws {
        let gate = try Self.gate()
        for (locale, title, feature) in [
            ("de_DE.UTF-8", "Eine Webseite öffnen", "Ebenen"), ("ru_RU.UTF-8", "Открыть веб-страницу", "Слои"),
            ("zh_CN.UTF-8", "打开网页", "图层"), ("fr_FR.UTF-8", "Open a web page", "Layers"),
        ] {
            let asked = try Self.run(gate, locale, ["authorize", "link.open", "--stdin"], input: "\n")
            #expect((asked.output + asked.errors).contains(title), "\(asked.output)\(asked.errors)")
            let news = try Self.run(
                gate, locale, ["whatsnew", "show", "org.example.draw", "1.2.0", "--stdin"], input: "\n")
            #expect((news.output + news.errors).contains(feature), "\(news.output)\(news.errors)")
            #expect(try gate.gatectl("whatsnew", "reset").status == 0)
            #expect(try gate.gatectl("lockouts", "clear").status == 0)
            let json = try Self.run(gate, locale, ["authorize", "link.open", "--stdin", "--json"], input: "\n")
            #expect(json.output.contains(#""title":"Open a web page""#), "\(json.output)")
        }
        let journal = try gate.gatectl("audit").output
        #expect(!journal.contains("öffnen") && !journal.contains("Слои"))
    }
}
