import GateForms
import GateTexts

/// A line that a person typed while filling in a form: an answer or a command.
enum FormLine: Hashable {
    case answer(String)
    /// An empty line: keep the answer and go on.
    case on
    case back
    /// Go on without an answer.
    case skip
    case clear
    /// Replace the answer by the suggestion.
    case take
    case list
    /// Go to the question with this number, path or linkId.
    case goto(String)
    case save
    case quit
    case help
    /// Begins with a colon, but is no command.
    case unknown(String)

    /// A line that begins with a backslash is always an answer; the backslash is dropped.
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
            ":skip leaves it for later, :clear removes the answer, :save keeps a copy and leaves, :quit leaves."),
        localized(":take accepts the suggestion below an answer."),
        localized(":list shows all of it with its numbers, and :goto 5 goes to one of them."),
        localized("A \\ in front has a line taken as an answer, whatever is in it."),
    ]
}
