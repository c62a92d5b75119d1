public import GateModel

/// Writes answers as FHIR JSON.
public enum ResponseWriter {
    /// A QuestionnaireResponse. It names attachments by their digest, and never contains their bytes.
    public static func json(_ response: QuestionnaireResponse) -> [UInt8] {
        var entries = [FHIRNode.Entry("resourceType", "QuestionnaireResponse")]
        if let questionnaire = response.questionnaire { entries.append(FHIRNode.Entry("questionnaire", questionnaire)) }
        entries.append(FHIRNode.Entry("status", response.status.rawValue))
        if let authored = response.authored { entries.append(FHIRNode.Entry("authored", authored)) }
        entries += items(response.items)
        return FHIRNode(.object(entries)).json()
    }

    /// A list of answers, as `Questionnaires/SetAnswer` takes it: `[{"valueString": "Anna"}]`.
    public static func answers(_ values: [FormValue]) -> [UInt8] {
        FHIRNode(.array(values.map { FHIRNode(.object([FHIRNode.entry($0)])) })).json()
    }

    private static func items(_ items: [QuestionnaireResponseItem]) -> [FHIRNode.Entry] {
        guard !items.isEmpty else { return [] }
        return [FHIRNode.Entry(key: "item", value: FHIRNode(.array(items.map(node))))]
    }

    private static func node(_ item: QuestionnaireResponseItem) -> FHIRNode {
        var entries = [FHIRNode.Entry("linkId", item.linkID)]
        if let definition = item.definition { entries.append(FHIRNode.Entry("definition", definition)) }
        if let text = item.text { entries.append(FHIRNode.Entry("text", text)) }
        if !item.answers.isEmpty {
            entries.append(FHIRNode.Entry(key: "answer", value: FHIRNode(.array(item.answers.map(node)))))
        }
        return FHIRNode(.object(entries + self.items(item.items)))
    }

    private static func node(_ answer: QuestionnaireResponseAnswer) -> FHIRNode {
        let value = answer.value.map { [FHIRNode.entry($0)] } ?? []
        return FHIRNode(.object(value + items(answer.items)))
    }
}
