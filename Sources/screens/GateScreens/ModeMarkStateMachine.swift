package import GateModel
import GateTexts

/// The mark of parent mode: what it says, where it stands, and when that changes by itself. Decides; draws and calls nothing.
///
/// A status icon where the desktop shows these, else a notification that stays, else a small window. In child mode the
/// icon alone stands there, to enter parent mode. Listed silent drops: a wish that is not for the mode; one for a question that is
/// open already; the end of a notification that was not there.
package struct ModeMarkStateMachine: Hashable, Sendable {
    /// Whether the desktop shows status icons.
    private enum Icons: Hashable {
        /// Nobody has said yet. Can go to: shown, missing.
        case unknown
        /// A host shows ours. Can go to: missing.
        case shown
        /// There is no host. Can go to: shown.
        case missing
    }

    /// Whether a notification says it.
    private enum Notifications: Hashable {
        /// It does, or will. Can go to: failed, dismissed.
        case possible
        /// There is no server for it, or none with buttons, or it lets notifications go by themselves. Can go to: possible.
        case failed
        /// The person has put it away, and wants no other until the mode changes. Can go to: possible, failed.
        case dismissed
    }

    private var mode = ModeState.closed
    private var icons = Icons.unknown
    private var notifications = Notifications.possible
    private var note = ""
    /// The wish that a question is under way for; `nil`: none is.
    private var asked: ModeWish?

    /// Begins in child mode, with a desktop of which nothing is known.
    package init() {}

    // MARK: The daemon

    /// The mode has changed.
    package mutating func modeChanged(to mode: ModeState) {
        guard mode != self.mode else { return }
        // That a question is shown, or gone again, is no news about why the last one was refused.
        if isParent || mode.mode == .parent { note = "" }
        self.mode = mode
        // Another server may be there by now.
        notifications = .possible
    }

    /// A person's wish was granted, or refused.
    package mutating func wishEnded(_ wish: ModeWish, refusal: GateError?) {
        if wish == asked { asked = nil }
        guard let refusal, isParent == (wish != .enter) else { return }
        switch refusal.reason {
        // The person's own doing, or in front of their eyes.
        case .dismissed, .closed, .notParent, .wrongAnswer, .expired: note = ""
        case _: note = RefusalText.sentence(refusal).foreignLine
        }
    }

    // MARK: The desktop

    /// The desktop shows status icons from now on, or no longer.
    package mutating func iconsChanged(areShown: Bool) {
        icons = areShown ? .shown : .missing
    }

    /// A server for notifications has come, or gone.
    package mutating func notificationsChanged(areThere: Bool) {
        switch notifications {
        case .failed: if areThere { notifications = .possible }
        case .possible, .dismissed: if !areThere { notifications = .failed }
        }
    }

    /// The notification could not be shown, or has gone.
    ///
    /// - Parameter byPerson: whether the person has put it away.
    package mutating func notificationEnded(byPerson: Bool) {
        guard place == .notification else { return }
        notifications = byPerson ? .dismissed : .failed
    }

    // MARK: The person

    /// A person wants something.
    ///
    /// - Returns: what to ask the daemon for.
    package mutating func wished(_ wish: ModeWish) -> ModeWish? {
        guard isParent == (wish != .enter) else { return nil }
        note = ""
        switch wish {
        case .lockNow: return wish
        case .enter, .longer:
            guard asked == nil else { return nil }
            asked = wish
            return wish
        }
    }

    // MARK: The mark

    /// Where it stands now.
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

    /// The words of it now.
    package func mark(at now: BootTime) -> ModeMark {
        ModeMark(isParent: isParent, timeLeft: timeLeft(at: now), note: note, isAsking: asked != nil)
    }

    /// When it changes by itself: once a minute of parent mode, but for its end, which the daemon tells. `nil`: it does not.
    package func nextChange(after now: BootTime) -> BootTime? {
        guard let deadline else { return nil }
        let left = now.duration(to: deadline).clampedNanoseconds
        guard left > Self.minute else { return nil }
        let rest = left % Self.minute
        return now.advanced(by: .nanoseconds(rest == 0 ? Self.minute : rest))
    }

    // MARK: Within

    private static let minute: Int64 = 60_000_000_000

    private var isParent: Bool { mode.mode == .parent }

    private var deadline: BootTime? {
        guard isParent, let deadline = mode.deadline, deadline != .never else { return nil }
        return deadline
    }

    /// In whole minutes, rounded up: it is not drawn more often.
    private func timeLeft(at now: BootTime) -> String {
        guard let deadline else { return "" }
        let left = now.duration(to: deadline).clampedNanoseconds
        guard left > Self.minute else { return localized("less than a minute left") }
        let minutes = (left + Self.minute - 1) / Self.minute
        return localized("{time} left", ["time": DurationWords.text(.seconds(minutes * 60))])
    }
}
