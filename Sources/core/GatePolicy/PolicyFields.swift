import GateModel

/// A mapping whose keys are known in advance.
struct PolicyFields {
    let place: PolicyNode.Place
    private let values: [String: PolicyNode]

    /// Reports every unknown key. Reports and returns `nil` if the node is not a mapping. `what` is for messages, like
    /// "a gated action". `elsewhere`: keys of another file, with its name. `isOther`: whether other code reads the key.
    init?(
        _ node: PolicyNode, of what: String, keys: [String], elsewhere: [String: String] = [:],
        except isOther: (String) -> Bool = { _ in false }, _ problems: inout PolicyProblems
    ) {
        guard case .mapping(let entries) = node.content else {
            problems.add(
                "Write the keys of \(what) here (\(keys.joined(separator: ", "))), not \(node.found).",
                kind: .structure,
                at: node.place)
            return nil
        }
        for entry in entries where !keys.contains(entry.key) && !isOther(entry.key) {
            if let file = elsewhere[entry.key] {
                problems.add(
                    "'\(entry.key)' belongs in \(file). Move it there.", kind: .structure, at: entry.keyPlace)
            } else {
                problems.addUnknown(entry.key, "key of \(what)", among: keys, at: entry.keyPlace)
            }
        }
        place = node.place
        values = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
    }

    func value(_ key: String) -> PolicyNode? { values[key] }

    /// `nil` also if the section is empty, as it is after everything in it was commented out.
    func section(_ key: String) -> PolicyNode? { values[key].flatMap { $0.isNothing ? nil : $0 } }

    func value(needed key: String, _ what: String, _ problems: inout PolicyProblems) -> PolicyNode? {
        if let value = values[key] { return value }
        problems.add("\(what) needs '\(key)'.", kind: .required, parameters: ["key": key], at: place)
        return nil
    }
}
