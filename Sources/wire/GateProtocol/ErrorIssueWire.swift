import CGateProtocol
package import GateModel

// common.proto: Issue

extension ErrorIssue: MappedMessage {
    init(reading message: Gate__V1__Issue) {
        let place: Place? =
            switch message.place_case {
            case GATE__V1__ISSUE__PLACE_FORM: Place(WireFormPlace(reading: message.form.pointee))
            case GATE__V1__ISSUE__PLACE_FILE: Place(WireFilePlace(reading: message.file.pointee))
            default: nil
            }
        self.init(
            place, kind: IssueKind(wire: message.kind)?.code,
            parameters: [String: String](reading: message.parameters, count: message.n_parameters),
            String(reading: message.message))
    }

    func write(to message: inout Gate__V1__Issue, in arena: inout MessageArena) {
        switch place {
        case .form(let form):
            message.place_case = GATE__V1__ISSUE__PLACE_FORM
            message.form = arena.message(WireFormPlace(linkID: form.linkID ?? "", expression: form.expression))
        case .file(let file):
            message.place_case = GATE__V1__ISSUE__PLACE_FILE
            message.file = arena.message(
                WireFilePlace(file: file.file, line: file.line ?? 0, column: file.column ?? 0))
        case nil: break
        }
        if let kind = IssueKind.allCases.first(where: { $0.code == kind }) { message.kind = kind.wire }
        (message.parameters, message.n_parameters) = arena.messages(parameters.wire)
        message.message = arena.string(self.message)
    }
}

extension ErrorIssue.Place {
    fileprivate init(_ place: WireFormPlace) {
        self = .form(linkID: place.linkID.isEmpty ? nil : place.linkID, expression: place.expression)
    }

    fileprivate init(_ place: WireFilePlace) {
        self = .file(
            place.file, line: place.line == 0 ? nil : place.line, column: place.column == 0 ? nil : place.column)
    }
}

private struct WireFormPlace: MessageMapping {
    let linkID: String
    let expression: String

    init(linkID: String, expression: String) {
        self.linkID = linkID
        self.expression = expression
    }

    init(reading message: Gate__V1__FormPlace) {
        self.init(linkID: String(reading: message.link_id), expression: String(reading: message.expression))
    }

    func write(to message: inout Gate__V1__FormPlace, in arena: inout MessageArena) {
        message.link_id = arena.string(linkID)
        message.expression = arena.string(expression)
    }
}

private struct WireFilePlace: MessageMapping {
    let file: String
    let line: Int
    let column: Int

    init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    init(reading message: Gate__V1__FilePlace) {
        self.init(file: String(reading: message.file), line: Int(message.line), column: Int(message.column))
    }

    func write(to message: inout Gate__V1__FilePlace, in arena: inout MessageArena) {
        message.file = arena.string(file)
        message.line = UInt32(clamping: line)
        message.column = UInt32(clamping: column)
    }
}

/// The kinds of mistake that travel. `FormIssue.Code.informational` has none: information is not a mistake.
private enum IssueKind: EnumMapping {
    case structure
    case required
    case value
    case invariant
    case codeInvalid
    case notFound
    case tooLong
    case businessRule
    case notSupported
    case duplicate
    case security

    var code: FormIssue.Code {
        switch self {
        case .structure: .structure
        case .required: .required
        case .value: .value
        case .invariant: .invariant
        case .codeInvalid: .codeInvalid
        case .notFound: .notFound
        case .tooLong: .tooLong
        case .businessRule: .businessRule
        case .notSupported: .notSupported
        case .duplicate: .duplicate
        case .security: .security
        }
    }

    var wire: Gate__V1__IssueKind {
        switch self {
        case .structure: GATE__V1__ISSUE_KIND__ISSUE_KIND_STRUCTURE
        case .required: GATE__V1__ISSUE_KIND__ISSUE_KIND_REQUIRED
        case .value: GATE__V1__ISSUE_KIND__ISSUE_KIND_VALUE
        case .invariant: GATE__V1__ISSUE_KIND__ISSUE_KIND_INVARIANT
        case .codeInvalid: GATE__V1__ISSUE_KIND__ISSUE_KIND_CODE_INVALID
        case .notFound: GATE__V1__ISSUE_KIND__ISSUE_KIND_NOT_FOUND
        case .tooLong: GATE__V1__ISSUE_KIND__ISSUE_KIND_TOO_LONG
        case .businessRule: GATE__V1__ISSUE_KIND__ISSUE_KIND_BUSINESS_RULE
        case .notSupported: GATE__V1__ISSUE_KIND__ISSUE_KIND_NOT_SUPPORTED
        case .duplicate: GATE__V1__ISSUE_KIND__ISSUE_KIND_DUPLICATE
        case .security: GATE__V1__ISSUE_KIND__ISSUE_KIND_SECURITY
        }
    }
}
