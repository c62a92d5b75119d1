public import GateModel

/// The key of a draft. A holder may have several drafts of one form.
public struct FormDraftKey: Hashable, Sendable {
    public var holder: FormHolder
    /// Equal to `Questionnaire.name`.
    public var name: String
    /// Equal to `FormSummary.draftID`.
    public var id: UInt64

    public init(holder: FormHolder, name: String, id: UInt64 = 0) {
        self.holder = holder
        self.name = name
        self.id = id
    }
}

/// A draft without its answers.
public struct FormDraftRecord: Hashable, Sendable {
    /// Equal to `FormSummary.revision`.
    public var revision: UInt64
    /// The newest revision at which answers were entered. Later ones brought only suggestions or other words around the
    /// same answers, so they don't disturb a person who is entering something.
    public var enteredRevision: UInt64
    public var openedAt: WallTime
    /// The label that a person gave the draft; empty: the label is made from its answers.
    public var label: String

    /// - Parameter enteredRevision: `nil`: equal to `revision`.
    public init(revision: UInt64, enteredRevision: UInt64? = nil, openedAt: WallTime, label: String = "") {
        self.revision = revision
        self.enteredRevision = enteredRevision ?? revision
        self.openedAt = openedAt
        self.label = label
    }
}

/// What a draft stores at one path.
public enum FormRow: Hashable, Sendable {
    /// The answers to a question; never empty.
    case answers([FormValue])
    /// The answers that a person gave instead of those that the form calculates; never empty.
    case entered([FormValue])
    /// The number of instances of a repeating group. A group without this row has one.
    case instances(Int)
}

extension FormRow {
    /// The answers; `nil` if the row belongs to a group.
    package var values: [FormValue]? {
        switch self {
        case .answers(let values), .entered(let values): values
        case .instances: nil
        }
    }
}

public struct ResponseRecord: Hashable, Sendable {
    public var summary: ResponseSummary
    public var response: QuestionnaireResponse

    public init(summary: ResponseSummary, response: QuestionnaireResponse) {
        self.summary = summary
        self.response = response
    }
}

/// Answers that were kept for use in other forms.
public struct PartRecord: Hashable, Sendable {
    public var summary: PartSummary
    /// One group, with its `definition` and those of its items; or one question.
    public var content: QuestionnaireResponseItem

    public init(summary: PartSummary, content: QuestionnaireResponseItem) {
        self.summary = summary
        self.content = content
    }
}
