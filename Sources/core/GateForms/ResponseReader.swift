public import GateModel

/// A response as it was read.
public struct ResponseReading {
    /// The response, as far as it could be read; `nil` if nothing could be.
    public var response: QuestionnaireResponse?
    /// The mistakes in the JSON or in the FHIR resource. Answers are not compared with the form here.
    public var issues: [FormIssue]
    public var attachments: [AttachmentDigest: [UInt8]]

    public init(response: QuestionnaireResponse?, issues: [FormIssue], attachments: [AttachmentDigest: [UInt8]] = [:]) {
        self.response = response
        self.issues = issues
        self.attachments = attachments
    }

    /// These issues, and those by the questionnaire's rules. An unreadable answer is not reported as missing, too.
    public func issues(with rules: [FormIssue]) -> [FormIssue] {
        let unreadable = unreadablePlaces
        return issues + rules.filter { !unreadable.contains($0.path) }
    }

    /// The paths of items and answers that are wrong as such, or that have a value which can't be read.
    var unreadablePlaces: Set<String> {
        var places: Set<String> = []
        for issue in issues where issue.severity == .error {
            if issue.path.utf8.last == UInt8(ascii: "]") { places.insert(issue.path) }
            let path = issue.path.utf8
            var rest = path[...]
            while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
                if rest[dot...].starts(with: ".value".utf8), let place = String(path[..<dot]) { places.insert(place) }
                rest = rest[path.index(after: dot)...]
            }
        }
        return places
    }
}

/// Reads answers from FHIR JSON, as strictly as FHIR's official validators. `ResponseValidator` checks what the
/// questionnaire requires.
public struct ResponseReader {
    private let digest: (([UInt8]) -> AttachmentDigest)?

    /// - Parameter digest: SHA-256, for bytes in the response; `nil` if a response may not contain bytes.
    public init(digest: (([UInt8]) -> AttachmentDigest)? = nil) { self.digest = digest }

    public func response(_ json: [UInt8]) -> ResponseReading {
        let root: FHIRNode
        do throws(FormProblem) { root = try node(json) } catch {
            return unreadable(error.withPlace.message)
        }
        guard case .object = root.content else {
            return unreadable("A QuestionnaireResponse is an object in braces, not \(root.found).")
        }
        guard root["resourceType"]?.text == "QuestionnaireResponse" else {
            return unreadable(
                "This is no QuestionnaireResponse: its 'resourceType' is "
                    + "\(root["resourceType"]?.text.map { "'\($0.shortened)'" } ?? "missing").")
        }
        var check = StructureCheck()
        check.check(root, as: "QuestionnaireResponse", at: FormPosition(path: "QuestionnaireResponse"))
        var tree = ResponseTreeReading(digest: digest, findings: check.findings)
        let response = tree.response(root)
        return ResponseReading(
            response: response, issues: tree.findings.first(FormsLimits.issues).map(\.issue),
            attachments: tree.attachments)
    }

    /// Reads a list of answers, as `Questionnaires/SetAnswer` takes it: `[{"valueString": "Anna"}]`.
    ///
    /// - Throws: the first mistake.
    public func answers(_ json: [UInt8]) throws(FormProblem) -> (
        values: [FormValue], attachments: [AttachmentDigest: [UInt8]]
    ) {
        let root: FHIRNode
        do throws(FormProblem) { root = try node(json) } catch {
            throw error.withPlace
        }
        guard case .array(let elements) = root.content else {
            throw FormProblem(.error, at: root.place, path: "", #"Answers are a list, like [{"valueString": "Anna"}]."#)
        }
        var values: [FormValue] = []
        var check = StructureCheck()
        var tree = ResponseTreeReading(digest: digest, findings: FormFindings())
        for (index, element) in elements.enumerated() {
            let position = FormPosition(path: "answer[\(index)]")
            let errorCount = check.findings.errorCount + tree.findings.errorCount
            check.check(element, as: "QuestionnaireResponse.answer", at: position)
            if element["item"] != nil {
                tree.wrong(
                    position, element.place, .structure,
                    "An answer can't have items here. Set the answers of the items below it by themselves.")
            }
            if let value = tree.value(element, position) {
                values.append(value)
            } else if check.findings.errorCount + tree.findings.errorCount == errorCount {
                // No reason was reported yet.
                tree.wrong(position, element.place, .structure, "There is no answer in here.")
            }
        }
        for findings in [check.findings, tree.findings] where findings.hasErrors {
            if let first = findings.first(FormsLimits.issues).first(where: { $0.severity == .error }) {
                throw first.problem
            }
        }
        return (values, tree.attachments)
    }

    /// A response that may contain bytes comes from outside; any other was read before.
    private func node(_ json: [UInt8]) throws(FormProblem) -> FHIRNode {
        digest == nil
            ? try FHIRNode(json: json)
            : try FHIRNode(json: json, maximumBytes: FormsLimits.responseBytes, isFromOutside: true)
    }

    private func unreadable(_ message: String) -> ResponseReading {
        ResponseReading(
            response: nil, issues: [FormIssue(.error, .structure, at: "QuestionnaireResponse", linkID: nil, message)])
    }
}

extension FormProblem {
    /// For callers that do not show the place beside the message.
    fileprivate var withPlace: FormProblem {
        var problem = self
        if let place { problem.message = "Line \(place.line), column \(place.column): \(message)" }
        return problem
    }
}
