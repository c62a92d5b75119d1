public import GateForms
public import GateModel

/// Reads a single form whoever owns the file, to check it before it is put into force.
public enum QuestionnaireFile {
    /// `path` ends in .json or .yaml. `name` is for a questionnaire without an id; `nil`: the name of the file. The
    /// warnings are about what Gate does not use in the form.
    ///
    /// - Throws: everything that is wrong with it, with line and column.
    public static func read(
        _ path: String, named name: String? = nil, for purpose: QuestionnaireReader.Purpose = .filling
    ) throws(PolicyError) -> (form: FormDescription, warnings: [PolicyProblem]) {
        let source = try PolicySource.resource(path, readAs: .questionnaire)
        let node = try ResourceText(source: source).node().withWrittenLanguages
        let (form, found) = QuestionnaireReader(fallbackName: name ?? source.fallbackName, for: purpose).form(node)
        var problems = PolicyProblems()
        var warnings = PolicyProblems()
        problems.add(found, in: source.name, warnings: &warnings)
        guard let form, problems.isEmpty else {
            throw PolicyError(problems: problems.sorted(orderOfFiles: [source.name]))
        }
        return (form, warnings.sorted(orderOfFiles: [source.name]))
    }
}
