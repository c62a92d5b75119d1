import GateModel
import GateTexts
import Glibc

/// The abilities of the reader's terminal: which characters, and in which language a question that has several.
struct TextLocale: Hashable, Sendable {
    let isUTF8: Bool
    /// BCP 47 tags like "de-CH", the preferred one first. Empty: none was asked for.
    let languages: [String]

    init(isUTF8: Bool, languages: [String] = []) {
        self.isUTF8 = isUTF8
        self.languages = languages
    }

    /// As LC_ALL, LC_CTYPE, LC_MESSAGES and LANG have it.
    static func ofEnvironment() -> TextLocale {
        TextLocale { name in getenv(name).map { String(cString: $0) } }
    }

    /// - Parameter value: of a variable of the environment.
    init(_ value: (String) -> String?) {
        func first(of names: [String]) -> String { names.lazy.compactMap(value).first { !$0.isEmpty } ?? "" }
        let characters = first(of: ["LC_ALL", "LC_CTYPE", "LANG"]).lowercased()
        isUTF8 = characters.contains("utf-8") || characters.contains("utf8")
        languages = ReaderLanguages.list(value)
    }

    /// The strokes of what is drawn: a full block where there is one.
    var ink: Character { isUTF8 ? "█" : "#" }

    /// The sign of an operation; one of ASCII where there is no other.
    func sign(_ sign: Character) -> Character {
        switch sign {
        case _ where isUTF8: sign
        case "−": "-"
        case "×": "x"
        case "÷": "/"
        case _: sign
        }
    }

    /// In the language that was asked for, or one like it; else in English; else the first. What can't be printed here is
    /// passed over. `nil` where there is none at all.
    func text(of texts: [QuizText]) -> QuizText? {
        let printable = texts.filter {
            isUTF8 || ($0.question + $0.choices.joined()).unicodeScalars.allSatisfy(\.isASCII)
        }
        return LanguageTag.bestFit(for: languages + ["en"], among: printable.map(\.language)).map { printable[$0] }
            ?? printable.first ?? texts.first
    }
}
