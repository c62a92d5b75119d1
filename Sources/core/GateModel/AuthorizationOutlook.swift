/// What would happen if a program asked for a grant now. Finding out asks nobody and changes nothing.
public struct AuthorizationOutlook: Hashable, Sendable {
    /// The three ways in which an authorization can go.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable, CaseIterable {
        /// It would be granted at once, without asking anybody.
        case granted
        /// A person would be asked, or would have to do something first.
        case personNeeded
        /// It would be refused at once.
        case denied
    }

    /// How it would go now.
    public var outcome: Outcome
    /// The first thing that is missing. `nil` if nothing is, if nothing would help, or if no presenter could ask.
    public var need: AuthorizationNeed?
    /// The error that asking would throw at once; `nil` if it would be granted, or a person would be asked.
    public var refusal: GateError?
    /// The reason, as an English sentence for people. May be empty.
    public var explanation: String

    public init(
        _ outcome: Outcome, need: AuthorizationNeed? = nil, refusal: GateError? = nil, explanation: String = ""
    ) {
        self.outcome = outcome
        self.need = need
        self.refusal = refusal
        self.explanation = explanation
    }
}

/// The first thing that a program lacks for a gated action.
@nonexhaustive
public enum AuthorizationNeed: Hashable, Sendable {
    /// A payment for an entitlement.
    public struct Payment: Hashable, Sendable {
        /// The name of the entitlement in the policy, like "premium".
        public var entitlement: String
        /// The title of the entitlement that people read, in each of its languages.
        public var titles: LocalizedText
        /// The title in its default language.
        public var title: String { titles.text }

        public init(entitlement: String, title: LocalizedText) {
            self.entitlement = entitlement
            titles = title
        }
    }

    /// A form that somebody has to complete.
    public struct Form: Hashable, Sendable {
        /// The name of the form in the policy.
        public var name: String
        /// The title that people read, in each of its languages.
        public var titles: LocalizedText
        /// The title in its default language.
        public var title: String { titles.text }

        public init(name: String, title: LocalizedText) {
            self.name = name
            titles = title
        }
    }

    /// Parent mode. Asking for the grant won't start it: somebody has to enter parent mode first.
    case parentMode
    /// An answer to a question of this kind.
    case challenge(Challenge.Kind)
    /// Somebody has to sign in.
    case signIn
    /// Somebody has to pay for this entitlement.
    case entitlement(Payment)
    /// Somebody has to complete this form.
    case form(Form)
    /// Time has to pass, because there were too many wrong answers.
    case wait
    /// Something that this version does not know.
    case unrecognized
}
