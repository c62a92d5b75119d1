/// The answers to a form: a FHIR R4 QuestionnaireResponse.
public struct QuestionnaireResponse: Hashable, Sendable {
    /// The state of a response.
    @nonexhaustive
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// A draft, in which required answers may be missing.
        case inProgress = "in-progress"
        /// The response is complete and counts.
        case completed
        /// The response was changed after it was completed.
        case amended
        /// The response was withdrawn.
        case enteredInError = "entered-in-error"
        /// The response was given up.
        case stopped
    }

    /// The canonical URL of the form, perhaps with `|version`.
    public var questionnaire: String?
    /// The state of the response.
    public var status: Status
    /// When the form was answered, as it was written.
    public var authored: String?
    /// The items that have answers, in the order of the form.
    public var items: [QuestionnaireResponseItem]

    public init(
        questionnaire: String? = nil, status: Status, authored: String? = nil, items: [QuestionnaireResponseItem] = []
    ) {
        self.questionnaire = questionnaire
        self.status = status
        self.authored = authored
        self.items = items
    }
}

/// The answers to one item. Each repetition of a group is an item of its own.
public struct QuestionnaireResponseItem: Hashable, Sendable {
    /// The linkId of the item.
    public var linkID: String
    /// The `definition` of the item. Only parts have it, and responses that other programs wrote; otherwise `nil`.
    public var definition: String?
    /// The text of the item; `nil` if the response does not repeat it.
    public var text: String?
    /// The answers, if the item is a question.
    public var answers: [QuestionnaireResponseAnswer]
    /// The items in it, if the item is a group.
    public var items: [QuestionnaireResponseItem]

    public init(
        linkID: String, definition: String? = nil, text: String? = nil, answers: [QuestionnaireResponseAnswer] = [],
        items: [QuestionnaireResponseItem] = []
    ) {
        self.linkID = linkID
        self.definition = definition
        self.text = text
        self.answers = answers
        self.items = items
    }
}

/// One answer, and the answers to the items below it.
public struct QuestionnaireResponseAnswer: Hashable, Sendable {
    /// The value; `nil` if there is none and the answer exists only for the items below it.
    public var value: FormValue?
    /// The items below this answer.
    public var items: [QuestionnaireResponseItem]

    public init(_ value: FormValue?, items: [QuestionnaireResponseItem] = []) {
        self.value = value
        self.items = items
    }
}

/// One mistake or remark about a response, as in FHIR's OperationOutcome.
public struct FormIssue: Hashable, Sendable {
    /// How bad an issue is.
    @nonexhaustive
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The response can't be completed with it.
        case error
        /// Worth a look, but the response can be completed.
        case warning
        /// For information only.
        case information
    }

    /// The kinds of issue: those values of FHIR's IssueType that Gate uses.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The resource is not structured as it should be.
        case structure
        /// Something that is required is missing.
        case required
        /// A value has the wrong type, or is outside its limits.
        case value
        /// A rule of FHIR is broken.
        case invariant
        /// The code is not one of those that are offered.
        case codeInvalid = "code-invalid"
        /// Something that is named does not exist, like an item.
        case notFound = "not-found"
        /// Something is too long, too large or too many.
        case tooLong = "too-long"
        /// A rule of the form is broken, or settings contradict each other.
        case businessRule = "business-rule"
        /// Gate does not support it.
        case notSupported = "not-supported"
        /// Something exists already, or twice.
        case duplicate
        /// A file can't be read or is not safe to read, or something would be sent or kept unprotected.
        case security
        /// Nothing is wrong.
        case informational
    }

    /// How bad the issue is.
    public var severity: Severity
    /// The kind of issue.
    public var code: Code
    /// Where it is, as FHIRPath, like "QuestionnaireResponse.item[2].answer[0]".
    public var path: String
    /// The linkId of the item that it is about; `nil` if it is not about one item.
    public var linkID: String?
    /// A sentence for people that says what to do.
    public var message: String
    /// The values that the message names: "maximum" is "16". They are not part of an OperationOutcome.
    public var parameters: [String: String]

    public init(
        _ severity: Severity, _ code: Code, at path: String, linkID: String?, _ message: String,
        parameters: [String: String] = [:]
    ) {
        self.severity = severity
        self.code = code
        self.path = path
        self.linkID = linkID
        self.message = message
        self.parameters = parameters
    }
}
