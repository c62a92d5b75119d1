import GateModel
import GatePolicy
import Glibc
import Logging

/// The file that names the apps which the policy guards, one a line and sorted. `gated` may change no file of the
/// system, so a unit that runs as root watches this file, and makes the device match.
///
/// The file is replaced as a whole, and only if something in it changes, since each change wakes that unit. It stays
/// when the daemon ends: an app that is guarded stays guarded.
struct GuardedAppsFile {
    /// The file's name in the runtime directory.
    static let name = "apps"

    private let path: String

    init(in directory: String) {
        path = "\(directory)/\(Self.name)"
    }

    /// Makes the file name the apps that `policy` guards. If that fails, the failure is logged, and the file stays as
    /// it was.
    func show(_ policy: Policy, logger: Logger) {
        let bytes = policy.guardedApps.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
        guard !isThere(bytes) else { return }
        guard let error = replace(with: bytes) else { return }
        logger.error(
            """
            the list of guarded apps could not be written, so apps are guarded and released as it said before. Make \
            room for it, and run `gatectl reload`
            """,
            metadata: ["error": "\(error)"])
    }

    private func isThere(_ bytes: [UInt8]) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // One byte more than is expected shows whether the file is longer.
        var found = [UInt8](repeating: 0, count: bytes.count + 1)
        return read(descriptor, &found, found.count) == bytes.count && found.dropLast() == bytes[...]
    }

    /// - Returns: what went wrong; `nil` if nothing did.
    private func replace(with bytes: [UInt8]) -> String? {
        let unseenPath = "\(path).new"
        func failure(_ call: String) -> String {
            let text = "\(call) \(unseenPath): \(String(cString: strerror(errno)))"
            unlink(unseenPath)
            return text
        }
        // It is left over if a daemon was killed while it wrote.
        unlink(unseenPath)
        let descriptor = open(unseenPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return failure("open") }
        defer { close(descriptor) }
        guard write(descriptor, bytes, bytes.count) == bytes.count else { return failure("write") }
        // `open` applies the umask, this does not.
        guard fchmod(descriptor, 0o644) == 0 else { return failure("fchmod") }
        return rename(unseenPath, path) == 0 ? nil : failure("rename")
    }
}

extension Policy {
    /// The names of the apps that the policy guards, sorted. An app that only a file or a choice with mistakes names is
    /// among them: its gated action is denied, and it must not become free because of a typing error.
    var guardedApps: [String] {
        let named = Set(configuration.gatedActions.keys).union(broken.flatMap(\.gatedActions))
        return named.compactMap { GatedAction.guardedApp(by: $0) }.sorted()
    }
}
