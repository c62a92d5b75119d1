import GateModel

/// Reads `roles`: who holds which role. A list that is not given keeps its built-in value.
extension PolicyDraft {
    mutating func readRoles(_ node: PolicyNode) {
        let keys = [
            "administrator", "presenter", "grown-up-presenter", "provider", "broker", "household", "timekeeper",
        ]
        guard let fields = PolicyFields(node, of: "'roles'", keys: keys, &problems) else { return }
        readRole(fields, "administrator", \.administrators)
        readRole(fields, "presenter", \.presenters)
        readRole(fields, "grown-up-presenter", \.grownUpPresenters)
        readRole(fields, "provider", \.providers)
        readRole(fields, "broker", \.brokers)
        readRole(fields, "household", \.households)
        readRole(fields, "timekeeper", \.timekeepers)
    }

    private mutating func readRole(
        _ roles: PolicyFields, _ role: String, _ path: WritableKeyPath<RolePolicy, Principals>
    ) {
        guard let node = roles.value(role),
            let fields = PolicyFields(node, of: "a role", keys: ["users", "groups"], &problems)
        else { return }
        if let names = names(fields, role, "users") { self.roles[keyPath: path].users = names }
        if let names = names(fields, role, "groups") { self.roles[keyPath: path].groups = names }
    }

    private mutating func names(_ fields: PolicyFields, _ role: String, _ key: String) -> [String]? {
        guard let value = fields.value(key), isFirst("roles.\(role).\(key)", at: value.place),
            let list = value.list(of: key, atMost: PolicyLimits.principals, &problems)
        else { return nil }
        var names: [String] = []
        for node in list {
            guard let name = node.text, Self.isPrincipal(name) else {
                problems.add(
                    "'\(key)' are names or numbers as in /etc/\(key == "users" ? "passwd" : "group"), not \(node.found).",
                    kind: .value, at: node.place)
                continue
            }
            names.append(name)
        }
        return names
    }

    /// Whether this can be a name that useradd or a directory service gives. The check is not strict.
    private static func isPrincipal(_ name: String) -> Bool {
        name.count <= PolicyLimits.nameLength && !name.hasPrefix("-")
            && name.allSatisfy { $0.isLetter || $0.isNumber || "._-@+$\\".contains($0) } && !name.isEmpty
    }
}
