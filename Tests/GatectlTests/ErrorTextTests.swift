import GateModel
import Glibc
import Testing

@testable import gatectl

@Suite("What is wrong, as gatectl says it")
struct ErrorTextTests {
    private static let issues = (1...25).map {
        ErrorIssue(
            .form(linkID: "q\($0)", expression: "QuestionnaireResponse.item[\($0)]"), kind: .required, "Answer it.")
    }

    @Test("an error prints all its listed issues, and how many more there are")
    func all() {
        let error = GateError(
            .failedPrecondition, .incomplete, "The form is not complete.\nq1: Answer it.", all: Self.issues)
        let lines = ErrorText.lines(of: error)
        #expect(lines.count == 22)
        #expect(lines.prefix(2) == ["The form is not complete.", "q1: Answer it."])
        #expect(lines.suffix(2) == ["q20: Answer it.", "5 more"])
    }

    @Test("an issue has its place in front, and is not printed twice")
    func places() {
        let issue = ErrorIssue(.form(linkID: nil, expression: "QuestionnaireResponse"), "No.")
        let bad = GateError(.invalidArgument, .badAnswer, "QuestionnaireResponse: No.", all: [issue])
        #expect(ErrorText.lines(of: bad) == ["QuestionnaireResponse: No."])
        let policy = GateError(
            .failedPrecondition, .badPolicy, "The policy has mistakes.\npolicy.yaml:3: No.",
            all: [
                ErrorIssue(.file("policy.yaml", line: 3, column: nil), "No."),
                ErrorIssue(.file("a.yaml", line: 1, column: 2), "No."),
            ])
        #expect(ErrorText.lines(of: policy) == ["The policy has mistakes.", "policy.yaml:3: No.", "a.yaml:1:2: No."])
    }

    @Test("an error without issues, or with its own message as only issue, prints that message")
    func plain() {
        #expect(ErrorText.lines(of: GateError(.aborted, .closed, "Gone.")) == ["Gone."])
        let answer = ErrorIssue(.form(linkID: "q", expression: ""), kind: .value, "Less.")
        #expect(ErrorText.lines(of: GateError(.invalidArgument, .badAnswer, "Less.", all: [answer])) == ["Less."])
    }

    @Test(
        "a file that can't be read is named, with why not and what to do",
        arguments: [
            (ENOENT, "'/a' can't be read: No such file or directory. Is this its path?"),
            (EACCES, "'/a' can't be read: Permission denied. Use `sudo`, or name a copy that you may read."),
            (EISDIR, "'/a' can't be read: Is a directory."),
        ])
    func unreadable(number: CInt, text: String) {
        errno = number
        #expect(GateError.unreadable("/a").message == text)
    }

    @Test("with --json the issues are those of the wire")
    func json() {
        let issue = ErrorIssue(
            .file("policy.yaml", line: 3, column: 7), kind: .notFound, parameters: ["name": "challange"], "No.")
        let text = JSONText.fields(of: GateError(.failedPrecondition, .badPolicy, "No.", all: [issue]))
        #expect(
            text.hasSuffix(
                #","issues":[{"file":{"file":"policy.yaml","line":3,"column":7},"kind":"ISSUE_KIND_NOT_FOUND","#
                    + #""parameters":[{"name":"name","value":"challange"}],"message":"No."}]}"#))
    }
}
