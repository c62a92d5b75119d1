import GateModel
import Glibc

/// The environment of a command that a question has shown. Variables, which the question does not show, can make a
/// program load other code. So only those that are known to be harmless are passed on.
enum RunEnvironment {
    /// The form that a value must have, numbers too: a shell that calculates with `x[$(command)]` runs the command.
    private enum Value {
        case number
        /// Letters, digits and a few marks, but no slash, so that it can't lead to a file elsewhere.
        case word
        /// The address of a socket or display, or the name of a time zone.
        case place
    }

    /// What a program needs to reach the person's screen, sound and language.
    private static let values: [String: Value] = [
        "COLUMNS": .number, "LINES": .number, "XDG_VTNR": .number, "TERM": .word, "COLORTERM": .word,
        "NO_COLOR": .word, "LANG": .word, "LANGUAGE": .word, "XDG_SESSION_TYPE": .word, "XDG_SESSION_CLASS": .word,
        "XDG_SESSION_DESKTOP": .word, "XDG_SESSION_ID": .word, "XDG_CURRENT_DESKTOP": .word, "XDG_SEAT": .word,
        "DESKTOP_SESSION": .word, "DISPLAY": .place, "WAYLAND_DISPLAY": .place, "XAUTHORITY": .place,
        "XDG_RUNTIME_DIR": .place, "DBUS_SESSION_BUS_ADDRESS": .place, "PULSE_SERVER": .place, "GATE_SOCKET": .place,
        "TZ": .place,
    ]

    /// Used if no folder of PATH remains.
    static let systemPath = "/usr/local/bin:/usr/bin:/bin"

    /// - Parameter variables: as NAME=VALUE.
    /// - Returns: those to pass on, each name once. PATH keeps the folders that only root can change. The names and
    ///   the home folder of the user come from the user database.
    static func cleared(_ variables: [String]) -> [String] {
        var known: Set<String> = []
        let person = getpwuid(getuid())
        return variables.compactMap { variable in
            guard let (name, value) = variable.cut(atFirst: "="), name.utf8.allSatisfy({ $0 < 0x80 }),
                known.insert(name).inserted
            else { return nil }
            switch name {
            case "PATH": return "PATH=\(path(value))"
            case "HOME": return person.map { "HOME=\(String(cString: $0.pointee.pw_dir))" }
            case "USER", "LOGNAME": return person.map { "\(name)=\(String(cString: $0.pointee.pw_name))" }
            default: break
            }
            let kind = name.starts(withBytesOf: "LC_") ? .word : values[name]
            return kind.map { isAllowed(value, $0, of: name) } ?? false ? variable : nil
        }
    }

    private static func isAllowed(_ value: String, _ kind: Value, of name: String) -> Bool {
        switch kind {
        case .number: return (1...5).contains(value.utf8.count) && value.utf8.allSatisfy(isDigit)
        case .word:
            return value.utf8.count <= 64
                && value.utf8.allSatisfy { isDigit($0) || isLetter($0) || "._+@:-".utf8.contains($0) }
        case .place:
            // Other addresses of a bus can start a program. Some names of time zones are paths of files.
            switch name {
            case "DBUS_SESSION_BUS_ADDRESS":
                return value.parts(between: ";").allSatisfy { $0.starts(withBytesOf: "unix:") }
            case "TZ":
                return !value.starts(withBytesOf: "/") && !value.starts(withBytesOf: ":")
                    && !value.parts(between: "/").contains("..")
            default: return true
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func path(_ searchPath: String) -> String {
        let folders = RootOnly.folders(of: searchPath)
        return folders.isEmpty ? systemPath : folders.joined(separator: ":")
    }
}
