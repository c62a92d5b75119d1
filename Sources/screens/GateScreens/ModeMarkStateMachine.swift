package import GateModel
import GateTexts

/// Decides what the mark of parent mode says, where it is shown, and when that changes by itself. It draws nothing and
/// makes no calls. The mark is a status icon if the desktop shows these, otherwise a notification that stays, otherwise
/// a small window. In child mode there is only the icon, with which a person enters parent mode. Listed silent drops:
/// an action that this mode does not have, or whose question is open; the end of a notification that was not shown.
package struct ModeMarkStateMachine: Hashable, Sendable {
    private enum Icons: Hashable {
        /// The desktop has not said yet. Can go to: shown, missing.
        case unknown
        /// A host shows our icon. Can go to: missing.
        case shown
        /// There is no host. Can go to: shown.
        case missing
    }

    private enum Notifications: Hashable {
        /// A notification can be the mark. Can go to: failed, dismissed.
        case possible
        /// There is no server, or it has no buttons, or removes notifications by itself. Can go to: possible.
        case failed
        /// The person has closed it. None is shown until the mode or its end changes. Can go to: possible, failed.
        case dismissed
    }

    private var mode = ModeState.closed
    private var icons = Icons.unknown
    private var notifications = Notifications.possible
    private var note = ""
    /// The action that a question is open for; `nil` if none is.
    private var asked: ModeAction?

    /// Begins in child mode. Nothing is known about the desktop yet.
    package init() {}

    // MARK: The daemon

    package mutating func modeChanged(to mode: ModeState) {
        guard mode != self.mode else { return }
        // In child mode the note about the last refusal stays while questions open and close.
        if isParent || mode.mode == .parent { note = "" }
        self.mode = mode
        // A better server may run by now.
        notifications = .possible
    }

    /// `refusal` is `nil` if the action was done.
    package mutating func ended(_ action: ModeAction, refusal: GateError?) {
        if action == asked { asked = nil }
        guard let refusal, isParent == (action != .enter) else { return }
        switch refusal.reason {
        // The person did this, or saw it happen.
        case .dismissed, .closed, .notParent, .wrongAnswer, .expired: note = ""
        case _: note = RefusalText.sentence(refusal).foreignLine
        }
    }

    // MARK: The desktop

    package mutating func iconsChanged(areShown: Bool) {
        icons = areShown ? .shown : .missing
    }

    package mutating func notificationsChanged(areThere: Bool) {
        switch notifications {
        case .failed: if areThere { notifications = .possible }
        case .possible, .dismissed: if !areThere { notifications = .failed }
        }
    }

    /// The notification could not be shown, or was closed.
    package mutating func notificationEnded(byPerson: Bool) {
        guard place == .notification else { return }
        notifications = byPerson ? .dismissed : .failed
    }

    // MARK: The person

    /// Returns the action to ask the daemon for; `nil` if there is nothing to ask.
    package mutating func pressed(_ action: ModeAction) -> ModeAction? {
        guard isParent == (action != .enter) else { return nil }
        note = ""
        switch action {
        case .lockNow: return action
        case .enter, .longer:
            guard asked == nil else { return nil }
            asked = action
            return action
        }
    }

    // MARK: The mark

    package var place: ModeMark.Place {
        switch (icons, notifications) {
        case (.shown, _): .icon
        case (.unknown, _): .nowhere
        case (.missing, _) where !isParent: .nowhere
        case (.missing, .possible): .notification
        case (.missing, .failed): .window
        case (.missing, .dismissed): .nowhere
        }
    }

    package func mark(at now: BootTime) -> ModeMark {
        ModeMark(isParent: isParent, timeLeft: timeLeft(at: now), note: note, isAsking: asked != nil)
    }

    /// When the words change by themselves, which is once a minute; `nil` if they don't, and in the last minute, since
    /// the daemon reports the end.
    package func nextChange(after now: BootTime) -> BootTime? {
        guard let deadline else { return nil }
        let left = now.duration(to: deadline).clampedNanoseconds
        guard left > Self.minute else { return nil }
        let rest = left % Self.minute
        return now.advanced(by: .nanoseconds(rest == 0 ? Self.minute : rest))
    }

    // MARK: Internals

    private static let minute: Int64 = 60_000_000_000

    private var isParent: Bool { mode.mode == .parent }

    private var deadline: BootTime? {
        guard isParent, let deadline = mode.deadline, deadline != .never else { return nil }
        return deadline
    }

    /// The time that is left, in whole minutes, rounded up, because the mark is drawn only once a minute.
    private func timeLeft(at now: BootTime) -> String {
        guard let deadline else { return "" }
        let left = now.duration(to: deadline).clampedNanoseconds
        guard left > Self.minute else { return localized("less than a minute left") }
        let minutes = (left + Self.minute - 1) / Self.minute
        return localized("{time} left", ["time": DurationWords.text(.seconds(minutes * 60))])
    }
}
