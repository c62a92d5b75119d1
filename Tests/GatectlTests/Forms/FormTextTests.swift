import GateClient
import GateCore
import GateModel
import GateProtocol
import GateTexts
import Testing

@testable import gatectl

@Suite("A form, for people")
struct FormTextTests {
    @Test("the outline of a form has each item with its type and rules, and its children below")
    func outline() {
        #expect(
            QuestionnaireText(carForm).lines == [
                "A car  (car 2)", "https://example.org/car", "Tell us about it.", "",
                "greeting  display  Welcome.",
                "holder  group  Holder",
                "  name  string  1 Name  (required; at most 10 characters)",
                "  born  date  Born  (at most 2008-12-31)",
                "has-car  boolean  Is there a car?  (required)",
                "colour  choice  Colour  (if has-car = Yes)",
                "    - Red  (r)",
                "    - Green  (g; nothing else with it)",
                "secret-number  integer  (hidden; at first 7)",
                "driver  group  Driver  (repeats up to 3 times)",
                "  driver-name  string  Their name",
                "  licence  choice  Licences  (repeats; after driver-name)",
                "      - B  (b)",
                "      - C1  (c1)",
                "note  string  Notes  (repeats up to 2 times)",
            ])
    }

    @Test("each rule of an item is shown, and an item without rules shows none")
    func rules() throws {
        let pattern = try TextPattern("[a-z]+")
        let constraints = QuestionnaireItemConstraints(
            pattern: pattern, entryFormat: "abc", minimum: .integer(1), maximum: .integer(9), minimumLength: 1,
            maximumLength: 2, maximumDecimalPlaces: 1, minimumOccurs: 1, maximumOccurs: 4, maximumBytes: 1_500_000,
            mediaTypes: ["image/png", "image/jpeg"], units: [FormCoding(code: "kW")])
        var item = item(.string, repeats: true, constraints: constraints)
        item.isReadOnly = true
        item.enableWhen = [
            QuestionnaireEnableCondition(question: "a", comparison: .exists, answer: .boolean(true)),
            QuestionnaireEnableCondition(question: "b", comparison: .exists, answer: .boolean(false)),
            QuestionnaireEnableCondition(question: "c", comparison: .greater, answer: .integer(3)),
        ]
        item.enableBehavior = .any
        #expect(
            FormRulesText(item: item).forOutline() == [
                "repeats 1 to 4 times", "read-only", "written like abc", "from 1 to 9", "at least 1 character",
                "at most 2 characters", "at most 1 decimal place", "at most 1.5 MB", "image/png or image/jpeg", "in kW",
                "matches [a-z]+", "if a is answered or b is not answered or c > 3",
            ])
        #expect(FormRulesText(item: plainItem).forOutline() == [])
        for (least, most, text) in [
            (1, nil, "repeats 1 time or more"), (2, nil, "repeats 2 times or more"), (nil, 1, "repeats up to 1 time"),
        ] {
            var repeating = plainItem
            repeating.repeats = true
            repeating.constraints = QuestionnaireItemConstraints(minimumOccurs: least, maximumOccurs: most)
            #expect(FormRulesText(item: repeating).forOutline() == [text])
        }
        let mask = try TextMask("+4\\9 99")
        var masked = plainItem
        masked.constraints = QuestionnaireItemConstraints(mask: mask, minimumLength: 6)
        #expect(FormRulesText(item: masked).forOutline() == ["written like +49 99"])
        masked.constraints.entryFormats = "+49 30"
        #expect(FormRulesText(item: masked).forOutline() == ["written like +49 30", "fits +4\\9 99"])
    }

    private let plainItem = QuestionnaireItem(linkID: "it", kind: .string)

    @Test(
        "sizes are printed in bytes, kB and MB of thousands",
        arguments: [(1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1_550, "1.5 kB"), (3_000_000, "3 MB")])
    func sizes(count: Int, text: String) {
        #expect(FormSizeWords.text(count) == text)
    }

    @Test("foreign texts in a form can't move the cursor")
    func harmless() {
        let form = Questionnaire(
            name: "f", title: "a\u{1b}[2J", items: [QuestionnaireItem(linkID: "x", kind: .string, text: "\u{202e}b")])
        #expect(QuestionnaireText(form).lines == ["a<U+001B>[2J  (f)", "", "x  string  <U+202E>b"])
    }

    @Test("answers are listed with their paths in readable form, without those of disabled items")
    func listing() throws {
        let form = MemoryForm(carForm)
        try form.answer(.of("name"), with: [.string("Anna")])
        try form.answer(.of("driver[0]/driver-name"), with: [.string("Tim")])
        try form.answer(
            .of("driver[0]/licence"), with: [.coding(licence("b")), .coding(licence("c1"))])
        let listing = FormListing(carForm, form.read().response)
        #expect(
            listing.lines() == [
                "Holder  [holder]", "  1 Name: Anna  [name]", "  Born: -  [born]", "Is there a car?: -  [has-car]",
                "secret-number: 7  [secret-number]", "Driver 1  [driver[0]]",
                "  Their name: Tim  [driver[0]/driver-name]", "  Licences: B, C1  [driver[0]/licence]",
                "Notes: -  [note]",
            ])
        #expect(try listing.lines(at: .of("licence")) == ["B", "C1"])
        #expect(try listing.lines(at: .of("born")) == [])
        #expect(try listing.lines(at: .of("driver[0]")).count == 3)
        #expect(try listing.lines(at: .of("holder")).count == 3)
        #expect(try listing.values(at: .of("name")) == [.string("Anna")])
        for gone in ["colour", "driver[1]/driver-name", "zap", "greeting"] {
            #expect(throws: GateError.self) { try listing.lines(at: .of(gone)) }
        }
    }

    @Test("a path that fits several answers prints all of them as text, and is refused for values")
    func several() throws {
        let form = MemoryForm(carForm)
        try form.answer(.of("driver[0]/driver-name"), with: [.string("Tim")])
        try form.answer(.of("driver[1]/driver-name"), with: [.string("Eva")])
        let listing = FormListing(carForm, form.read().response)
        #expect(try listing.lines(at: .of("driver-name")) == ["Tim", "Eva"])
        #expect {
            try listing.values(at: .of("driver-name"))
        } throws: { error in
            (error as? GateError)?.message.contains("driver[0]/driver-name, driver[1]/driver-name") == true
        }
        #expect(try listing.values(at: .of("driver[1]/driver-name")) == [.string("Eva")])
    }

    @Test("a group in one line is listed by its answers, and shows its items if named itself (F-81)")
    func oneLine() throws {
        var car = carForm
        car.items[1].isInOneLine = true
        car.items[5].isInOneLine = true
        car.items[5].items[0].items = [QuestionnaireItem(linkID: "age", kind: .integer, text: "Age")]
        let form = MemoryForm(car)
        try form.answer(.of("born"), with: [FormDate("2001-05-06").map(FormValue.date)].compactMap(\.self))
        try form.answer(.of("driver[0]/driver-name"), with: [.string("Tim")])
        try form.answer(.of("driver[0]/age"), with: [.integer(20)])
        try form.answer(.of("driver[0]/licence"), with: [.coding(licence("b")), .coding(licence("c1"))])
        try form.answer(.of("driver[1]/driver-name"), with: [.string("Eva")])
        try form.answer(.of("driver[1]/driver-name"), with: [])
        try form.answer(.of("note"), with: [.string("Tidy")])
        let listing = FormListing(car, form.read().response)
        #expect(
            listing.lines() == [
                "Holder: 2001-05-06  [holder]", "Is there a car?: -  [has-car]", "secret-number: 7  [secret-number]",
                "Driver 1: Tim, Age: 20, B, C1  [driver[0]]", "Driver 2: -  [driver[1]]", "Notes: Tidy  [note]",
            ], "\(listing.lines())")
        #expect(
            try listing.lines(at: .of("holder")) == [
                "Holder  [holder]", "  1 Name: -  [name]", "  Born: 2001-05-06  [born]",
            ])
        #expect(try listing.lines(at: .of("driver")).count == 7)
        #expect(try listing.lines(at: .of("born")) == ["2001-05-06"])
    }

    @Test("a response is shown by its own texts, with the items below an answer")
    func response() {
        let response = QuestionnaireResponse(
            status: .completed,
            items: [
                QuestionnaireResponseItem(
                    linkID: "a", text: "Pet?",
                    answers: [
                        QuestionnaireResponseAnswer(
                            .boolean(true),
                            items: [
                                QuestionnaireResponseItem(
                                    linkID: "b", answers: [QuestionnaireResponseAnswer(.integer(2))])
                            ])
                    ]),
                QuestionnaireResponseItem(linkID: "g", text: "", items: [QuestionnaireResponseItem(linkID: "c")]),
            ])
        #expect(ResponseListing(response).lines == ["Pet?: Yes  [a]", "  b: 2  [b]", "g  [g]", "  c  [c]"])
    }

    @Test("a question shows its number, how to answer, its limits and its current answer")
    func question() throws {
        let form = MemoryForm(carForm)
        try form.answer(.of("has-car"), with: [.boolean(true)])
        try form.answer(.of("colour"), with: [.coding(green)])
        let walk = FormWalk(carForm, form.read().response)
        let texts = walk.questions.map {
            FormQuestionText(question: $0, questionCount: walk.questionCount, colours: .none)
        }
        #expect(
            texts.map(\.lines.first) == [
                "[1/7] 1 Name (required)", "[2/7] Born", "[3/7] Is there a car? (required)", "[4/7] Colour",
                "[5/7] Their name", "[6/7] Licences", "[7/7] Notes",
            ])
        #expect(texts[1].lines == ["[2/7] Born", "    a date: 2015-03-02; at most 2008-12-31"])
        #expect(texts[3].lines.dropFirst() == ["    1) Red", "    2) Green", "    now: Green"])
        #expect(texts[3].request == "your choice, Return keeps it" && texts[0].request == "answer")
        #expect(texts[5].lines.last == "    one or more, with commas between them")
    }

    @Test("hidden and disabled items are skipped, and the others keep the form's order (F-44)")
    func order() throws {
        let form = MemoryForm(carForm)
        func paths() -> [String] { FormWalk(carForm, form.read().response).questions.map(\.path.description) }
        #expect(
            paths() == ["name", "born", "has-car", "driver[0]/driver-name", "driver[0]/licence", "note"])
        try form.answer(.of("has-car"), with: [.boolean(true)])
        #expect(paths().contains("colour") && !paths().contains("secret-number"))
    }

    @Test("each change of a draft is a line")
    func change() {
        let summary = FormSummary(name: "car", holder: .account("anna"), revision: 5)
        let revision = Revision(epoch: 1, number: 12)
        let line = FormLines.line(
            revision,
            FormChange(summary: summary, isChanged: true, cleared: [FormPath("house"), FormPath("flat")]))
        #expect(line == "rev \(revision)  car for anna  draft 5  changed; cleared: house, flat")
        #expect(FormLines.line(revision, FormChange(summary: summary, isChanged: false)).hasSuffix("as it was"))
        var lines = FormChangeLines()
        #expect(lines.lines(for: [summary], revision: revision) == ["rev \(revision)  form car for anna  draft 5"])
        #expect(lines.lines(for: [summary], revision: revision) == [])
        var second = summary
        second.draftID += 1
        #expect(lines.lines(for: [summary, second], revision: revision).count == 1)
        let closed = ["rev \(revision)  form car for anna  closed"]
        #expect(lines.lines(for: [summary], revision: revision) == closed, "another draft of the same form is gone")
        #expect(lines.lines(for: [], revision: revision) == closed)
    }

    @Test("leaving a form before its end gives status 3, and the message says how to continue")
    func left() {
        let saved = FormLines.left(.saved(.numbered(7)), name: "car")
        #expect(saved.exitStatus == 3 && saved.message.contains("response 7"))
        #expect(FormLines.left(.left, name: "car").message.contains("gatectl form fill car"))
    }
}
