public import GateModel

/// Writes a response's issues as an OperationOutcome.
public enum OutcomeWriter {
    /// FHIR requires at least one issue, so an empty list is written as an issue which says that all is well.
    public static func json(_ issues: [FormIssue]) -> [UInt8] {
        let shown = issues.isEmpty ? [information("Nothing is wrong with it.")] : shown(issues)
        return FHIRNode(
            .object([
                FHIRNode.Entry("resourceType", "OperationOutcome"),
                FHIRNode.Entry(key: "issue", value: FHIRNode(.array(shown))),
            ])
        ).json()
    }

    /// As many as there is room for, and then how many more there are.
    private static func shown(_ issues: [FormIssue]) -> [FHIRNode] {
        var shown: [FHIRNode] = []
        var room = FormsLimits.outcomeBytes
        for issue in issues {
            let node = node(issue)
            room -= node.json().count
            guard room >= 0 else { break }
            shown.append(node)
        }
        let rest = issues.count - shown.count
        return rest == 0 ? shown : shown + [information("And \(rest) more. Correct these first.")]
    }

    private static func information(_ sentence: String) -> FHIRNode {
        FHIRNode(
            .object([
                FHIRNode.Entry("severity", FormIssue.Severity.information.rawValue),
                FHIRNode.Entry("code", FormIssue.Code.informational.rawValue),
                FHIRNode.Entry("diagnostics", sentence),
            ]))
    }

    private static func node(_ issue: FormIssue) -> FHIRNode {
        let path = FHIRNode(.array([FHIRNode(.string(issue.path.cut(toByteCount: FormsLimits.outcomeTextBytes)))]))
        let message = issue.message.cut(toByteCount: FormsLimits.outcomeTextBytes)
        return FHIRNode(
            .object(
                extensions(of: issue) + [
                    FHIRNode.Entry("severity", issue.severity.rawValue), FHIRNode.Entry("code", issue.code.rawValue),
                    FHIRNode.Entry("diagnostics", message.isEmpty ? issue.code.rawValue : message),
                ] + (issue.path.isEmpty ? [] : [FHIRNode.Entry(key: "expression", value: path)])))
    }
}

extension OutcomeWriter {
    /// Names the item: the path alone says little to a reader who does not have the response.
    private static func extensions(of issue: FormIssue) -> [FHIRNode.Entry] {
        guard let linkID = issue.linkID, !linkID.isEmpty else { return [] }
        let linkIDExtension = FHIRNode(
            .object([
                FHIRNode.Entry("url", "https://gate.example/fhir/StructureDefinition/link-id"),
                FHIRNode.Entry("valueString", linkID.asLinkID),
            ]))
        return [FHIRNode.Entry(key: "extension", value: FHIRNode(.array([linkIDExtension])))]
    }
}

extension FHIRNode.Entry { init(_ key: String, _ text: String) { self.init(key: key, value: FHIRNode(.string(text))) } }
