import GateModel
import Glibc

/// The browsers among the desktop entries of installed packages (freedesktop.org's Desktop Entry Specification).
struct DesktopBrowsers {
    /// Folders of desktop entries; the user's own comes first.
    var folders: [String]
    /// The entry of the desktop's default browser, like "netsurf-gtk.desktop"; `nil` if there is none.
    var chosen: String?

    static func ofSession() -> DesktopBrowsers {
        func value(_ name: String) -> String? {
            guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
            return value
        }
        let own = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
        let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").parts(between: ":")
        let chosen = Program.output(of: ["xdg-mime", "query", "default", "x-scheme-handler/https"])
        return DesktopBrowsers(
            folders: ([own].compactMap(\.self) + shared).filter(\.isAbsolutePath).map { "\($0)/applications" },
            chosen: chosen?.split(separator: "\n").first.map(String.init))
    }

    /// The default browser's command, then the others. Any entry hides those with its name in later folders.
    var commands: [DesktopCommand] {
        var known: Set<String> = []
        var entries: [(name: String, command: DesktopCommand)] = []
        for folder in folders {
            for name in Self.names(in: folder).sorted() where known.insert(name).inserted {
                guard let text = Self.text(of: "\(folder)/\(name)"), let command = DesktopCommand(ofBrowser: text)
                else {
                    continue
                }
                entries.append((name, command))
            }
        }
        let (first, rest) = (entries.filter { $0.name == chosen }, entries.filter { $0.name != chosen })
        return (first + rest).map(\.command)
    }

    /// The most entries that are read from a folder, which a user may fill at will.
    private static let maximumCount = 4096

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < maximumCount, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".desktop") { names.append(name) }
        }
        return names
    }

    /// The most bytes that are read of an entry. The largest have names in a hundred languages.
    private static let maximumByteCount = 256 << 10

    private static func text(of path: String) -> String? {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumByteCount)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
            guard more > 0 else { break }
            count += more
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// The command line of a desktop entry, with fields for what it is to open.
struct DesktopCommand: Hashable {
    /// The program, then its arguments with field codes such as `%u`.
    private let words: [String]

    /// `nil` if the entry is not a browser's, runs in a terminal, or has no command that can be used.
    init?(ofBrowser entry: String) {
        let values = Self.values(of: entry)
        func list(_ key: String) -> [String] { (values[key] ?? "").parts(between: ";") }
        guard values["Type"] == "Application", values["Hidden"] != "true", values["Terminal"] != "true",
            list("Categories").contains("WebBrowser") || list("MimeType").contains(where: Self.links.contains),
            let words = values["Exec"].flatMap(Self.words), !words.isEmpty,
            !words.contains(where: Self.isScriptWithLink)
        else { return nil }
        self.words = words
    }

    /// Whether the link would become part of a longer text, like a shell script, which could run an address as a
    /// command. The specification forbids that too.
    private static func isScriptWithLink(_ word: String) -> Bool {
        ["%u", "%U", "%f", "%F"].contains(where: word.contains) && word.contains { " \t\n\"'`;&|$()<>".contains($0) }
    }

    private static let links = ["x-scheme-handler/https", "x-scheme-handler/http"]

    var program: String { words[0] }

    /// Whether any word, like the last of `env NAME=value xdg-open`, is one of these programs.
    func leads(to programs: Set<String>) -> Bool {
        words.contains { word in programs.contains(word.lastPathPart ?? word) }
    }

    /// The arguments, with the link in its field, or at the end if there is none.
    func arguments(for link: String) -> [String] {
        var hasLink = false
        var arguments: [String] = []
        for word in words.dropFirst() {
            var argument = ""
            var isField = false
            var isLeftOut = false
            for character in word {
                switch (isField, character) {
                case (false, "%"): isField = true
                case (false, _): argument.append(character)
                case (true, "%"): (argument, isField) = (argument + "%", false)
                case (true, "u"), (true, "U"), (true, "f"), (true, "F"):
                    (argument, isField, hasLink) = (argument + link, false, true)
                // Other fields, such as an icon or a name, are left empty.
                case (true, _): (isField, isLeftOut) = (false, true)
                }
            }
            if !argument.isEmpty || !isLeftOut { arguments.append(argument) }
        }
        return hasLink ? arguments : arguments + [link]
    }

    /// The values of the group `[Desktop Entry]`. The first line of a key counts.
    private static func values(of entry: String) -> [String: String] {
        var values: [String: String] = [:]
        var isInside = false
        for line in entry.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isInside = line.prefix { !$0.isWhitespace || $0 == " " } == "[Desktop Entry]"
            } else if isInside, !line.hasPrefix("#"), let place = line.firstIndex(of: "=") {
                let key = line[..<place].filter { !$0.isWhitespace }
                values[key] = values[key] ?? String(line[line.index(after: place)...].drop(while: \.isWhitespace))
            }
        }
        return values
    }

    /// Splits a command line. Between quotation marks, blanks belong to the word, and a backslash escapes the next
    /// character. `nil` if a quotation mark is missing.
    private static func words(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var characters = unescaped(line).makeIterator()
        while let character = characters.next() {
            switch character {
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case "\\" where isQuoted:
                guard let next = characters.next() else { return nil }
                word = (word ?? "") + String(next)
            case " " where !isQuoted:
                if let word { words.append(word) }
                word = nil
            case _: word = (word ?? "") + String(character)
            }
        }
        return isQuoted ? nil : words + [word].compactMap(\.self)
    }

    /// Resolves the escapes that every string of an entry may have.
    private static func unescaped(_ value: String) -> String {
        var text = ""
        var characters = value.makeIterator()
        while let character = characters.next() {
            guard character == "\\", let next = characters.next() else {
                text.append(character)
                continue
            }
            switch next {
            case "s": text.append(" ")
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "\\": text.append("\\")
            case _: text += "\\\(next)"
            }
        }
        return text
    }
}
