import GateModel

extension QuestionnaireReading {
    /// The questions whose answers tell one draft from another (F-74), in order.
    mutating func labelItems(_ extensions: FoundExtensions) -> [String] {
        let found = extensions[.label] ?? []
        guard found.count <= FormsLimits.labelItems else {
            wrong(
                found[0].position, found[0].value.place,
                "The answers to at most \(FormsLimits.labelItems) questions make a label. Name fewer.")
            return []
        }
        var linkIDs: [String] = []
        for label in found {
            guard let linkID = label.value.text else { continue }
            guard let entry = directory[linkID] else {
                dangles(linkID, label.value, label.position)
                continue
            }
            if let kind = entry.kind, !kind.isQuestion {
                wrong(
                    label.position, label.value.place,
                    "'\(linkID.shortened)' is a \(kind.rawValue) and has no answer. Name a question.")
                continue
            }
            guard !linkIDs.contains(linkID) else {
                wrong(label.position, label.value.place, "The label names '\(linkID.shortened)' twice.")
                continue
            }
            linkIDs.append(linkID)
        }
        return linkIDs
    }
}
