import GateClient
import GateModel
import GatePolicy
import Glibc

extension InstallationFacts {
    /// The questions in windows, for the user who asks.
    enum Windows: Hashable {
        /// gate-presenter is not installed, or the user is root, who has no desktop.
        case none
        /// It starts with their desktop.
        case started(user: String)
        /// It ends at once: the policy gives this user no role for it.
        case notPermitted(user: String)
    }

    /// The finding about windows on the desktop of the user who asks. That somebody has none is no fault.
    var windowsFinding: Finding? {
        switch windows {
        case .none: nil
        case .started(let user):
            Finding(subject: "windows", found: "gate-presenter starts with the desktop of \(user)", verdict: .ok)
        case .notPermitted(let user):
            Finding(
                subject: "windows",
                found:
                    "gate-presenter is installed, and \(user) may not present: for windows run `sudo adduser \(user) gate-presenter`, and log in anew",
                verdict: .unknown)
        }
    }

    /// - Parameter roles: by the policy; `nil`: it can't be read.
    static func windows(_ roles: RolePolicy?) -> Windows {
        guard geteuid() != 0, isPresenterInstalled, let roles, let user = LocalAccounts.userName(of: geteuid()),
            // Of the accounts, not of this process: as the daemon sees it.
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

    /// Beside this program, where both are installed.
    private static var isPresenterInstalled: Bool {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return false }
        let program = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let folder = program.cut(atLast: "/")?.before else { return false }
        return access("\(folder)/gate-presenter", X_OK) == 0
    }
}
