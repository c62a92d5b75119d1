import GateForms
package import GateModel
package import GateProtocol

// Reading the FHIR resources that the daemon sends as JSON.

extension Questionnaire {
    /// - Throws: `INTERNAL` if the form can't be read, which is the daemon's mistake: it has read the form before.
    init(ofDaemon json: [UInt8], named name: String) throws(GateError) {
        let node: FHIRNode
        do throws(FormProblem) {
            node = try FHIRNode(json: json)
        } catch {
            throw .unreadable("form", error.message)
        }
        let reading = QuestionnaireReader(fallbackName: name).questionnaire(node)
        guard let questionnaire = reading.questionnaire else {
            throw .unreadable("form", reading.problems.first { $0.severity == .error }?.message)
        }
        self = questionnaire
    }
}

extension QuestionnaireResponse {
    /// - Throws: `INTERNAL` if the response can't be read.
    init(ofDaemon json: [UInt8]) throws(GateError) {
        let reading = ResponseReader().response(json)
        guard let response = reading.response else { throw .unreadable("response", reading.issues.first?.message) }
        self = response
    }
}

extension [PendingSuggestion] {
    /// - Throws: `INTERNAL` if a suggestion can't be read.
    init(ofDaemon messages: [PendingSuggestionMessage]) throws(GateError) {
        self = []
        for message in messages { append(try PendingSuggestion(ofDaemon: message)) }
    }
}

extension PendingSuggestion {
    /// - Throws: `INTERNAL` if the suggestion can't be read.
    package init(ofDaemon message: PendingSuggestionMessage) throws(GateError) {
        var answers: [FormValue] = []
        if !message.answers.isEmpty {
            do throws(FormProblem) {
                answers = try ResponseReader().answers(message.answers).values
            } catch {
                throw .unreadable("suggestion", error.message)
            }
        }
        guard let path = FormPath(text: message.path) else { throw .unreadable("suggestion", "its path is no path") }
        self.init(path: path, answers: answers, deadline: message.deadline)
    }
}

extension FormVerdict {
    /// - Throws: `INTERNAL` if the outcome can't be read.
    init(outcome json: [UInt8], isValid: Bool) throws(GateError) {
        let node: FHIRNode
        do throws(FormProblem) {
            node = try FHIRNode(json: json)
        } catch {
            throw .unreadable("outcome", error.message)
        }
        let issues = node["issue"]?.elements.compactMap { FormIssue(ofOutcome: $0) } ?? []
        // FHIR forbids an OperationOutcome without issues, so one without mistakes has an issue that says so: skip it.
        self.init(
            isValid: isValid, issues: issues.filter { $0.code != .informational || !$0.path.isEmpty }, outcomeJSON: json
        )
    }
}

extension FormIssue {
    /// `nil` if the severity or the code is unknown to this version.
    fileprivate init?(ofOutcome issue: FHIRNode) {
        guard let severity = issue["severity"]?.text.flatMap(Severity.init),
            let code = issue["code"]?.text.flatMap(Code.init)
        else { return nil }
        self.init(
            severity, code, at: issue["expression"]?.elements.first?.text ?? "",
            linkID: issue.linkID,
            issue["details"]?["text"]?.text ?? issue["diagnostics"]?.text ?? "")
    }
}

extension FHIRNode {
    /// The linkId of an issue's item; `nil`: none. It is in an extension of Gate's, as FHIR has no field for it.
    fileprivate var linkID: String? {
        self["extension"]?.elements.first { $0["url"]?.text == Self.linkIDExtension }?["valueString"]?.text
    }

    private static let linkIDExtension = "https://gate.example/fhir/StructureDefinition/link-id"
}

extension GateError {
    fileprivate static func unreadable(_ what: String, _ why: String?) -> GateError {
        GateError(
            .internal, .unspecified, "The daemon sent a \(what) that can't be read\(why.map { ": \($0)" } ?? ".")")
    }
}
