/// One mistake in an answer, a form or a file of the policy. `GateError.issues` lists them for `badAnswer`,
/// `incomplete` and `badPolicy`.
public struct ErrorIssue: Hashable, Sendable {
    /// Where the mistake is.
    @nonexhaustive
    public enum Place: Hashable, Sendable {
        /// In a form, or in the answers to one.
        case form(FormPlace)
        /// In a file of the configuration.
        case file(FilePlace)
    }

    /// A place in a form, or in the answers to one.
    public struct FormPlace: Hashable, Sendable {
        /// The linkId of the item; `nil` for the form as a whole.
        public var linkID: String?
        /// The place as a FHIRPath, like "QuestionnaireResponse.item[2]"; empty for an answer outside of a response.
        public var expression: String

        public init(linkID: String?, expression: String) {
            self.linkID = linkID
            self.expression = expression
        }
    }

    /// A place in a file of the configuration.
    public struct FilePlace: Hashable, Sendable {
        /// The name of the file.
        public var file: String
        /// The line, from 1; `nil` for the file as a whole.
        public var line: Int?
        /// The column in Unicode scalars, from 1; `nil` for the line as a whole.
        public var column: Int?

        public init(file: String, line: Int?, column: Int?) {
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// Where the mistake is; `nil` if this version does not know such places.
    public var place: Place?
    /// The kind of mistake; `nil` if it has none, or one that this version does not know.
    public var kind: FormIssue.Code?
    /// The values that the message names, as in `GateError.parameters`.
    public var parameters: [String: String]
    /// A sentence for people that says what to do.
    public var message: String

    public init(
        _ place: Place?, kind: FormIssue.Code? = nil, parameters: [String: String] = [:], _ message: String
    ) {
        self.place = place
        self.kind = kind
        self.parameters = parameters
        self.message = message
    }

    package init(_ issue: FormIssue) {
        self.init(
            .form(linkID: issue.linkID, expression: issue.path), kind: issue.code, parameters: issue.parameters,
            issue.message)
    }
}

extension ErrorIssue.Place {
    package static func form(linkID: String?, expression: String) -> Self {
        .form(ErrorIssue.FormPlace(linkID: linkID, expression: expression))
    }

    package static func file(_ file: String, line: Int?, column: Int?) -> Self {
        .file(ErrorIssue.FilePlace(file: file, line: line, column: column))
    }
}
