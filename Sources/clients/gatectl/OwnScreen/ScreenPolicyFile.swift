import GateModel
import GatePolicy
import GateTexts
import Glibc

/// The policy file that allows Gate's own screen to ask for secrets.
struct ScreenPolicyFile {
    let options: PolicyOptions
    let serverUser: String

    var path: String { "\(options.configDirectory)/policy.d/gate-screen.yaml" }

    /// Those who have the role `grown-up-presenter` in the present policy.
    private func holders() throws(GateError) -> Principals {
        do throws(PolicyError) {
            return try options.policy(serverUser: serverUser).roles.grownUpPresenters
        } catch {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized(
                    "The policy has mistakes: {mistake} Mend it first.",
                    ["mistake": error.problems.first?.description ?? ""]))
        }
    }

    /// Adds the screen to the policy. Returns `false` if the policy names it already, and no file was written.
    func write() throws(GateError) -> Bool {
        let holders = try holders()
        guard !Self.names(holders) else { return false }
        // A policy may have each list only once, so use the one, of users or of groups, that is still empty.
        guard holders.users.isEmpty || holders.groups.isEmpty else {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized(
                    "The policy lists users and groups for `grown-up-presenter` already. Add the user gate-screen there, and run this again."
                ))
        }
        let list = holders.users.isEmpty ? "users" : "groups"
        let text = """
            # Written by `gatectl screen on`: Gate's own screen may ask for secrets. `gatectl screen off` removes this file.
            roles:
              grown-up-presenter: {\(list): [\(ScreenWord.userName)]}

            """
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard bytes.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count,
            fchmod(descriptor, 0o644) == 0
        else {
            let error = failure()
            unlink(path)
            throw error
        }
        return true
    }

    /// - Returns: whether there was a file.
    func remove() throws(GateError) -> Bool {
        guard unlink(path) != 0 else { return true }
        guard errno == ENOENT else { throw failure() }
        return false
    }

    static func names(_ principals: Principals) -> Bool {
        principals.users.contains(ScreenWord.userName) || principals.groups.contains(ScreenWord.userName)
    }

    private func failure() -> GateError {
        GateError(
            errno == EACCES || errno == EPERM ? .permissionDenied : .unavailable, .unspecified,
            saying: localized(
                "{path} can't be written: {reason}", ["path": path, "reason": String(cString: strerror(errno))]))
    }
}
