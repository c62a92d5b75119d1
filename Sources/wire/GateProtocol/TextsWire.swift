import CGateProtocol
package import GateModel

// common.proto: texts in several languages. The text in the default language stands beside them, in a field of its own.

/// A repeated field of texts.
typealias WireTexts = UnsafeMutablePointer<UnsafeMutablePointer<Gate__V1__Text>?>?

extension LocalizedText.Translation: MessageMapping {
    /// The text is taken as it is: a program that shows it makes it harmless for where it is shown.
    init(reading message: Gate__V1__Text) {
        self.init(language: String(reading: message.language), text: String(reading: message.text))
    }

    func write(to message: inout Gate__V1__Text, in arena: inout MessageArena) {
        message.language = arena.string(language)
        message.text = arena.string(text)
    }
}

extension [LocalizedText.Translation] {
    init(reading texts: WireTexts, count: Int) {
        self = UnsafeBufferPointer(start: texts, count: count).compactMap { $0.map { .init(reading: $0.pointee) } }
    }
}

extension LocalizedText {
    /// The number of fields that its translations take in a message.
    package var fieldCount: Int { translations.count * 3 }

    /// - Parameters:
    ///   - text: the field with the text in the default language.
    ///   - texts: the field with the text in each of its languages.
    init(reading text: UnsafeMutablePointer<CChar>?, _ texts: WireTexts, count: Int) {
        self.init(String(reading: text), [Translation](reading: texts, count: count))
    }
}

extension LocalizedText: MessageMapping {
    init(reading message: Gate__V1__LocalizedText) {
        self.init(reading: message.text, message.texts, count: message.n_texts)
    }

    func write(to message: inout Gate__V1__LocalizedText, in arena: inout MessageArena) {
        (message.text, message.texts, message.n_texts) = arena.texts(self)
    }
}

extension MessageArena {
    /// The fields for a text, in the order of `LocalizedText(reading:_:count:)`.
    mutating func texts(
        _ text: LocalizedText
    ) -> (text: UnsafeMutablePointer<CChar>?, texts: WireTexts, count: Int) {
        let (texts, count) = messages(text.translations)
        return (string(text.text), texts, count)
    }
}
