import GateModel

/// Reads the values in the tree of a response, and reports what `StructureCheck` can't see. An answer that can't be
/// read stays, without its value, so that the paths of all others are right.
struct ResponseTreeReading {
    let digest: (([UInt8]) -> AttachmentDigest)?
    var findings: FormFindings
    var attachments: [AttachmentDigest: [UInt8]] = [:]

    mutating func response(_ root: FHIRNode) -> QuestionnaireResponse {
        let position = FormPosition(path: "QuestionnaireResponse")
        leaveOut(root, but: ["resourceType", "questionnaire", "status", "authored", "item"], position)
        return QuestionnaireResponse(
            questionnaire: root["questionnaire"]?.text(of: .canonical), status: status(root, position),
            authored: root["authored"]?.text(of: .dateTime), items: items(root, position))
    }

    private mutating func status(_ root: FHIRNode, _ position: FormPosition) -> QuestionnaireResponse.Status {
        guard let text = root["status"]?.text else { return .inProgress }
        if let status = QuestionnaireResponse.Status(rawValue: text) { return status }
        let words = QuestionnaireResponse.Status.allCases.map(\.rawValue)
        wrong(
            position.below("status"), root["status"]?.place, .codeInvalid,
            "A response's status is \(words.listed), not '\(text.shortened)'."
                + NearestWord.question(text, among: words))
        return .inProgress
    }

    private mutating func items(_ node: FHIRNode, _ position: FormPosition) -> [QuestionnaireResponseItem] {
        var items: [QuestionnaireResponseItem] = []
        for (index, element) in (node["item"]?.elements ?? []).enumerated() {
            items.append(item(element, position.below("item", index)))
        }
        return items
    }

    private mutating func item(_ node: FHIRNode, _ position: FormPosition) -> QuestionnaireResponseItem {
        let linkID = node["linkId"]?.text(of: .string) ?? ""
        let position = FormPosition(path: position.path, linkID: linkID.isEmpty ? nil : linkID)
        leaveOut(node, but: ["linkId", "definition", "text", "answer", "item"], position)
        // FHIR's rule qrs-1.
        if node["answer"] != nil, node["item"] != nil {
            wrong(
                position, node.place, .structure,
                "An item has either answers or items, not both. Put the items below a question into its answer.")
        }
        var answers: [QuestionnaireResponseAnswer] = []
        for (index, element) in (node["answer"]?.elements ?? []).enumerated() {
            let position = position.below("answer", index)
            leaveOut(element, but: ["item"], position)
            answers.append(QuestionnaireResponseAnswer(value(element, position), items: items(element, position)))
        }
        return QuestionnaireResponseItem(
            linkID: linkID, definition: node["definition"]?.text(of: .uri), text: node["text"]?.text(of: .string),
            answers: answers, items: items(node, position))
    }

    // MARK: - Values

    mutating func value(_ answer: FHIRNode, _ position: FormPosition) -> FormValue? {
        guard let (type, value, node) = answer.choice("value") else { return nil }
        let position = position.below("value")
        if node.saysNothing(as: type) {
            wrong(position, node.place, .notSupported, FHIRNode.saysNothing)
            return nil
        }
        switch type {
        case "Attachment":
            leaveOut(node, but: ["contentType", "data", "url", "size", "title", "creation"], position)
            var reading = AttachmentReading(node: node, digest: digest)
            let attachment = reading.attachment()
            for mistake in reading.mistakes {
                wrong(position, mistake.place ?? node.place, mistake.code, mistake.message)
            }
            if let attachment, let bytes = reading.bytes { attachments[attachment.digest] = bytes }
            return attachment.map(FormValue.attachment)
        case "Coding": leaveOut(node, but: ["system", "version", "code", "display"], position)
        case "Quantity": checkQuantity(node, position)
        case "Reference": leaveOut(node, but: ["reference", "type", "display"], position)
        default: break
        }
        return value
    }

    private mutating func checkQuantity(_ node: FHIRNode, _ position: FormPosition) {
        for mistake in QuantityCheck.mistakes(in: node) {
            wrong(mistake.key.map { position.below($0) } ?? position, mistake.place, mistake.code, mistake.message)
        }
    }

    // MARK: - Reports

    /// Reports elements that R4 has there and Gate does not keep.
    private mutating func leaveOut(_ node: FHIRNode, but kept: Set<String>, _ position: FormPosition) {
        for entry in node.entries where !kept.contains(entry.key) && Self.known.contains(entry.key) {
            findings.add(
                position.finding(.information, .notSupported, entry.keyPlace, "Gate does not keep '\(entry.key)'."))
        }
    }

    private static let known: Set<String> = [
        "author", "basedOn", "contained", "definition", "encounter", "hash", "id", "identifier", "language", "meta",
        "partOf", "source", "subject", "text", "userSelected",
    ]

    mutating func wrong(_ position: FormPosition, _ place: FHIRNode.Place?, _ code: FormIssue.Code, _ message: String) {
        findings.add(position.finding(.error, code, place, message))
    }
}
