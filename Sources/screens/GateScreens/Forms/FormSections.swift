import GateModel
import GateTexts

/// The sections of a form: each group at the top level is one, and so are the questions between two such groups
/// together. A group that the form wants in one line counts as a question.
struct FormSections: Hashable, Sendable {
    struct Section: Hashable, Sendable {
        /// The linkId of its first item.
        let name: String
        let title: String
        let items: [QuestionnaireItem]
    }

    /// All sections, including disabled ones.
    let all: [Section]
    /// The items of the form at all depths, by linkId.
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

    /// The sections in which something is enabled.
    func shown(in contents: FormContents) -> [Section] {
        let there = Set(contents.nodes.map(\.linkID))
        return all.filter { section in section.items.contains { there.contains($0.linkID) } }
    }
}

extension QuestionnaireItem {
    /// Whether it is a section, if it is at the top level of a form.
    var isSection: Bool { kind == .group && !(isInOneLine ?? false) }
}
