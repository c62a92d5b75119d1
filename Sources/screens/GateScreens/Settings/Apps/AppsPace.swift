package import GateModel

/// Decides when gate-settings reads the list of apps again after an app was guarded or released. Root's programs do
/// that work, and do not report when they are done. So the list is read again after a second, and then after twice as
/// long each time, up to a minute.
package struct AppsPace: Sendable {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    private var pause = shortest
    private var due: BootTime?

    package init() {}

    /// The moment at which to look again; `nil`: not.
    ///
    /// - Parameter isSettled: whether the device has followed, as far as it was seen.
    package mutating func next(isSettled: Bool, at now: BootTime) -> BootTime? {
        guard !isSettled else {
            self = AppsPace()
            return nil
        }
        if let due { return due }
        due = now.advanced(by: pause)
        pause = min(pause * 2, Self.longest)
        return due
    }

    /// The moment has come.
    package mutating func looked() { due = nil }
}
