import Foundation
import ProcessSupport
import Testing

@Suite("Choosing how to begin with a form on a terminal", .serialized, .waitsForProcesses)
struct FormBeginningTests {
    private static let form = """
        resourceType: Questionnaire
        id: car
        title: A car
        status: active
        extension:
          - {url: "https://gate.example/fhir/StructureDefinition/label", valueString: holder}
        item:
          - {linkId: holder, type: string, text: Whose is it}
          - {linkId: model, type: string, text: Which model}

        """

    private func done(_ result: ChildProcess.Result) -> String {
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("an app's form in odd JSON is either refused or still the same after the daemon was killed (F-85)")
    func oddJSON() throws {
        let gate = try RunningGate()
        // The title, more of the question in JSON, more of the form in JSON, and whether the form is accepted.
        let forms: [(title: String, question: String, form: String, isKept: Bool)] = [
            (#""\u00e9\u0301\ud83d\ude00""#, "", "", true), (#""\u0000""#, "", "", false),
            (#""\ud800""#, "", "", false), ("\"\u{2028} \u{202E}\"", "", "", true),
            (#""x""#, #","initial":[{"valueDecimal":1.50}]"#, "", true),
            (#""x""#, #","initial":[{"valueDecimal":1.0e2}]"#, "", true),
            (#""x""#, #","initial":[{"valueDecimal":-0.0}]"#, "", true), (#""x""#, "", #","title":"y""#, false),
            (#""x""#, "", #","rocket":{"a":[1,2.50,null]}"#, false),
        ]
        var kept: [String] = []
        for (index, form) in forms.enumerated() {
            let json =
                #"{"resourceType":"Questionnaire","id":"odd\#(index)","status":"active","title":\#(form.title),"#
                + #""item":[{"linkId":"a","type":"decimal","text":"A"\#(form.question)}]\#(form.form)}"#
            let request =
                #"{"target":{"name":"odd\#(index)"},"questionnaire":"\#(Data(json.utf8).base64EncodedString())"}"#
            let opened = try gate.gatectl("call", "gate.v1.Questionnaires/OpenForm", "-", input: request)
            #expect((opened.status == 0) == form.isKept, "\(json): \(opened.output)\(opened.errors)")
            if form.isKept { kept.append("odd\(index)") }
        }
        let before = try kept.map { try gate.gatectl("form", "show", $0, "--json").output }
        try gate.crash()
        try gate.start()
        #expect(try kept.map { try gate.gatectl("form", "show", $0, "--json").output } == before)
        #expect(before.allSatisfy { $0.contains("Questionnaire") })
    }

    @Test("a program brings its own form and news in files, and both are marked as its own (F-85)")
    func bringing() throws {
        let gate = try RunningGate()
        let form = URL(filePath: gate.directory + "/plan.yaml"), notes = URL(filePath: gate.directory + "/notes.yaml")
        try Data(
            """
            resourceType: Questionnaire
            title: My week
            status: active
            item: [{linkId: monday, type: string, text: On Monday}]

            """.utf8
        ).write(to: form)
        try Data("{app: org.example.plan, versions: {1.0.0: {title: New, features: [{title: Weeks}]}}}\n".utf8)
            .write(to: notes)

        let opened = try gate.gatectl("form", "open", "plan", "--bring", form.path)
        #expect(opened.status == 0 && opened.output.contains("On Monday"), "\(opened.errors)")
        #expect(try gate.gatectl("form", "set", "plan", "monday", "Swimming").status == 0)
        #expect(try gate.gatectl("form", "list").output.contains("plan@\(getuid())"))
        #expect(try gate.gatectl("form", "get", "plan", "monday").output == "Swimming\n")
        #expect(try gate.gatectl("form", "complete", "plan").status == 0)
        #expect(!(try gate.gatectl("form", "list").output.contains("plan@")))
        let wrong = try gate.gatectl("form", "open", "plan", "--bring", notes.path)
        #expect(wrong.status != 0 && wrong.errors.contains("notes.yaml"), "\(wrong.errors)")

        // A terminal that shows another program's form says that the words are that program's.
        let presenter = try gate.gatectlOnTerminal("present", rows: 40)
        try presenter.shows("There is no question now")
        let asked = try gate.gatectlRunning("form", "request", "plan", "--bring", form.path)
        try presenter.shows("Type no passcode")
        presenter.type("\u{1b}")
        #expect(try asked.ended().status == 3)
        let news = try gate.gatectlRunning("whatsnew", "show", "org.example.plan", "1.0", "--notes", notes.path)
        try presenter.shows("Weeks")
        presenter.type("\r")
        #expect(try news.ended().status == 0)
        let again = try gate.gatectl("whatsnew", "show", "org.example.plan", "1.0", "--notes", notes.path)
        #expect(again.output.contains("nothing new"), "\(again.output)")
    }

    @Test("fill asks whether to begin anew, with an open draft, or with an earlier response (F-74)")
    func beginning() throws {
        let gate = try RunningGate(files: ["questionnaires.d/car.yaml": Array(Self.form.utf8)])
        _ = try done(gate.gatectl("form", "open", "car"))
        _ = try done(gate.gatectl("form", "set", "car", "holder", "Anna"))
        _ = try done(gate.gatectl("form", "complete", "car"))
        _ = try done(gate.gatectl("form", "open", "car", "--new"))
        _ = try done(gate.gatectl("form", "set", "car", "holder", "Ben", "--draft", "1"))
        #expect(try done(gate.gatectl("form", "drafts", "car")).contains("Ben"))

        // Return resumes the draft.
        var terminal = try gate.gatectlOnTerminal("form", "fill", "car", rows: 30)
        try terminal.shows("How do you want to begin?")
        for way in ["1) Start a new one", "2) Continue with Ben (today)", "3) Start from Anna (today)"] {
            try terminal.shows(way)
        }
        terminal.type("9\r")
        try terminal.shows("Type a number from 1 to 3")
        terminal.type("\r")
        try terminal.shows("now: Ben")
        terminal.type(":quit\r")
        #expect(try terminal.ended().status == 3)
        #expect(terminal.text.contains("form fill car --draft 1"))

        // Anna's response is the beginning of a new draft.
        terminal = try gate.gatectlOnTerminal("form", "fill", "car", rows: 30)
        try terminal.shows("How do you want to begin?")
        terminal.type("3\r")
        try terminal.shows("now: Anna")
        terminal.type(":quit\r")
        #expect(try terminal.ended().status == 3)
        #expect(try done(gate.gatectl("form", "get", "car", "holder", "--draft", "2")) == "Anna\n")

        // The options choose without a question, and leaving begins no draft.
        terminal = try gate.gatectlOnTerminal("form", "fill", "car", "--new", rows: 30)
        try terminal.shows("[1/2] Whose is it")
        #expect(!terminal.text.contains("How do you want"))
        terminal.type(":quit\r")
        #expect(try terminal.ended().status == 3)
        terminal = try gate.gatectlOnTerminal("form", "fill", "car", "--from", "1", rows: 30)
        try terminal.shows("now: Anna")
        terminal.type(":quit\r")
        #expect(try terminal.ended().status == 3)
        let before = try done(gate.gatectl("form", "drafts", "car"))
        terminal = try gate.gatectlOnTerminal("form", "fill", "car", rows: 30)
        try terminal.shows("How do you want to begin?")
        terminal.type(":quit\r")
        #expect(try terminal.ended().status == 3)
        #expect(try done(gate.gatectl("form", "drafts", "car")) == before)
        #expect(try gate.gatectl("form", "fill", "car", "--new", "--from", "1").status == 64)
        // Without a terminal nobody is asked.
        let piped = try gate.gatectl("form", "fill", "car", input: "\n\n\ny\n")
        #expect(!piped.output.contains("How do you want"), "\(piped.output)\(piped.errors)")
    }

    @Test("a presenting terminal asks how to begin too, and the typed answers go to the chosen draft (F-74, F-84)")
    func presented() throws {
        let gate = try RunningGate(files: ["questionnaires.d/car.yaml": Array(Self.form.utf8)])
        let terminal = try gate.gatectlOnTerminal("present", rows: 30)
        try terminal.shows("There is no question now")

        // Without a choice nobody is asked: a single draft without a label is resumed.
        for typed in [":quit\r", "Anna\r"] {
            terminal.forget()
            let asker = try gate.gatectlRunning("form", "request", "car")
            try terminal.shows("[1/2] Whose is it")
            #expect(!terminal.text.contains("How do you want to begin?"))
            terminal.type(typed)
            if typed.contains("Anna") {
                try terminal.shows("[2/2] Which model")
                terminal.type(":quit\r")
            }
            try terminal.shows("Dismissed.")
            #expect(try asker.ended().status == 3)
        }

        // With a label there may be another customer, so the person is asked. Leaving begins no draft.
        terminal.forget()
        var asker = try gate.gatectlRunning("form", "request", "car")
        try terminal.shows("2) Continue with Anna (today)")
        terminal.type("9\r")
        try terminal.shows("Type a number from 1 to 2")
        terminal.type(":quit\r")
        try terminal.shows("Dismissed.")
        #expect(try asker.ended().status == 3)
        #expect(try done(gate.gatectl("form", "drafts", "car")).split(separator: "\n").count == 1)
        terminal.forget()
        asker = try gate.gatectlRunning("form", "request", "car")
        try terminal.shows("1) Start a new one")
        terminal.type("1\r")
        try terminal.shows("[1/2] Whose is it")
        terminal.type("Ben\r")
        try terminal.shows("[2/2] Which model")
        terminal.type("Golf\r")
        try terminal.shows("Complete")
        terminal.type("y\r")
        #expect(try asker.ended().status == 0)
        #expect(try done(gate.gatectl("form", "responses", "car")).contains("Ben"))
        #expect(try done(gate.gatectl("form", "get", "car", "holder")) == "Anna\n")

        // Two responses say Golf. Ben's is the beginning for Anna's sister.
        terminal.forget()
        asker = try gate.gatectlRunning("form", "request", "car")
        try terminal.shows("3) Start from Ben (today)")
        terminal.type("3\r")
        try terminal.shows("now: Ben")
        terminal.type("Eva\r")
        try terminal.shows("now: Golf")
        terminal.type("\u{1b}")
        #expect(try asker.ended().status == 3)
        let drafts = try done(gate.gatectl("form", "drafts", "car"))
        #expect(drafts.contains("Anna") && drafts.contains("Eva"), "\(drafts)")
    }
}
