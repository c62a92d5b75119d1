import Foundation
import GateClient
import GateCore
import GateModel
import Synchronization
import Testing

@testable import gatectl

@Suite("Filling a form in, item by item")
struct FormFillerTests {
    private func fill(_ form: MemoryForm, _ lines: [String]) async throws -> (FormFiller.Outcome, TypingConsole) {
        let console = TypingConsole(lines)
        return (try await FormFiller(form: form, console: console).run(), console)
    }

    @Test("each enabled and visible item is asked in order, and at the end the form is completed (F-42, F-44)")
    func wholeForm() async throws {
        let form = MemoryForm(carForm)
        let (outcome, console) = try await fill(
            form, ["Anna", "2001-05-06", "yes", "2", "Tim", "1, 2", "n", "first", "second", "y"])
        #expect(outcome == .completed(.numbered(9)))
        #expect(
            console.asked.prefix(6) == [
                "[1/6] 1 Name (required)", "[2/6] Born", "[3/6] Is there a car? (required)", "[4/7] Colour",
                "[5/7] Their name", "[6/7] Licences",
            ])
        #expect(form.text("name") == "Anna" && form.text("colour") == "Green")
        #expect(form.text("driver[0]/licence") == "B, C1" && form.text("note") == "first, second")
        let all = try #require(console.prompts.last).lines
        #expect(
            all.contains { $0.contains("secret-number") && $0.contains("7") },
            "what is hidden is completed with the rest")
        let first = try #require(console.prompts.first)
        #expect(
            first.lines.contains("A car") && first.lines.contains("Welcome.") && first.lines.contains("── Holder ──"))
    }

    @Test("a wrong answer is explained, and the question is asked again")
    func wrong() async throws {
        let form = MemoryForm(carForm)
        let (_, console) = try await fill(form, ["Maximiliane Anna", "Anna", "yesterday", "2020-01-01", "2001-05-06"])
        #expect(form.text("name") == "Anna" && form.text("born") == "2001-05-06")
        let prompts = console.prompts
        #expect(prompts[1].isRepeated && prompts[1].notes.count == 1 && prompts[1].lines == prompts[0].lines)
        #expect(prompts[3].notes.first?.contains("'yesterday' is no date") == true)
        #expect(prompts[4].notes.count == 1 && !prompts[5].isRepeated && prompts[5].notes == [])
    }

    @Test(
        "an answer through a mask is stored with the fixed characters, and one that does not fit is asked again (F-77)")
    func masked() async throws {
        let plate = QuestionnaireItem(
            linkID: "plate", kind: .string, text: "Registration number",
            constraints: QuestionnaireItemConstraints(mask: try TextMask("AA 999 AA")))
        let form = MemoryForm(Questionnaire(name: "car", title: "A car", items: [plate]))
        let (_, console) = try await fill(form, ["ab12cd", "ab123cd"])
        #expect(form.text("plate") == "AB 123 CD")
        #expect(console.prompts[0].lines.contains("    written like AA 999 AA"), "\(console.prompts[0].lines)")
        #expect(
            console.prompts[1].notes == [
                "'Registration number' is not written as it should be. Write it like AA 999 AA."
            ])
    }

    @Test(
        "a suggestion that comes while a person types disturbs nothing, and Return accepts only what was shown (F-41)"
    )
    func suggested() async throws {
        let form = MemoryForm(carForm)
        // The first suggestion comes while the name is typed, and the second while the birthday is left empty.
        let console = TypingConsole(["Anna", "", "", ":quit"]) { count in
            let path = FormPath(count == 1 ? "name" : "born")
            let value: FormValue? = count == 1 ? .string("A.") : FormDate("2001-05-06").map(FormValue.date)
            guard count <= 2, let value else { return }
            try? form.happens { draft throws(GateError) in _ = try draft.suggest(path, [value]) }
        }
        #expect(try await FormFiller(form: form, console: console).run() == .left)
        #expect(form.text("name") == "Anna" && form.text("born") == "2001-05-06")
        #expect(
            console.asked == [
                "[1/6] 1 Name (required)", "[2/6] Born", "[2/6] Born", "[3/6] Is there a car? (required)",
            ])
        #expect(console.prompts[2].notes == ["This was answered meanwhile. Return keeps it."])
        #expect(console.prompts[2].lines.contains { $0.contains("2001-05-06") } && !console.prompts[2].isRepeated)
    }

    @Test(
        "a question shows that its value is looked up, and :take accepts a suggestion that was shown (F-75, F-76)"
    )
    func pending() async throws {
        let form = MemoryForm(carForm)
        let name = FormPath("name")
        form.suggests(PendingSuggestion(path: name, deadline: BootTime(nanoseconds: 1)))
        let console = TypingConsole([":take", "Anna", "<", "", "<", ":take", ":quit"]) { count in
            // The suggestion comes while the person reads the question.
            if count == 4 { form.suggests(PendingSuggestion(path: name, answers: [.string("Zoe")])) }
        }
        #expect(try await FormFiller(form: form, console: console).run() == .left)
        #expect(console.prompts[0].lines.contains("    being looked up…"))
        #expect(console.prompts[1].notes == ["Nothing is suggested here."])
        let shown = try #require(console.prompts.firstIndex { $0.lines.contains { $0.contains("suggested: Zoe") } })
        #expect(console.prompts[shown].lines.contains { $0.contains(":take accepts it") })
        #expect(form.text("name") == "Zoe")
        #expect(
            FormListing(carForm, form.read().response, pending: form.read().pending).lines().contains {
                $0.contains("Name: Zoe (suggested: Zoe)")
            })
    }

    @Test("the draft is completed as it was shown, even if it has changed since (T-03)")
    func completesWhatWasShown() async throws {
        let form = MemoryForm(carForm)
        let shown = Mutex<UInt64>(0)
        let console = TypingConsole(["Anna", "", "no", "Tim", "", "n", "", "y"]) { count in
            guard count == 8 else { return }
            shown.withLock { $0 = form.revision }
            try? form.happens { draft throws(GateError) in _ = try draft.set(FormPath("name"), to: [.string("Zoe")]) }
        }
        _ = try await FormFiller(form: form, console: console).run()
        #expect(form.completedRevisions.first == shown.withLock { $0 } && form.revision > shown.withLock { $0 })
    }

    private static let person = "https://example.org/person"

    private static func part(_ name: String, born: String? = nil) -> (String, QuestionnaireResponseItem) {
        let items =
            [("name", FormValue.string(name))] + (born.flatMap { FormDate($0) }.map { [("born", .date($0))] } ?? [])
        return (
            name,
            QuestionnaireResponseItem(
                linkID: "any", definition: person,
                items: items.map {
                    QuestionnaireResponseItem(linkID: $0.0, answers: [QuestionnaireResponseAnswer($0.1)])
                })
        )
    }

    /// A person as a group, or a list of persons.
    private static func group(_ linkID: String, repeats: Bool) -> QuestionnaireItem {
        QuestionnaireItem(
            linkID: linkID, kind: .group, definition: person, text: "The \(linkID)", repeats: repeats,
            items: [
                QuestionnaireItem(linkID: "name", kind: .string, text: "Name"),
                QuestionnaireItem(linkID: "born", kind: .date, text: "Born"),
            ])
    }

    @Test("F-72: at a group with a definition a person takes an earlier part by its number, or answers anew")
    func offered() async throws {
        let questionnaire = Questionnaire(name: "a", title: "A", items: [Self.group("holder", repeats: false)])
        let form = MemoryForm(questionnaire, parts: [Self.part("Anna", born: "2001-05-06"), Self.part("Ben")])
        let (_, console) = try await fill(form, ["7", "1 2", "1", "", "", "y"])
        let first = try #require(console.prompts.first)
        #expect(first.lines.suffix(3) == ["What was answered before:", "    1) Anna", "    2) Ben"])
        #expect(first.lines.contains("── The holder ──"))
        // A press on the line of a part types its number.
        #expect(
            first.choices.map { [first.lines[$0.key], $0.value] }.sorted { $0[1] < $1[1] } == [
                ["    1) Anna", "1"], ["    2) Ben", "2"],
            ])
        #expect(console.prompts[1].notes == ["Type a number from 1 to 2, or nothing."] && console.prompts[1].isRepeated)
        #expect(console.prompts[2].notes == console.prompts[1].notes)
        #expect(form.text("name") == "Anna" && form.text("born") == "2001-05-06")
        #expect(console.prompts[3].lines.contains { $0.contains("now: Anna") })
        let anew = MemoryForm(questionnaire, parts: [Self.part("Anna")])
        let (_, typing) = try await fill(anew, ["", "Zoe", "", "y"])
        #expect(
            anew.text("name") == "Zoe" && typing.prompts.count { $0.lines.contains("What was answered before:") } == 1)
    }

    @Test("F-73: at a list a person takes all earlier parts or some of them")
    func offeredList() async throws {
        let questionnaire = Questionnaire(name: "a", title: "A", items: [Self.group("driver", repeats: true)])
        let parts = [Self.part("Anna"), Self.part("Ben"), Self.part("Carla")]
        let some = MemoryForm(questionnaire, parts: parts)
        _ = try await fill(some, ["3, 1"])
        #expect(some.text("driver[0]/name") == "Carla" && some.text("driver[1]/name") == "Anna")
        let all = MemoryForm(questionnaire, parts: parts)
        _ = try await fill(all, ["all"])
        #expect((0..<3).map { all.text("driver[\($0)]/name") } == ["Anna", "Ben", "Carla"])
    }

    @Test("Return passes over an optional question only, and :skip over a required one too")
    func skipping() async throws {
        let (outcome, console) = try await fill(MemoryForm(carForm), ["", ":skip", "", "", ":skip"])
        #expect(outcome == .left)
        #expect(console.notes.filter { $0.contains("has to be answered") }.count == 2)
        #expect(console.asked[2] == "[2/6] Born" && console.asked[5].hasPrefix("[4/6]"))
    }

    @Test(
        "\"<\" goes back to the question before, and its answer can be kept or cleared",
        arguments: ["<", ":back"])
    func back(line: String) async throws {
        let form = MemoryForm(carForm)
        let (_, console) = try await fill(form, ["Anna", "2001", line, line, "", ":clear", ""])
        #expect(form.text("name") == "Anna" && form.text("born") == "")
        #expect(
            console.asked == [
                "[1/6] 1 Name (required)", "[2/6] Born", "[3/6] Is there a car? (required)", "[2/6] Born",
                "[1/6] 1 Name (required)", "[2/6] Born", "[2/6] Born", "[3/6] Is there a car? (required)",
            ])
    }

    @Test(
        ":list shows every question with its number, and :goto goes to one, by that or by its linkId (F-82)",
        arguments: ["3", "has-car"])
    func goto(place: String) async throws {
        let (_, console) = try await fill(
            MemoryForm(carForm), [":list", ":goto \(place)", "no", ":g 1", "Anna", ":goto 99"])
        let list = console.prompts[1].notes
        #expect(list.prefix(4) == ["   Holder", "1    1 Name: -", "2    Born: -", "3  Is there a car?: -"], "\(list)")
        #expect(
            console.asked.prefix(5) == [
                "[1/6] 1 Name (required)", "[1/6] 1 Name (required)", "[3/6] Is there a car? (required)",
                "[4/6] Their name", "[1/6] 1 Name (required)",
            ], "\(console.asked)")
        #expect(console.notes.contains { $0.hasPrefix("There is nothing to answer at “99”.") })
    }

    @Test(
        ":list shows a group in one line, and :goto goes to its questions (F-81)", arguments: ["1", "holder", "name"])
    func oneLine(place: String) async throws {
        var car = carForm
        car.items[1].isInOneLine = true
        let (_, console) = try await fill(MemoryForm(car), ["Anna", ":list", "", ":goto \(place)", ":quit"])
        let list = console.prompts[2].notes
        #expect(list.prefix(2) == ["1  Holder: Anna", "3  Is there a car?: -"], "\(list)")
        #expect(
            console.asked == [
                "[1/6] 1 Name (required)", "[2/6] Born", "[2/6] Born", "[3/6] Is there a car? (required)",
                "[1/6] 1 Name (required)",
            ], "\(console.asked)")
    }

    @Test("a new instance of a group is added with its first answer, up to the group's maximum (F-35)")
    func another() async throws {
        let form = MemoryForm(carForm)
        let (_, console) = try await fill(
            form, ["Anna", "", "no", "Tim", "", "y", "Eva", "b", "yes", "Ida", ""])
        #expect(form.text("driver[1]/driver-name") == "Eva" && form.text("driver[1]/licence") == "B")
        #expect(form.text("driver[2]/driver-name") == "Ida")
        let asked = console.asked
        #expect(asked[5] == "Another one: Driver? (There is one.)" && asked[8] == "Another one: Driver? (There are 2.)")
        // There are three now, and the form allows no more.
        #expect(asked.last?.contains("Notes") == true)
    }

    @Test("a new instance without an answer is not added")
    func noOther() async throws {
        let form = MemoryForm(carForm)
        let (_, console) = try await fill(form, ["Anna", "", "no", "Tim", "", "y", "", "x"])
        #expect(form.values("driver[1]/driver-name") == [])
        #expect(form.text("note") == "x")
        #expect(console.asked[6].contains("Their name"))
    }

    @Test("a question with several answers is asked until an empty line or the maximum")
    func several() async throws {
        let form = MemoryForm(carForm)
        let (outcome, _) = try await fill(form, ["Anna", "", "no", "", "", "", "x", "", ""])
        #expect(form.text("note") == "x" && outcome == .completed(.numbered(9)))
    }

    @Test("a backslash makes any line an answer")
    func literal() async throws {
        let form = MemoryForm(carForm)
        let (_, console) = try await fill(form, [":nonsense", "\\:save"])
        #expect(form.text("name") == ":save")
        #expect(console.prompts[1].notes.first?.contains("no :nonsense") == true)
    }

    @Test("missing answers are listed at the end, and Return goes to the first of them")
    func missing() async throws {
        let form = MemoryForm(carForm)
        let (outcome, console) = try await fill(
            form, [":skip", "", ":skip", "", "", "", "", "y", "", "Anna", "", "no", "", "", "", "", "y"])
        #expect(outcome == .completed(.numbered(9)))
        let prompts = console.prompts
        let end = try #require(prompts.first { $0.lines.contains("Missing or wrong:") })
        #expect(end.lines.contains { $0.hasPrefix("  - 1 Name: ") } && end.request.contains("Return goes to the first"))
        #expect(console.notes.contains { $0.contains("can't be completed yet") })
        #expect(console.asked[9] == "[1/6] 1 Name (required)")
        #expect(prompts.last?.request == "Complete? [Y/n]")
        #expect(prompts.last?.lines.contains("    1 Name: Anna") == true)
    }

    @Test("a person who may not complete the form is told why and may try again, or leave with n")
    func refused() async throws {
        let refusal = GateError(.failedPrecondition, .notParent, "Only a grown-up completes this.")
        let form = MemoryForm(carForm, completionRefusals: [refusal])
        let answers = ["Anna", "", "no", "", "", "", ""]
        let (outcome, console) = try await fill(form, answers + ["", "y"])
        #expect(outcome == .completed(.numbered(9)))
        #expect(console.notes.contains(refusal.message))
        #expect(try await fill(MemoryForm(carForm), answers + ["n"]).0 == .left)
    }

    @Test("saving keeps a copy and leaves; quitting and the end of the input leave")
    func leaving() async throws {
        let form = MemoryForm(carForm)
        #expect(try await fill(form, ["Anna", ":save"]).0 == .saved(.numbered(1)))
        #expect(form.savedCount == 1 && form.text("name") == "Anna")
        #expect(try await fill(form, [":quit"]).0 == .left)
        #expect(try await fill(form, []).0 == .left)
    }

    @Test("answers of another process appear, and items that they disable are no longer asked")
    func others() async throws {
        let form = MemoryForm(carForm)
        let console = TypingConsole(["Anna", "", "yes", "nonsense", ""]) { count in
            if count == 2 { _ = try? form.answer(FormPath("has-car" as String), with: [.boolean(false)]) }
            // This happens while the colour is asked for.
            if count == 4 { _ = try? form.answer(FormPath("has-car" as String), with: [.boolean(false)]) }
        }
        _ = try await FormFiller(form: form, console: console).run()
        let prompts = console.prompts
        #expect(prompts[2].lines.contains("    now: No"))
        #expect(console.asked[3].contains("Colour") && console.asked[4].contains("Their name"))
    }

    @Test("a document is given by its path")
    func attachment() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gatectl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("letter.txt").path
        try "Dear".write(toFile: file, atomically: false, encoding: .utf8)
        let form = MemoryForm(
            Questionnaire(name: "f", title: "F", items: [QuestionnaireItem(linkID: "doc", kind: .attachment)]))
        let (outcome, console) = try await fill(form, ["/nowhere/at/all", file, "y"])
        #expect(outcome == .completed(.numbered(9)))
        let values = form.values("doc")
        guard case .attachment(let attachment) = values.first else {
            throw GateError(.unknown, .unspecified, "no document")
        }
        #expect(attachment.title == "letter.txt" && attachment.mediaType == "text/plain" && attachment.byteCount == 4)
        #expect(console.notes.first?.contains("can't be read") == true)
    }
}
