package enum JSONString {
    /// The text as a JSON string, with quotation marks. Besides what JSON requires, DEL and the control characters of
    /// C1 are escaped, because terminals obey them.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": quoted += escaped(UInt16(scalar.value))
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// One UTF-16 code unit as JSON escapes it, like `\u202e`.
    package static func escaped(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// JSON that is put together from JSON.
package enum JSONText {
    /// The value is JSON; `nil`: the field is left out.
    package typealias Field = (name: String, json: String?)

    package static func object(_ fields: [Field]) -> String {
        let given = fields.compactMap { name, json in json.map { "\(JSONString.quoted(name)):\($0)" } }
        return "{\(given.joined(separator: ","))}"
    }

    /// The elements are JSON.
    package static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }
}
