public import GateModel

/// A FHIR R4 Questionnaire, as a tree → a form (F-28, F-46), or everything that is wrong with it.
public struct QuestionnaireReader {
    /// The use that a form is read for.
    public enum Purpose: Sendable {
        /// To be filled in.
        case filling
        /// To validate responses by: value sets that nobody has here are reported, and no mistake.
        case validating
    }

    private let fallbackName: String
    private let purpose: Purpose

    /// - Parameter fallbackName: what a resource without `id` is known by, like the name of its file.
    public init(fallbackName: String, for purpose: Purpose = .filling) {
        self.fallbackName = fallbackName
        self.purpose = purpose
    }

    /// - Returns: no questionnaire exactly where one of the problems is an error. At most 100 problems, in the order in
    ///   which they stand in the file.
    public func questionnaire(_ node: FHIRNode) -> (questionnaire: Questionnaire?, problems: [FormProblem]) {
        var reading = QuestionnaireReading(root: node, for: purpose)
        let questionnaire = reading.questionnaire(fallbackName: fallbackName)
        let problems = reading.findings.first(FormsLimits.problems).map(\.problem)
        return (reading.findings.hasErrors ? nil : questionnaire, problems)
    }

    /// The same, with the complete resource as JSON: every element as it was, and the `id` where there was none.
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
    /// With an `id` behind the type of the resource, where there is none.
    fileprivate func identified(by id: String) -> FHIRNode {
        guard case .object(var entries) = content, self["id"] == nil else { return self }
        let index = entries.firstIndex { $0.key == "resourceType" }.map { $0 + 1 } ?? 0
        entries.insert(Entry("id", id), at: index)
        return FHIRNode(.object(entries), place: place)
    }
}
