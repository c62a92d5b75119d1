public import GateModel

/// A response that is kept, with its answers.
public struct KeptResponse: Hashable, Sendable {
    /// The form that it is of, whose it is, and when it was kept.
    public var summary: ResponseSummary
    /// The answers.
    public var response: QuestionnaireResponse

    package init(summary: ResponseSummary, response: QuestionnaireResponse) {
        self.summary = summary
        self.response = response
    }
}

/// A part that is kept, with its answers (F-72).
public struct KeptPart: Hashable, Sendable {
    /// The meaning that it has, whose it is, and its label.
    public var summary: PartSummary
    /// The answers: a response of one item, with the `definition` of each item that has one.
    public var response: QuestionnaireResponse

    package init(summary: PartSummary, response: QuestionnaireResponse) {
        self.summary = summary
        self.response = response
    }
}

/// A response that was kept, completed or withdrawn.
public struct ResponseChange: Hashable, Sendable, Identifiable {
    /// The number of the response.
    public var id: UInt64
    /// The revision from which on it is so.
    public var revision: Revision

    package init(id: UInt64, revision: Revision) {
        self.id = id
        self.revision = revision
    }
}

/// A part that was kept.
public struct PartChange: Hashable, Sendable, Identifiable {
    /// The number of the part.
    public var id: UInt64
    /// The revision from which on it is so.
    public var revision: Revision

    package init(id: UInt64, revision: Revision) {
        self.id = id
        self.revision = revision
    }
}

/// A draft that was thrown away.
public struct DiscardedForm: Hashable, Sendable {
    /// The `id` of the questionnaire.
    public var name: String
    /// The revision from which on it is gone.
    public var revision: Revision

    package init(name: String, revision: Revision) {
        self.name = name
        self.revision = revision
    }
}
