import GateModel
import Glibc

/// What the reader's terminal can show, and which languages the reader prefers.
struct TextLocale: Hashable, Sendable {
    let isUTF8: Bool
    /// BCP 47 tags like "de-CH", the preferred one first; empty if none was asked for.
    let languages: [String]

    init(isUTF8: Bool, languages: [String] = []) {
        self.isUTF8 = isUTF8
        self.languages = languages
    }

    /// As LC_ALL, LC_CTYPE, LC_MESSAGES and LANG say.
    static func ofEnvironment() -> TextLocale {
        TextLocale { name in getenv(name).map { String(cString: $0) } }
    }

    init(_ value: (String) -> String?) {
        func first(of names: [String]) -> String { names.lazy.compactMap(value).first { !$0.isEmpty } ?? "" }
        let characters = first(of: ["LC_ALL", "LC_CTYPE", "LANG"]).lowercased()
        isUTF8 = characters.contains("utf-8") || characters.contains("utf8")
        languages = ReaderLanguages.list(value)
    }

    /// The character to draw strokes with: a full block if possible.
    var ink: Character { isUTF8 ? "█" : "#" }

    /// The sign of an operation, or an ASCII character if the terminal has no UTF-8.
    func sign(_ sign: Character) -> Character {
        switch sign {
        case _ where isUTF8: sign
        case "−": "-"
        case "×": "x"
        case "÷": "/"
        case _: sign
        }
    }

    /// The text in a language that was asked for, or a similar one; otherwise in English; otherwise the first. Texts
    /// that the terminal can't show are used only if there are no others. `nil` if there are none at all.
    func text(of texts: [QuizText]) -> QuizText? {
        let printable = texts.filter {
            isUTF8 || ($0.question + $0.choices.joined()).unicodeScalars.allSatisfy(\.isASCII)
        }
        return LanguageTag.bestFit(for: languages + ["en"], among: printable.map(\.language)).map { printable[$0] }
            ?? printable.first ?? texts.first
    }
}
