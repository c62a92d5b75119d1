/// All that stands on the screen, as a value. Whatever draws it decides nothing.
package struct ScreenPicture: Hashable, Sendable {
    /// The part in the middle: the question with the ways to answer it.
    package enum Body: Hashable, Sendable {
        /// A sum in three pieces, so that the operator can be drawn larger, and a button for each choice (F-06).
        case sum(left: String, sign: String, right: String, choices: [String])
    }

    /// The number of the presentation. Another number is another window.
    package let id: UInt64
    /// For what somebody asks, and who it is.
    package let asked: AskedPicture
    /// The request to the person.
    package let heading: String
    /// The question.
    package let body: Body
    /// Whether it covers the monitor.
    package let coversMonitor: Bool
    /// Whether the person may close it.
    package let isDismissible: Bool
    /// Whether it takes an answer now.
    package let takesAnswer: Bool
    /// Whether it can be closed now.
    package let takesDismissal: Bool
    /// The line below the question: what was wrong, or what goes on. May be empty.
    package let note: String
    /// `4:59 left`. Empty where there is nothing to count down.
    package let timeLeft: String

    /// The window's name to a screen reader.
    package var spokenName: String { "Gate: \(asked.title)" }

    /// The screen's words in one go, for a screen reader that has just come to the window: for what, who, and the question.
    package var spokenText: String {
        let parts = [asked.title, asked.details, asked.who, spokenProgram, heading, body.spokenQuestion]
        return parts.filter { !$0.isEmpty }.map { $0.last.map { ".:?!…".contains($0) } ?? true ? $0 : "\($0)." }
            .joined(separator: " ")
    }

    private var spokenProgram: String {
        asked.program.isEmpty ? "" : "\(ScreenWords.callsItself) \(asked.program)"
    }
}

extension ScreenPicture.Body {
    /// The question as one text, for a screen reader.
    package var spokenQuestion: String {
        switch self {
        case .sum(let left, let sign, let right, _): "\(left) \(sign) \(right) = ?"
        }
    }
}

/// Something that a person did on the screen.
package enum ScreenInput: Hashable, Sendable {
    /// Pressed the button of a choice, counted from 0.
    case chosen(Int)
    /// Pressed Escape or a button that closes.
    case dismissed
}
