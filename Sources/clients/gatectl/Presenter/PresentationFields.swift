import GateModel
import GateProtocol
import Glibc

/// A presentation as a program gets it, to show it to a person: everything as JSON, and what any dialog needs as text.
/// The cookie is left out, since it is the right to answer.
struct PresentationFields {
    let presentation: Presentation
    let locale: TextLocale
    /// A note on the previous answer; empty at first.
    let note: String
    /// The time that is left; `nil` if there is no deadline, or the daemon has a clock of its own.
    let left: Duration?
    /// The form to fill in; `nil` if the presentation is not a form.
    var form: FormMaterial?

    /// The most characters of the details in the texts: a dialog that is larger than the screen would hide its end.
    static let maximumDetailCount = 600

    /// A form and its present answers, as FHIR JSON.
    struct FormMaterial: Hashable {
        let name: String
        let questionnaire: [UInt8]
        let response: [UInt8]

        /// `{"name":"consent","questionnaire":{…},"response":{…}}`
        var json: String {
            "{\"name\":\(JSONString.quoted(name)),\"questionnaire\":\(String(decoding: questionnaire, as: UTF8.self))"
                + ",\"response\":\(String(decoding: response, as: UTF8.self))}"
        }
    }

    /// `{"presentation":{…},"text":{…}}`, on one line; for a form with `"form":{…}` at the end.
    func json() throws(GateError) -> String {
        var bare = presentation
        bare.cookie = PresentationCookie(bytes: [])
        let message = try ClaimResponse(presentation: bare).json()
        // In a string the quotes would be escaped, so this matches only the empty field itself.
        let whole = message.replacing("\"cookie\":\"\",", with: "")
        var text = texts.map { "\(JSONString.quoted($0.name)):\(JSONString.quoted($0.value))" }
        text.append("\"choices\":[\(content.choices.map(JSONString.quoted).joined(separator: ","))]")
        text.append("\"products\":[\(content.products.map(JSONString.quoted).joined(separator: ","))]")
        text.append("\"offers\":[\(content.offers.map(JSONString.quoted).joined(separator: ","))]")
        let object = "\(whole.dropLast()),\"text\":{\(text.joined(separator: ","))}}"
        return JSONText.printable(form.map { JSONText.appending("form", json: $0.json, to: object) } ?? object)
    }

    /// The texts as variables, for programs that do not read JSON. Choices, products and offers have one line each.
    var environment: [String] {
        let variables = texts.map { "GATE_\($0.name.uppercased())=\($0.value)" }
        return variables + [
            "GATE_CHOICES=\(content.choices.joined(separator: "\n"))",
            "GATE_PRODUCTS=\(content.products.joined(separator: "\n"))",
            "GATE_OFFERS=\(content.offers.joined(separator: "\n"))",
        ]
    }

    private var content: ContentText { ContentText(presentation.content, locale: locale) }

    private var texts: [(name: String, value: String)] {
        let asked = AskedText(presentation.summary)
        return [
            ("kind", presentation.content.kind.name), ("style", presentation.summary.style.rawValue),
            ("title", asked.title), ("details", VisibleText.cut(asked.details, to: Self.maximumDetailCount)),
            ("asked", ([asked.who] + asked.cautions).joined(separator: " ")), ("heading", asked.heading),
            ("question", content.question()), ("request", content.request()),
            ("note", VisibleText.line(note)), ("seconds", left.map { "\(max(0, $0.components.seconds))" } ?? ""),
        ]
    }
}
