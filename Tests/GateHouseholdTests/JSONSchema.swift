import Foundation
import Testing

/// The part of JSON Schema that docs/household.schema.json uses.
struct JSONSchema {
    private let rules: [String: Any]

    /// The schema of one kind of message.
    static func of(_ kind: String) throws -> JSONSchema {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appendingPathComponent("docs/household.schema.json"))
        let page = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let kinds = try #require(page["$defs"] as? [String: [String: Any]])
        return JSONSchema(rules: try #require(kinds[kind]))
    }

    /// The paths of values that don't match the schema.
    func faults(of json: [UInt8]) throws -> [String] {
        try faults(of: JSONSerialization.jsonObject(with: Data(json)), rules, at: "")
    }

    private func faults(of value: Any, _ rules: [String: Any], at path: String) throws -> [String] {
        for (rule, wanted) in rules
        where !["description", "properties", "required", "items", "additionalProperties"].contains(rule) {
            guard try isRight(value, rule, wanted) else { return [path] }
        }
        if let list = value as? [Any] {
            let items = try #require(rules["items"] as? [String: Any])
            return try list.enumerated().flatMap { try faults(of: $1, items, at: "\(path)[\($0)]") }
        }
        guard let object = value as? [String: Any] else { return [] }
        if let all = rules["additionalProperties"] as? [String: Any] {
            return try object.flatMap { try faults(of: $1, all, at: "\(path).\($0)") }
        }
        let properties = try #require(rules["properties"] as? [String: [String: Any]])
        let required = try #require(rules["required"] as? [String])
        try #require(Set(required).isSubset(of: properties.keys))
        return required.filter { object[$0] == nil }.map { "\(path).\($0)" }
            + object.keys.filter { properties[$0] == nil }.map { "\(path).\($0)" }
            + (try properties.flatMap { key, rules in
                try object[key].map { try faults(of: $0, rules, at: "\(path).\(key)") } ?? []
            })
    }

    private func isRight(_ value: Any, _ rule: String, _ wanted: Any) throws -> Bool {
        switch rule {
        case "type":
            let types = try wanted as? [String] ?? [#require(wanted as? String)]
            return types.contains(type(of: value))
        case "const": return (value as? Int) == (try #require(wanted as? Int))
        case "enum":
            let words = try #require(wanted as? [String])
            return (value as? String).map(words.contains) ?? false
        case "pattern":
            let pattern = try Regex(try #require(wanted as? String))
            return (value as? String).map { $0.wholeMatch(of: pattern) != nil } ?? true
        case "minimum":
            let least = try #require(wanted as? Int)
            return (value as? Int).map { $0 >= least } ?? true
        case "minLength":
            let least = try #require(wanted as? Int)
            return (value as? String).map { $0.count >= least } ?? true
        case "maxLength":
            let most = try #require(wanted as? Int)
            return (value as? String).map { $0.count <= most } ?? true
        default:
            Issue.record("'\(rule)' is not tried")
            return false
        }
    }

    private func type(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is String: "string"
        case let number as NSNumber where isBoolean(number): "boolean"
        case is Int: "integer"
        case is [Any]: "array"
        case is [String: Any]: "object"
        default: "other"
        }
    }

    /// On Linux a number of JSON that is true or false says so by its type.
    private func isBoolean(_ number: NSNumber) -> Bool {
        String(cString: number.objCType) == "c"
    }
}
