public import GateForms
public import GateModel

/// A single form, no matter who owns it: to check it before it is put into force.
public enum QuestionnaireFile {
    /// - Parameters:
    ///   - path: of a questionnaire that ends in .json or .yaml. Without an id it is called as its file.
    ///   - name: the name of one without an id; `nil`: that of the file.
    ///   - purpose: what it is read for.
    /// - Returns: the form, and what it says that Gate does not use.
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
