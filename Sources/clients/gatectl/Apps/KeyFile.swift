import GateModel

/// A file of groups with keys and values, as the Desktop Entry Specification describes it. D-Bus has its service files
/// in the same form. Lines stay as they are, so that a rewritten file differs only where it has to.
struct KeyFile {
    struct Line {
        let text: String
        /// The group that the line is in, or that it begins; `nil` before the first group.
        let group: String?
        /// `nil` if the line is a comment, empty, the head of a group, or not understood.
        let key: String?
        /// As it is written, with its escapes.
        let value: String
        var isHead: Bool { key == nil && text.starts(withBytesOf: "[") && group != nil }
    }

    let lines: [Line]

    init(_ text: String) {
        var group: String?
        lines = text.parts(between: "\n").map { raw in
            let text = raw.ends(withBytesOf: "\r") ? String(raw.dropLast()) : raw
            if text.starts(withBytesOf: "["), let end = text.utf8.lastIndex(of: UInt8(ascii: "]")) {
                group = String(decoding: text.utf8[..<end].dropFirst(), as: UTF8.self)
                return Line(text: text, group: group, key: nil, value: "")
            }
            guard group != nil, !text.starts(withBytesOf: "#"), let (key, value) = text.cut(atFirst: "=") else {
                return Line(text: text, group: group, key: nil, value: "")
            }
            return Line(text: text, group: group, key: Self.trimmed(key), value: Self.trimmed(value))
        }
    }

    /// The first value of the key in the group, as it is written.
    func raw(_ key: String, in group: String) -> String? {
        lines.first { $0.group == group && $0.key == key }?.value
    }

    func value(_ key: String, in group: String) -> String? { raw(key, in: group).map(Self.unescaped) }

    func isTrue(_ key: String, in group: String) -> Bool { raw(key, in: group) == "true" }

    /// A list of values that are divided by semicolons.
    func list(_ key: String, in group: String) -> [String] {
        (raw(key, in: group) ?? "").parts(between: ";").filter { !$0.isEmpty }.map(Self.unescaped)
    }

    /// The value of a key in all its languages (`Name[pt_BR]=…`).
    func localized(_ key: String, in group: String) -> LocalizedText? {
        guard let text = value(key, in: group) else { return nil }
        var languages: Set<String> = []
        let translations = lines.compactMap { line -> LocalizedText.Translation? in
            guard line.group == group, let name = line.key, name.starts(withBytesOf: key + "["),
                name.ends(withBytesOf: "]")
            else { return nil }
            let language = Self.tag(String(name.dropFirst(key.count + 1).dropLast()))
            guard languages.insert(language).inserted else { return nil }
            return LocalizedText.Translation(language: language, text: Self.unescaped(line.value))
        }
        return LocalizedText(text, translations)
    }

    /// A locale of these files, like `sr_RS@latin`, as a tag like `sr-Latn-RS`. Other modifiers are left out.
    private static func tag(_ locale: String) -> String {
        let modifier = locale.cut(atFirst: "@")
        let name = (modifier?.before ?? locale).cut(atFirst: ".")?.before ?? modifier?.before ?? locale
        var parts = name.parts(between: "_")
        switch modifier?.after {
        case "latin", "Latn": parts.insert("Latn", at: min(1, parts.count))
        case "cyrillic", "Cyrl": parts.insert("Cyrl", at: min(1, parts.count))
        default: break
        }
        return parts.joined(separator: "-")
    }

    /// Takes the escapes `\s`, `\n`, `\t`, `\r` and `\\` back. Others stay, since Exec has escapes of its own.
    static func unescaped(_ value: String) -> String {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in value.utf8 {
            guard isEscaped else {
                if byte == UInt8(ascii: "\\") { isEscaped = true } else { bytes.append(byte) }
                continue
            }
            isEscaped = false
            switch byte {
            case UInt8(ascii: "s"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            default: bytes += [UInt8(ascii: "\\"), byte]
            }
        }
        if isEscaped { bytes.append(UInt8(ascii: "\\")) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let rest = text.utf8.drop(while: isSpace)
        guard let end = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: rest[...end], as: UTF8.self)
    }

    /// The text with each line of a group whose name fits replaced by what `change` returns: another line, or `nil` to
    /// leave it out. `added` comes right behind the head of `group`.
    func rewritten(adding added: [String], to group: String, _ change: (Line) -> String?) -> String {
        var isAdded = false
        return lines.flatMap { line -> [String] in
            if line.isHead, line.group == group, !isAdded {
                isAdded = true
                return [line.text] + added
            }
            return change(line).map { [$0] } ?? []
        }.joined(separator: "\n")
    }
}
