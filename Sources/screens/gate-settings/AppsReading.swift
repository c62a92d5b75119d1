import GateModel
import GateScreens
import GateTexts
import GateWindows
import Glibc

/// Reads the apps of this device, with `gatectl apps list`, which knows the menu, the packages and what is guarded.
struct AppsReading: Sendable {
    /// The options of gatectl that lead to the daemon.
    let connection: [String]
    /// The folder with a copy of a device, for tests; empty: this device.
    let root: String

    /// The most apps that are read.
    private static let maximumCount = 2000

    /// - Throws: `UNAVAILABLE` if gatectl is missing, or fails.
    @GLibLoop
    func read() async throws(GateError) -> AppsFacts {
        guard isPackageInstalled else { return .packageMissing }
        let words = ["apps", "list", "--for-window"] + connection + (root.isEmpty ? [] : ["--root", root])
        guard let command = GatectlProcess.command(words) else { throw Self.unread }
        var apps: [AppFacts] = []
        let status = await withCheckedContinuation { (ended: CheckedContinuation<CInt?, Never>) in
            let process = GatectlProcess(command) { line in
                if apps.count < Self.maximumCount, let app = AppFacts(line: line) { apps.append(app) }
            } ended: {
                ended.resume(returning: $0)
            }
            process?.hangUp()
            if process == nil { ended.resume(returning: nil) }
        }
        guard status == 0 else { throw Self.unread }
        return .list(apps)
    }

    /// Whether the package gate-apps is there: systemd finds the unit that makes the device follow the policy.
    private var isPackageInstalled: Bool {
        ["/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"].contains {
            access("\(root)\($0)/gate-apps.path", F_OK) == 0
        }
    }

    private static var unread: GateError {
        GateError(
            .unavailable, .unspecified,
            localized("The apps of this device could not be read. In a terminal, `gatectl apps list` says why."))
    }
}
