/// A FHIR R4 QuestionnaireResponse: what somebody answered.
public struct QuestionnaireResponse: Hashable, Sendable {
    /// How far a response is.
    @nonexhaustive
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// A draft: it may lack what is required.
        case inProgress = "in-progress"
        /// It is complete, and stands.
        case completed
        /// It was changed after it was complete.
        case amended
        /// It was withdrawn.
        case enteredInError = "entered-in-error"
        /// It was given up.
        case stopped
    }

    /// The canonical URL of the questionnaire, with or without `|version`.
    public var questionnaire: String?
    /// How far it is.
    public var status: Status
    /// When it was answered, as written.
    public var authored: String?
    /// The items that were answered, in the order of the form.
    public var items: [QuestionnaireResponseItem]

    /// Makes a response of these values.
    public init(
        questionnaire: String? = nil, status: Status, authored: String? = nil, items: [QuestionnaireResponseItem] = []
    ) {
        self.questionnaire = questionnaire
        self.status = status
        self.authored = authored
        self.items = items
    }
}

/// The answers to one item. A group that is there several times has one of these for each time.
public struct QuestionnaireResponseItem: Hashable, Sendable {
    /// The linkId of the item.
    public var linkID: String
    /// The `definition` of the item, where it is said: in parts, and in what other programs write. `nil`: nothing is said.
    public var definition: String?
    /// The text of the item; `nil`: it is not there.
    public var text: String?
    /// The answers of a question.
    public var answers: [QuestionnaireResponseAnswer]
    /// The items of a group.
    public var items: [QuestionnaireResponseItem]

    /// Makes an item of these values.
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

/// One answer, with what is asked below it.
public struct QuestionnaireResponseAnswer: Hashable, Sendable {
    /// `nil`: none, for the sake of what is below.
    public var value: FormValue?
    /// The items below this answer.
    public var items: [QuestionnaireResponseItem]

    /// Makes an answer of these values.
    public init(_ value: FormValue?, items: [QuestionnaireResponseItem] = []) {
        self.value = value
        self.items = items
    }
}

/// One thing that is to be said of a response, as FHIR's OperationOutcome says it.
public struct FormIssue: Hashable, Sendable {
    /// How bad an issue is.
    @nonexhaustive
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// It keeps the response from being completed.
        case error
        /// It does not keep the response from being completed, and is worth a look.
        case warning
        /// It is for information only.
        case information
    }

    /// The values of FHIR's IssueType that come up.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The resource is not built as one.
        case structure
        /// Something that has to be there is not.
        case required
        /// A value is of the wrong type, or outside of its limits.
        case value
        /// A rule of FHIR is broken.
        case invariant
        /// A code that is not offered.
        case codeInvalid = "code-invalid"
        /// No such item.
        case notFound = "not-found"
        /// Too long, too large or too many.
        case tooLong = "too-long"
        /// A rule of the questionnaire is broken.
        case businessRule = "business-rule"
        /// Gate does not do this.
        case notSupported = "not-supported"
        /// It is there already.
        case duplicate
        /// A file can't be read, or is not safe to read.
        case security
        /// Nothing is wrong.
        case informational
    }

    /// How bad it is.
    public var severity: Severity
    /// The kind of issue.
    public var code: Code
    /// Where, as FHIRPath: "QuestionnaireResponse.item[2].answer[0]".
    public var path: String
    /// The linkId of the item that it is about; `nil`: of none.
    public var linkID: String?
    /// A sentence for people that says what to do.
    public var message: String
    /// The values that the message names: "maximum" → "16". They are not in an OperationOutcome.
    public var parameters: [String: String]

    /// Makes an issue of these values.
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
