import GateModel

/// JSON that does not come from a message's descriptor.
extension JSONText {
    /// `{"error":{"code":"FAILED_PRECONDITION","reason":"REASON_WRONG_ANSWER","message":"…"}}`. Durations are strings,
    /// as in proto3 JSON. If there are issues, "issues" has them with the fields of `gate.v1.Issue`.
    static func object(of error: GateError) -> String {
        "{\"error\":\(fields(of: error))}"
    }

    static func fields(of error: GateError) -> String {
        var text =
            "{\"code\":\(JSONString.quoted(name(of: error.code))),\"reason\":\(JSONString.quoted(name(of: error.reason)))"
        text += ",\"message\":\(JSONString.quoted(error.message))"
        if let retryAfter = error.retryAfter {
            text += ",\"retryAfterMilliseconds\":\"\(retryAfter.millisecondsRoundedUp)\""
        }
        let issues = error.issues.compactMap { try? $0.json() }
        if !issues.isEmpty { text += ",\"issues\":[\(issues.joined(separator: ","))]" }
        return text + "}"
    }

    /// The object with one more field at its beginning.
    static func adding(_ key: String, _ value: String, to object: String) -> String {
        let rest = object.dropFirst()
        return "{\(JSONString.quoted(key)):\(JSONString.quoted(value))\(rest == "}" ? "" : ",")\(rest)"
    }

    /// The object with one more field at its end. `value` is JSON.
    static func appending(_ key: String, json value: String, to object: String) -> String {
        let rest = object.dropLast()
        return "\(rest)\(rest == "{" ? "" : ",")\(JSONString.quoted(key)):\(value)}"
    }

    /// Makes JSON safe for a terminal: it gets one line, and characters that can't be seen, or would change how others
    /// are seen, become \uXXXX. That keeps its meaning, since such characters can stand only in strings, except tabs
    /// and line ends, which become spaces.
    static func printable(_ json: String) -> String {
        var printable = ""
        printable.reserveCapacity(json.utf8.count)
        for element in json.shownScalars {
            switch element.scalar {
            case _ where element.isShown: printable.unicodeScalars.append(element.scalar)
            case "\n", "\r", "\t": printable += " "
            case let scalar:
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    printable += JSONString.escaped(unit)
                }
            }
        }
        return printable
    }

    static func name(of code: GateError.Code) -> String {
        upperSnake("\(code)")
    }

    /// The name of a reason in common.proto. The cases have the same names in camel case.
    static func name(of reason: GateError.Reason) -> String {
        "REASON_" + upperSnake("\(reason)")
    }

    private static func upperSnake(_ camelCase: String) -> String {
        camelCase.reduce(into: "") { name, character in
            if character.isUppercase { name += "_" }
            name += character.uppercased()
        }
    }
}
