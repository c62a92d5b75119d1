import GateTexts

/// What windows, the status icon, the notification and the small window say about parent mode.
package struct ModeMark: Hashable, Sendable {
    /// Where the mark is shown, besides Gate's windows.
    package enum Place: Hashable, Sendable {
        /// It is not shown, or it is not known yet where it can be.
        case nowhere
        /// In a status icon, if the desktop shows these.
        case icon
        case notification
        case window
    }

    package let isParent: Bool
    /// `14 minutes left`. Empty if the mode does not run out, or its end is not known.
    package let timeLeft: String
    /// Why the last action was refused. May be empty.
    package let note: String
    /// Whether Gate is asking for parent mode, or for more of it, just now.
    package let isAsking: Bool

    package var title: String { isParent ? localized("Parent mode") : localized("Child mode") }

    package var sentence: String { timeLeft.isEmpty ? title : localized("Parent mode: {time}", ["time": timeLeft]) }

    /// What can be done in this mode, in the order of the buttons.
    package var actions: [ModeAction] { isParent ? [.longer, .lockNow] : [.enter] }

    /// Whether the button works now: while a question is open, it is not asked again.
    package func takes(_ action: ModeAction) -> Bool {
        switch action {
        case .enter, .longer: !isAsking
        case .lockNow: true
        }
    }

    package static var enter: String { localized("Enter parent mode") }
    package static var longer: String { localized("More time") }
    package static var lockNow: String { localized("Lock now") }
}

package enum ModeAction: Hashable, Sendable, CaseIterable {
    /// Parent mode, after a question.
    case enter
    /// More time, after a question.
    case longer
    /// Child mode, at once.
    case lockNow

    package var label: String {
        switch self {
        case .enter: ModeMark.enter
        case .longer: ModeMark.longer
        case .lockNow: ModeMark.lockNow
        }
    }
}
