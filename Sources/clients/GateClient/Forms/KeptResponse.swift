public import GateModel

/// A response that the daemon keeps, with its answers.
public struct KeptResponse: Hashable, Sendable {
    /// The response's form, its holder, and when it was kept.
    public var summary: ResponseSummary
    /// The answers.
    public var response: QuestionnaireResponse

    package init(summary: ResponseSummary, response: QuestionnaireResponse) {
        self.summary = summary
        self.response = response
    }
}

/// A part that the daemon keeps, with its answers: answers that several forms share, such as a person's address.
public struct KeptPart: Hashable, Sendable {
    /// The part's `definition`, its holder, and its label.
    public var summary: PartSummary
    /// The answers, as a response whose only item is the kept one. Unlike in other responses, it and the items in it
    /// have a `definition` if the form gives them one.
    public var response: QuestionnaireResponse

    package init(summary: PartSummary, response: QuestionnaireResponse) {
        self.summary = summary
        self.response = response
    }
}

/// A response that was kept, completed, withdrawn or deleted.
public struct ResponseChange: Hashable, Sendable, Identifiable {
    /// The number of the response.
    public var id: UInt64
    /// The revision from which on the change holds.
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
    /// The revision from which on the part is kept.
    public var revision: Revision

    package init(id: UInt64, revision: Revision) {
        self.id = id
        self.revision = revision
    }
}

/// A draft that was deleted.
public struct DiscardedForm: Hashable, Sendable {
    /// The `id` of the questionnaire.
    public var name: String
    /// The revision from which on the draft is gone.
    public var revision: Revision

    package init(name: String, revision: Revision) {
        self.name = name
        self.revision = revision
    }
}
