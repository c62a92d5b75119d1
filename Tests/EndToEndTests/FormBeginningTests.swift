import Foundation
import ProcessSupport
import Testing

@Suite("How to begin with a form, on a terminal", .serialized, .waitsForProcesses)
struct FormBeginningTests {
    @Test("fill asks how to begin: anew, with a draft that is open, or with what was said before (F-74)")
    func beginning() throws {
        let form = """
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
        let gate = try RunningGate(files: ["questionnaires.d/car.yaml": Array(form.utf8)])
        func done(_ result: ChildProcess.Result) -> String {
            #expect(result.status == 0, "\(result.errors)")
            return result.output
        }
        _ = try done(gate.gatectl("form", "open", "car"))
        _ = try done(gate.gatectl("form", "set", "car", "holder", "Anna"))
        _ = try done(gate.gatectl("form", "complete", "car"))
        _ = try done(gate.gatectl("form", "open", "car", "--new"))
        _ = try done(gate.gatectl("form", "set", "car", "holder", "Ben", "--draft", "1"))
        #expect(try done(gate.gatectl("form", "drafts", "car")).contains("Ben"))

        // Return goes on with the draft.
        var terminal = try gate.gatectlOnTerminal("form", "fill", "car", rows: 30)
        try terminal.shows("How do you want to begin?")
        for way in ["1) Begin a new one", "2) Go on with Ben (today)", "3) Begin with what Anna said (today)"] {
            try terminal.shows(way)
        }
        terminal.type("9\r")
        try terminal.shows("Type a number from 1 to 3")
        terminal.type("\r")
        try terminal.shows("now: Ben")
        terminal.type(":quit\r")
        #expect(try terminal.ended().status == 3)
        #expect(terminal.text.contains("form fill car --draft 1"))

        // What Anna said is the beginning of a new draft.
        terminal = try gate.gatectlOnTerminal("form", "fill", "car", rows: 30)
        try terminal.shows("How do you want to begin?")
        terminal.type("3\r")
        try terminal.shows("now: Anna")
        terminal.type(":quit\r")
        #expect(try terminal.ended().status == 3)
        #expect(try done(gate.gatectl("form", "get", "car", "holder", "--draft", "2")) == "Anna\n")

        // The options choose without asking; leaving begins nothing.
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
}
