/// How an authorization would go, without asking anybody (F-13).
public struct AuthorizationOutlook: Hashable, Sendable {
    /// How an authorization ends.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable, CaseIterable {
        /// It would be granted, without asking anybody.
        case granted
        /// A person would be asked, or has to do something first.
        case personNeeded
        /// It would be refused.
        case denied
    }

    /// How it would go now.
    public var outcome: Outcome
    /// The first thing that has to happen, where a person is needed; `nil`: nothing, or nothing would help.
    public var need: AuthorizationNeed?
    /// The refusal that asking would get at once; `nil`: it would be granted, or a person would be asked.
    public var refusal: GateError?
    /// Why, as an English sentence for people. May be empty.
    public var explanation: String

    /// Makes an outlook of these values.
    public init(
        _ outcome: Outcome, need: AuthorizationNeed? = nil, refusal: GateError? = nil, explanation: String = ""
    ) {
        self.outcome = outcome
        self.need = need
        self.refusal = refusal
        self.explanation = explanation
    }
}

/// The first thing that stands between a program and a gated action.
@nonexhaustive
public enum AuthorizationNeed: Hashable, Sendable {
    /// A payment for an entitlement.
    public struct Payment: Hashable, Sendable {
        /// The name of the entitlement in the policy.
        public var entitlement: String
        /// The title of the entitlement that people read, in each of its languages.
        public var titles: LocalizedText
        /// The title in its default language.
        public var title: String { titles.text }

        /// Makes a payment of these values.
        public init(entitlement: String, title: LocalizedText) {
            self.entitlement = entitlement
            titles = title
        }
    }

    /// A form to complete.
    public struct Form: Hashable, Sendable {
        /// The name of the questionnaire.
        public var name: String
        /// The title that people read, in each of its languages.
        public var titles: LocalizedText
        /// The title in its default language.
        public var title: String { titles.text }

        /// Makes a form of these values.
        public init(name: String, title: LocalizedText) {
            self.name = name
            titles = title
        }
    }

    /// Parent mode, which an authorization never asks for.
    case parentMode
    /// The answer to a question of this kind.
    case challenge(Challenge.Kind)
    /// Somebody who is signed in.
    case signIn
    /// A payment.
    case entitlement(Payment)
    /// A completed form.
    case form(Form)
    /// Time: there were too many wrong answers.
    case wait
    /// Something that this version does not know.
    case unrecognized
}
