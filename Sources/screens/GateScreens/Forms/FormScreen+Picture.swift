package import GateModel
import GateTexts

extension FormScreen {
    package func picture(at now: BootTime) -> FormPicture {
        let shown = sections.shown(in: contents)
        let index = currentIndex(shown)
        let isOverview = index == shown.count
        if let choosing { return picture(choosing, shown, index) }
        let group = opened.last.map { ($0, sections.items[$0.linkID]) }
        let position = localized(
            "Section {number} of {count}", ["number": "\(index + 1)", "count": "\(shown.count)"])
        return FormPicture(
            title: questionnaire.titles.ofPerson.foreignLine, position: isOverview || shown.count < 2 ? "" : position,
            steps: steps(shown, index),
            heading: group.map { name($0.1, at: $0.0) } ?? (isOverview ? FormWords.overview : shown[index].title),
            page: "\(index) \(opened.map(\.description))", rows: rows(shown, index),
            back: index > 0 && group == nil ? FormWords.back : "",
            next: group != nil ? FormWords.done : isOverview ? FormWords.complete : FormWords.next,
            takesNext: isOverview ? takesCompletion(at: now) : true,
            forward: isOverview ? .completed(revision: contents.revision) : .wentOn,
            isEditable: !isCompleting,
            note: isCompleting ? ScreenWords.oneMoment : note.isEmpty ? standingNote(isOverview) : note)
    }

    /// The page of earlier answers, which is shown in front of the others.
    private func picture(_ page: FormPartsPage, _ shown: [FormSections.Section], _ index: Int) -> FormPicture {
        FormPicture(
            title: questionnaire.titles.ofPerson.foreignLine, position: "", steps: steps(shown, index),
            heading: name(page.item, at: page.path), page: "parts \(page.path)",
            rows: page.rows(replaces: replaces(at: page.path)), back: FormWords.back, next: FormWords.usePart,
            takesNext: !page.taken.isEmpty, forward: .tookParts, isEditable: !isCompleting, note: note)
    }

    /// Whether answers of the item are removed if a part is taken.
    private func replaces(at path: FormPath) -> Bool {
        guard let item = sections.items[path.linkID], item.kind == .group else {
            return !(contents.values[path] ?? []).isEmpty && !(sections.items[path.linkID]?.repeats ?? false)
        }
        return contents.groups[path].map { FormRows(fields(tellsMissing: false), parts).isAnswered($0.nodes) } ?? false
    }

    /// Whether the page has a button that leads to earlier answers for this item, and it can be pressed.
    func offersParts(at path: FormPath) -> Bool {
        let shown = sections.shown(in: contents)
        return rows(shown, currentIndex(shown)).contains { row in
            switch row.content {
            case .parts(let offer): offer.path == path && offer.isSensitive
            case .text, .heading, .field, .line, .table, .section, .beginning: false
            }
        }
    }

    private func standingNote(_ isOverview: Bool) -> String {
        let count = contents.problemCount
        guard isOverview, count > 0 else { return "" }
        return localized(
            "{count} answer is missing or wrong.", plural: "{count} answers are missing or wrong.", count: count)
    }

    private func name(_ item: QuestionnaireItem?, at path: FormPath) -> String {
        let name = item?.shownName ?? path.linkID.foreignLine
        return path.index.map { "\(name) \($0 + 1)" } ?? name
    }

    private func fields(tellsMissing: Bool) -> FormFields {
        FormFields(
            contents: contents, typing: typing, items: sections.items, tellsMissing: tellsMissing, found: found)
    }

    private func rows(_ shown: [FormSections.Section], _ index: Int) -> [FormRow] {
        guard index < shown.count else {
            return FormOverview(fields(tellsMissing: true), questionnaire, isUntouched: isUntouched).rows(shown)
        }
        let section = shown[index]
        let rows = FormRows(fields(tellsMissing: visited.contains(section.name)), parts)
        if let path = opened.last, let item = sections.items[path.linkID] {
            guard let group = contents.groups[path] else {
                return rows.offer(item, at: path)
                    + rows.rows(item.items, nil, in: item.repeats ? path.steps : path.steps.dropLast().map { $0 })
            }
            return rows.offer(item, at: path) + rows.rows(item.items, group.nodes, in: group.steps)
        }
        guard let only = section.items.first, only.isSection, !only.repeats else {
            return rows.rows(section.items, contents.nodes, in: [])
        }
        // The page has the title of the group.
        return rows.offer(only, at: FormPath(only.linkID))
            + rows.rows(only.items, contents.groups[FormPath(only.linkID)]?.nodes ?? [], in: [])
    }

    private func steps(_ shown: [FormSections.Section], _ current: Int) -> [FormPicture.Step] {
        shown.enumerated().map { index, section in
            let names = Set(section.items.flatMap(\.withAllItems).map(\.linkID))
            let needs = contents.problems.contains { path, issues in
                names.contains(path.linkID)
                    && issues.contains { $0.code != .required || visited.contains(section.name) }
            }
            return FormPicture.Step(
                title: section.title, isCurrent: index == current, needsAttention: needs,
                spoken: needs ? localized("{section}: something is missing", ["section": section.title]) : section.title
            )
        } + [
            FormPicture.Step(
                title: FormWords.overview, isCurrent: current == shown.count, needsAttention: false,
                spoken: FormWords.overview)
        ]
    }
}

extension FormPicture {
    /// While the form is being fetched; `note` says why it is not there yet.
    static func waiting(_ title: String, note: String) -> FormPicture {
        FormPicture(
            title: title, position: "", steps: [], heading: "", page: "", rows: [], back: "", next: "",
            takesNext: false, forward: .wentOn, isEditable: false, note: note)
    }
}
