import GateModel
import GateTexts

/// The mark of the mode, as it stands on windows, in a status icon, in a notification and in a window of its own (S-11).
package struct ModeMark: Hashable, Sendable {
    /// Where it stands, beside the windows of Gate's.
    package enum Place: Hashable, Sendable {
        /// There is nothing to be seen, or no way to know yet where.
        case nowhere
        /// A status icon: the desktop shows these.
        case icon
        /// A notification that stays.
        case notification
        /// A small window that stays.
        case window
    }

    /// Whether a grown-up is in charge.
    package let isParent: Bool
    /// `14 minutes left`. Empty where nothing runs out, or nobody knows when.
    package let timeLeft: String
    /// Why the last wish was refused. May be empty.
    package let note: String
    /// Whether a question for more time is under way, or one for parent mode.
    package let isAsking: Bool

    /// `Parent mode`
    package var title: String { isParent ? localized("Parent mode") : localized("Child mode") }

    /// `Parent mode: 14 minutes left`
    package var sentence: String { timeLeft.isEmpty ? title : localized("Parent mode: {time}", ["time": timeLeft]) }

    /// The wishes that can be carried out in this mode, in this order.
    package var wishes: [ModeWish] { isParent ? [.longer, .lockNow] : [.enter] }

    /// Whether that can be done now: what is asked already is not asked again.
    package func takes(_ wish: ModeWish) -> Bool {
        switch wish {
        case .enter, .longer: !isAsking
        case .lockNow: true
        }
    }

    /// The button for parent mode.
    package static var enter: String { localized("Enter parent mode") }
    /// The button for more time.
    package static var longer: String { localized("Longer") }
    /// The button that ends parent mode.
    package static var lockNow: String { localized("Lock now") }
}

/// Something that a person wants of the mode.
package enum ModeWish: Hashable, Sendable, CaseIterable {
    /// Parent mode, after a question.
    case enter
    /// More time, after a question.
    case longer
    /// Child mode, at once.
    case lockNow

    /// The button for it.
    package var label: String {
        switch self {
        case .enter: ModeMark.enter
        case .longer: ModeMark.longer
        case .lockNow: ModeMark.lockNow
        }
    }
}
