import GateTexts

/// The words on the screens' own buttons and labels.
package enum ScreenWords {
    /// Spoken before the details, which are the requesting program's words.
    package static var programsWords: String { localized("In the program's words:") }
    package static var callsItself: String { localized("The program calls itself:") }
    /// The name of a QR code, for a screen reader.
    package static var pageAsCode: String { localized("The payment page, as a QR code") }
    package static var showAll: String { localized("Show all") }
    package static var showLess: String { localized("Show less") }
    package static var haveRead: String { localized("I have read it") }
    /// Shown while an answer is under way.
    package static var oneMoment: String { localized("One moment.") }
    package static var closesWhenPaid: String { localized("This closes by itself after the purchase.") }
    package static var lookingForPayment: String {
        localized("Looking for your purchase… This closes by itself when it is found.")
    }
    package static var restore: String { localized("Restore purchase") }
    package static var notNow: String { localized("Not now") }
    package static var close: String { localized("Close") }
    /// Shown above the word that a grown-up has chosen, on Gate's own screen.
    package static var yourWord: String { localized("Gate's own screen. Your word is:") }
    /// Shown instead of `yourWord` if no word was chosen.
    package static var noWord: String {
        localized("Gate's own screen. Choose a word by which you recognize it: sudo gatectl screen word")
    }
    package static var nothingAsked: String { localized("This is Gate's own screen. There is no question now.") }
    /// Gate's own screen after a question was closed by itself.
    package static var takenBack: String {
        localized(
            "The question was withdrawn. What you type now goes nowhere. You will be back where you were in a moment.")
    }
    package static var back: String { localized("Back") }
    package static var letters: String { localized("Letters…") }
    package static var digits: String { localized("Digits…") }
    /// The spoken name of the key for capitals.
    package static var shift: String { localized("Shift") }
    package static var space: String { localized("Space") }
    /// The spoken name of the key that ends the typing into a field.
    package static var enter: String { localized("Enter") }
    /// The spoken name of the key that changes the alphabet.
    package static var alphabet: String { localized("Other letters") }
    package static var no: String { localized("Don't allow") }
    package static var yes: String { localized("Allow…") }
    package static var yesAllow: String { localized("Allow") }
    package static var reallyAllow: String { localized("Really allow this?") }
    package static var done: String { localized("OK") }
    /// The spoken name of the key that deletes the last character.
    package static var erase: String { localized("Erase") }
    package static var year: String { localized("Year") }
    /// The spoken name of the button that says −10.
    package static var decadeEarlier: String { localized("10 years earlier") }
    package static var month: String { localized("Month") }
    package static var day: String { localized("Day") }
    package static var name: String { localized("Name:") }
    package static var password: String { localized("Password:") }
    package static var signIn: String { localized("Sign in") }
    /// The button while the password is being checked.
    package static var signingIn: String { localized("Signing in…") }
    /// The button of a sign-in, and the one of the page that it opens.
    package static var addPerson: String { localized("Add a person") }
    package static var capsLock: String { localized("Caps Lock is on") }
    /// All that a screen reader says about the characters in a field for a secret.
    package static func typed(_ count: Int) -> String {
        localized("{count} character typed", plural: "{count} characters typed", count: count)
    }
}
