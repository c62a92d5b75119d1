import Glibc

/// A user of this device who may be a person of the family: one with a number from 1000 to 59999 and a log-in shell.
struct DeviceUser: Hashable, Sendable {
    var name: String
    var uid: UInt32
    var home = ""
    /// The name that log-in screens show; empty if the user database has none.
    var fullName = ""
    /// Whether the user may administer the device, as a member of `sudo` or `wheel`.
    var isAdministrator = false

    /// The users of this device, by uid, as its name services know them.
    static func all() -> [DeviceUser] {
        let database = Program.output(of: ["getent", "passwd"]) ?? ""
        let groups = ["sudo", "wheel"].compactMap { Program.output(of: ["getent", "group", $0]) }
        return all(passwd: database, groups: groups.joined())
    }

    /// - Parameters:
    ///   - passwd: lines as in /etc/passwd.
    ///   - groups: lines as in /etc/group, of the groups whose members administer the device.
    static func all(passwd: String, groups: String) -> [DeviceUser] {
        let administrators = Set(
            groups.split(separator: "\n").flatMap { line in
                (line.split(separator: ":", omittingEmptySubsequences: false).dropFirst(3).first ?? "")
                    .split(separator: ",").map(String.init)
            })
        var users: [DeviceUser] = []
        for line in passwd.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 7, !fields[0].isEmpty, let uid = UInt32(fields[2]), people.contains(uid),
                isLogInShell(fields[6]), !users.contains(where: { $0.name == fields[0] })
            else { continue }
            let fullName = fields[4].split(separator: ",", omittingEmptySubsequences: false).first.map(String.init)
            users.append(
                DeviceUser(
                    name: fields[0], uid: uid, home: fields[5], fullName: fullName ?? "",
                    isAdministrator: administrators.contains(fields[0])))
        }
        return Array(users.sorted { ($0.uid, $0.name) < ($1.uid, $1.name) }.prefix(maximumCount))
    }

    /// The uids that Debian gives to people.
    private static let people: ClosedRange<UInt32> = 1000...59999

    /// The most users that set-up asks about. A directory on the network may know thousands.
    private static let maximumCount = 100

    private static func isLogInShell(_ path: String) -> Bool {
        !["nologin", "false", "true", "sync"].contains(path.lastPathPart ?? path)
    }

    /// `mia (Mia Weber)`
    var text: String {
        let name = VisibleText.line(name)
        return fullName.isEmpty || fullName == self.name ? name : "\(name) (\(VisibleText.line(fullName)))"
    }
}
