import GateModel
import Glibc

/// The environment of a command that was shown. Programs load code from places that variables name, each program by names of its own, and
/// nobody who was asked has seen those. So only what is known to be harmless is handed on.
enum RunEnvironment {
    /// The variables that say who the person is, and how to reach their screen, sound and language.
    private static let names: Set<String> = [
        "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "DISPLAY",
        "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "XDG_SESSION_CLASS",
        "XDG_SESSION_DESKTOP", "XDG_SESSION_ID", "XDG_CURRENT_DESKTOP", "XDG_SEAT", "XDG_VTNR", "DESKTOP_SESSION",
        "DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER", "GATE_SOCKET",
    ]

    /// Where commands are looked for if nothing of PATH is left.
    static let systemPath = "/usr/local/bin:/usr/bin:/bin"

    /// - Parameter variables: NAME=VALUE.
    /// - Returns: those of them that are handed on; of PATH the folders that root alone can change, and the home folder as the system
    ///   knows it.
    static func cleared(_ variables: [String]) -> [String] {
        variables.compactMap { variable in
            guard let (name, value) = variable.cut(atFirst: "=") else { return nil }
            switch name {
            case "PATH": return "PATH=\(path(value))"
            case "HOME": return home.map { "HOME=\($0)" }
            // A bus by another address starts a program; a language or a time zone can be a file.
            case "DBUS_SESSION_BUS_ADDRESS": return isSocket(value) ? variable : nil
            case "LANG", "LANGUAGE", "TZ": return isPlain(value) ? variable : nil
            case _ where name.starts(withBytesOf: "LC_"): return isPlain(value) ? variable : nil
            default: return names.contains(name) ? variable : nil
            }
        }
    }

    static func path(_ searchPath: String) -> String {
        let folders = RootOnly.folders(of: searchPath)
        return folders.isEmpty ? systemPath : folders.joined(separator: ":")
    }

    private static var home: String? {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    private static func isSocket(_ address: String) -> Bool {
        address.parts(between: ";").allSatisfy { $0.starts(withBytesOf: "unix:") }
    }

    /// No path, and no rule of POSIX for a time zone, which may begin with a colon and a path.
    private static func isPlain(_ value: String) -> Bool {
        !value.starts(withBytesOf: "/") && !value.starts(withBytesOf: ":") && !value.parts(between: "/").contains("..")
    }
}
