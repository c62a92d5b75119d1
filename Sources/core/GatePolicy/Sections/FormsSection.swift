import GateForms
import GateModel

/// Reads `questionnaires.d`, where each file is one form, and checks the names of forms that policies ask for.
extension PolicyDraft {
    mutating func readForm(_ source: PolicySource) {
        let problemCount = problems.found.count
        guard let node = ResourceText(source: source).node(&problems)?.withWrittenLanguages else {
            // This form's name is unknown, so a policy that asks for an unknown form may mean this one.
            if problems.found.count > problemCount { areAllFormsNamed = false }
            return
        }
        let (form, found) = QuestionnaireReader(fallbackName: source.fallbackName).form(node)
        problems.add(found, in: source.name, warnings: &warnings)
        let id = node.id
        let name = form?.questionnaire.name ?? id?.text ?? source.fallbackName
        namedForms.insert(name)
        let place = id?.place ?? node.place ?? FHIRNode.Place(line: 1, column: 1)
        guard isFirstForm(name, at: .init(file: source.name, line: place.line, column: place.column)) else { return }
        configuration.forms[name] = form
    }

    private mutating func isFirstForm(_ name: String, at place: PolicyNode.Place) -> Bool {
        guard let first = placeInLayer(of: "form \(name)") else { return isFirst("form \(name)", at: place) }
        problems.add(
            "There is a form '\(name.shortened)' already: \(first.file):\(first.line). Give this one another id.",
            kind: .duplicate, at: place)
        return false
    }

    // MARK: - Names of forms

    mutating func checkNamesOfForms() {
        guard areAllFormsNamed else { return }
        for (name, place, _) in usesOfForms where !namedForms.contains(name) {
            if !hasForms {
                warnings.add(
                    "Gate could not check whether there is a form '\(name.shortened)'. Check this file "
                        + "together with those in questionnaires.d.", kind: .notFound, at: place)
            } else if namedForms.isEmpty {
                problems.add(
                    "'\(name.shortened)' is not a form: there are no forms. Put its questionnaire into questionnaires.d.",
                    kind: .notFound, at: place)
            } else {
                problems.addUnknown(name, "form", among: namedForms.sorted(), at: place)
            }
        }
    }
}

extension FHIRNode {
    fileprivate var id: (text: String, place: Place?)? {
        guard case .object(let entries) = content, let entry = entries.first(where: { $0.key == "id" }) else {
            return nil
        }
        switch entry.value.content {
        case .string(let text), .plain(let text), .number(let text): return (text, entry.value.place)
        case .object, .array, .boolean, .null: return nil
        }
    }
}
