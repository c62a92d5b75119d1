import Foundation
import ProcessSupport
import Testing

/// A refusal says in the person's language what is wrong and what to do, as its English sentence does (L-02).
@Suite("Refusals in the person's language", .serialized, .waitsForProcesses)
struct RefusalLanguageTests {
    private static let policy = """
        mode: {challenge: {kind: passcode}}
        gated-actions:
          link.open: {requires: {challenge: {kind: passcode}}}

        """

    private static func run(
        _ gate: RunningGate, _ locale: String, _ arguments: [String], input: String = ""
    ) throws -> ChildProcess.Result {
        let process = try ChildProcess(
            builtProgram("gatectl"), arguments + ["--server-user", "root"],
            environment: ["GATE_SOCKET": gate.socket, "LANG": locale, "PATH": "/usr/bin:/bin"])
        process.write(input)
        process.closeInput()
        return try process.ended()
    }

    /// With a draft of the example's consent form.
    private static func gateWithConsent() throws -> RunningGate {
        let gate = try RunningGate(
            policy: "", files: ["questionnaires.d/consent.yaml": try FormTests.exampleForm("consent")])
        #expect(try gate.gatectl("form", "open", "consent").status == 0)
        return gate
    }

    @Test(
        "a refused form answer names the limit in the person's date format",
        arguments: [
            ("de_DE.UTF-8", "Mindestens 01.01.1910."), ("ru_RU.UTF-8", "Допустимо от 01.01.1910."),
            ("zh_CN.UTF-8", "最小为 1910-01-01。"),
        ])
    func answer(locale: String, told: String) throws {
        let gate = try Self.gateWithConsent()
        let words = ["form", "set", "consent", "parent-birth-date", "1890-01-01"]
        let refused = try Self.run(gate, locale, words)
        #expect(refused.status == 65)
        #expect(refused.errors.contains(told), "\(refused.errors)")
        let json = try Self.run(gate, locale, words + ["--json"])
        #expect(json.output == (try Self.run(gate, "C.UTF-8", words + ["--json"])).output)
        #expect(json.output.contains("1910-01-01"), "\(json.output)")
    }

    @Test(
        "an answer on the command line may be written in the person's date format or in ISO's",
        arguments: [
            ("de_DE.UTF-8", "02.03.1980"), ("ru_RU.UTF-8", "02.03.1980"), ("zh_CN.UTF-8", "1980-03-02"),
            ("de_DE.UTF-8", "1980-03-02"),
        ])
    func written(locale: String, date: String) throws {
        let gate = try Self.gateWithConsent()
        let set = try Self.run(gate, locale, ["form", "set", "consent", "parent-birth-date", date])
        #expect(set.status == 0, "\(set.errors)")
        #expect(try gate.gatectl("form", "get", "consent", "parent-birth-date").output.contains("1980-03-02"))
    }

    @Test(
        "an answer that does not fit a mask is refused in the person's language with the mask as example (F-77)",
        arguments: [
            ("de_DE.UTF-8", "Bitte so schreiben: AA 999 AA."), ("ru_RU.UTF-8", "Напишите так: AA 999 AA."),
            ("zh_CN.UTF-8", "请按此格式填写：AA 999 AA。"),
        ])
    func mask(locale: String, told: String) throws {
        let form = """
            {resourceType: Questionnaire, id: car, status: active, title: A car, item: [{linkId: plate, type: string, extension: [
            {url: "https://gate.example/fhir/StructureDefinition/mask", valueString: AA 999 AA}]}]}

            """
        let gate = try RunningGate(policy: "", files: ["questionnaires.d/car.yaml": Array(form.utf8)])
        #expect(try gate.gatectl("form", "open", "car").status == 0)
        let refused = try Self.run(gate, locale, ["form", "set", "car", "plate", "ab12cd"])
        #expect(refused.status == 65)
        #expect(refused.errors.contains(told), "\(refused.errors)")
        #expect(try Self.run(gate, locale, ["form", "set", "car", "plate", "ab123cd"]).status == 0)
        #expect(try gate.gatectl("form", "get", "car", "plate").output.contains("AB 123 CD"))
    }

    @Test("a warning about the policy is in the person's language")
    func warnings() throws {
        let gate = try RunningGate(
            // Two warnings. The group that administers unless a policy names another is there where Gate is installed.
            policy: "roles: {administrator: {groups: [no-such-group]}, presenter: {groups: [no-such-group]}}\n"
                + Self.policy)
        for (locale, told) in [
            ("C.UTF-8", "no-such-group, which this device does not have"), ("de_DE.UTF-8", "2 Warnungen"),
            ("ru_RU.UTF-8", "2 предупреждения"), ("zh_CN.UTF-8", "2 条警告"),
        ] {
            for words in [["policy", "show"], ["reload"]] {
                let shown = try Self.run(gate, locale, words)
                #expect(shown.status == 0, "\(shown.errors)")
                #expect(shown.output.contains(told), "\(shown.output)")
            }
        }
    }

    @Test(
        "a lease that is too long is refused with the longest one",
        arguments: [
            ("de_DE.UTF-8", "Der Elternmodus dauert höchstens 24 Stunden."),
            ("ru_RU.UTF-8", "Родительский режим можно включить максимум на 24 ч."),
            ("zh_CN.UTF-8", "家长模式最长 24 小时。"), ("C.UTF-8", "at most 24h"),
        ])
    func lease(locale: String, told: String) throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "135790\n").status == 0)
        #expect(try Self.run(gate, locale, ["toggle", "--stdin"], input: "135790\n").status == 0)
        let refused = try Self.run(gate, locale, ["extend", "99h", "--stdin"])
        #expect(refused.status == 65)
        #expect(refused.errors.contains(told), "\(refused.errors)")
    }

    @Test(
        "gatectl's own refusals are in the person's language",
        arguments: [
            (
                "de_DE.UTF-8",
                ["http:// oder https:// beginnen", "Einen Befehl „no-such“", "„/no/file“ ist nicht lesbar"]
            ),
            ("ru_RU.UTF-8", ["начинаться с http:// или https://", "нет команды «no-such»", "прочитать «/no/file»"]),
            ("zh_CN.UTF-8", ["必须以 http:// 或 https:// 开头", "没有命令“no-such”", "无法读取“/no/file”"]),
        ])
    func own(locale: String, told: [String]) throws {
        let gate = try RunningGate(policy: Self.policy)
        let steps = [
            ["open", "ftp://example.org/", "--browser", "/bin/true"],
            ["open", "https://a.example/", "--browser", "no-such"],
            ["login", "anna", "--password-file", "/no/file"],
        ]
        for (words, sentence) in zip(steps, told) {
            let refused = try Self.run(gate, locale, words)
            let english = try Self.run(gate, "C.UTF-8", words)
            #expect(refused.status == english.status && refused.status != 0, "\(words): \(refused.status)")
            #expect(refused.errors.contains(sentence), "\(words): \(refused.errors)")
        }
    }

    @Test(
        "a child's account and child mode have different words in each language (K-07)",
        arguments: [
            ("de_DE.UTF-8", "  Kind  ", "Kindermodus"), ("ru_RU.UTF-8", "  ребёнок  ", "детский режим"),
            ("zh_CN.UTF-8", "  孩子  ", "儿童模式"), ("en_GB.UTF-8", "  child  ", "child"),
        ])
    func child(locale: String, account: String, mode: String) throws {
        let gate = try RunningGate(policy: Self.policy)
        let words = ["register", "lina", "--child", "2018-05-01", "--password-file", "-"]
        #expect(try Self.run(gate, locale, words, input: "bee-hive\n").status == 0)
        let listed = try Self.run(gate, locale, ["accounts"])
        #expect(listed.output.contains(account), "\(listed.output)")
        let status = try Self.run(gate, locale, ["status"])
        #expect(status.output.contains(mode), "\(status.output)")
    }

    @Test("if the language has no sentence for a mistake, the English one is added")
    func detail() throws {
        let gate = try RunningGate(
            policy: "entitlements: {premium: {title: Premium}}\n" + Self.policy)
        let words = ["entitlements", "report-offers", "premium", "-", "--provider", "storekit"]
        let offers = #"{"offers":[{"product":"p","priceMicros":"1","currency":"euro"}]}"#
        let english = try Self.run(gate, "C.UTF-8", words, input: offers)
        let sentence = try #require(english.errors.split(separator: "\n").last).replacing("gatectl: ", with: "")
        let refused = try Self.run(gate, "de_DE.UTF-8", words, input: offers)
        #expect(refused.status == english.status && refused.status != 0)
        #expect(refused.errors.contains("Etwas an der Anfrage stimmt nicht. (\(sentence))"), "\(refused.errors)")
    }

    @Test(
        "an answer that is not a date is refused with an example in the person's format",
        arguments: [
            ("de_DE.UTF-8", "Geburtsdatum: Bitte ein Datum angeben, zum Beispiel 02.03.2015."),
            ("ru_RU.UTF-8", "Дата рождения: Напишите дату, например 02.03.2015."),
            ("zh_CN.UTF-8", "出生日期：请填写日期，例如 2015-03-02。"),
        ])
    func typed(locale: String, told: String) throws {
        let gate = try Self.gateWithConsent()
        let refused = try Self.run(gate, locale, ["form", "set", "consent", "parent-birth-date", "soon"])
        #expect(refused.status == 65 && refused.errors == "gatectl: \(told)\n", "\(refused.errors)")
    }

    @Test(
        "a refusal names the question and its options, on the command line and with the line of a file (K-06)",
        arguments: [
            (
                "de_DE.UTF-8", "Was Sie für das Kind sind: Bitte eines davon wählen: Mutter; Vater; ",
                "Das Formular hat keine Frage namens parent-relatoin. Ist parent-relation gemeint?"
            ),
            (
                "ru_RU.UTF-8", "Кем вы приходитесь ребёнку: Выберите что-то одно: Мать; Отец; ",
                "В форме нет вопроса parent-relatoin. Возможно, имелось в виду parent-relation?"
            ),
            (
                "zh_CN.UTF-8", "您与孩子的关系：请从中选择一个：母亲；父亲；",
                "表单中没有名为 parent-relatoin 的问题。是不是 parent-relation？"
            ),
            (
                "en_GB.UTF-8", "'What you are to the child': 'aunt' is not offered. Choose from: Mother, Father, ",
                "The form has no item 'parent-relatoin'. Did you mean 'parent-relation'?"
            ),
        ])
    func namesTheQuestion(locale: String, choices: String, unknown: String) throws {
        let gate = try Self.gateWithConsent()
        let file = gate.directory + "/answers.yaml"
        try Data("parent-email: a@b.example\nparent-relation: aunt\nparent-relatoin: mother\n".utf8)
            .write(to: URL(filePath: file))
        let refused = try Self.run(gate, locale, ["form", "fill", "consent", "--file", file])
        #expect(refused.status == 65)
        #expect(refused.errors.contains("\(file):2:18: \(choices)"), "\(refused.errors)")
        #expect(refused.errors.contains("\(file):3:1: \(unknown)"), "\(refused.errors)")
        guard locale != "en_GB.UTF-8" else { return }
        let typed = try Self.run(gate, locale, ["form", "set", "consent", "parent-relation", "aunt"])
        #expect(typed.status == 65 && typed.errors.hasPrefix("gatectl: \(choices)"), "\(typed.errors)")
        // A program that sends an answer hears the same from gated.
        let json =
            #"{"resourceType": "QuestionnaireResponse", "status": "in-progress", "item": [{"linkId": "parent", "#
            + #""item": [{"linkId": "parent-relation", "answer": [{"valueCoding": {"code": "aunt"}}]}]}]}"#
        try Data(json.utf8).write(to: URL(filePath: file))
        let sent = try Self.run(gate, locale, ["form", "fill", "consent", "--file", file])
        #expect(sent.status == 65 && sent.errors.contains(choices), "\(sent.errors)")
    }

    @Test(
        "a bad name and a bad answer are refused entirely in the person's language",
        arguments: [
            ("de_DE.UTF-8", "Ein Name steht in einer Zeile", "Das ist keine ganze Zahl."),
            ("ru_RU.UTF-8", "Имя — это одна строка", "Это не целое число."),
            ("zh_CN.UTF-8", "用户名须为一行", "这不是整数。"),
        ])
    func fields(locale: String, name: String, number: String) throws {
        let gate = try RunningGate(
            policy: "gated-actions:\n  a: {requires: {challenge: {kind: arithmetic-entry}}}\n")
        let register = try Self.run(gate, locale, ["register", "an\na", "--password-file", "-"], input: "green-door\n")
        #expect(register.errors.contains(name) && !register.errors.contains("name"), "\(register.errors)")
        let asked = try Self.run(gate, locale, ["authorize", "a", "--stdin"], input: "90x\n")
        #expect((asked.output + asked.errors).contains(number), "\(asked.output)\(asked.errors)")
    }

    @Test(
        "a command that can't be asked about is refused with the reason in the person's language",
        arguments: [
            ("de_DE.UTF-8", "es ist ein Skript, dessen Kopie ihren Namen nicht wüsste."),
            ("ru_RU.UTF-8", "это скрипт, а его копия не знала бы своего имени."), ("zh_CN.UTF-8", "其副本不知道自己的名称。"),
        ])
    func command(locale: String, told: String) throws {
        let gate = try RunningGate(policy: Self.policy)
        let script = gate.directory + "/script"
        try Data("#!/bin/sh\ntrue\n".utf8).write(to: URL(filePath: script))
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: script)
        let refused = try Self.run(gate, locale, ["run", "--gate", "link.open", "--", script])
        #expect(refused.status == 65 && refused.errors.contains(told), "\(refused.errors)")
    }

    @Test(
        "a watch reports presentations and the loss of the daemon in the person's language",
        arguments: [
            ("de_DE.UTF-8", ["Elternmodus", "Frage 1", "Verbindung verloren: ", "; bis dahin gilt: Kind"]),
            ("ru_RU.UTF-8", ["родительский режим", "вопрос 1", "связь потеряна: ", "; пока считается: "]),
            ("zh_CN.UTF-8", ["家长模式", "问题 1", "连接已断开：", "；期间视为："]),
        ])
    func watch(locale: String, told: [String]) throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "135790\n").status == 0)
        let watch = try gate.gatectlOnTerminal(
            "watch", "--topic", "mode,presentations", columns: 150, rows: 24, locale: locale)
        let presenter = try gate.gatectlOnTerminal("present", rows: 24)
        try presenter.shows("There is no question now")
        let requester = try gate.gatectlRunning("toggle")
        for text in told.prefix(2) { try watch.shows(text) }
        #expect(try gate.stop() == 0)
        #expect(try requester.ended().status != 0)
        for text in told.dropFirst(2) { try watch.shows(text) }
    }

    @Test(
        "a broken rule is told in the person's language, in the form's own words",
        arguments: [
            ("de_DE.UTF-8", "Vor dem 16. Geburtstag fährt niemand."), ("ru_RU.UTF-8", "До 16 лет никто не водит."),
            ("zh_CN.UTF-8", "未满 16 岁不能驾驶。"), ("en_GB.UTF-8", "Nobody drives before the age of 16."),
        ])
    func rule(locale: String, told: String) throws {
        let form = try Data(
            contentsOf: URL(filePath: repositoryFile("examples/device/questionnaires.d/motor-insurance.yaml")))
        let gate = try RunningGate(policy: "", files: ["questionnaires.d/motor-insurance.yaml": Array(form)])
        #expect(try gate.gatectl("form", "open", "motor-insurance").status == 0)
        for (path, date) in [("driver-birth-date", "2000-05-01"), ("driving-since", "2015")] {
            #expect(try gate.gatectl("form", "set", "motor-insurance", path, date).status == 0)
        }
        let refused = try Self.run(gate, locale, ["form", "complete", "motor-insurance"])
        #expect(refused.status != 0 && refused.errors.contains(told), "\(refused.errors)")
    }

    @Test("setup and empty lists are in the person's language")
    func setup() throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "135790\n").status == 0)
        let terminal = try gate.gatectlOnTerminal("setup", rows: 50, locale: "de_DE.UTF-8")
        try terminal.shows("Einen anderen festlegen?")
        terminal.type("n\n")
        try terminal.shows("Es ist nichts zu ändern.")
        try terminal.shows("Passcode vergessen?")
        #expect(try terminal.ended().status == 0)
        #expect(terminal.drawn.contains("Wie es weitergeht:") && !terminal.drawn.contains("What to do next"))
        for (words, none) in [
            (["grants"], "gemerkten Erlaubnisse"), (["lockouts"], "falschen Antworten"),
            (["form", "drafts"], "Entwürfe"), (["form", "responses"], "ausgefüllten Formulare"),
            (["entitlements", "claims"], "Käufe"),
        ] {
            let listed = try Self.run(gate, "de_DE.UTF-8", words)
            #expect(listed.status == 0 && listed.errors == "Es gibt keine \(none).\n", "\(words): \(listed.errors)")
        }
    }
}
