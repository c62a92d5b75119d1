import CGateProtocol
package import GateModel

// common.proto: texts in several languages. A field of its own beside them holds the text in the default language.

/// A repeated field of texts, as the generated structs have it.
typealias WireTexts = UnsafeMutablePointer<UnsafeMutablePointer<Gate__V1__Text>?>?

extension LocalizedText.Translation: MessageMapping {
    /// Takes the text unchanged. A program that shows it makes it harmless for its screen, for example a terminal.
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
    /// The number of fields of its translations, as the scan counts: each translation, its language and its text.
    package var fieldCount: Int { translations.count * 3 }

    /// `text` is the field in the default language, `texts` that with the translations.
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
    /// The fields for a text, in the order in which `LocalizedText(reading:_:count:)` takes them.
    mutating func texts(
        _ text: LocalizedText
    ) -> (text: UnsafeMutablePointer<CChar>?, texts: WireTexts, count: Int) {
        let (texts, count) = messages(text.translations)
        return (string(text.text), texts, count)
    }
}
