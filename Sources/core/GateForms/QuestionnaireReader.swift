public import GateModel

/// Makes a form of a FHIR R4 Questionnaire, or reports everything that is wrong with it.
public struct QuestionnaireReader {
    public enum Purpose: Sendable {
        case filling
        /// The form is only used to validate responses. Then a value set that the form does not contain is reported as
        /// a warning, not as an error.
        case validating
    }

    private let fallbackName: String
    private let purpose: Purpose

    /// - Parameter fallbackName: names a resource without `id`, like the name of its file.
    public init(fallbackName: String, for purpose: Purpose = .filling) {
        self.fallbackName = fallbackName
        self.purpose = purpose
    }

    /// - Returns: no questionnaire if, and only if, one of the problems is an error. There are at most 100 problems, in
    ///   the order of the file.
    public func questionnaire(_ node: FHIRNode) -> (questionnaire: Questionnaire?, problems: [FormProblem]) {
        var reading = QuestionnaireReading(root: node, for: purpose)
        let questionnaire = reading.questionnaire(fallbackName: fallbackName)
        let problems = reading.findings.first(FormsLimits.problems).map(\.problem)
        return (reading.findings.hasErrors ? nil : questionnaire, problems)
    }

    /// The form with the complete resource as JSON: every element as it was, and an `id` if there was none.
    public func form(_ node: FHIRNode) -> (form: FormDescription?, problems: [FormProblem]) {
        let (questionnaire, problems) = questionnaire(node)
        guard let questionnaire else { return (nil, problems) }
        let json = node.identified(by: questionnaire.name).json()
        guard json.count <= FormsLimits.formBytes else {
            let problem = FormProblem(
                .error, at: node.place, path: "Questionnaire",
                "As JSON the form has \(json.count) bytes, and may have at most \(FormsLimits.formBytes), so that it fits "
                    + "into one message. Make several forms of it.")
            return (nil, [problem] + problems.prefix(FormsLimits.problems - 1))
        }
        return (FormDescription(questionnaire: questionnaire, json: json), problems)
    }
}

extension FHIRNode {
    /// With an `id` after the resource's type, if there is none.
    fileprivate func identified(by id: String) -> FHIRNode {
        guard case .object(var entries) = content, self["id"] == nil else { return self }
        let index = entries.firstIndex { $0.key == "resourceType" }.map { $0 + 1 } ?? 0
        entries.insert(Entry("id", id), at: index)
        return FHIRNode(.object(entries), place: place)
    }
}
