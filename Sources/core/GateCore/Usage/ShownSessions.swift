/// Whose login sessions are on the screens of the device, and whose are behind them, as the device's login manager says.
///
/// Nobody can use a program behind a grown-up's session, so its time does not run: a child who left a game open does
/// not lose time while a parent uses the device. Only a grown-up's session stops time. A screen that is locked, or at
/// which somebody may log in, stops nothing: any program of a session may say that the session is locked, and each user
/// may bring up the log-in screen. Another child's session in front stops nothing either, because a program behind it
/// may still draw on that screen.
package struct ShownSessions: Hashable, Sendable {
    /// The users who have a session on a screen, or one without any screen, such as one over the network.
    package let shown: Set<UInt32>
    /// The users whose sessions are all behind the ones on the screens. Empty if that is not known for sure: then all
    /// time runs.
    package let hidden: Set<UInt32>

    package init(shown: Set<UInt32> = [], hidden: Set<UInt32> = []) {
        (self.shown, self.hidden) = (shown, shown.isEmpty ? [] : hidden.subtracting(shown))
    }
}
