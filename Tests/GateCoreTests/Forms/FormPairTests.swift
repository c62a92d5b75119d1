import GateForms
import GateModel
import Testing

@testable import GateCore

/// The pairs of Tests/FormPairs: questionnaires with responses, and the verdict on each.
@Suite("Validation of pairs")
struct FormPairTests {
    @Test("every response gets the verdict that is written beside it, with just these issues")
    func verdicts() throws {
        for pair in try FormPair.all() {
            let reading = QuestionnaireReader(fallbackName: pair.name).questionnaire(pair.questionnaire)
            let faults = reading.problems.map { "\($0.path): \($0.message)" }
            #expect(faults.isEmpty, "\(pair.name): \(faults)")
            guard let questionnaire = reading.questionnaire else { continue }
            let validator = ResponseValidator(CompiledForm(questionnaire), now: .epoch)
            for one in pair.cases {
                let issues = Self.issues(of: one.response, validator)
                #expect(Self.told(.error, of: issues) == one.issues, "\(pair.name): \(one.name): \(issues)")
                #expect(Self.told(.warning, of: issues) == one.warnings, "\(pair.name): \(one.name): \(issues)")
                let isValid = !issues.contains { $0.severity == .error }
                #expect(isValid == (one.verdict == "valid"), "\(pair.name): \(one.name)")
            }
        }
    }

    @Test("a valid draft can be filled in, and says the same again; an invalid one changes nothing")
    func fillsInWhatIsValid() throws {
        for pair in try FormPair.all() {
            let reading = QuestionnaireReader(fallbackName: pair.name).questionnaire(pair.questionnaire)
            guard let questionnaire = reading.questionnaire else { continue }
            let form = CompiledForm(questionnaire)
            for one in pair.cases {
                guard var response = ResponseReader().response(one.response.json()).response else { continue }
                response.status = .inProgress
                let errors = ResponseValidator(form, now: .epoch).issues(of: response).filter { $0.severity == .error }
                var draft = FormDraft.opened(form)
                let before = draft
                if errors.isEmpty {
                    _ = try draft.fill(from: response)
                    let written = draft.response(.inProgress, authored: nil, includingUnanswered: false)
                    // A calculated value is there in any case, as the form calculates it.
                    let calculated = form.outline.items.filter { $0.calculated != nil }.map { "\($0.item.linkID)[" }
                    func others(_ response: QuestionnaireResponse) -> [String] {
                        Self.answers(response).filter { answer in !calculated.contains { answer.hasPrefix($0) } }
                    }
                    #expect(others(written) == others(response), "\(pair.name): \(one.name)")
                } else {
                    #expect(throws: GateError.self, "\(pair.name): \(one.name)") { try draft.fill(from: response) }
                    #expect(draft == before, "\(pair.name): \(one.name)")
                }
            }
        }
    }

    @Test("there are at least 120 pairs, of both verdicts in every file, and of every type of item and every code")
    func coverage() throws {
        let pairs = try FormPair.all()
        #expect(pairs.flatMap(\.cases).count >= 120)
        for pair in pairs {
            #expect(Set(pair.cases.map(\.verdict)) == ["valid", "invalid"], "\(pair.name)")
            #expect(Set(pair.cases.map(\.name)).count == pair.cases.count, "\(pair.name): a name twice")
        }
        let items = pairs.flatMap { pair in
            QuestionnaireReader(fallbackName: pair.name).questionnaire(pair.questionnaire).questionnaire?.items ?? []
        }
        func kinds(_ items: [QuestionnaireItem]) -> Set<QuestionnaireItem.Kind> {
            items.reduce(into: []) { $0.formUnion(kinds($1.items).union([$1.kind])) }
        }
        #expect(kinds(items) == Set(QuestionnaireItem.Kind.allCases))
        let codes = Set(pairs.flatMap(\.cases).flatMap { $0.issues + $0.warnings }.map(\.code))
        let elsewhere: Set<FormIssue.Code> = [.informational, .notSupported, .duplicate, .security]
        #expect(codes == Set(Set(FormIssue.Code.allCases).subtracting(elsewhere).map(\.rawValue)))
    }

    private static func issues(of response: FHIRNode, _ validator: ResponseValidator) -> [FormIssue] {
        let reading = ResponseReader().response(response.json())
        return reading.issues(with: reading.response.map(validator.issues) ?? [])
    }

    private static func told(_ severity: FormIssue.Severity, of issues: [FormIssue]) -> [FormPair.Expectation] {
        issues.filter { $0.severity == severity }
            .map { FormPair.Expectation(code: $0.code.rawValue, path: $0.path) }.sorted()
    }

    /// Each answer with its place among those of the same question.
    private static func answers(_ response: QuestionnaireResponse) -> [String] {
        func answers(_ items: [QuestionnaireResponseItem]) -> [String] {
            items.flatMap { item in
                answers(item.items)
                    + item.answers.enumerated().flatMap { index, answer in
                        ["\(item.linkID)[\(index)]: \(answer.value?.displayText ?? "")"] + answers(answer.items)
                    }
            }
        }
        return answers(response.items)
    }
}
