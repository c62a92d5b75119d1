import GateModel
import GateTexts

/// A response for people. Only the texts in the response itself are used, since the form may have changed meanwhile.
struct ResponseListing {
    let response: QuestionnaireResponse

    init(_ response: QuestionnaireResponse) {
        self.response = response
    }

    var lines: [String] {
        var lines: [String] = []
        for item in response.items { add(item, depth: 0, to: &lines) }
        return lines
    }

    private func add(_ item: QuestionnaireResponseItem, depth: Int, to lines: inout [String]) {
        let indent = String(repeating: "  ", count: depth)
        let name = VisibleText.line(item.text.flatMap { $0.isEmpty ? nil : $0 } ?? item.linkID)
        let values = item.answers.compactMap(\.value)
        let text = values.isEmpty ? name : ListText.pair(name, FormRulesText.list(values, of: nil))
        lines.append("\(indent)\(text)  [\(VisibleText.line(item.linkID))]")
        for item in item.items + item.answers.flatMap(\.items) { add(item, depth: depth + 1, to: &lines) }
    }
}
