import GateModel

extension QuestionnaireItem {
    /// The size and the type of a document (F-43).
    func attachmentFlaw(of value: FormValue) -> AnswerFlaw? {
        guard case .attachment(let attachment) = value else { return nil }
        let maximum = min(constraints.maximumBytes ?? .max, FormAttachment.maximumByteCount)
        guard attachment.byteCount <= maximum else {
            return AnswerFlaw(
                .tooLong, "\(label) takes at most \(FormAttachment.sizeText(maximum)).", ["maximum": "\(maximum)"])
        }
        guard !constraints.mediaTypes.isEmpty else { return nil }
        let type = attachment.mediaType.map(Self.mediaType)
        return constraints.mediaTypes.contains { Self.mediaType($0) == type }
            ? nil : AnswerFlaw(.value, "\(label) takes \(constraints.mediaTypes.joined(separator: ", ")) only.")
    }

    /// Without parameters: "text/plain" of "Text/Plain; charset=utf-8".
    private static func mediaType(_ text: String) -> String {
        text.prefix { $0 != ";" && $0 != " " }.lowercased()
    }
}
