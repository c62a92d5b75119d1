/// An allowance or a schedule of the policy: how much time, or which hours, the gated actions have that name it.
public struct TimeRule: Hashable, Sendable {
    /// What such a rule limits.
    @nonexhaustive
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// How much time there is on each weekday, and in each week.
        case allowance
        /// The hours of the week at which something is open.
        case schedule
        /// A kind that this version does not know.
        case unrecognized

        /// In English, as the journal and the names of choices have it.
        package var word: String {
            switch self {
            case .allowance: "allowance"
            case .schedule: "schedule"
            case .unrecognized: "rule"
            }
        }
    }

    /// Whether it is an allowance or a schedule.
    public var kind: Kind
    /// The name by which gated actions need it, like "games".
    public var name: String
    /// What it says, in the notation of policy files: `{mon-fri: 1h, sat-sun: 2h}`.
    public var notation: String
    /// Where the policy says so; `nil` if the daemon does not tell.
    public var origin: PolicyOrigin?
    /// The gated actions in force that need it, sorted; the first 100 at most.
    public var gatedActions: [String]

    package init(kind: Kind, name: String, notation: String, origin: PolicyOrigin? = nil, gatedActions: [String] = []) {
        self.kind = kind
        self.name = name
        self.notation = notation
        self.origin = origin
        self.gatedActions = gatedActions
    }
}

/// A change of an allowance or a schedule.
public struct ChangedTimeRule: Hashable, Sendable {
    /// The rule before the change; `nil` if there was none.
    public var before: TimeRule?
    /// The rule after the change; `nil` if there is none.
    public var after: TimeRule?
    /// The revision with the change; `nil` if the change was only checked and not made.
    public var revision: Revision?

    package init(before: TimeRule?, after: TimeRule?, revision: Revision?) {
        self.before = before
        self.after = after
        self.revision = revision
    }
}

extension TimeRule {
    /// The name under which a choice of it is stored, like "allowance games". A choice of what stands before a gated
    /// action has the action's name, in which there is no space.
    package static func choiceName(_ kind: Kind, _ name: String) -> String { "\(kind.word) \(name)" }

    /// The allowance or schedule that a stored choice with this name is about; `nil` if it is about none.
    package static func chosen(as choiceName: String) -> (kind: Kind, name: String)? {
        for kind in [Kind.allowance, .schedule] where choiceName.hasPrefix("\(kind.word) ") {
            let name = String(choiceName.dropFirst(kind.word.count + 1))
            return name.isDottedName ? (kind, name) : nil
        }
        return nil
    }
}

/// What a grown-up has chosen of the policy.
package enum ChosenRule: Hashable, Sendable {
    case gate(GatedAction)
    case allowance(Allowance)
    case schedule(Schedule)
}
