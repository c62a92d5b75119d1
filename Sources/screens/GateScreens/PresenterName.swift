/// The name that the one presenter of a session has on its bus.
package enum PresenterName {
    /// A daemon of one's own, for a trial, has a presenter of its own beside that of the device.
    ///
    /// - Parameter socketPath: where the daemon listens; `nil`: where the device's does.
    package static func name(socketPath: String?) -> String {
        guard let socketPath else { return "org.gate.Presenter" }
        // FNV-1a: any path makes a name that a bus takes, and another path another one.
        let hash = socketPath.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "org.gate.Presenter.at\(String(hash, radix: 16))"
    }
}
