import GateModel

/// The text of one policy file.
public struct PolicySource: Hashable, Sendable {
    /// The path of the file, which problems show. It also says what is in the file: a form in `questionnaires.d` or if
    /// it ends in .json, release notes in `release-notes.d`, the settings of `providers.yaml` or `household.yaml`.
    /// Anything else is a policy.
    public var name: String
    public var text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    static let providersName = "providers.yaml"
    static let householdName = "household.yaml"
    /// The files that lie in the configuration directory itself, in the order in which they are read.
    static let namesInDirectory = ["policy.yaml", providersName, householdName]
    /// The names among them that no other file may have: in a folder of policies, a file of this name is misplaced.
    static let namesOfOneFile = [providersName, householdName]

    /// What is in the file, whatever its name says; `nil`: the name decides.
    var readAs: Kind?
    var layer = PolicyLayer.device
    /// The gated action that a choice is about, which is known even if the choice can't be read.
    var namedAction: String?
    var isHouseholds: Bool { layer == .household }
    var kind: Kind { readAs ?? Kind(path: name) }

    /// The name of the file without its directory and its ending, like "consent".
    var fallbackName: String {
        let file = name.split(separator: "/").last ?? ""
        return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }

    var isJSON: Bool { name.hasSuffix(".json") }

    var lines: [Substring] { text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
}
