/// One thing that is wrong with an answer, a form or a file of the policy: `BAD_ANSWER`, `INCOMPLETE` and `BAD_POLICY` list them.
public struct ErrorIssue: Hashable, Sendable {
    /// The place of the mistake.
    @nonexhaustive
    public enum Place: Hashable, Sendable {
        /// In a form or in what was sent for it.
        case form(FormPlace)
        /// In a file of the configuration.
        case file(FilePlace)
    }

    /// A place in a form, or in what was sent for it.
    public struct FormPlace: Hashable, Sendable {
        /// The linkId of the item; `nil`: the form as a whole.
        public var linkID: String?
        /// FHIRPath; empty: an answer that was sent by itself.
        public var expression: String

        /// Makes a place of these values.
        public init(linkID: String?, expression: String) {
            self.linkID = linkID
            self.expression = expression
        }
    }

    /// A place in a file of the configuration.
    public struct FilePlace: Hashable, Sendable {
        /// The name of the file.
        public var file: String
        /// The line, from 1; `nil`: the file as a whole.
        public var line: Int?
        /// The column, from 1; `nil`: the line as a whole.
        public var column: Int?

        /// Makes a place of these values.
        public init(file: String, line: Int?, column: Int?) {
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// `nil`: of a kind that this version does not know.
    public var place: Place?
    /// The kind of mistake; `nil`: one that this version does not know.
    public var kind: FormIssue.Code?
    /// The values that the message names, as with `GateError.parameters`.
    public var parameters: [String: String]
    /// A sentence for people that says what to do.
    public var message: String

    /// Makes an issue of these values.
    public init(
        _ place: Place?, kind: FormIssue.Code? = nil, parameters: [String: String] = [:], _ message: String
    ) {
        self.place = place
        self.kind = kind
        self.parameters = parameters
        self.message = message
    }

    /// The mistake that was found in a form.
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
