import GateModel
import Glibc

/// The environment of a command that a question has shown. Variables, which the question does not show, can make a
/// program load other code. So only those that are known to be harmless are passed on, in the form that they usually
/// have: a shell that calculates with `x[$(command)]` runs the command.
enum RunEnvironment {
    /// The form that the value of a variable must have. A variable with any other value is not passed on.
    private enum Value {
        case number
        /// Letters, digits and a few marks, but no slash, so that it can't lead to a file elsewhere.
        case word
        case path
        /// An X11 display, `:0` or `host:10.0`.
        case display
        /// The name of a Wayland socket, or its path.
        case waylandDisplay
        /// The number of a login session, `3` or `c3`.
        case session
        /// Addresses of a D-Bus. Those that start a program are refused.
        case bus
        /// The address of a sound server.
        case sound
    }

    /// What a program needs to reach the person's screen, sound and language. The time zone (`TZ`) is not among it:
    /// with it a script of root's would see another time of day than the device's.
    private static let values: [String: Value] = [
        "COLUMNS": .number, "LINES": .number, "XDG_VTNR": .number, "COLORTERM": .word, "NO_COLOR": .word,
        "LANG": .word, "LANGUAGE": .word, "XDG_SESSION_TYPE": .word, "XDG_SESSION_CLASS": .word,
        "XDG_SESSION_DESKTOP": .word, "XDG_SESSION_ID": .session, "XDG_CURRENT_DESKTOP": .word, "XDG_SEAT": .word,
        "DESKTOP_SESSION": .word, "DISPLAY": .display, "WAYLAND_DISPLAY": .waylandDisplay, "XAUTHORITY": .path,
        "XDG_RUNTIME_DIR": .path, "DBUS_SESSION_BUS_ADDRESS": .bus, "PULSE_SERVER": .sound, "GATE_SOCKET": .path,
    ]

    /// Always in PATH, as far as root alone can change them.
    private static let systemPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"

    private static let terminalFolders = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]

    /// Variables are NAME=VALUE. Returns those to pass on, each name once, and always a PATH. The names and the home
    /// folder of the user come from the user database.
    static func cleared(_ variables: [String]) -> [String] {
        var known: Set<String> = []
        let person = getpwuid(getuid())
        let kept = variables.flatMap { variable -> [String] in
            guard let (name, value) = variable.cut(atFirst: "="), name.utf8.allSatisfy({ $0 < 0x80 }),
                known.insert(name).inserted
            else { return [] }
            switch name {
            case "PATH": return ["PATH=\(path(value))"]
            case "HOME": return person.map { ["HOME=\(String(cString: $0.pointee.pw_dir))"] } ?? []
            case "USER", "LOGNAME": return person.map { ["\(name)=\(String(cString: $0.pointee.pw_name))"] } ?? []
            case "TERM": return terminal(value)
            default: return kind(of: name).map { isAllowed(value, $0) } ?? false ? [variable] : []
            }
        }
        return known.contains("PATH") ? kept : kept + ["PATH=\(path(""))"]
    }

    /// The folders to look for programs in: the system's, then those of `searchPath` that only root can change. In this
    /// order nobody can hide a program of the system from a script, or put another one in its place.
    static func path(_ searchPath: String) -> String {
        var known: Set<String> = []
        let folders = RootOnly.folders(of: "\(systemPath):\(searchPath)").filter { known.insert($0).inserted }
        return folders.isEmpty ? systemPath : folders.joined(separator: ":")
    }

    /// A terminal that the system describes. The folder goes along, because programs read a person's own description
    /// (`~/.terminfo`) before the system's otherwise, and a description can hold the name of a program to start.
    private static func terminal(_ name: String) -> [String] {
        guard let first = name.utf8.first, isWord(name, with: "._+-") else { return [] }
        // A file system that ignores case has a folder for each code in place of each letter.
        let places = [String(decoding: [first], as: UTF8.self), String(first, radix: 16)]
        let folder = terminalFolders.first { folder in
            places.contains { RootOnly.holds("\(folder)/\($0)/\(name)") }
        }
        return folder.map { ["TERM=\(name)", "TERMINFO=\($0)"] } ?? []
    }

    // MARK: - Forms

    private static func kind(of name: String) -> Value? {
        guard name.starts(withBytesOf: "LC_") else { return values[name] }
        return name.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_") }
            ? .word : nil
    }

    private static func isAllowed(_ value: String, _ kind: Value) -> Bool {
        switch kind {
        case .number: isNumber(value)
        case .word: value.utf8.count <= 64 && value.parts(between: ":").allSatisfy { $0.isEmpty || isWord($0) }
        case .path: isPath(value)
        case .display: isDisplay(value)
        case .waylandDisplay: isWord(value) || isPath(value)
        case .session: isNumber(value.starts(withBytesOf: "c") ? String(value.dropFirst()) : value)
        case .bus:
            value.parts(between: ";").allSatisfy { $0.starts(withBytesOf: "unix:") && has($0, only: "/._+@-:=,%") }
        case .sound:
            isPath(value)
                || (["unix:/", "tcp:"].contains { value.starts(withBytesOf: $0) } && has(value, only: "/._+@-:"))
        }
    }

    private static func isDisplay(_ value: String) -> Bool {
        guard let (host, number) = value.cut(atLast: ":"), host.isEmpty || isWord(host, with: "._-") else {
            return false
        }
        let numbers = number.parts(between: ".")
        return numbers.count <= 2 && numbers.allSatisfy(isNumber)
    }

    private static func isPath(_ value: String) -> Bool { value.isAbsolutePath && has(value, only: "/._+@-") }

    private static func isNumber(_ value: String) -> Bool {
        (1...5).contains(value.utf8.count) && value.utf8.allSatisfy(isDigit)
    }

    /// Begins with a letter or a digit: neither an option nor `..`.
    private static func isWord(_ value: String, with marks: String = "._+@-") -> Bool {
        guard let first = value.utf8.first, isDigit(first) || isLetter(first) else { return false }
        return has(value, only: marks)
    }

    private static func has(_ value: String, only marks: String) -> Bool {
        value.utf8.allSatisfy { isDigit($0) || isLetter($0) || marks.utf8.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
