package import GateModel
import GateTexts

/// All that stands on the screen, as a value. Whatever draws it decides nothing.
package struct ScreenModel: Hashable, Sendable {
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
    /// The button of the first act, where a question takes two: until it is pressed the ways to answer are not there. Empty: they are.
    package let opening: String
    /// Whether it takes an answer now.
    package let takesAnswer: Bool
    /// Whether it can be closed now.
    package let takesDismissal: Bool
    /// The line below the question: what was wrong, or what goes on. May be empty.
    package let note: String
    /// `4:59 left`. Empty where there is nothing to count down.
    package let timeLeft: String

    /// The label of the button that closes it.
    package var dismissal: String {
        switch body {
        case .elsewhere: ScreenWords.close
        case .sum, .typedSum, .shapes, .quiz, .confirm, .birthdate, .secret, .hold, .swipe, .signIn, .paywall, .notes,
            .form:
            ScreenWords.notNow
        }
    }

    /// The window's name to a screen reader.
    package var spokenName: String { ListText.pair("Gate", asked.title) }

    /// The screen's words in one go, for a screen reader that has just come to the window: for what, who, and the question.
    package var spokenText: String {
        let parts = [
            asked.title, asked.detailsSource, asked.details, asked.who, spokenProgram, heading, body.spokenQuestion,
        ]
        return parts.filter { !$0.isEmpty }.map { $0.last.map { ".:?!…。：？！".contains($0) } ?? true ? $0 : "\($0)." }
            .joined(separator: " ")
    }

    private var spokenProgram: String {
        asked.program.isEmpty ? "" : "\(ScreenWords.callsItself) \(asked.program)"
    }
}

/// Something that a person did on the screen.
package enum ScreenInput: Hashable, Sendable {
    /// Did the first of two acts.
    case opened
    /// Pressed the button of a choice, counted from 0. Of a permission: `no` or `yes`.
    case chosen(Int)
    /// Typed a result.
    case typed(String)
    /// Typed a passcode or a code.
    case typedSecret(GateSecret)
    /// Chose a date, with the year as its calendar counts it.
    case dated(year: Int, month: Int, day: Int)
    /// Began to keep the button pressed.
    case pressed
    /// Let go of it.
    case released
    /// Swiped on a touch screen.
    case swiped(SwipeGesture)
    /// Made one stroke of a gesture with the mouse or a key.
    case stroked(SwipeGesture.Direction)
    /// Made all the strokes.
    case finished
    /// Gave this answer on a line, which was read already; `nil`: the line was none.
    case answered(ChallengeAnswer?)
    /// Typed a name and a password.
    case signedIn(name: String, password: GateSecret)
    /// Has paid already: the payment is to be looked for.
    case restored
    /// Pressed the button that opens the page of an offer, counted from 0.
    case followed(Int)
    /// Did something with a form.
    case form(FormInput)
    /// Pressed Escape or a button that closes.
    case dismissed

    /// The choice that refuses.
    package static let no = 0
    /// The choice that allows.
    package static let yes = 1
}
