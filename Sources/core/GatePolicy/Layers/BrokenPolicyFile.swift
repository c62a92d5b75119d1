package import GateModel

/// A file of the shipped layer, or a choice, that has mistakes. It does not keep the daemon from starting. Nothing in
/// it counts, and each gated action that it names is denied, unless a later layer says what that action requires.
///
/// It never lets an earlier layer decide in its place: that might be weaker than what the file was meant to say.
package struct BrokenPolicyFile: Hashable, Sendable {
    package var file: String
    package var layer: PolicyLayer
    /// Not empty.
    package var problems: [PolicyProblem]
    /// The gated actions that it names, as far as it could be read, sorted.
    package var gatedActions: [String]
    /// Whether it may name gated actions besides, which could not be read.
    package var mayNameMore: Bool

    package init(
        file: String, layer: PolicyLayer, problems: [PolicyProblem], gatedActions: [String] = [],
        mayNameMore: Bool = false
    ) {
        self.file = file
        self.layer = layer
        self.problems = problems
        self.gatedActions = gatedActions
        self.mayNameMore = mayNameMore
    }

    /// Each mistake with its place, and what follows from them, as English lines for people.
    package var lines: [String] {
        let denied =
            gatedActions.isEmpty
            ? "nothing in it counts"
            : "nothing in it counts, and what it names is denied: \(gatedActions.joined(separator: ", "))"
        return problems.map(\.description) + ["\(file) has mistakes: \(denied)"]
    }
}

extension PolicyLayer {
    /// Whether a mistake in this layer leaves the rest of the policy in force. Nobody can mend a file of the shipped
    /// layer on the device, and a choice was valid when it was made.
    var mayBeBroken: Bool {
        switch self {
        case .shipped, .choices: true
        case .household, .device, .unrecognized: false
        }
    }
}
