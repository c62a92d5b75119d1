import GateForms
import GateModel
import GateTexts

/// The line that a person typed who fills a form in: an answer, or where to go.
enum FormLine: Hashable {
    case answer(String)
    /// Nothing: as it is, and on.
    case on
    case back
    /// On, without an answer.
    case skip
    case clear
    /// The suggestion that waits, in place of the answer.
    case take
    /// Everything that is asked, with its numbers.
    case list
    /// To the question with this number or linkId.
    case goto(String)
    case save
    case quit
    case help
    /// Begins as a command does, and is none.
    case unknown(String)

    /// A line that begins with a backslash is an answer, whatever comes after it.
    init(_ line: String) {
        let text = FormAnswerText.trimmed(line)
        if text.hasPrefix("\\") {
            self = .answer(String(text.dropFirst()))
            return
        }
        switch text.lowercased() {
        case "": self = .on
        case "<", ":back", ":b": self = .back
        case ":skip", ":s": self = .skip
        case ":clear", ":c": self = .clear
        case ":take", ":t": self = .take
        case ":list", ":l": self = .list
        case ":save": self = .save
        case ":quit", ":q": self = .quit
        case ":help", ":h", ":?", "?": self = .help
        case let other where other.hasPrefix(":goto ") || other.hasPrefix(":g "):
            self = .goto(FormAnswerText.trimmed(String(text.drop { !$0.isWhitespace })))
        case let other: self = other.hasPrefix(":") ? .unknown(text) : .answer(line)
        }
    }

    static let helpLines = [
        localized("Return goes on and keeps the answer; < or Ctrl-B goes back."),
        localized(
            ":skip leaves it for later, :clear takes the answer away, :save keeps a copy and leaves, :quit leaves."),
        localized(":take takes the suggestion that stands below an answer."),
        localized(":list shows all of it with its numbers, and :goto 5 goes to one of them."),
        localized("A \\ in front has a line taken as an answer, whatever is in it."),
    ]
}
