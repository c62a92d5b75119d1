import GateTexts

/// Yes and no as people type them, in English and in their own language.
enum YesOrNo {
    /// `nil`: neither.
    static func read(_ text: some StringProtocol) -> Bool? {
        switch text.lowercased() {
        case "y", "yes", localized("yes"): true
        case "n", "no", localized("no"): false
        case _: nil
        }
    }
}
