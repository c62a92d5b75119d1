import FoundationEssentials
import GateModel

/// Owner, group and mode of a file.
struct FileState: Hashable {
    var uid: UInt32
    var gid: UInt32
    var mode: UInt16

    /// The state after a change of the owner, at which the kernel removes the set-id bits.
    var withoutSetBits: FileState { FileState(uid: uid, gid: gid, mode: mode & 0o1777) }
}

/// A line of `dpkg-statoverride --list`.
struct StatOverride: Hashable {
    var user: String
    /// A name, or `#` and a number.
    var group: String
    /// Octal digits, as dpkg lists them: without a zero in front.
    var mode: String
    var path: String

    init(user: String, group: String, mode: String, path: String) {
        (self.user, self.group, self.mode, self.path) = (user, group, mode, path)
    }

    /// An override of Gate's.
    init(_ held: HeldPath, gid: UInt32) {
        self.init(user: "root", group: "#\(gid)", mode: String(held.mode, radix: 8), path: held.path)
    }

    init?(line: String) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, !parts.contains(""), parts[3].isAbsolutePath else { return nil }
        self.init(user: parts[0], group: parts[1], mode: parts[2], path: parts[3])
    }

    /// `nil` if the group is a name.
    var gid: UInt32? { group.starts(withBytesOf: "#") ? UInt32(group.dropFirst()) : nil }

    static func list(_ text: String) -> [String: StatOverride] {
        text.parts(between: "\n").compactMap { StatOverride(line: $0) }.reduce(into: [:]) { $0[$1.path] = $1 }
    }
}

/// The owners and modes of an app's files from before it was guarded, for its release. It has one line for each path:
/// `UID GID MODE(octal) OVERRIDE(- or USER:GROUP:MODE) PATH`.
struct BeforeRecord: Hashable {
    struct Entry: Hashable {
        var state: FileState
        /// An administrator's.
        var override: StatOverride?
    }

    var entries: [String: Entry] = [:]

    init(_ entries: [String: Entry] = [:]) { self.entries = entries }

    /// Malformed lines, which Gate never writes, are skipped.
    init(text: String) {
        for line in text.parts(between: "\n") {
            let parts = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 5, let uid = UInt32(parts[0]), let gid = UInt32(parts[1]),
                let mode = UInt16(parts[2], radix: 8), parts[4].isAbsolutePath
            else { continue }
            let fields = parts[3].parts(between: ":")
            let override =
                fields.count == 3
                ? StatOverride(user: fields[0], group: fields[1], mode: fields[2], path: parts[4]) : nil
            entries[parts[4]] = Entry(state: FileState(uid: uid, gid: gid, mode: mode), override: override)
        }
    }

    var text: String {
        entries.sorted { $0.key.compareBytes($1.key) < 0 }.map { path, entry in
            let override = entry.override.map { "\($0.user):\($0.group):\($0.mode)" } ?? "-"
            return "\(entry.state.uid) \(entry.state.gid) \(String(entry.state.mode, radix: 8)) \(override) \(path)\n"
        }.joined()
    }
}

/// The record from which gate-launcher starts an app: its command, its folder and its groups.
struct StartRecord: Hashable {
    var action: String
    var group: UInt32
    var also: [UInt32] = []
    var folder: String?
    var isForTerminal = false
    /// The program's real path, then its arguments.
    var arguments: [String]

    private static let maximumArguments = 64
    private static let maximumLineBytes = 4096
    private static let maximumBytes = 64 << 10

    private var lines: [String] {
        ["gate-app 1", "action \(action)", "group \(group)"] + also.map { "also \($0)" }
            + (folder.map { ["directory \($0)"] } ?? []) + (isForTerminal ? ["terminal yes"] : [])
            + arguments.map { "argument \($0)" } + ["end"]
    }

    /// `nil` if gate-launcher would refuse it.
    var text: String? {
        let text = lines.map { $0 + "\n" }.joined()
        let isFine =
            (1...Self.maximumArguments).contains(arguments.count) && arguments.first?.isAbsolutePath ?? false
            && lines.allSatisfy { line in
                line.utf8.count < Self.maximumLineBytes && !line.utf8.contains { $0 < 0x20 || $0 == 0x7f }
            } && text.utf8.count <= Self.maximumBytes
        return isFine ? text : nil
    }

    /// The group in the text of a record; `nil` if the text is not such a record.
    static func group(in text: String) -> UInt32? {
        text.parts(between: "\n").lazy.compactMap { line in
            line.starts(withBytesOf: "group ") ? UInt32(line.dropFirst(6)) : nil
        }.first
    }
}

/// The part of a record for `gatectl apps list`, and for people who read the file.
struct AppSummary: Hashable, Codable {
    var title: String
    var icon: String
    var packages: [String]
    var hold: AppHold
    /// The names of the other entries that lead to the same app.
    var entries: [String]
    var problems: [AppProblem]

    init(
        title: String, icon: String = "", packages: [String] = [], hold: AppHold = AppHold(strength: .nothing),
        entries: [String] = [], problems: [AppProblem] = []
    ) {
        (self.title, self.icon, self.packages) = (title, icon, packages)
        (self.hold, self.entries, self.problems) = (hold, entries, problems)
    }

    /// Whether everything that can be held is held. A menu entry that Gate did not write does not matter: it can't
    /// start a held program.
    var isWhole: Bool { problems.allSatisfy { $0.word == .foreignFile } }

    init?(text: String) {
        guard let read = try? JSONDecoder().decode(AppSummary.self, from: Data(text.utf8)) else { return nil }
        self = read
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
    }
}
