import Glibc

/// A unit of systemd on this device. Each question asks `systemctl`, and is answered with no if systemd does not run
/// here.
struct SystemdUnit {
    let name: String

    init(_ name: String) { self.name = name }

    var isInstalled: Bool { access("/run/systemd/system", F_OK) == 0 && answers(["cat"]) }
    var isEnabled: Bool { answers(["is-enabled", "--quiet"]) }
    var isActive: Bool { answers(["is-active", "--quiet"]) }

    private func answers(_ question: [String]) -> Bool {
        Program.exitStatus(of: ["systemctl"] + question + [name]) == 0
    }
}
