import ArgumentParser
import GateModel
import GatePolicy
import GateTexts
import Glibc

struct FormValidateVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a response by the rules of its questionnaire. Needs no daemon.",
        discussion: """
            For example: gatectl form validate consent.json answers.json

            Files in JSON or YAML. Each issue is a line: its severity, its place, the item, and a sentence. Status \
            0: the response is valid; 1: it is not; 65: a file can't be read, or the questionnaire is wrong. A \
            response in progress may lack required answers. With --json a FHIR OperationOutcome.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "A Questionnaire.", completion: .file())
    var questionnaire: String

    @Argument(help: "A QuestionnaireResponse.", completion: .file())
    var response: String

    func perform(_ session: Session) async throws(GateError) {
        let verdict = try FormFiles.verdict(questionnaire: questionnaire, response: response)
        for line in session.output.isJSON ? [verdict.json] : verdict.lines { session.output.line(line) }
        guard verdict.isValid else { Glibc.exit(verdict.exitStatus) }
        if !session.output.isJSON { session.output.note(localized("It is valid.")) }
    }
}

struct FormCheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check questionnaires. Needs no daemon.",
        discussion: """
            For example: gatectl form check questionnaires.d/*.json

            Each problem is a line FILE:LINE:COLUMN: MESSAGE, with the linkId of the item. Status 65 if one of \
            them is a mistake; a note begins with "warning: ".
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "Questionnaires, in JSON or YAML.", completion: .file())
    var files: [String]

    func perform(_ session: Session) async throws(GateError) {
        let check = FormCheck(files: files)
        for line in session.output.isJSON ? [check.json] : check.lines { session.output.line(line) }
        guard check.problems.isEmpty else {
            let count = check.problems.count
            throw GateError(
                .invalidArgument, .badPolicy,
                saying: localized(
                    "One mistake; a form with a mistake is not taken.",
                    plural: "{count} mistakes; a form with a mistake is not taken.", count: count))
        }
        if !session.output.isJSON {
            session.output.note(localized("Nothing is wrong with {files}.", ["files": ListText.things(files)]))
        }
    }
}

/// The faults of several questionnaires.
struct FormCheck: Hashable {
    private(set) var problems: [PolicyProblem] = []
    private(set) var warnings: [PolicyProblem] = []

    init(files: [String]) {
        for file in files {
            do throws(PolicyError) {
                warnings += try QuestionnaireFile.read(file).warnings
            } catch {
                problems += error.problems
            }
        }
    }

    var lines: [String] {
        problems.map(\.description) + warnings.map { localized("warning: {text}", ["text": $0.description]) }
    }

    var json: String {
        JSONText.appending(
            "warnings", json: JSONText.list(warnings.map(PolicyText.object)), to: PolicyText.json(problems))
    }
}
