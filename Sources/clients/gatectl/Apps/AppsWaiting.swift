import GateModel
import GateTexts
import Glibc

/// Waits until gate-apps.service has guarded or released an app, which shows in the app's record.
struct AppsWaiting {
    let device: AppDevice
    let name: String
    /// Identifies the record that was there at first; a record that replaces it has another value.
    private let before: String?

    private static let patience = Duration.seconds(60)
    private static let pause = Duration.milliseconds(100)
    static let service = "gate-apps.service"

    init(device: AppDevice, name: String) {
        (self.device, self.name) = (device, name)
        before = Self.stamp(device.record(name, .app))
    }

    var isRecorded: Bool { Self.stamp(device.record(name, .app)) != nil || device.isGuarded(name) }

    /// - Throws: `FAILED_PRECONDITION` if nothing on this device would follow.
    func requireService() throws(GateError) {
        let unit = SystemdUnit(GuardedApps.pathUnit)
        guard !unit.isActive else { return }
        throw GateError(
            .failedPrecondition, .unspecified,
            saying: unit.isInstalled
                ? localized(
                    "{unit} is not active, so nothing would hold the app. Start it: `sudo systemctl enable --now {unit}`",
                    ["unit": GuardedApps.pathUnit])
                : localized(
                    "Guarding apps needs the package {package}: `sudo apt install {package}`",
                    ["package": GuardedApps.package]))
    }

    /// Returns how the app is held once it is guarded.
    /// - Throws: `FAILED_PRECONDITION` if it can't be guarded; `UNAVAILABLE` if the device does not follow in a minute.
    func guarded() async throws(GateError) -> AppHold {
        try await follow { Self.stamp(device.record(name, .app)) != before }
        guard let summary = device.summary(name) else { throw notFollowed }
        if let problem = summary.problems.first {
            throw GateError(.failedPrecondition, .unspecified, saying: problem.sentence(name))
        }
        return summary.hold
    }

    func released() async throws(GateError) { try await follow { !isRecorded } }

    private func follow(_ hasFollowed: () -> Bool) async throws(GateError) {
        // If the policy has not changed, nothing else starts the service for a second try.
        if geteuid() == 0 { _ = Program.exitStatus(of: ["systemctl", "start", Self.service]) }
        let deadline = ContinuousClock.now + Self.patience
        while !hasFollowed() {
            guard ContinuousClock.now < deadline, (try? await Task.sleep(for: Self.pause)) != nil else {
                throw notFollowed
            }
        }
    }

    private var notFollowed: GateError {
        GateError(
            .unavailable, .unspecified,
            saying: localized(
                "The policy is changed, but the device has not followed within a minute. `systemctl status {unit}` says why.",
                ["unit": Self.service]))
    }

    private static func stamp(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "\(status.st_ino) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
    }
}
