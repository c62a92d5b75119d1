import GateModel
import GateTexts
import Glibc

/// The service gate-timekpr, which adds to timekpr's balance what grown-ups allow to a child who asks for more time. It has
/// a package of its own, and is off until somebody turns it on.
struct TimeBridge: Hashable {
    static let unit = "gate-timekpr.service"
    /// A line for each thing that keeps the service from adding time. The service writes it, and everybody may read it.
    private static let troubleFile = "/run/gate-timekpr/trouble"

    var isEnabled = false
    var isActive = false
    var troubles: [String] = []

    /// `nil` if the service is not installed, or systemd does not run here.
    static var ofThisDevice: TimeBridge? {
        let unit = SystemdUnit(unit)
        guard unit.isInstalled else { return nil }
        return TimeBridge(
            isEnabled: unit.isEnabled, isActive: unit.isActive,
            troubles: (SystemFile.text(of: troubleFile) ?? "").split(separator: "\n").map(String.init))
    }

    /// Whether set-up can turn the service on. Its package is only worth a word where timekpr is installed.
    static var offer: SetupSituation.Offer {
        guard let found = ofThisDevice else {
            return .unavailable(package: access("/usr/bin/timekpra", X_OK) == 0 ? "gate-timekpr" : nil)
        }
        return found.isEnabled ? .on : .off
    }

    /// Turns the service on or off, now and for every start of the device.
    static func turn(_ isOn: Bool) throws(GateError) {
        guard Program.exitStatus(of: ["systemctl", isOn ? "enable" : "disable", "--now", unit]) == 0 else {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized(
                    "{unit} does not start. Look at `systemctl status {unit}`.", ["unit": unit]))
        }
    }
}
