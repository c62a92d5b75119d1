import GateForms
import GateModel
import Testing

/// JSON in a test, with `«` before what something is wrong with.
struct MarkedText {
    let bytes: [UInt8]
    /// The place of the text behind the mark.
    let place: FHIRNode.Place?

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        var place: FHIRNode.Place?
        if let index = scalars.firstIndex(of: "«") {
            let before = scalars[..<index]
            let line = before.count { $0 == "\n" } + 1
            let start = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
            place = FHIRNode.Place(line: line, column: index - start + 1)
        }
        self.place = place
        bytes = Array(text.replacing("«", with: "").utf8)
    }
}

/// Questionnaires in tests.
enum Form {
    /// Items (in JSON, without the brackets) → a questionnaire around them, in one line less than it has.
    static func json(_ items: String, more: String = "") -> String {
        """
        {"resourceType": "Questionnaire", "id": "trial", "status": "active",\(more) "item": [
        \(items)
        ]}
        """
    }

    static func read(_ text: String) throws -> (questionnaire: Questionnaire?, problems: [FormProblem]) {
        let node = try FHIRNode(json: MarkedText(text).bytes, maximumBytes: 64 << 20)
        return QuestionnaireReader(fallbackName: "fallback").questionnaire(node)
    }

    /// The items of a form that has no problems.
    static func items(_ items: String, more: String = "") throws -> [QuestionnaireItem] {
        let (questionnaire, problems) = try read(json(items, more: more))
        #expect(problems.isEmpty)
        return try #require(questionnaire).items
    }
}

/// The extensions of tests.
enum Extension {
    static func standard(_ name: String, _ value: String) -> String {
        #"{"url": "http://hl7.org/fhir/StructureDefinition/\#(name)", \#(value)}"#
    }

    static func gate(_ name: String, _ value: String) -> String {
        #"{"url": "https://gate.example/fhir/StructureDefinition/\#(name)", \#(value)}"#
    }

    static func parents(_ linkIDs: String...) -> String {
        linkIDs.map { gate("parents", #""valueString": "\#($0)""#) }.joined(separator: ", ")
    }
}
