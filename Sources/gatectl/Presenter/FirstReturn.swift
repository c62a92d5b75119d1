import GateModel
import GateTexts

/// When Return has to come first, before anything else is taken.
enum FirstReturn: Hashable {
    /// It is answered with a yes or with a secret: once that is out, it can't be taken back.
    case always
    /// After something that went by itself: the person may still be typing, a secret perhaps, for that.
    case afterTakenBack
    /// Nothing can be typed.
    case never

    func isNeeded(afterTakenBack: Bool) -> Bool {
        switch self {
        case .always: true
        case .afterTakenBack: afterTakenBack
        case .never: false
        }
    }
}

extension Presentation.Content {
    var firstReturn: FirstReturn {
        switch self {
        case .challenge, .signIn, .form, .whatsNew: takesTwoActs ? .always : .afterTakenBack
        case .paywall, .unrecognized: .never
        }
    }

    /// Whether a line is typed for it, which Return ends. A choice is a key by itself.
    var takesLine: Bool {
        switch self {
        case .challenge(.arithmeticEntry), .challenge(.birthdate), .challenge(.passcode), .challenge(.totp), .form: true
        case .challenge(.arithmeticChoice), .challenge(.shapes), .challenge(.quiz), .challenge(.confirm),
            .challenge(.hold), .challenge(.swipe), .signIn, .paywall, .whatsNew, .unrecognized:
            false
        }
    }

    /// An empty line to answer it on.
    var emptyLine: LineEditor {
        switch self {
        case .challenge(let challenge):
            LineEditor(
                singleKeys: AnswerText.singleKeys(for: challenge), alphabet: challenge.kind.isSecret ? .any : .ascii)
        case .whatsNew(let notice): LineEditor(singleKeys: WhatsNewText(notice).singleKeys, alphabet: .any)
        case .signIn, .paywall, .form, .unrecognized: LineEditor()
        }
    }

    /// Why it can't be dismissed, where that is so.
    var lastingText: String {
        switch self {
        case .challenge: localized("This can't be dismissed: it goes when it is answered.")
        case .signIn: localized("This can't be dismissed: it goes when somebody is signed in.")
        case .paywall: localized("This can't be dismissed: it goes when it is paid for.")
        case .form: localized("This can't be dismissed: it goes when it is completed.")
        case .whatsNew: localized("This can't be dismissed: it goes with a button.")
        case .unrecognized: localized("This can't be dismissed. Ctrl-C leaves it to another screen.")
        }
    }
}
