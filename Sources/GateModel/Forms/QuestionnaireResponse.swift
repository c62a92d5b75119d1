/// A FHIR R4 QuestionnaireResponse: what somebody answered.
public struct QuestionnaireResponse: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// A draft: it may lack what is required.
        case inProgress = "in-progress"
        case completed
        case amended
        case enteredInError = "entered-in-error"
        case stopped
    }

    /// The canonical URL of the questionnaire, with or without `|version`.
    public var questionnaire: String?
    public var status: Status
    /// When it was answered, as written.
    public var authored: String?
    public var items: [ResponseItem]

    public init(
        questionnaire: String? = nil, status: Status, authored: String? = nil, items: [ResponseItem] = []
    ) {
        self.questionnaire = questionnaire
        self.status = status
        self.authored = authored
        self.items = items
    }
}

/// The answers to one item. A group that is there several times has one of these for each time.
public struct ResponseItem: Hashable, Sendable {
    public var linkID: String
    public var text: String?
    /// The answers of a question.
    public var answers: [ResponseAnswer]
    /// The items of a group.
    public var items: [ResponseItem]

    public init(linkID: String, text: String? = nil, answers: [ResponseAnswer] = [], items: [ResponseItem] = []) {
        self.linkID = linkID
        self.text = text
        self.answers = answers
        self.items = items
    }
}

/// One answer, with what is asked below it.
public struct ResponseAnswer: Hashable, Sendable {
    /// `nil`: none, for the sake of what is below.
    public var value: FormValue?
    public var items: [ResponseItem]

    public init(_ value: FormValue?, items: [ResponseItem] = []) {
        self.value = value
        self.items = items
    }
}

/// One thing that is to be said of a response, as FHIR's OperationOutcome says it.
public struct FormIssue: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        case error
        case warning
        case information
    }

    /// The values of FHIR's IssueType that come up.
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
        case informational
    }

    public var severity: Severity
    public var code: Code
    /// Where, as FHIRPath: "QuestionnaireResponse.item[2].answer[0]".
    public var path: String
    /// The linkId of the item that it is about; `nil`: of none.
    public var linkID: String?
    /// A sentence for people that says what to do.
    public var message: String
    /// The values that the message names: "maximum" → "16". They are not in an OperationOutcome.
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
