import GateCore
import Glibc

/// A login session, read from the file that systemd-logind or elogind keeps of it in `/run/systemd/sessions`. The file
/// belongs to root. systemd calls its format private, but the lines that are read here have not changed for years, and
/// libsystemd reads the same file.
///
/// Gate does not use libsystemd, which would bring libraries for compression and cryptography into the daemon. Also, if
/// a name occurs twice, libsystemd takes the last line. Later lines can contain text that the session's own user has
/// set, such as the display, and new versions of logind write it without escaping line breaks. So Gate takes the first
/// line of each name, because all lines that matter come before such text.
struct LoginSession: Hashable {
    let uid: UInt32
    /// The seat whose screens it can have; `nil` for a session over the network, for example.
    let seat: String?
    /// Whether it has the screens of its seat now. A session without a seat always counts as active.
    let isActive: Bool
    /// Whether somebody is logged in. This is false for a log-in screen, and for a session that has ended although some
    /// of its programs still run.
    let isPersons: Bool
    /// Whether it belongs to services and has neither a screen nor a person: systemd's own session of each user, and
    /// sessions of timers.
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
    /// The most sessions that are read. Reading happens on the event loop.
    private static let limit = 64

    /// If a file can't be read or understood, no session counts as hidden.
    init(reading directory: String) {
        self = Self.sessions(in: directory).map { ShownSessions($0) } ?? ShownSessions()
    }

    init(_ sessions: [LoginSession]) {
        let sessions = sessions.filter { !$0.isService }
        let active = sessions.filter(\.isActive)
        // A seat may show something that is no session of logind, such as a display that was started by hand. Then it
        // is unknown whose session is on that screen.
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
