import GateModel
import GateTexts

extension ClearWords {
    /// One line in the language of this device: `Buy something: 12 gems`. Characters from the requester that are
    /// invisible, or change how the rest is read, are replaced by U+FFFD.
    var text: String {
        let summary = PresentationSummary(
            id: 0, purpose: purpose, kind: .challenge(.confirm), deadline: .never, style: .sheet, isDismissible: true,
            stage: .waiting, asked: asked)
        let words = AskedWords(summary)
        let (title, details) = (Self.visible(words.title), Self.visible(words.details))
        return details.isEmpty ? title : ListText.pair(title, details)
    }

    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isSeen ? $0 : "\u{FFFD}" }))
    }
}

extension Unicode.Scalar {
    fileprivate var isSeen: Bool {
        // Emoji contain these two.
        if self == "\u{200D}" || self == "\u{FE0F}" { return true }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }
}
