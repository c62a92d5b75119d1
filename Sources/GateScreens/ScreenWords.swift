import GateTexts

/// The words on the screens' own buttons and labels.
package enum ScreenWords {
    /// The label beside a program's own name.
    package static var callsItself: String { localized("The program calls itself:") }
    /// The button that unfolds what is cut.
    package static var showAll: String { localized("Show all") }
    /// The button that folds it again.
    package static var showLess: String { localized("Show less") }
    /// The button that dismisses.
    package static var notNow: String { localized("Not now") }
}
