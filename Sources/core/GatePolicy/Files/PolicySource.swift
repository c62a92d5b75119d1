/// The text of a policy file.
public struct PolicySource: Hashable, Sendable {
    /// The name that problems give it: its path. It also says what is in it: a file of `questionnaires.d` or of
    /// `release-notes.d`, whatever its name; `providers.yaml`, `household.yaml`; anything else is a policy.
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    static let providersName = "providers.yaml"
    static let householdName = "household.yaml"
    /// The files that stand in the configuration directory itself, in the order in which they are read.
    static let namesInDirectory = ["policy.yaml", providersName, householdName]
    /// Those of them that nothing else is called: a file of this name in a folder of policies is misplaced.
    static let namesOfOneFile = [providersName, householdName]

    /// The kind of its content, where its name does not say so.
    var readAs: Kind?
    /// Whether it came from the household and not from this device.
    var isHouseholds = false
    var kind: Kind { readAs ?? Kind(path: name) }

    /// Without its directory and what says how it is written: "consent".
    var fallbackName: String {
        let file = name.split(separator: "/").last ?? ""
        return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }

    var isJSON: Bool { name.hasSuffix(".json") }

    var lines: [Substring] { text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
}
