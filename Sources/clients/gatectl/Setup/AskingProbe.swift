import GateClient
import GateModel
import GatePolicy
import GateProtocol
import Glibc

extension AskingTable {
    /// The table of this device: where the questions of each user who is no grown-up are answered.
    ///
    /// - Parameters:
    ///   - people: the list, as the daemon gives it.
    ///   - users: the users of this device.
    static func ofThisDevice(
        _ policy: Policy, secrets: [SecretKind], people: [ListedPerson], users: [DeviceUser]
    ) -> AskingTable {
        let groups = Dictionary(uniqueKeysWithValues: users.map { ($0.name, DeviceGroups(of: $0.name)) })
        let screen = InstallationFacts.ownScreen()
        let today = CivilDate(WallTime.now())
        return AskingTable(
            policy, secrets: secrets, people: people, users: users,
            hasWindows: InstallationFacts.isPresenterInstalled && AskingDevice.hasDesktops, screen: screen, today: today
        ) { principals, user in
            principals.include(user.name, user.uid, groups[user.name] ?? DeviceGroups())
        }
    }

    /// - Parameters:
    ///   - screen: Gate's own screen; `nil` if it is not installed.
    ///   - include: whether a role of the policy is a user's.
    init(
        _ policy: Policy, secrets: [SecretKind], people: [ListedPerson], users: [DeviceUser], hasWindows: Bool,
        screen: InstallationFacts.OwnScreen?, today: CivilDate, include: (Principals, DeviceUser) -> Bool
    ) {
        let roles = policy.roles
        var device = AskingDevice(
            hasWindows: hasWindows, hasGuardians: policy.configuration.household != nil, secrets: secrets)
        if let screen, screen.hasCompositor {
            device.offersOwnScreen = true
            device.hasOwnScreen = screen.isEnabled && ScreenPolicyFile.names(roles.grownUpPresenters)
        }
        var askers: [Asker] = []
        for user in users {
            let listed = people.first { $0.person.user?.name == user.name && !$0.isUserUnknown }?.person
            if listed?.kind == .grownUp || include(roles.administrators, user) || include(roles.grownUpPresenters, user)
            {
                device.grownUps.append(user.name)
                continue
            }
            let kind: Asker.Kind =
                switch listed?.kind {
                case .child: .child(age: listed?.age(on: today))
                case .shared: .shared
                case .grownUp, nil: .unlisted
                }
            askers.append(Asker(name: user.name, kind: kind, isPresenter: include(roles.presenters, user)))
        }
        self.init(device, policy.configuration, askers: askers)
    }
}

/// The groups of a user, by name and by number. They count from the user's next log-in on.
struct DeviceGroups: Hashable {
    var names: [String] = []

    init() {}

    init(of user: String) {
        names = Program.output(of: ["id", "-nG", user])?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }

    func contains(_ group: String) -> Bool {
        names.contains { $0 == group || LocalAccounts.groupID(named: $0).map(String.init) == group }
    }
}

extension Principals {
    /// Whether a user, or one of its groups, is named here.
    func include(_ user: String, _ uid: UInt32, _ userGroups: DeviceGroups) -> Bool {
        users.contains { $0 == user || UInt32($0) == uid } || groups.contains(where: userGroups.contains)
    }
}

extension AskingDevice {
    /// Whether people log in to desktops here: some package has brought a session for a log-in screen.
    static var hasDesktops: Bool {
        ["/usr/share/xsessions", "/usr/share/wayland-sessions"].contains { folder in
            guard let stream = opendir(folder) else { return false }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                // Names that begin with a dot are the folder itself and the one above it.
                if entry.pointee.d_name.0 != 0x2e { return true }
            }
            return false
        }
    }
}
