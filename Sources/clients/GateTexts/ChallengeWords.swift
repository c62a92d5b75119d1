package import GateModel

/// Words for a kind of challenge: in a policy, on a list, and about an input that is no answer to it. The words of the
/// question itself are in `QuestionWords`.
package enum ChallengeWords {
    /// A kind of question, as the subject of a row.
    package static func subject(_ kind: Challenge.Kind) -> String {
        switch kind {
        case .arithmeticChoice: localized("A sum with three answers")
        case .arithmeticEntry: localized("A sum whose result is typed")
        case .shapes: localized("Shapes to count")
        case .quiz: localized("A quiz")
        case .confirm: localized("A grown-up's yes")
        case .birthdate: localized("A date of birth")
        case .passcode: localized("The passcode")
        case .totp: localized("The authenticator's code")
        case .hold: localized("A button to keep pressed")
        case .swipe: localized("A swipe with several fingers")
        }
    }

    /// A kind of question in the middle of a line. In English it is the name that policy files use.
    package static func name(of kind: Challenge.Kind) -> String {
        Localization.isTranslating ? inSentence(kind) : kind.rawValue
    }

    /// A kind of question in the middle of a sentence for parents.
    package static func inSentence(_ kind: Challenge.Kind) -> String {
        switch kind {
        case .arithmeticChoice: localized("a sum with three answers")
        case .arithmeticEntry: localized("a sum whose result is typed")
        case .shapes: localized("shapes to count")
        case .quiz: localized("a quiz")
        case .confirm: localized("a grown-up's yes")
        case .birthdate: localized("a date of birth")
        case .passcode: localized("the passcode")
        case .totp: localized("the authenticator's code")
        case .hold: localized("a button to keep pressed")
        case .swipe: localized("a swipe with several fingers")
        }
    }

    /// Why an input is not a valid answer to a kind of question. Such an input does not count as a wrong answer.
    package static func noAnswer(to kind: Challenge.Kind) -> String {
        switch kind {
        case .arithmeticEntry: localized("That is not a whole number. Try again.")
        case .arithmeticChoice, .shapes, .quiz: localized("That is not one of the answers. Try again.")
        case .confirm: localized("Please answer yes or no.")
        case .birthdate: localized("That can't be a date of birth. Try again.")
        case .passcode: localized("That can't be a passcode. Try again.")
        case .totp: localized("The code has six digits. Try again.")
        case .hold: localized("Press and hold, then release. Try again.")
        case .swipe: localized("Swipe in one direction. Try again.")
        }
    }
}
