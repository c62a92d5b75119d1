import GateModel
import Testing

@testable import GateForms

@Suite("The label of a draft")
struct LabelTests {
    @Test("a form names the questions whose answers make the label of a draft, in order (F-74)")
    func labels() throws {
        func read(_ labels: [String]) throws -> (questionnaire: Questionnaire?, problems: [FormProblem]) {
            try Form.read(
                Form.json(
                    #"{"linkId": "a", "type": "string"}, {"linkId": "g", "type": "group", "item": [{"linkId": "b", "type": "date"}]}"#,
                    more: labels.isEmpty ? "" : #""extension": [\#(labels.joined(separator: ","))],"#))
        }
        func label(_ linkID: String) -> String { Extension.gate("label", #""valueString": "\#(linkID)""#) }
        #expect(try read([]).questionnaire?.label == [])
        #expect(try read([label("b"), label("a")]).questionnaire?.label == [.answers(to: "b"), .answers(to: "a")])
        let expression = Extension.gate(
            "label", #""valueExpression": {"language": "text/fhirpath", "expression": "'x'"}"#)
        #expect(try read([expression]).questionnaire?.label == [.result(of: "'x'")])
        for (labels, sentence) in [
            ([label("c")], "There is no item 'c'."),
            ([label("g")], "'g' is a group and has no answer. Name a question."),
            ([label("a"), label("a")], "The label has this part twice. Leave one of them out."),
            ([expression.replacing("'x'", with: "'x")], "The expression is wrong in line 1"),
            ([Extension.gate("label", #""valueInteger": 3"#)], "'label' is the linkId of a question"),
            (Array(repeating: label("a"), count: 9), "A label has at most 8 parts. Leave some out."),
        ] {
            let (questionnaire, problems) = try read(labels)
            #expect(questionnaire == nil && problems.contains { $0.message.hasPrefix(sentence) }, "\(problems)")
        }
        let misplaced = try Form.read(Form.json(#"{"linkId": "a", "type": "string", "extension": [\#(label("a"))]}"#))
        #expect(misplaced.problems.map(\.severity) == [.warning])
    }
}
