/// The name on the session bus of the only presenter in a session.
package enum PresenterName {
    /// A daemon that somebody runs for a trial has a presenter of its own. The path is `nil` for the device's daemon.
    package static func name(socketPath: String?) -> String {
        guard let socketPath else { return "org.gate.Presenter" }
        return "org.gate.Presenter.at\(socketPath.fingerprint)"
    }
}

extension String {
    /// Hexadecimal digits that in practice are others for each text (FNV-1a).
    var fingerprint: String {
        let hash = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
