import GateModel

/// The apps that the policy guards, and whether the device follows.
struct GuardedApps: Hashable {
    static let pathUnit = "gate-apps.path"
    static let package = "gate-apps"

    /// The names that the policy has.
    var listed: [String] = []
    var isActive = false
    /// A sentence for each app that is not guarded as the policy says.
    var problems: [String] = []

    static var ofThisDevice: GuardedApps {
        let device = AppDevice()
        let listed = (device.listText ?? "").parts(between: "\n").filter(AppName.isName)
        guard !listed.isEmpty else { return GuardedApps() }
        return GuardedApps(
            listed: listed, isActive: SystemdUnit(pathUnit).isActive,
            problems: listed.flatMap { name in
                device.summary(name)?.problems.map { "\(name): \($0.sentence(name))" }
                    ?? ["\(name): nothing was done about it"]
            })
    }
}

extension InstallationFacts {
    /// `nil` if the policy guards no app.
    var guardedAppsFinding: Finding? {
        guard isDefaultSocket, !guardedApps.listed.isEmpty else { return nil }
        guard guardedApps.isActive else {
            return Finding(
                subject: "apps",
                found: "\(GuardedApps.pathUnit) is not active, so nothing holds the apps of the policy",
                verdict: .failed(
                    mend:
                        "Install it with \(asRoot("apt install \(GuardedApps.package)")), or start it with \(asRoot("systemctl enable --now \(GuardedApps.pathUnit)"))."
                ))
        }
        guard guardedApps.problems.isEmpty else {
            return Finding(
                subject: "apps", found: guardedApps.problems.map { VisibleText.line($0) }.joined(separator: " "),
                verdict: .failed(
                    mend: "Look at `gatectl apps list`, and try again with \(asRoot("gatectl apps apply"))."))
        }
        let count = guardedApps.listed.count
        return Finding(
            subject: "apps", found: count == 1 ? "one app is guarded" : "\(count) apps are guarded", verdict: .ok)
    }
}
