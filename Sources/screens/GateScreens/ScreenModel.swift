package import GateModel
import GateTexts

/// Everything on the screen, as a value. The program that draws it decides nothing.
package struct ScreenModel: Hashable, Sendable {
    /// The number of the presentation. Another number means another window.
    package let id: UInt64
    /// What is asked for, and who asks.
    package let asked: AskedPicture
    /// Tells the person what to do.
    package let heading: String
    package let body: Body
    /// Whether the window covers the whole monitor.
    package let coversMonitor: Bool
    /// Whether the person may close it.
    package let isDismissible: Bool
    /// The label of the first act's button, which shows the ways to answer. Empty if they are shown already.
    package let opening: String
    /// Whether an answer can be given now.
    package let takesAnswer: Bool
    /// Whether it can be closed now.
    package let takesDismissal: Bool
    /// The line below the question: what was wrong, or what is going on. May be empty.
    package let note: String
    /// `4:59 left`. Empty if nothing is counted down.
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

    /// All words for a screen reader that comes to the window: what is asked for, who asks, and the question.
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
    /// Pressed the button of a choice, counted from 0. For a permission: `no` or `yes`.
    case chosen(Int)
    /// Typed a result.
    case typed(String)
    /// Typed a passcode, or an authenticator's code.
    case typedSecret(GateSecret)
    /// Chose a date. The year is counted as the question's calendar does.
    case dated(year: Int, month: Int, day: Int)
    /// Began to hold the button.
    case pressed
    /// Released the button.
    case released
    /// Swiped on a touch screen.
    case swiped(SwipeGesture)
    /// Made one stroke of a gesture with the mouse or an arrow key.
    case stroked(SwipeGesture.Direction)
    /// Finished the gesture that the strokes make.
    case finished
    /// Typed an answer on a terminal's line, which was parsed already; `nil` if the line is no answer.
    case answered(ChallengeAnswer?)
    /// Typed a name and a password.
    case signedIn(name: String, password: GateSecret)
    /// Says that the purchase was paid already, so that the daemon looks for the payment.
    case restored
    /// Pressed the button that opens the page of an offer, counted from 0.
    case followed(Int)
    /// Did something with a form.
    case form(FormInput)
    /// Pressed Escape, or a button that closes the screen.
    case dismissed

    /// The choice that refuses.
    package static let no = 0
    /// The choice that allows.
    package static let yes = 1
}
