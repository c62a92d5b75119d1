import Crypto
import GateCore
import GateForms
import GateModel
import GatePolicy

/// Reads and checks files with questionnaires and responses, without a daemon.
enum FormFiles {
    /// FHIR JSON, from JSON or YAML.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) if the file can't be read, or is neither JSON nor YAML.
    static func responseJSON(_ path: String) throws(GateError) -> [UInt8] { try node(path).json() }

    /// FHIR JSON, from JSON or YAML, for a program that brings its own form.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) with everything that is wrong with it.
    static func questionnaireJSON(_ path: String, named name: String) throws(GateError) -> [UInt8] {
        do throws(PolicyError) {
            return try QuestionnaireFile.read(path, named: name).form.json
        } catch {
            throw GateError(.invalidArgument, .invalidRequest, error.description)
        }
    }

    /// - Throws: as `responseJSON`.
    static func node(_ path: String) throws(GateError) -> FHIRNode {
        do throws(PolicyError) {
            return try ResponseFile.node(path)
        } catch {
            throw GateError(.invalidArgument, .badAnswer, error.description)
        }
    }

    /// The response that lines `linkId: value` make, with only the items that the file names.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) with every mistake and its line.
    static func response(
        _ node: FHIRNode, from path: String, over draft: QuestionnaireResponse, of questionnaire: Questionnaire
    ) throws(GateError) -> QuestionnaireResponse {
        var answers = PlainAnswers(to: questionnaire) { text, item throws(GateError) in
            try FormAnswerText(item: item, habits: .ofPerson).value(text)
        }
        do throws(FormProblems) {
            return try answers.response(node, over: draft)
        } catch {
            let problems = error.problems.map {
                PolicyProblem(
                    file: path, line: $0.place?.line, column: $0.place?.column, message: $0.message, kind: .structure)
            }
            let issues = error.problems.map {
                ErrorIssue(
                    .file(path, line: $0.place?.line, column: $0.place?.column), kind: $0.kind,
                    parameters: $0.parameters, $0.message)
            }
            throw GateError(.invalidArgument, .badAnswer, PolicyError(problems: problems).description, all: issues)
        }
    }

    /// - Throws: `INVALID_ARGUMENT` if a file can't be read, or the questionnaire is not valid.
    static func verdict(questionnaire: String, response: String) throws(GateError) -> FormFileVerdict {
        let form: Questionnaire
        do throws(PolicyError) {
            form = try QuestionnaireFile.read(questionnaire, for: .validating).form.questionnaire
        } catch {
            throw GateError(.invalidArgument, .badPolicy, error.description)
        }
        return FormFileVerdict(try responseJSON(response), of: form)
    }

    static func digest(_ bytes: [UInt8]) -> AttachmentDigest {
        guard let digest = AttachmentDigest(bytes: Array(SHA256.hash(data: bytes))) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        return digest
    }
}

struct FormFileVerdict: Hashable {
    let issues: [FormIssue]

    init(_ json: [UInt8], of questionnaire: Questionnaire) {
        let reading = ResponseReader(digest: FormFiles.digest).response(json)
        let rules =
            reading.response.map {
                ResponseValidator(CompiledForm(questionnaire), now: .now()).issues(of: $0)
            } ?? []
        issues = reading.issues(with: rules)
    }

    var isValid: Bool { !FormIssueText.hasErrors(issues) }

    var exitStatus: Int32 { isValid ? 0 : 1 }

    var lines: [String] { issues.map(FormIssueText.line) }

    /// A FHIR OperationOutcome.
    var json: String { String(decoding: OutcomeWriter.json(issues), as: UTF8.self) }
}
