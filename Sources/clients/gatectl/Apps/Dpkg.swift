import GateClient
import GateModel
import GateTexts

/// Debian's database of packages: which are installed, which one a file belongs to, and which modes were overridden.
struct Dpkg {
    let device: AppDevice

    private static let outputBytes = 64 << 20
    /// So many paths go into one command line.
    private static let pathsAtOnce = 500

    private var place: String { "--admindir=\(device.root)/var/lib/dpkg" }

    func packages() throws(GateError) -> [InstalledPackage] {
        try output(["dpkg-query", place, "--show", "--showformat", InstalledPackage.format])
            .parts(between: "\n").compactMap { InstalledPackage(line: $0) }
    }

    /// The paths of each package, by its id. A file that was diverted has the path that it has now.
    func files(of packages: [String]) throws(GateError) -> [String: [String]] {
        guard !packages.isEmpty else { return [:] }
        var sections: [[String]] = [[]]
        for line in try output(["dpkg-query", place, "--listfiles"] + packages).parts(between: "\n") {
            if line.isEmpty {
                sections.append([])
            } else if line.isAbsolutePath {
                sections[sections.count - 1].append(line)
            } else if line.contains("diverted by ") || line.starts(withBytesOf: "locally diverted"),
                let now = line.firstRange(of: " to: ").map({ String(line[$0.upperBound...]) })
            {
                _ = sections[sections.count - 1].popLast()
                sections[sections.count - 1].append(now)
            }
        }
        guard sections.count >= packages.count else {
            throw Self.failure("dpkg-query --listfiles")
        }
        return Dictionary(zip(packages, sections)) { first, _ in first }
    }

    /// The ids of the packages that have each of the paths. Paths that no package has are left out.
    func owners(of paths: [String]) throws(GateError) -> [String: [String]] {
        var owners: [String: [String]] = [:]
        for start in stride(from: 0, to: paths.count, by: Self.pathsAtOnce) {
            let some = paths[start..<min(start + Self.pathsAtOnce, paths.count)]
            // Status 1: some of them have no package.
            let lines = try output(
                ["dpkg-query", place, "--search"] + some.map(Self.literal), statuses: [0, 1])
            for line in lines.parts(between: "\n") {
                guard let colon = line.firstRange(of: ": /"), !line.starts(withBytesOf: "diversion by "),
                    !line.starts(withBytesOf: "local diversion ")
                else { continue }
                let path = String(line[line.index(before: colon.upperBound)...])
                owners[path] = line[..<colon.lowerBound].split(separator: ", ").map(String.init)
            }
        }
        return owners
    }

    /// All overrides, with groups by number: dpkg writes a name in place of a number as soon as there is one.
    func overrides() throws(GateError) -> [String: StatOverride] {
        var gids: [String: UInt32?] = [:]
        // Status 1 means that there is no override.
        let list = StatOverride.list(try output(["dpkg-statoverride", place, "--list"], statuses: [0, 1]))
        return list.mapValues { override in
            var override = override
            let gid = gids[override.group] ?? LocalAccounts.groupID(named: override.group)
            gids[override.group] = gid
            if let gid { override.group = "#\(gid)" }
            return override
        }
    }

    func put(_ override: StatOverride) throws(GateError) {
        _ = try output([
            "dpkg-statoverride", place, "--force-statoverride-add", "--add", override.user, override.group,
            override.mode, override.path,
        ])
    }

    func drop(_ path: String) throws(GateError) {
        _ = try output(["dpkg-statoverride", place, "--force-statoverride-remove", "--remove", path])
    }

    /// dpkg takes `*`, `?`, `[` and `\` for patterns.
    private static func literal(_ path: String) -> String {
        path.contains { "*?[\\".contains($0) }
            ? path.map { "*?[\\".contains($0) ? "\\\($0)" : String($0) }.joined() : path
    }

    private func output(_ words: [String], statuses: Set<CInt> = [0]) throws(GateError) -> String {
        guard let (output, status) = Program.result(of: ["env", "LC_ALL=C"] + words, limit: Self.outputBytes),
            let status, statuses.contains(status)
        else { throw Self.failure(words[0]) }
        return output
    }

    private static func failure(_ command: String) -> GateError {
        GateError(
            .unavailable, .unspecified,
            saying: localized("{command} failed, so nothing is known about packages.", ["command": command]))
    }
}

/// The system groups of apps.
struct AppGroups {
    let device: AppDevice

    /// The range of Debian's system groups.
    private static let numbers: ClosedRange<UInt32> = 101...999

    private var all: [(name: String, gid: UInt32)] { gids(in: "/etc/group", field: 2) }

    private func gids(in file: String, field: Int) -> [(name: String, gid: UInt32)] {
        (device.text(file) ?? "").parts(between: "\n").compactMap { line in
            let fields = line.parts(between: ":")
            return fields.count > field ? UInt32(fields[field]).map { (fields[0], $0) } : nil
        }
    }

    func gid(of group: String) -> UInt32? { all.first { $0.name == group }?.gid }

    func name(of gid: UInt32) -> String? { all.first { $0.gid == gid }?.name }

    /// The groups of apps, whether they have a record or not.
    var ofApps: [String] { all.map(\.name).filter(AppName.isGroup) }

    /// Whether Gate may have made a group: it has no members, and is not the own group of any user.
    func isOurs(_ group: String, _ gid: UInt32) -> Bool {
        let hasMembers = (device.text("/etc/group") ?? "").parts(between: "\n").contains { line in
            let fields = line.parts(between: ":")
            return fields.first == group && fields.count > 3 && !fields[3].isEmpty
        }
        return Self.numbers.contains(gid) && !hasMembers
            && !gids(in: "/etc/passwd", field: 3).contains { $0.gid == gid }
    }

    /// Makes a group and returns its gid: the highest free one that no process has, and no override names.
    func make(_ group: String, overrides: [StatOverride]) throws(GateError) -> UInt32 {
        // A user may have a group that has no name.
        let used = Set((all + gids(in: "/etc/passwd", field: 3)).map(\.gid)).union(heldByProcesses())
            .union(overrides.compactMap(\.gid))
        for gid in Self.numbers.reversed() where !used.contains(gid) {
            switch run(["groupadd"], ["--system", "--gid", "\(gid)", group]) {
            case 0: return gid
            // Another database of groups has the number.
            case 4: continue
            default: throw failure("groupadd")
            }
        }
        throw failure("groupadd")
    }

    /// Removes a group, unless a process has its gid: a program that was started before its app was released. It must
    /// not get the next group's files with that number. A later run removes the group.
    func remove(_ group: String) throws(GateError) {
        guard let gid = gid(of: group), !heldByProcesses().contains(gid) else { return }
        guard run(["groupdel"], [group]) == 0 || self.gid(of: group) == nil else { throw failure("groupdel") }
    }

    private func run(_ command: [String], _ words: [String]) -> CInt? {
        Program.exitStatus(of: command + (device.root.isEmpty ? [] : ["--prefix", device.root]) + words)
    }

    private func heldByProcesses() -> Set<UInt32> {
        var gids: Set<UInt32> = []
        for name in AppDevice().names(in: "/proc") where UInt32(name) != nil {
            for line in (SystemFile.text(of: "/proc/\(name)/status") ?? "").parts(between: "\n")
            where line.starts(withBytesOf: "Gid:") || line.starts(withBytesOf: "Groups:") {
                gids.formUnion(line.split(whereSeparator: { " \t:".contains($0) }).compactMap { UInt32($0) })
            }
        }
        return gids
    }

    private func failure(_ command: String) -> GateError {
        GateError(
            .unavailable, .unspecified, saying: localized("{command} failed.", ["command": command]))
    }
}
