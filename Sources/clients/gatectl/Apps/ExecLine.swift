import GateModel

/// The command line of a menu entry (its key Exec): words, with double quotes around those that have spaces, and field
/// codes like `%U` for what the desktop fills in.
struct ExecLine: Hashable {
    /// Without field codes.
    let words: [String]

    /// - Parameter line: without the escapes of the file. `nil` if it has no word, or a quotation mark is not closed.
    init?(_ line: String) {
        var words: [String] = []
        var word: [UInt8]?
        var (isQuoted, isEscaped) = (false, false)
        for byte in line.utf8 {
            if isEscaped {
                // Within quotation marks, only these are escaped; before any other character the backslash stays.
                if !"\"`$\\".utf8.contains(byte) { word?.append(UInt8(ascii: "\\")) }
                word?.append(byte)
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                word = word ?? []
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: " ") where !isQuoted, UInt8(ascii: "\t") where !isQuoted:
                if let whole = word { words.append(String(decoding: whole, as: UTF8.self)) }
                word = nil
            default: word = (word ?? []) + [byte]
            }
        }
        guard !isQuoted, !isEscaped else { return nil }
        if let whole = word { words.append(String(decoding: whole, as: UTF8.self)) }
        self.words = words.compactMap(Self.withoutCodes)
        guard let first = self.words.first, !first.isEmpty else { return nil }
    }

    /// `nil` if nothing is left but the name of an option, like `--url=`.
    private static func withoutCodes(_ word: String) -> String? {
        var (bytes, isCode, hadCode): ([UInt8], Bool, Bool) = ([], false, false)
        for byte in word.utf8 {
            if isCode {
                if byte == UInt8(ascii: "%") { bytes.append(byte) } else { hadCode = true }
                isCode = false
            } else if byte == UInt8(ascii: "%") {
                isCode = true
            } else {
                bytes.append(byte)
            }
        }
        if hadCode, bytes.isEmpty || bytes.last == UInt8(ascii: "=") { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The file that a command line runs as the app's own program: not `env`, a shell or an interpreter, but what those
/// start or read.
enum ExecTarget: Hashable {
    case program(String)
    /// A file that an interpreter reads.
    case readFile(String)
    /// A tool for apps that are not files of packages, like `flatpak`.
    case sandbox(String)
    case unknown

    private static let shells: Set<String> = ["sh", "bash", "dash", "ksh", "zsh"]
    /// Start the words behind them.
    private static let starters: Set<String> = ["nice", "nohup", "setsid", "gamemoderun", "exec", "command"]
    private static let interpreters: Set<String> = [
        "python", "pypy", "perl", "ruby", "lua", "luajit", "node", "nodejs", "java", "love", "mono", "wine", "wish",
        "tclsh", "gjs", "gjs-console", "guile", "php", "gambas", "gbr", "scummvm", "dosbox", "solarus-run", "qml",
        "xdg-open",
    ]

    init(_ words: [String], depth: Int = 6) {
        guard depth > 0, let first = words.first, let name = first.lastPathPart else {
            self = .unknown
            return
        }
        let rest = Array(words.dropFirst())
        switch Self.withoutVersion(name) {
        case "env": self.init(Self.afterEnvironment(rest), depth: depth - 1)
        case let name where Self.starters.contains(name):
            self.init(Array(rest.drop { $0.starts(withBytesOf: "-") || Int($0) != nil }), depth: depth - 1)
        case let name where Self.shells.contains(name):
            if let place = rest.firstIndex(of: "-c"), place + 1 < rest.count {
                self.init(Self.command(rest[place + 1]), depth: depth - 1)
            } else {
                self = rest.first { !$0.starts(withBytesOf: "-") }.map { .readFile($0) } ?? .program(first)
            }
        case "flatpak", "snap": self = .sandbox(name)
        case let name where Self.interpreters.contains(name):
            self = rest.first(where: \.isAbsolutePath).map { .readFile($0) } ?? .unknown
        default: self = .program(first)
        }
    }

    /// `python3.11` is python.
    private static func withoutVersion(_ name: String) -> String {
        let bytes = name.utf8
        guard let last = bytes.lastIndex(where: { !(0x30...0x39).contains($0) && $0 != 0x2e && $0 != 0x2d }) else {
            return name
        }
        let base = String(decoding: bytes[...last], as: UTF8.self)
        return interpreters.contains(base) ? base : name
    }

    private static func afterEnvironment(_ words: [String]) -> [String] {
        var rest = words[...]
        while let word = rest.first {
            if word == "-u" || word == "-C" {
                rest = rest.dropFirst(2)
            } else if word.starts(withBytesOf: "-") || word.hasByte("=") {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return Array(rest)
    }

    /// The words of the last simple command in a shell's text: `cd /usr/share/foo && exec ./foo "$@"`.
    private static func command(_ text: String) -> [String] {
        var words: [String] = []
        for word in text.split(whereSeparator: { " \t\n".contains($0) }) {
            if ["&&", "||", ";", "|"].contains(word) {
                words = []
            } else if !(words.isEmpty && word.contains("=")) {
                words.append(word.filter { !"\"';".contains($0) })
                if word.hasSuffix(";") { words = [] }
            }
        }
        return words
    }
}
