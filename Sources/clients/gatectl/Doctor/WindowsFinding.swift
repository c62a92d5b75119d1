import GateClient
import GateModel
import GatePolicy
import Glibc

extension InstallationFacts {
    /// Whether questions appear in windows for the user who runs gatectl.
    enum Windows: Hashable {
        /// gate-presenter is not installed, or the user is root, who has no desktop.
        case none
        /// gate-presenter starts with the user's desktop.
        case started(user: String)
        /// gate-presenter ends at once, because the policy gives this user no role for it.
        case notPermitted(user: String)
    }

    /// Never a failure, since windows are optional.
    var windowsFinding: Finding? {
        switch windows {
        case .none: nil
        case .started(let user):
            Finding(subject: "windows", found: "gate-presenter starts with the desktop of \(user)", verdict: .ok)
        case .notPermitted(let user):
            Finding(
                subject: "windows",
                found:
                    "gate-presenter is installed, but \(user) may not show questions: run `sudo adduser \(user) gate-presenter`, and log in again",
                verdict: .unknown)
        }
    }

    /// - Parameter roles: of the policy; `nil` if it can't be read.
    static func windows(_ roles: RolePolicy?) -> Windows {
        guard geteuid() != 0, isPresenterInstalled, let roles, let user = LocalAccounts.userName(of: geteuid()),
            // The groups of the account, which count from the next log-in on. This process may have others.
            let groups = Program.output(of: ["id", "-nG", user])?.split(whereSeparator: \.isWhitespace).map(String.init)
        else { return .none }
        let allowed = [roles.presenters, roles.administrators]
        let isPermitted = allowed.contains { principals in
            principals.users.contains { $0 == user || UInt32($0) == geteuid() }
                || principals.groups.contains { group in
                    groups.contains { $0 == group || LocalAccounts.groupID(named: $0).map(String.init) == group }
                }
        }
        return isPermitted ? .started(user: user) : .notPermitted(user: user)
    }

    /// Looks for it in gatectl's own folder.
    private static var isPresenterInstalled: Bool {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return false }
        let program = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let folder = program.cut(atLast: "/")?.before else { return false }
        return access("\(folder)/gate-presenter", X_OK) == 0
    }
}
