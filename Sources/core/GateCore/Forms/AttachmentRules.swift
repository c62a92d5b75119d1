import GateModel

extension QuestionnaireItem {
    /// The flaw of a document that is too large or of the wrong media type; `nil` if there is none.
    func attachmentFlaw(of value: FormValue) -> AnswerFlaw? {
        guard case .attachment(let attachment) = value else { return nil }
        let maximum = min(constraints.maximumBytes ?? .max, FormAttachment.maximumByteCount)
        guard attachment.byteCount <= maximum else {
            return AnswerFlaw(
                .tooLong, "\(label) takes at most \(FormAttachment.sizeText(maximum)).",
                ["maximum": "\(maximum)", "unit": "bytes"])
        }
        guard !constraints.mediaTypes.isEmpty else { return nil }
        let type = attachment.mediaType.map(Self.mediaType)
        guard !constraints.mediaTypes.contains(where: { Self.mediaType($0) == type }) else { return nil }
        let types = constraints.mediaTypes.joined(separator: ", ")
        return AnswerFlaw(.value, "\(label) takes \(types) only.", ["types": types])
    }

    /// The media type without parameters: "text/plain" for "Text/Plain; charset=utf-8".
    private static func mediaType(_ text: String) -> String {
        text.prefix { $0 != ";" && $0 != " " }.lowercased()
    }
}
