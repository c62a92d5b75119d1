import GateScripting

/// Configuration files to be broken: the examples, with and without what is commented out in them, and what they leave
/// out.
enum PolicySamples {
    static let policies =
        RepositoryFolder.files("examples/device", endingIn: "policy.yaml").flatMap(variants)
        + RepositoryFolder.files("examples/device/questions.d", endingIn: ".yaml").flatMap(variants) + [
            Array(requirements.utf8)
        ]
    static let providers =
        RepositoryFolder.files("examples/device", endingIn: "providers.yaml").flatMap(variants) + [
            Array(sellers.utf8)
        ]
    static let households = RepositoryFolder.files("examples/device", endingIn: "household.yaml").flatMap(variants)
    static let forms = RepositoryFolder.files("examples/device/questionnaires.d", endingIn: ".yaml").flatMap(variants)
    static let releaseNotes = RepositoryFolder.files("examples/device/release-notes.d", endingIn: ".yaml")
        .flatMap(variants)

    private static let requirements = """
        mode: {challenge: {kind: arithmetic-entry, difficulty: hard}, lease: 15m, maximum-lease: 1h, answer-time: 60s, style: sheet}
        lockout: {after: 3, for: 30s, factor: 2, max: 1h}
        roles: {presenter: {groups: [gate-presenter, 44]}, provider: {users: [1000, "anna"]}}
        sign-in: {required: true, session: 720h}
        entitlements: {premium: {title: Premium}}
        gated-actions:
          link.open:
            title: Open a web page
            requires: {challenge: {ages: {0-8: arithmetic-choice, 9-11: arithmetic-entry, 12+: passcode}}}
            keep: 5m
          a.b:
            title: "A\\u00e9"
            requires: {all: [signed-in, {entitlement: premium}, {any: [{mode: parent}, {challenge: totp}]}]}
          hold.it: {title: Hold, requires: {challenge: {kind: hold, hold: 3s}}, style: full-screen-cover}
        questions:
          - id: q
            difficulty: medium
            en: {question: Q?, right: a, wrong: [b, c, d]}
            de: {question: F?, right: x, wrong: [y, z, u]}

        """

    private static let sellers = """
        storekit:
          bundle-ids: [com.example.gate]
          roots: [roots/AppleRootCA-G3.cer]
          environments: [Production, Sandbox]
          products: {gate.premium: premium}
        revenuecat:
          public-key: appl_x
          root-key: UC1upXWg5QVmyOSwozp755xLqquBKjjU+di6U8QhMlM=
          unsigned: accepted
          url: https://api.example.org:8443/a
          poll: 1h30m
          users: {"anna-17": {account: anna}, f: device}
          entitlements: {pro: premium}

        """

    /// The file as it is, without comments, and with the commented-out settings in use.
    private static func variants(_ file: [UInt8]) -> [[UInt8]] {
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let isComment = { (line: Substring) in line.drop { $0 == " " }.hasPrefix("#") }
        let uncommented = lines.compactMap { line -> Substring? in
            guard isComment(line) else { return line }
            let indent = line.prefix { $0 == " " }
            let setting = line.drop { $0 == " " }.dropFirst()
            return setting.first.map { $0 == " " || $0 == "#" } ?? true ? nil : indent + setting
        }
        return [lines, lines.filter { !isComment($0) && !$0.isEmpty }, uncommented].map {
            Array($0.joined(separator: "\n").utf8)
        }
    }
}

extension SeededGenerator {
    /// A short text that becomes large: nested deeply, or repeated many times by aliases.
    mutating func yamlBomb() -> String {
        let count = Int.random(in: 0...2000, using: &self)
        switch Int.random(in: 0..<4, using: &self) {
        case 0: return String(repeating: "[", count: count)
        case 1: return String(repeating: "a: {b: ", count: count / 8) + "1"
        case 2: return (0..<min(count, 60)).map { String(repeating: " ", count: $0) + "a\($0):\n" }.joined()
        default:
            let levels = Int.random(in: 1...12, using: &self)
            let lines = (0..<levels).map { "a\($0): &a\($0) [\($0 == 0 ? "x, x" : "*a\($0 - 1), *a\($0 - 1)")]\n" }
            return lines.joined() + "? {*a\(levels - 1): *a\(levels - 1)}\n: *a0\n"
        }
    }

    /// Takes one word for another, or a line: what is broken then is what the file says, and not its YAML.
    mutating func swapYAMLWords(_ text: inout [UInt8]) {
        let separators: Set<Character> = [" ", "\n", ":", ",", "{", "}", "[", "]", "\""]
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let string = String(decoding: text, as: UTF8.self)
            let isLine = chance(1, in: 3)
            let words = string.split { isLine ? $0 == "\n" : separators.contains($0) }
            guard words.count > 1 else { return }
            let (first, second) = (element(of: words), element(of: words))
            let replacement = chance(1, in: 4) ? "x" : String(second)
            text = Array(string.replacingCharacters(of: first, with: replacement).utf8)
        }
    }
}

extension String {
    /// - Parameter part: of this very string.
    fileprivate func replacingCharacters(of part: Substring, with replacement: String) -> String {
        self[..<part.startIndex] + replacement + self[part.endIndex...]
    }
}
