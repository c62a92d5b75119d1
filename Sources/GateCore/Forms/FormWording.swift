import GateModel

extension QuestionnaireItem {
    /// The name of the question in a sentence: its text in quotes, in one line and not too long; where it has none, its
    /// linkId.
    var label: String {
        let name = text.map(\.inOneLine).flatMap { $0.isEmpty ? nil : $0 } ?? linkID.inOneLine
        return "'\(name.shortened(toByteCount: FormBounds.labelByteCount))'"
    }

    /// The same, with the linkId: for refusals that name another item than was asked for.
    var fullLabel: String {
        text == nil ? label : "\(label) (\(linkID.inOneLine.shortened(toByteCount: FormBounds.labelByteCount)))"
    }
}

extension String {
    fileprivate var inOneLine: String {
        split { $0.unicodeScalars.allSatisfy { $0 == " " || !$0.isShownInALine } }.joined(separator: " ")
    }

    fileprivate func shortened(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var byteCount = 0
        return prefix {
            byteCount += $0.utf8.count
            return byteCount <= limit
        } + "…"
    }
}

extension Int {
    /// "1 answer", "3 answers".
    func times(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
