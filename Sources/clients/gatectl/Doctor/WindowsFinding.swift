import GateClient
import GateModel
import GatePolicy
import GateProtocol
import GateTexts
import Glibc

extension InstallationFacts {
    /// Whether questions appear in windows for the user who runs gatectl.
    enum Windows: Hashable {
        /// gate-presenter is not installed, or the user is root, who has no desktop.
        case none
        /// gate-presenter starts with the user's desktop.
        case started(user: String)
        /// gate-presenter ends at once, because this user is nobody's on the list of people, or several people's, and
        /// the policy gives it no role either.
        case notPermitted(user: String, isShared: Bool = false)
        /// The policy gives this user no role, and gatectl may not see whether the user is on the list of people.
        case unknown(user: String)
    }

    /// Never a failure, since windows are optional.
    var windowsFinding: Finding? {
        switch windows {
        case .none: nil
        case .started(let user):
            Finding(subject: "windows", found: "gate-presenter starts with the desktop of \(user)", verdict: .ok)
        case .notPermitted(let user, isShared: false):
            Finding(
                subject: "windows",
                found:
                    "gate-presenter is installed, but shows nothing to \(user), who is not on the list of people: run `sudo gatectl people set \(user) --child`, or --grown-up",
                verdict: .unknown)
        case .notPermitted(let user, isShared: true):
            Finding(
                subject: "windows",
                found:
                    "gate-presenter is installed, but \(user), whom several people use, may not show questions: run `sudo adduser \(user) gate-presenter`, and log in again",
                verdict: .unknown)
        case .unknown(let user):
            Finding(
                subject: "windows",
                found:
                    "gate-presenter is installed, and shows questions to \(user) if an administrator has put \(user) on the list of people",
                verdict: .unknown)
        }
    }

    /// - Parameters:
    ///   - roles: of the policy; `nil` if it can't be read.
    ///   - people: the list, or why this user can't see it.
    static func windows(_ roles: RolePolicy?, _ people: Result<[ListedPerson], GateError>) -> Windows {
        guard geteuid() != 0, isPresenterInstalled, let roles, let user = LocalAccounts.userName(of: geteuid()) else {
            return .none
        }
        let groups = DeviceGroups(of: user)
        let isNamed = [roles.presenters, roles.administrators].contains { $0.include(user, geteuid(), groups) }
        guard !isNamed else { return .started(user: user) }
        guard case .success(let people) = people else { return .unknown(user: user) }
        switch people.first(where: { $0.person.user?.name == user && !$0.isUserUnknown })?.person.kind {
        case .grownUp, .child: return .started(user: user)
        case .shared: return .notPermitted(user: user, isShared: true)
        case nil: return .notPermitted(user: user)
        }
    }

    /// Looks for it in gatectl's own folder.
    static var isPresenterInstalled: Bool { ThisProgram.beside("gate-presenter") != nil }
}
