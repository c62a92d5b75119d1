import GateForms
import GateModel
import Testing

@Suite("Extensions of a questionnaire")
struct QuestionnaireExtensionTests {
    private static func item(_ type: String, _ extensions: String, more: String = "") -> String {
        #"{"linkId": "a", "type": "\#(type)", "extension": [\#(extensions)]\#(more)}"#
    }

    private static let options = #", "answerOption": [{"valueString": "x"}]"#

    private func problems(_ item: String) throws -> [String] {
        try Form.read(Form.json(item)).problems.map(\.message)
    }

    private func constraints(_ type: String, _ extensions: String, more: String = "") throws
        -> QuestionnaireItemConstraints
    {
        try Form.items(Self.item(type, extensions, more: more))[0].constraints
    }

    @Test("a text may have a pattern, a format and a minimum length (F-43)")
    func texts() throws {
        for type in ["string", "text", "url"] {
            let constraints = try constraints(
                type,
                [
                    Extension.standard("regex", #""valueString": "[A-Z]{2}\\d+""#),
                    Extension.standard("entryFormat", #""valueString": "AB123""#),
                    Extension.standard("minLength", #""valueInteger": 3"#),
                ].joined(separator: ","), more: #", "maxLength": 9"#)
            #expect(constraints.textPattern?.matches("AB12") == true)
            #expect(constraints.textPattern?.matches("AB") == false)
            #expect(constraints.entryFormat == "AB123")
            #expect(constraints.minimumLength == 3)
            #expect(constraints.maximumLength == 9)
        }
    }

    @Test("a group may be set to one line, to several, or neither (F-81)")
    func oneLine() throws {
        func said(_ value: String) -> String { Extension.gate("one-line", #""valueBoolean": \#(value)"#) }
        let inside = #", "item": [{"linkId": "b", "type": "string"}]"#
        #expect(try Form.items(Self.item("group", said("true"), more: inside))[0].isInOneLine == true)
        #expect(try Form.items(Self.item("group", said("false"), more: inside))[0].isInOneLine == false)
        let without = #"{"linkId": "a", "type": "group"\#(inside)}"#
        #expect(try Form.items(without)[0].isInOneLine == nil)
        #expect(try problems(Self.item("string", said("true"))).contains { $0.contains("no use for 'one-line'") })
    }

    private static func mask(_ text: String) -> String { Extension.gate("mask", #""valueString": "\#(text)""#) }

    @Test("a text of one line may have a mask, and a pattern beside it (F-77)")
    func masks() throws {
        let pattern = Extension.standard("regex", #""valueString": ".*""#)
        let constraints = try constraints("string", Self.mask(#"A\\9 99"#) + "," + pattern, more: #", "maxLength": 5"#)
        #expect(constraints.mask == #"A\9 99"#)
        #expect(constraints.textMask?.matches("X9 12") == true)
        #expect(constraints.textPattern != nil)
        let choice = try self.constraints(
            "open-choice", Self.mask("99"), more: #", "answerOption": [{"valueString": "12"}]"#)
        #expect(choice.mask == "99")
    }

    @Test(
        "a mask that no text can fit, or on another type of item, is refused with what to do (F-77)",
        arguments: [
            ("string", mask("- -"), "", "no place to type"), ("string", mask(#"\\x9"#), "", "'\\' stands before"),
            ("string", mask(String(repeating: "9", count: 101)), "", "at most 100 characters"),
            ("string", mask("999"), #", "maxLength": 2"#, "has 3 characters"),
            (
                "string", mask("999") + "," + Extension.standard("minLength", #""valueInteger": 4"#), "",
                "has 3 characters"
            ),
            ("string", mask("999"), #", "initial": [{"valueString": "12"}]"#, "does not fit the 'mask'"),
            ("string", mask("999"), #", "answerOption": [{"valueString": "12"}]"#, "could not be chosen"),
            ("open-choice", mask("999"), #", "answerOption": [{"valueString": "none"}]"#, "could not be chosen"),
            ("text", mask("999"), "", "no use for 'mask'"), ("integer", mask("999"), "", "no use for 'mask'"),
            ("string", mask("9") + "," + mask("9"), "", "there twice"),
            ("string", Extension.gate("mask", #""valueCode": "9""#), "", "has its value in 'valueString'"),
        ])
    func wrongMasks(type: String, extensions: String, more: String, told: String) throws {
        let found = try problems(Self.item(type, extensions, more: more))
        #expect(found.contains { $0.contains(told) }, "\(found)")
    }

    @Test("a quantity's limits may be written as R4 or as Structured Data Capture does, but not both ways")
    func quantities() throws {
        func said(_ name: String, _ value: String) -> String {
            #"{"url": "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-\#(name)", "valueQuantity": \#(value)}"#
        }
        func quantity(_ number: Int, _ code: String) -> String {
            #"{"value": \#(number), "unit": "\#(code)", "system": "http://unitsofmeasure.org", "code": "\#(code)"}"#
        }
        let least = said("minQuantity", quantity(10, "kW"))
        let found = try constraints("quantity", least + "," + said("maxQuantity", quantity(1, "MW")))
        #expect(found.minimum?.displayText == "10 kW" && found.maximum?.displayText == "1 MW")
        func told(_ type: String, _ extensions: [String], _ text: String) throws -> Bool {
            try problems(Self.item(type, extensions.joined(separator: ","))).contains { $0.contains(text) }
        }
        let both = [least, Extension.standard("minValue", #""valueQuantity": \#(quantity(10, "kW"))"#)]
        #expect(try told("quantity", both, "Keep one of them"))
        #expect(try told("quantity", [least, said("maxQuantity", quantity(1, "W"))], "Nothing could be answered"))
        #expect(try told("decimal", [least], "has no use for 'sdc-questionnaire-minQuantity'"))
        let unit = Extension.standard(
            "questionnaire-unitOption", #""valueCoding": {"system": "http://unitsofmeasure.org", "code": "kg"}"#)
        #expect(try told("quantity", [least, unit], "The unit 'kg' can't be compared with 'kW' of a limit"))
        let elsewhere = Extension.standard(
            "questionnaire-unitValueSet", #""valueCanonical": "https://example.org/units""#)
        #expect(try told("quantity", [elsewhere], "Gate asks no terminology server"))
        let missing = Extension.standard("questionnaire-unitValueSet", ##""valueCanonical": "#units""##)
        #expect(try told("quantity", [missing], "There is no value set 'units' in 'contained'"))
    }

    @Test(
        "a limit with an expression beside or in place of its value is refused, since the other rule would hold"
    )
    func saidBeside() throws {
        let expression = #"{"url": "http://hl7.org/fhir/StructureDefinition/cqf-expression", "valueString": "today()"}"#
        for value in [
            #""_valueDate": {"extension": [\#(expression)]}"#,
            #""valueDate": "2020-01-01", "_valueDate": {"extension": [\#(expression)]}"#,
        ] {
            let found = try problems(Self.item("date", Extension.standard("maxValue", value)))
            #expect(found.contains { $0.contains("Gate does not read '_valueDate' of 'maxValue'") })
        }
        let length = #", "maxLength": 9, "_maxLength": {"extension": [\#(expression)]}"#
        let found = try problems(
            Self.item("string", Extension.standard("minLength", #""valueInteger": 3"#), more: length))
        #expect(found.contains { $0.contains("Gate does not read '_maxLength'") })
        // An id of the extension changes nothing.
        let id = try problems(
            Self.item("date", Extension.standard("maxValue", #""valueDate": "2020-01-01", "_valueDate": {"id": "x"}"#)))
        #expect(!id.contains { $0.contains("does not read") })
    }

    @Test("a reference may be limited to types of resources, written as FHIR writes them")
    func references() throws {
        let patient = Extension.standard("questionnaire-referenceResource", #""valueCode": "Patient""#)
        let group = Extension.standard("questionnaire-referenceResource", #""valueCode": "Group""#)
        #expect(try constraints("reference", "\(patient),\(group)").referenceTypes == ["Patient", "Group"])
        #expect(
            try problems(Self.item("string", patient)).contains {
                $0.contains("has no use for 'questionnaire-referenceR")
            })
        let small = Extension.standard("questionnaire-referenceResource", #""valueCode": "patient""#)
        #expect(try problems(Self.item("reference", small)) == ["'patient' is no type of resource, like 'Patient'."])
    }

    private static func limit(_ name: String, _ expression: String, type: String = "Date", more: String = "") -> String
    {
        let said =
            #"{"url": "http://hl7.org/fhir/StructureDefinition/cqf-expression", "valueExpression": \#(expression)}"#
        return Extension.standard(name, #"\#(more)"_value\#(type)": {"extension": [\#(said)]}"#)
    }

    @Test("a limit may be an expression instead of a value (F-78)")
    func movingLimits() throws {
        let constraints = try constraints(
            "date",
            Self.limit("minValue", #"{"language": "text/fhirpath", "expression": "today() - 1 year"}"#) + ","
                + Self.limit("maxValue", #"{"language": "text/fhirpath", "expression": "today()"}"#))
        #expect(constraints.minimumExpression == "today() - 1 year")
        #expect(constraints.maximumExpression == "today()")
        #expect(constraints.minimum == nil && constraints.maximum == nil)
    }

    @Test(
        "a limit with an expression that Gate can't evaluate is refused",
        arguments: [
            (
                limit("minValue", #"{"language": "text/cql", "expression": "Today()"}"#),
                "whose 'language' is text/fhirpath"
            ),
            (limit("minValue", #"{"language": "text/fhirpath"}"#), "no 'expression'"),
            (limit("minValue", #"{"language": "text/fhirpath", "expression": "today("}"#), "wrong in line 1"),
            (
                limit("minValue", #"{"language": "text/fhirpath", "expression": "today()"}"#, type: "Integer"),
                "of the item's own type"
            ),
            (
                limit(
                    "minValue", #"{"language": "text/fhirpath", "expression": "today()"}"#,
                    more: #""valueDate": "2020-01-01", "#), "does not read '_valueDate'"
            ),
            (
                limit("minLength", #"{"language": "text/fhirpath", "expression": "1"}"#, type: "Integer"),
                "does not read '_valueInteger'"
            ),
        ])
    func wrongMovingLimits(limit: String, told: String) throws {
        let found = try problems(Self.item("date", limit))
        #expect(found.contains { $0.contains(told) }, "\(found)")
    }

    @Test("limits are of the item's own type (F-43)")
    func limits() throws {
        func limits(_ type: String, _ least: String, _ most: String) throws -> [FormValue?] {
            let constraints = try constraints(
                type, Extension.standard("minValue", least) + "," + Extension.standard("maxValue", most))
            return [constraints.minimum, constraints.maximum]
        }
        #expect(
            try limits("integer", #""valueInteger": -1"#, #""valueInteger": 2"#) == [.integer(-1), .integer(2)])
        #expect(
            try limits("decimal", #""valueDecimal": 1.50"#, #""valueInteger": 2"#)
                == [FormDecimal("1.50").map(FormValue.decimal), FormDecimal("2").map(FormValue.decimal)])
        #expect(
            try limits("date", #""valueDate": "2020""#, #""valueDate": "2024-05-31""#)
                == [FormDate("2020").map(FormValue.date), FormDate("2024-05-31").map(FormValue.date)])
        #expect(
            try limits("dateTime", #""valueDate": "2020""#, #""valueDateTime": "2024-05-31T12:00:00Z""#)
                == [
                    FormDateTime("2020").map(FormValue.dateTime),
                    FormDateTime("2024-05-31T12:00:00Z").map(FormValue.dateTime),
                ])
        #expect(
            try limits("time", #""valueTime": "08:00:00""#, #""valueTime": "18:00:00""#)
                == [FormTime("08:00:00").map(FormValue.time), FormTime("18:00:00").map(FormValue.time)])
        #expect(
            try limits("quantity", #""valueQuantity": {"value": 1}"#, #""valueQuantity": {"value": 2, "unit": "kW"}"#)
                == [
                    .quantity(FormQuantity(value: FormDecimal("1"))),
                    .quantity(FormQuantity(value: FormDecimal("2"), unit: "kW")),
                ])
    }

    @Test("an attachment may have a size and types; a quantity its units; a decimal its places (F-43)")
    func others() throws {
        let attachment = try constraints(
            "attachment",
            [
                Extension.standard("maxSize", #""valueDecimal": 1.5"#),
                Extension.standard("mimeType", #""valueCode": "image/png""#),
                Extension.standard("mimeType", #""valueCode": "image/jpeg""#),
            ].joined(separator: ","))
        #expect(attachment.maximumBytes == 1_500_000)
        #expect(attachment.mediaTypes == ["image/png", "image/jpeg"])
        let quantity = try constraints(
            "quantity",
            [
                Extension.standard("questionnaire-unitOption", #""valueCoding": {"code": "hp"}"#),
                Extension.standard("questionnaire-unit", #""valueCoding": {"code": "kW", "display": "kW"}"#),
                Extension.standard("maxDecimalPlaces", #""valueInteger": 0"#),
            ].joined(separator: ","))
        #expect(quantity.units == [FormCoding(code: "kW", display: "kW"), FormCoding(code: "hp")])
        #expect(quantity.maximumDecimalPlaces == 0)
    }

    @Test("attachments are limited to three mebibytes, and a form that allows more gets a warning")
    func largeAttachments() throws {
        let (questionnaire, problems) = try Form.read(
            Form.json(Self.item("attachment", Extension.standard("maxSize", #""valueDecimal": 10"#))))
        #expect(questionnaire?.items[0].constraints.maximumBytes == 3 << 20)
        #expect(problems.map(\.severity) == [.warning])
    }

    @Test(
        "an extension that is used wrongly is refused",
        arguments: [
            RefusedForm(
                item("string", Extension.standard("regex", #""valueString": «"(""#)), linkID: "a",
                at: "item[0].extension[0]", "regular expression is wrong at character"),
            RefusedForm(
                item("integer", Extension.standard("regex", #""valueString": «"x""#)), linkID: "a",
                at: "item[0].extension[0]", "no use for 'regex'"),
            RefusedForm(
                item("string", Extension.standard("minValue", #""valueInteger": «1"#)), linkID: "a",
                at: "item[0].extension[0]", "no use for 'minValue'"),
            RefusedForm(
                item("integer", Extension.standard("maxValue", #""valueDate": «"2024""#)), linkID: "a",
                at: "item[0].extension[0]", "'valueInteger', not 'valueDate'"),
            RefusedForm(
                item("string", Extension.standard("minLength", #"«"valueString": "3""#)), linkID: "a",
                at: "item[0].extension[0]", "'valueInteger', not in 'valueString'"),
            RefusedForm(
                item("string", Extension.standard("minLength", #""valueInteger": «-1"#)), linkID: "a",
                at: "item[0].extension[0]", "0 or more"),
            RefusedForm(
                item(
                    "string",
                    Extension.standard("minLength", #""valueInteger": 1"#) + ",«"
                        + Extension.standard("minLength", #""valueInteger": 2"#)), linkID: "a",
                at: "item[0].extension[1]", "twice"),
            RefusedForm(
                item(
                    "integer",
                    Extension.standard("minValue", #""valueInteger": 2"#) + ","
                        + Extension.standard("maxValue", #""valueInteger": 1"#)
                ).replacing("[", with: "«["), linkID: "a", at: "item[0]", "more than 'maxValue'"),
            RefusedForm(
                item("string", Extension.standard("minLength", #""valueInteger": 5"#), more: #", "maxLength": 4"#)
                    .replacing("[", with: "«["), linkID: "a", at: "item[0]", "more than 'maxLength'"),
            RefusedForm(
                item(
                    "string",
                    Extension.standard("questionnaire-minOccurs", #""valueInteger": 3"#) + ","
                        + Extension.standard("questionnaire-maxOccurs", #""valueInteger": 2"#),
                    more: #", "repeats": true"#
                ).replacing("[", with: "«["), linkID: "a", at: "item[0]", "'questionnaire-maxOccurs'"),
            RefusedForm(
                item("string", Extension.standard("questionnaire-maxOccurs", #""valueInteger": 2"#))
                    .replacing("[", with: "«["), linkID: "a", at: "item[0]", "needs 'repeats'"),
            RefusedForm(
                item("attachment", Extension.standard("maxSize", #""valueDecimal": «0"#)), linkID: "a",
                at: "item[0].extension[0]", "more than nothing"),
            RefusedForm(
                item("attachment", Extension.standard("mimeType", #""valueCode": «"png""#)), linkID: "a",
                at: "item[0].extension[0]", "no media type"),
            RefusedForm(
                item("string", "«" + Extension.gate("parent", #""valueString": "x""#)), linkID: "a",
                at: "item[0].extension[0]", "Did you mean 'https://gate.example/"),
            RefusedForm(
                item("string", #"«{"url": "https://example.org/x"}"#), linkID: "a", at: "item[0].extension[0]",
                "either a value or extensions"),
            RefusedForm(
                item(
                    "group", Extension.parents("b").replacing(#": "b""#, with: #": «"b""#),
                    more: #", "item": [{"linkId": "b", "type": "string"}]"#), linkID: "a",
                at: "item[0].extension[0]", "is not answered and has no parents"),
            RefusedForm(
                item("string", Extension.parents("b", "b")).replacing(
                    #": "b"}]"#, with: #": «"b"}]"#) + #", {"linkId": "b", "type": "string"}"#, linkID: "a",
                at: "item[0].extension[1]", "twice"),
        ])
    func refused(_ form: RefusedForm) throws {
        try form.expectRefusal()
    }

    @Test("a form may be completed by anybody or by grown-ups, and no other value is accepted")
    func completedBy() throws {
        func read(_ code: String) throws -> (questionnaire: Questionnaire?, problems: [FormProblem]) {
            try Form.read(
                Form.json(
                    #"{"linkId": "a", "type": "string"}"#,
                    more: #""extension": [\#(Extension.gate("completed-by", #""valueCode": "\#(code)""#))],"#))
        }
        #expect(try read("anybody").questionnaire?.completedBy == .anybody)
        #expect(try read("grown-up").questionnaire?.completedBy == .grownUp)
        let refused = try read("grownup")
        #expect(refused.questionnaire == nil)
        #expect(refused.problems.first?.message.contains("Did you mean 'grown-up'?") ?? false)
    }

    @Test(
        "elements of R4 that Gate does not use are warnings",
        arguments: [
            #"{"linkId": "a", "type": "string", "extension": [{"url": "http://x.example/y", "valueCode": "z"}]}"#,
            #"{"linkId": "a", "type": "url", "text": "x", "_text": {"extension": [{"url": "y", "valueCode": "z"}]}}"#,
            #"{"linkId": "a", "type": "url", "code": [{"code": "x", "extension": [{"url": "y", "valueCode": "z"}]}]}"#,
            #"{"linkId": "a", "type": "url", "extension": [\#(Extension.gate("completed-by", #""valueCode": "x""#))]}"#,
            #"{"linkId": "a", "type": "display"}"#,
            #"{"linkId": "a", "type": "open-choice"}"#,
        ])
    func warnings(_ item: String) throws {
        let (questionnaire, problems) = try Form.read(Form.json(item))
        #expect(questionnaire != nil)
        #expect(problems.map(\.severity) == [.warning])
        #expect(problems.first?.linkID == "a")
    }

    @Test("nested groups with many required instances are refused")
    func manyTimes() throws {
        func group(_ linkID: String, _ inner: String) -> String {
            let extensions = Extension.standard("questionnaire-minOccurs", #""valueInteger": 100"#)
            return #"{"linkId": "\#(linkID)", "type": "group", "repeats": true, "extension": [\#(extensions)],"#
                + #""item": [\#(inner)]}"#
        }
        let item = #"{"linkId": "q", "type": "string"}"#
        #expect(try Form.read(Form.json(group("a", item))).questionnaire != nil)
        let many = try Form.read(Form.json(group("a", group("b", group("c", group("d", item))))))
        #expect(many.questionnaire == nil)
        #expect(many.problems.first?.message.contains("minOccurs") ?? false)
    }
}
