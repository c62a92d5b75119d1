package import GateModel

extension Policy {
    /// The lines of `description`, each with the places where its settings were written, and then the mistakes of
    /// broken files.
    package var linesWithOrigins: [String] {
        description.map(withOrigins) + broken.flatMap(\.lines).map { "mistake: \($0)" }
    }

    /// Adds to a line of `description`, or of the description of roles, the places of the settings that it is about.
    package func withOrigins(_ line: String) -> String {
        guard let settings = Self.settings(of: line) else { return line }
        let found = origins.filter { setting, _ in
            settings.hasSuffix(".") ? setting.hasPrefix(settings) : setting == settings
        }.map(\.value)
        guard !found.isEmpty else { return "\(line) [built in]" }
        let files = Dictionary(grouping: found, by: \.file).sorted {
            ($1.value[0].layer.rank, $0.key) < ($0.value[0].layer.rank, $1.key)
        }
        let places = files.map { file, origins in
            let lines = Set(origins.compactMap(\.line)).sorted().map(String.init)
            return lines.isEmpty ? file : "\(file):\(lines.joined(separator: ","))"
        }
        return "\(line) [\(places.joined(separator: "; "))]"
    }

    /// The setting that a line is about, like "gated-actions.link.open"; one that ends with a dot stands for all that
    /// begin so, like "mode.". `nil` for a line that is about no setting.
    private static func settings(of line: String) -> String? {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count > 1 else { return nil }
        switch words[0] {
        case "mode:", "lockout:", "sign-in:", "paywall:": return "\(words[0].dropLast())."
        case "browser:": return words[1] == "none" ? nil : "browser"
        case "entitlement": return "entitlements.\(words[1])"
        case "gated" where words.count > 2 && words[1] == "action": return "gated-actions.\(words[2])"
        case "role" where words[1] != "app:": return "roles.\(words[1].dropLast())."
        default: return nil
        }
    }
}

extension PolicyOrigin {
    package static func ofGate(_ name: String, in policy: Policy) -> PolicyOrigin? {
        policy.configuration.gatedActions[name] == nil ? nil : policy.origins["gated-actions.\(name)"]
    }
}
