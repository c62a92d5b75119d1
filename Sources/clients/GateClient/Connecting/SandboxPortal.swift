#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// gate-portal, which stands in for the daemon in a sandbox of Flatpak's. An app there has a user namespace that does
/// not map the daemon's user, so nobody in it can tell who listens at the daemon's socket. gate-portal runs in the
/// person's own session, as the same user as the app, and passes on what the app asks for.
enum SandboxPortal {
    /// The path of gate-portal's socket if this process is in such a sandbox, which has a regular file
    /// `/.flatpak-info`; `nil` if it is not.
    /// - Parameter runtimeDirectory: `$XDG_RUNTIME_DIR`. If it is no absolute path, `/run/user/UID` is used.
    static func socketPath(
        infoPath: String = "/.flatpak-info",
        runtimeDirectory: String? = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    ) -> String? {
        var status = stat()
        guard lstat(infoPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let directory = runtimeDirectory.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(geteuid())"
        return "\(directory)/gate/portal"
    }
}
