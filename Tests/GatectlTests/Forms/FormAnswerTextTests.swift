import GateForms
import GateModel
import Testing

@testable import gatectl

@Suite("Answers of a form, as they are typed")
struct FormAnswerTextTests {
    private func value(_ text: String, _ item: QuestionnaireItem) -> FormValue? {
        try? FormAnswerText(item: item).value(text)
    }

    private func mistake(_ text: String, _ item: QuestionnaireItem) -> GateError? {
        do throws(GateError) {
            _ = try FormAnswerText(item: item).value(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "each type of answer is read from plain text and shown in readable form (F-33)",
        arguments: [
            (.boolean, "Yes", "Yes"), (.boolean, "n", "No"), (.integer, "-42", "-42"), (.decimal, "1.50", "1.50"),
            (.date, "2015-03-02", "2015-03-02"), (.date, "2015", "2015"),
            (.string, "Anna Maria", "Anna Maria"),
            (.text, "a, b", "a, b"), (.url, "https://example.org/", "https://example.org/"),
            (.reference, "Patient/17", "Patient/17"), (.quantity, "75 kW", "75 kW"), (.quantity, "75kW", "75 kW"),
            (.openChoice, "something else", "something else"),
        ] as [(QuestionnaireItem.Kind, String, String)])
    func types(kind: QuestionnaireItem.Kind, text: String, shown: String) throws {
        #expect(try FormAnswerText(item: item(kind)).value(text).displayText == shown)
    }

    @Test("an answer through a mask is stored with the fixed characters (F-77)")
    func masked() throws {
        let constraints = QuestionnaireItemConstraints(mask: try TextMask("AA 999 AA"))
        for kind in [QuestionnaireItem.Kind.string, .openChoice] {
            let item = item(kind, options: kind == .openChoice ? [.integer(1)] : [], constraints: constraints)
            #expect(value("ab123cd", item) == .string("AB 123 CD"))
            #expect(value("AB 123 CD", item) == .string("AB 123 CD"))
            #expect(value("ab 123", item) == .string("ab 123"))
        }
    }

    @Test("each value is read as its item's type")
    func typed() {
        #expect(value("on", item(.boolean)) == .boolean(true) && value("FALSE", item(.boolean)) == .boolean(false))
        #expect(value(" 7 ", item(.integer)) == .integer(7))
        #expect(value("7", item(.decimal)) == FormDecimal("7").map(FormValue.decimal))
        #expect(value("2015-03", item(.date)) == FormDate("2015-03").map(FormValue.date))
        for text in ["8:30", "08:30", "08:30:00"] {
            #expect(value(text, item(.time)) == FormTime("08:30:00").map(FormValue.time))
        }
        for text in ["2026-01-31 18:30+01:00", "2026-01-31T18:30:00+01:00", "2026-01-31 18:30 +01:00"] {
            #expect(
                value(text, item(.dateTime)) == FormDateTime("2026-01-31T18:30:00+01:00").map(FormValue.dateTime))
        }
        #expect(
            value("2026-01-31 8:30:05z", item(.dateTime))
                == FormDateTime("2026-01-31T08:30:05Z").map(FormValue.dateTime))
        #expect(value("7", item(.string)) == .string("7") && value(" x ", item(.text)) == .string(" x "))
        #expect(value("urn:x", item(.url)) == .uri("urn:x"))
        #expect(value("Patient/17", item(.reference)) == .reference(FormReference(reference: "Patient/17")))
        #expect(value("1e3 m", item(.quantity)) == .quantity(FormQuantity(value: FormDecimal("1e3"), unit: "m")))
        #expect(value("75 eggs", item(.quantity)) == .quantity(FormQuantity(value: FormDecimal("75"), unit: "eggs")))
        #expect(
            value("<= 5", item(.quantity)) == .quantity(FormQuantity(value: FormDecimal("5"), comparator: "<=")))
    }

    @Test(
        "a text that does not fit its item's type is refused, with an example",
        arguments: [
            (.boolean, "perhaps", "yes or no"), (.integer, "1.5", "like 42"), (.integer, "3000000000", "like 42"),
            (.decimal, "1,5", "like 1.5"), (.date, "02.03.2015", "2015-03-02"), (.date, "2015-02-30", "2015-03-02"),
            (.time, "half past six", "18:30"), (.time, "25:00", "18:30"),
            (.dateTime, "2026-01-31 18:30", "time zone"), (.url, "not an address", "https://"),
            (.quantity, "much", "75 kW"), (.choice, "x", "not offered"), (.attachment, "letter.pdf", "form attach"),
            (.group, "x", "takes no answer"), (.display, "x", "takes no answer"),
        ] as [(QuestionnaireItem.Kind, String, String)])
    func mistakes(kind: QuestionnaireItem.Kind, text: String, advice: String) {
        let error = mistake(text, item(kind))
        #expect(error?.reason == .badAnswer && error?.exitStatus == 65)
        #expect(error?.message.contains(advice) == true, "\(error?.message ?? "taken")")
    }

    @Test("an option is chosen by code, text or number, and a code is tried before a number")
    func options() {
        let colours = item(.choice, options: [.coding(red), .coding(green)])
        for text in ["r", "Red", "red", "1", "urn:colour|r"] { #expect(value(text, colours) == .coding(red)) }
        #expect(value("2", colours) == .coding(green) && value("3", colours) == nil && value("", colours) == nil)
        let coded = item(
            .choice,
            options: [
                .coding(FormCoding(code: "2", display: "Often")), .coding(FormCoding(code: "1", display: "Never")),
            ])
        #expect(value("1", coded)?.displayText == "Never")
        #expect(mistake("blue", colours)?.message.contains("Red, Green") == true)
    }

    @Test("a text that two options share chooses neither, and system and code choose one")
    func ambiguous() {
        let other = FormCoding(system: "urn:other", code: "r", display: "Red")
        let colours = item(.choice, options: [.coding(red), .coding(other)])
        #expect(value("Red", colours) == nil && value("urn:other|r", colours) == .coding(other))
    }

    @Test("in an open choice a number is a text, and the name of an option chooses it")
    func openChoice() {
        let colours = item(.openChoice, options: [.coding(red)])
        #expect(value("red", colours) == .coding(red) && value("1", colours) == .string("1"))
        #expect(value("blue", colours) == .string("blue"))
    }

    @Test("labelled options are chosen by label, and the labels are letters if options are numbers")
    func labels() throws {
        let colours = item(.openChoice, options: [.coding(red), .coding(green)])
        #expect(FormOptions(colours).lines == ["1) Red", "2) Green"])
        #expect(try FormAnswerText(item: colours).labelled("2") == .coding(green))
        let ages = item(.integer, options: [.integer(2), .integer(1)])
        #expect(FormOptions(ages).lines == ["a) 2", "b) 1"])
        #expect(try FormAnswerText(item: ages).labelled("b") == .integer(1))
        #expect(try FormAnswerText(item: ages).labelled("2") == .integer(2))
    }

    @Test("an option is chosen by its text in the person's language, by the form's own or by its code (L-03)")
    func languages() throws {
        let item = QuestionnaireItem(
            linkID: "a", kind: .choice,
            options: [
                QuestionnaireAnswerOption(.coding(red), translations: [.init(language: "de", text: "Rot")]),
                QuestionnaireAnswerOption(.coding(green), translations: [.init(language: "de", text: "Grün")]),
            ])
        #expect(FormOptions(item, for: ["de-AT"]).lines == ["1) Rot", "2) Grün"])
        for text in ["Rot", "rot", "Red", "1", "r"] {
            #expect(try FormAnswerText(item: item, for: ["de-AT"]).labelled(text) == .coding(red), "\(text)")
        }
        #expect(throws: GateError.self) { try FormAnswerText(item: item, for: ["ru"]).labelled("Rot") }
    }

    @Test("dates, numbers, yes and no are read in the person's notation, in ISO's and in English (L-04)")
    func habits() throws {
        let german = WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ",", yes: "ja", no: "nein")
        func read(_ text: String, _ kind: QuestionnaireItem.Kind) throws -> String {
            try FormAnswerText(item: item(kind), habits: german).value(text).displayText
        }
        #expect(try read("02.03.2015", .date) == "2015-03-02")
        #expect(try read("2015-03-02", .date) == "2015-03-02")
        #expect(try read(" 2.3.2015 ", .date) == "2015-03-02")
        #expect(try read("1,5", .decimal) == "1.5")
        #expect(try read("1,5 kg", .quantity) == "1.5 kg")
        for text in ["Ja", "yes", "true"] {
            #expect(try read(text, .boolean) == (try read("yes", .boolean)), "\(text)")
        }
        #expect(try read("Nein", .boolean) == (try read("no", .boolean)))
        // A text answer stays as it is, whatever it looks like.
        #expect(try read("02.03.2015", .string) == "02.03.2015")
        #expect(try read("ja", .string) == "ja")
    }

    @Test("an offered unit is given by code or name, and may be left out if it is the only one")
    func units() {
        let kilowatt = FormCoding(system: "http://unitsofmeasure.org", code: "kW", display: "kilowatt")
        let horsepower = FormCoding(system: "http://unitsofmeasure.org", code: "[HP]", display: "hp")
        let one = item(.quantity, constraints: QuestionnaireItemConstraints(units: [kilowatt]))
        let kW75 = FormValue.quantity(
            FormQuantity(
                value: FormDecimal("75"), unit: "kilowatt", system: "http://unitsofmeasure.org", code: "kW"))
        for text in ["75 kW", "75 Kilowatt", "75"] { #expect(value(text, one) == kW75) }
        let two = item(.quantity, constraints: QuestionnaireItemConstraints(units: [kilowatt, horsepower]))
        #expect(value("75 kW", two) == kW75)
        #expect(mistake("75", two)?.message.contains("kilowatt, hp") == true)
        #expect(mistake("75 cd", two)?.message.contains("no unit") == true)
    }

    @Test("several words are one answer to a question with one answer, and one each to a question with several")
    func words() throws {
        #expect(try FormAnswerText(item: item(.string)).values(["Anna", "Maria"]) == [.string("Anna Maria")])
        #expect(try FormAnswerText(item: item(.quantity)).values(["75", "kW"]).map(\.displayText) == ["75 kW"])
        #expect(
            try FormAnswerText(item: item(.string, repeats: true)).values(["a", "b"]) == [.string("a"), .string("b")])
        #expect(try FormAnswerText(item: item(.string)).values([]) == [])
    }

    @Test("an unknown linkId is refused, and the nearest known one is suggested")
    func unknown() {
        let error = FormPathText.unknown(FormPath("has-cat" as String), in: carForm)
        #expect(error.code == .notFound && error.message.contains("has-car"))
        #expect(
            FormPathText.unknown(FormPath("zzzzzzzz" as String), in: carForm).message.contains("gatectl form show car"))
    }

    @Test("the media type is that of the suffix, in whatever case")
    func mediaTypes() {
        #expect(AttachmentFile.mediaType(of: "/a.b/letter.PDF") == "application/pdf")
        #expect(AttachmentFile.mediaType(of: "x/photo.jpeg") == "image/jpeg")
        for path in ["/a.png/letter", ".png", "letter.unheard-of", "letter."] {
            #expect(AttachmentFile.mediaType(of: path) == "application/octet-stream")
        }
    }
}
