import GateModel

/// The name of an app, as it stands in a gated action (`app.NAME`): the id of its menu entry, or the file name of a
/// program that has no entry, made to fit the names of gated actions.
enum AppName {
    static let actionPrefix = "app."

    /// The group database takes names of at most this many bytes.
    private static let maximumGroupBytes = 32
    private static let groupPrefix = "gate-app-"

    /// Lower case, with `-` in place of every character outside a-z, 0-9, `.` and `-`; `nil` if no gated action can
    /// have that name.
    static func of(_ id: String) -> String? {
        let name = String(
            decoding: id.utf8.map { byte -> UInt8 in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"):
                    byte
                default: UInt8(ascii: "-")
                }
            }, as: UTF8.self)
        return isName(name) ? name : nil
    }

    static func isName(_ name: String) -> Bool { (actionPrefix + name).isDottedName }

    /// The name in a gated action; `nil` if the action guards no app.
    static func ofAction(_ action: String) -> String? {
        action.starts(withBytesOf: actionPrefix) ? String(action.dropFirst(actionPrefix.count)) : nil
    }

    /// The system group of an app. A name that is too long is cut, and gets a hash of the whole name.
    static func group(of name: String) -> String {
        let whole = groupPrefix + name
        guard whole.utf8.count > maximumGroupBytes else { return whole }
        let hash = String(fnv(name), radix: 16)
        return "\(whole.prefix(maximumGroupBytes - 9))-\(String(repeating: "0", count: 8 - hash.count))\(hash)"
    }

    static func isGroup(_ group: String) -> Bool { group.starts(withBytesOf: groupPrefix) }

    /// The 32-bit FNV-1a hash. It keeps names apart, and protects nothing.
    private static func fnv(_ text: String) -> UInt32 {
        text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
