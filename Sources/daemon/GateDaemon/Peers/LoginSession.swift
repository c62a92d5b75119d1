import GateCore
import GateModel
import Glibc

/// A login session, from the file that systemd-logind or elogind keeps of it in `/run/systemd/sessions`. The file is
/// root's. Its format is called private, but these lines have not changed for years, and libsystemd reads the same
/// file. Gate reads it itself for two reasons: libsystemd would bring libraries for compression and cryptography into
/// the daemon, and of several lines with the same name it takes the last. The later lines may hold text that the
/// session's own user has set, such as its display, and new versions of logind write that as it comes. So here the first
/// one counts: all lines that matter come before such text.
struct LoginSession: Hashable {
    let uid: UInt32
    /// The seat whose screens it can have; `nil` for a session over the network, for example.
    let seat: String?
    /// Whether it has the screens of its seat now. A session without a seat always counts as active.
    let isActive: Bool
    /// Whether somebody is logged in: not a log-in screen, and not a session that has ended but for some programs.
    let isPersons: Bool
    /// Whether it has neither a screen nor a person: systemd's own of each user, and those of timers.
    let isService: Bool

    /// - Returns: `nil` if the text says less than every session has.
    init?(_ text: String) {
        var values: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            guard let end = line.firstIndex(of: "="), values[line[..<end]] == nil else { continue }
            values[line[..<end]] = line[line.index(after: end)...]
        }
        guard let uid = values["UID"].flatMap({ UInt32($0) }), let active = values["ACTIVE"],
            let state = values["STATE"], let kind = values["CLASS"], ["0", "1"].contains(active)
        else { return nil }
        self.uid = uid
        seat = values["SEAT"].map { String($0) }
        isActive = active == "1"
        isPersons = kind.hasPrefix("user") && state != "closing"
        isService = seat == nil && (kind.hasPrefix("manager") || kind.hasPrefix("background"))
    }
}

extension ShownSessions {
    /// So many sessions are read at most, since that is done on the event loop.
    private static let limit = 64

    /// If anything is unclear, nobody's session counts as hidden.
    init(reading directory: String) {
        self = Self.sessions(in: directory).map { ShownSessions($0) } ?? ShownSessions()
    }

    init(_ sessions: [LoginSession]) {
        let sessions = sessions.filter { !$0.isService }
        let active = sessions.filter(\.isActive)
        // What a screen shows that has no session of logind, such as a display that was started by hand, is not known.
        let seats = Set(sessions.compactMap(\.seat))
        let isClear = active.allSatisfy(\.isPersons) && Set(active.compactMap(\.seat)) == seats
        let hidden = sessions.filter { $0.seat != nil && !$0.isActive && $0.isPersons }
        self.init(shown: isClear ? Set(active.map(\.uid)) : [], hidden: Set(hidden.map(\.uid)))
    }

    /// - Returns: `nil` if one of them can't be read. A session that has just ended has no file any more; the directory
    ///   is read again then.
    private static func sessions(in directory: String) -> [LoginSession]? {
        guard let names = names(in: directory), names.count <= limit else { return nil }
        var sessions: [LoginSession] = []
        for name in names {
            guard let text = readSmallFile("\(directory)/\(name)"), let session = LoginSession(text) else { return nil }
            sessions.append(session)
        }
        return sessions
    }

    /// The names of the sessions: letters and digits. Beside them are pipes, and files that are being written.
    private static func names(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { continue }
            names.append(name)
        }
        return names
    }
}
