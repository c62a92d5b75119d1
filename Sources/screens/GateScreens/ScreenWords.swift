import GateTexts

/// The words on the screens' own buttons and labels.
package enum ScreenWords {
    /// Spoken before the details: what is asked for, as the program has written it.
    package static var programsWords: String { localized("In the program's words:") }
    /// The label beside a program's own name.
    package static var callsItself: String { localized("The program calls itself:") }
    /// The name of a QR code for a screen reader.
    package static var pageAsCode: String { localized("The page to pay on, as a code for a phone") }
    /// The button that unfolds what is cut.
    package static var showAll: String { localized("Show all") }
    /// The button that folds it again.
    package static var showLess: String { localized("Show less") }
    /// The button of the first of two acts.
    package static var haveRead: String { localized("I have read it") }
    /// Stands while an answer is under way.
    package static var oneMoment: String { localized("One moment.") }
    /// The way in which a paywall ends.
    package static var closesWhenPaid: String { localized("This closes by itself when it is paid for.") }
    /// Answers somebody who has paid already.
    package static var lookingForPayment: String {
        localized("The payment is looked for. This closes by itself when it is found.")
    }
    /// The button for somebody who has paid already.
    package static var restore: String { localized("Restore a purchase") }
    /// The button that dismisses.
    package static var notNow: String { localized("Not now") }
    /// The button that puts a notice away.
    package static var close: String { localized("Close") }
    /// Above the word that a grown-up has chosen, on Gate's own screen.
    package static var yourWord: String { localized("Gate's own screen. Your word is:") }
    /// The same where none was chosen.
    package static var noWord: String {
        localized("Gate's own screen. Choose a word that tells it from an imitation: sudo gatectl screen word")
    }
    /// Gate's own screen while nothing is asked.
    package static var nothingAsked: String { localized("This is Gate's own screen. Nothing is asked.") }
    /// The same when a question has gone by itself.
    package static var takenBack: String {
        localized(
            "The question was taken back. What you type now goes nowhere; in a moment you are back where you were.")
    }
    /// The button that leads to where the person was before.
    package static var back: String { localized("Back") }
    /// The button that shows letters in place of digits.
    package static var letters: String { localized("Letters…") }
    /// The button that shows digits in place of letters.
    package static var digits: String { localized("Digits…") }
    /// The key for large letters, as it is spoken.
    package static var shift: String { localized("Shift") }
    /// The key for blanks, as it is spoken.
    package static var space: String { localized("Space") }
    /// The key that ends what is typed into a field, as it is spoken.
    package static var enter: String { localized("Enter") }
    /// The key that changes the letters to another alphabet, as it is spoken.
    package static var alphabet: String { localized("Other letters") }
    /// The button that refuses.
    package static var no: String { localized("No") }
    /// The first button of a yes.
    package static var yes: String { localized("Yes…") }
    /// The second button of a yes.
    package static var yesAllow: String { localized("Yes, allow it") }
    /// The question before the second act of a yes.
    package static var reallyAllow: String { localized("Is it really to be allowed?") }
    /// The button that takes what was typed or chosen.
    package static var done: String { localized("OK") }
    /// The key that takes the last character away, as it is spoken.
    package static var erase: String { localized("Erase") }
    /// The wheel of the year.
    package static var year: String { localized("Year") }
    /// The wheel of the month.
    package static var month: String { localized("Month") }
    /// The wheel of the day.
    package static var day: String { localized("Day") }
    /// The field of a name.
    package static var name: String { localized("Name:") }
    /// The field of a password.
    package static var password: String { localized("Password:") }
    /// The button of a sign-in.
    package static var logIn: String { localized("Log in") }
    /// The same while it is checked.
    package static var signingIn: String { localized("Signing in…") }
    /// Says that Caps Lock is on, beside a field of a secret.
    package static var capsLock: String { localized("Caps Lock is on") }
    /// All that is said of what was typed into a field of a secret.
    package static func typed(_ count: Int) -> String {
        localized("{count} character typed", plural: "{count} characters typed", count: count)
    }
}
