import GateClient
import GateModel
import GateScreens
import Testing

@Suite("The fields of a form on the screen")
struct FormControlTests {
    private static func form(_ item: QuestionnaireItem, _ values: FormValue...) -> FormOnScreen {
        let answer = QuestionnaireResponseItem(
            linkID: item.linkID, answers: values.map { QuestionnaireResponseAnswer($0) })
        return FormOnScreen([.group("all", [item])], [.group("all", [answer])])
    }

    private static func coding(_ code: String) -> FormValue {
        .coding(FormCoding(code: code, display: code.uppercased()))
    }

    @Test("a yes-or-no question shows neither until somebody answers it")
    func boolean() throws {
        var form = Self.form(.question("q", .boolean))
        #expect(try form.field("q").control == .yesNo(nil))
        #expect(form.does(.answered("q", yes: false)) == [.set("q", [.boolean(false)])])
        #expect(try form.field("q").control == .yesNo(false))
    }

    @Test("a date is shown in an entry and in a calendar")
    func date() throws {
        let date = try #require(FormDate("1979-05-01"))
        let form = Self.form(.question("q", .date), .date(date))
        #expect(
            try form.field("q").control
                == .date(
                    "1979-05-01", shown: CivilDate(year: 1979, month: 5, day: 1),
                    limits: Self.days("0001-01-01", "9999-12-31")))
    }

    @Test("a calendar offers what is within the limits, which may lack a day or a month (K-08)")
    func dateLimits() throws {
        var item = QuestionnaireItem.question("q", .date)
        item.constraints.minimum = .date(try #require(FormDate("1910")))
        item.constraints.maximum = .date(try #require(FormDate("2008-02")))
        #expect(
            try Self.form(item).field("q").control
                == .date("", shown: nil, limits: Self.days("1910-01-01", "2008-02-29")))
    }

    private static func days(_ first: String, _ last: String) throws -> ClosedRange<CivilDate> {
        try #require(CivilDate(first))...#require(CivilDate(last))
    }

    @Test("a field with a mask puts in the fixed characters (F-77)")
    func masked() throws {
        let mask = try TextMask("AA 999 AA")
        var item = QuestionnaireItem.question("q", constraints: QuestionnaireItemConstraints(mask: mask))
        var form = Self.form(item)
        #expect(try form.field("q").control == .entry("", .masked(mask)))
        #expect(try form.field("q").hint == "written like AA 999 AA")
        #expect(form.does(.typed("q", "ab123cd")) == [.set("q", [.string("AB 123 CD")])])
        #expect(try form.field("q").control == .entry("AB 123 CD", .masked(mask)))
        item.constraints.entryFormats = "MA 123 RY"
        #expect(try Self.form(item).field("q").hint == "written like MA 123 RY")
        let open = QuestionnaireItem.question(
            "q", .openChoice, options: [Self.coding("a")], constraints: QuestionnaireItemConstraints(mask: mask))
        form = Self.form(open)
        guard case .choice(let choice) = try form.field("q").control else {
            Issue.record("It is no choice.")
            return
        }
        #expect(choice.otherKind == .masked(mask))
        #expect(form.does(.typedOther("q", "ab123cd")) == [.set("q", [.string("AB 123 CD")])])
        item.repeats = true
        form = Self.form(item, .string("AB 123 CD"))
        #expect(
            form.does(.typedAnother("q", "ef456gh")) == [.set("q", [.string("AB 123 CD"), .string("EF 456 GH")])])
    }

    @Test("a few choices are buttons, many are a list, and very many can be searched")
    func choices() throws {
        for (count, isFolded, isSearched) in [(7, false, false), (8, true, false), (13, true, true)] {
            let options = (0..<count).map { Self.coding("o\($0)") }
            var form = Self.form(.question("q", .choice, options: options))
            guard case .choice(let choice) = try form.field("q").control else {
                Issue.record("It is no choice.")
                return
            }
            #expect(choice.labels.count == count)
            #expect(choice.isFolded == isFolded)
            #expect(choice.isSearched == isSearched)
            #expect(choice.other == nil)
            #expect(form.does(.chosen("q", 1, isOn: true)) == [.set("q", [options[1]])])
            #expect(form.does(.chosen("q", count, isOn: true)) == [])
        }
    }

    @Test("one press chooses a single option, and another takes it back")
    func consent() {
        var form = Self.form(.question("q", .choice, options: [Self.coding("a")]))
        #expect(form.does(.chosen("q", 0, isOn: true)) == [.set("q", [Self.coding("a")])])
        form.screen.changeTaken("q", cleared: [])
        form.reads([.group("all", [.answer("q", Self.coding("a"))])])
        #expect(form.does(.chosen("q", 0, isOn: false)) == [.set("q", [])])
    }

    @Test("an exclusive option takes the other options away, and the answers keep the form's order")
    func several() {
        var item = QuestionnaireItem.question("q", .choice, repeats: true, options: ["a", "b", "c"].map(Self.coding))
        item.options[2].isExclusive = true
        var form = Self.form(item, Self.coding("b"))
        #expect(form.does(.chosen("q", 0, isOn: true)) == [.set("q", [Self.coding("a"), Self.coding("b")])])
        #expect(form.does(.chosen("q", 2, isOn: true)) == [.set("q", [Self.coding("c")])])
        // This goes back to the draft's answer while the other one is still being sent.
        #expect(form.does(.chosen("q", 1, isOn: true)) == [.set("q", [Self.coding("b")])])
    }

    @Test("an open choice takes other words, which are listed among its choices if it takes several")
    func open() throws {
        var one = Self.form(.question("q", .openChoice, options: [Self.coding("a")]), .string("Tatra"))
        guard case .choice(let choice) = try one.field("q").control else {
            Issue.record("It is no choice.")
            return
        }
        #expect(choice.other == "Tatra")
        #expect(choice.chosen == [])
        #expect(one.does(.typedOther("q", "Wartburg")) == [.set("q", [.string("Wartburg")])])
        var many = Self.form(
            .question("q", .openChoice, repeats: true, options: [Self.coding("a")]), Self.coding("a"), .string("mine"))
        guard case .choice(let all) = try many.field("q").control else {
            Issue.record("It is no choice.")
            return
        }
        #expect(all.labels == ["A", "mine"])
        #expect(all.chosen == [0, 1])
        #expect(many.does(.chosen("q", 1, isOn: false)) == [.set("q", [Self.coding("a")])])
    }

    @Test("a quantity has one of the offered units")
    func quantity() throws {
        let units = [
            FormCoding(system: "u", code: "kW", display: "kW"), FormCoding(system: "u", code: "hp", display: "hp"),
        ]
        var form = Self.form(.question("q", .quantity, constraints: QuestionnaireItemConstraints(units: units)))
        #expect(try form.field("q").control == .quantity("", units: ["kW", "hp"], unit: 0))
        guard case .set(_, let values) = form.does(.measured("q", "75", unit: 1)).first,
            case .quantity(let quantity) = values.first
        else {
            Issue.record("It is no quantity.")
            return
        }
        #expect(quantity.code == "hp")
        #expect(try form.field("q").control == .quantity("75", units: ["kW", "hp"], unit: 1))
    }

    @Test("several answers are shown in rows; one can be added at the end, and each can be removed")
    func rows() throws {
        var form = Self.form(
            .question("q", repeats: true, constraints: QuestionnaireItemConstraints(maximumOccurs: 3)), .string("a"),
            .string("b"))
        #expect(try form.field("q").control == .several(["a", "b"], .words, text: "", takesMore: true))
        #expect(form.does(.typedAnother("q", "c")) == [.set("q", [.string("a"), .string("b"), .string("c")])])
        #expect(try form.field("q").control == .several(["a", "b", "c"], .words, text: "", takesMore: false))
        #expect(form.does(.removedAnswer("q", 0)) == [.set("q", [.string("b"), .string("c")])])
    }

    @Test("a text that is no valid further answer stays in its field, and the rows stay as they are")
    func wrongRow() throws {
        var form = Self.form(.question("q", .integer, repeats: true), .integer(1))
        #expect(form.does(.typedAnother("q", "x")) == [])
        #expect(try form.field("q").control == .several(["1"], .number, text: "x", takesMore: true))
        #expect(try form.field("q").error.hasPrefix("'x' is no whole number"))
        #expect(form.does(.typedAnother("q", "900")) == [.set("q", [.integer(1), .integer(900)])])
        #expect(try form.field("q").control == .several(["1", "900"], .number, text: "", takesMore: true))
        form.screen.changeRefused("q", GateError(.invalidArgument, .badAnswer, "At most 120."))
        #expect(try form.field("q").control == .several(["1"], .number, text: "900", takesMore: true))
        #expect(form.does(.typedAnother("q", "")) == [])
        #expect(try form.field("q").control == .several(["1"], .number, text: "", takesMore: true))
        #expect(try form.field("q").error == "")
        // The answer that could not be removed stays in its row, and was not typed.
        #expect(form.does(.removedAnswer("q", 0)) == [.set("q", [])])
        form.screen.changeRefused("q", GateError(.invalidArgument, .badAnswer, "At least one."))
        #expect(try form.field("q").control == .several(["1"], .number, text: "", takesMore: true))
    }

    @Test("a document that is too large, or of another type, is refused before it is brought anywhere")
    func documents() throws {
        let limits = QuestionnaireItemConstraints(maximumBytes: 10, mediaTypes: ["image/png"])
        var form = Self.form(.question("q", .attachment, constraints: limits))
        #expect(try form.field("q").hint == "at most 10 bytes; PNG")
        let large = FormDocumentFile(bytes: Array(repeating: 0, count: 11), mediaType: "image/png", name: "a.png")
        #expect(form.does(.attached("q", large)) == [])
        #expect(try form.field("q").error == "This is too much: at most 10 bytes.")
        let other = FormDocumentFile(bytes: [0], mediaType: "application/pdf", name: "a.pdf")
        #expect(form.does(.attached("q", other)) == [])
        #expect(try form.field("q").error == "Choose a document of one of these types: PNG.")
        let right = FormDocumentFile(bytes: [0], mediaType: "image/png", name: "a.png")
        #expect(form.does(.attached("q", right)) == [.attach("q", right)])
        #expect(try form.field("q").error == "")
        #expect(form.does(.unreadable("q", "It can't be read.")) == [])
        #expect(try form.field("q").error == "It can't be read.")
    }

    @Test("a document is shown by name and size; a read-only answer can only be read")
    func shown() throws {
        let digest = try #require(AttachmentDigest(bytes: Array(repeating: 1, count: 32)))
        let form = Self.form(
            .question("q", .attachment),
            .attachment(FormAttachment(mediaType: "image/png", title: "a\u{202E}.png", byteCount: 1500, digest: digest))
        )
        guard case .documents(let documents, _, takesMore: true) = try form.field("q").control else {
            Issue.record("It is no document.")
            return
        }
        #expect(documents.map(\.name) == ["a\u{FFFD}.png"])
        #expect(documents.map(\.size) == ["1.5 kB"])
        #expect(documents.map(\.isPicture) == [true])
        let fixed = Self.form(.question("q", isReadOnly: true), .string("as it is"))
        #expect(try fixed.field("q").control == .fixed("as it is"))
        #expect(try fixed.field("q").hint == "")
    }

    @Test("a screen reader hears that a field is required, what is wrong and how to answer it")
    func spoken() throws {
        var form = Self.form(.question("q", .integer, "Age", isRequired: true))
        _ = form.does(.typed("q", "x"))
        let field = try form.field("q")
        #expect(field.spokenName == "Age (required)")
        #expect(field.spokenText.hasSuffix("Write it like 42.. a whole number"))
    }
}
