import GateModel
import GateTexts

/// The sections of a form: each group at its top is one, and so is what stands between groups. A group that its form has in one line
/// stands among the questions.
struct FormSections: Hashable, Sendable {
    struct Section: Hashable, Sendable {
        /// The linkId of its first item.
        let name: String
        let title: String
        let items: [QuestionnaireItem]
    }

    /// All of them, also those that are not enabled.
    let all: [Section]
    /// The items of the form, at all depths.
    let items: [String: QuestionnaireItem]

    init(_ questionnaire: Questionnaire) {
        var all: [Section] = []
        var loose: [QuestionnaireItem] = []
        func close() {
            guard let first = loose.first else { return }
            all.append(Section(name: first.linkID, title: questionnaire.titles.ofPerson.foreignLine, items: loose))
            loose = []
        }
        for item in questionnaire.items where !item.isHidden {
            if item.isSection {
                close()
                all.append(Section(name: item.linkID, title: item.shownName, items: [item]))
            } else {
                loose.append(item)
            }
        }
        close()
        self.all = all
        items = questionnaire.items.flatMap(\.withAllItems).reduce(into: [:]) { $0[$1.linkID] = $1 }
    }

    /// Those that have something enabled.
    func shown(in contents: FormContents) -> [Section] {
        let there = Set(contents.nodes.map(\.linkID))
        return all.filter { section in section.items.contains { there.contains($0.linkID) } }
    }
}

extension QuestionnaireItem {
    /// Whether it is a section of its own where it stands at the top of a form.
    var isSection: Bool { kind == .group && !(isInOneLine ?? false) }
}
