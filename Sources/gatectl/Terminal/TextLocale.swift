import GateModel
import Glibc

/// The abilities of the reader's terminal: which characters, and in which language a question that has several.
struct TextLocale: Hashable, Sendable {
    let isUTF8: Bool
    /// A BCP 47 tag like "de-CH"; `nil`: none was asked for.
    let language: String?

    init(isUTF8: Bool, language: String? = nil) {
        self.isUTF8 = isUTF8
        self.language = language
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
        // de_CH.UTF-8@euro
        let messages = first(of: ["LC_ALL", "LC_MESSAGES", "LANG"]).prefix { $0 != "." && $0 != "@" }
        language = ["", "C", "POSIX"].contains(messages) ? nil : String(messages).replacing("_", with: "-")
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
        for wanted in [language, language.map(Self.primary), "en"].compactMap({ $0?.lowercased() }) {
            let exact = printable.first { $0.language.lowercased() == wanted }
            if let text = exact ?? printable.first(where: { Self.primary($0.language).lowercased() == wanted }) {
                return text
            }
        }
        return printable.first ?? texts.first
    }

    private static func primary(_ language: String) -> String { String(language.prefix { $0 != "-" && $0 != "_" }) }
}
