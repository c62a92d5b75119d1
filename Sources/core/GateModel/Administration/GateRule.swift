/// How likely somebody gets through a gate who should not.
public struct GateStrength: Hashable, Sendable {
    /// How likely a guesser gets through within an hour, in millionths, at the age at which that is likeliest.
    public var guessedPerMillion: Int
    /// Whether a program can work out or click the answer.
    public var programPasses: Bool
    /// Whether there is nothing to guess, because a session, a payment, a completed form or an open schedule is enough.
    public var isWithoutQuestion: Bool

    package init(guessedPerMillion: Int, programPasses: Bool, isWithoutQuestion: Bool) {
        self.guessedPerMillion = guessedPerMillion
        self.programPasses = programPasses
        self.isWithoutQuestion = isWithoutQuestion
    }
}

/// What stands before a gated action, and how likely somebody gets through who should not.
public struct GateRule: Hashable, Sendable {
    /// The gated action, with its requirement in English words.
    public var gatedAction: GatedActionSummary
    /// How likely somebody gets through who should not; `nil` if the daemon does not tell.
    public var strength: GateStrength?
    /// The requirement as a value, without the settings of its questions, like how hard a sum is; `nil` if the daemon
    /// does not tell it, or this version does not know a part of it.
    package var requirement: Requirement?

    package init(gatedAction: GatedActionSummary, strength: GateStrength?, requirement: Requirement? = nil) {
        self.gatedAction = gatedAction
        self.strength = strength
        self.requirement = requirement
    }
}

/// A change of what stands before a gated action.
public struct ChangedGate: Hashable, Sendable {
    /// The rule before the change; `nil` if there was none, so that the gated action was denied.
    public var before: GateRule?
    /// The rule after the change; `nil` if there is none, so that the gated action is denied.
    public var after: GateRule?
    /// The revision with the change; `nil` if the change was only checked and not made.
    public var revision: Revision?

    package init(before: GateRule?, after: GateRule?, revision: Revision?) {
        self.before = before
        self.after = after
        self.revision = revision
    }
}
