public import GateModel

/// Answers as somebody writes them down who knows nothing of FHIR: `linkId: value` (F-83).
///
/// ```yaml
/// holder-name: Anna Schmidt
/// colours: [red, blue]
/// driver:
///   - {driver-name: Anna, driver-born: 1980-03-02}
///   - {driver-name: Ben}
/// ```
///
/// A group that repeats is a list of what is in it; other groups may be left out, or written with what is in them.
public struct PlainAnswers {
    /// The answers at one time of a repeating group, or outside of all.
    private struct Scope {
        var answers: [String: [FormValue]] = [:]
        var groups: [String: [Scope]] = [:]
    }

    private struct Entry {
        var item: QuestionnaireItem
        /// The items that it is in, from the outside.
        var around: [QuestionnaireItem]

        /// The repeating item that it is directly or indirectly in.
        var container: String? { around.last(where: \.isContainer)?.linkID }
    }

    private let questionnaire: Questionnaire
    private let read: (String, QuestionnaireItem) throws(GateError) -> FormValue
    private var entries: [String: Entry] = [:]
    private var problems: [FormProblem] = []

    /// - Parameter read: reads an answer to a question as it was written.
    public init(
        to questionnaire: Questionnaire,
        reading read: @escaping (String, QuestionnaireItem) throws(GateError) -> FormValue
    ) {
        self.questionnaire = questionnaire
        self.read = read
        enter(questionnaire.items, in: [])
    }

    /// Whether it is a FHIR resource, and no plain answers.
    public static func isResource(_ node: FHIRNode) -> Bool { node["resourceType"] != nil }

    /// The answers in place of those that a draft has. A group that repeats and is written takes the place of all its times.
    ///
    /// - Throws: all that is wrong.
    public mutating func response(
        _ node: FHIRNode, over draft: QuestionnaireResponse
    ) throws(FormProblems) -> QuestionnaireResponse {
        problems = []
        var scope = Scope()
        if case .object = node.content {
            take(node, into: &scope, in: [])
        } else {
            wrong(node.place, nil, "Write answers like 'name: Anna', each with the linkId of its question.")
        }
        guard problems.isEmpty else { throw FormProblems(problems: problems) }
        var response = draft
        response.items = items(questionnaire.items, draft.items, scope, isNew: false)
        return response
    }

    private mutating func enter(_ items: [QuestionnaireItem], in around: [QuestionnaireItem]) {
        for item in items where entries[item.linkID] == nil {
            entries[item.linkID] = Entry(item: item, around: around)
            enter(item.items, in: around + [item])
        }
    }

    // MARK: - Reading

    /// - Parameter around: the groups that it is written in, from the outside.
    private mutating func take(_ node: FHIRNode, into scope: inout Scope, in around: [String]) {
        for written in node.entries where problems.count < FormsLimits.problems {
            let (key, place) = (written.key, written.keyPlace ?? written.value.place)
            guard let entry = entries[key] else {
                let question = NearestWord.question(key, among: Array(entries.keys))
                wrong(place, nil, "The form has no item '\(key.shortened)'.\(question)")
                continue
            }
            let ways = Set(entry.around.map(\.linkID))
            if let other = around.first(where: { !ways.contains($0) }) {
                wrong(place, key, "'\(key.shortened)' is not in '\(other.shortened)'. Write it outside of that.")
                continue
            }
            if let container = entry.container, !around.contains(container) {
                wrong(place, key, Self.misplaced(entry, in: container))
                continue
            }
            guard scope.answers[key] == nil, scope.groups[key] == nil else {
                wrong(place, key, "'\(key.shortened)' is there twice. Keep one of them.")
                continue
            }
            take(written.value, entry.item, into: &scope, in: around)
        }
    }

    private static func misplaced(_ entry: Entry, in container: String) -> String {
        let around = entry.around.last(where: \.isContainer)
        guard around?.kind == .group else {
            return
                "'\(entry.item.linkID.shortened)' belongs to an answer of '\(container.shortened)', which may have several. Write a "
                + "QuestionnaireResponse for that."
        }
        return
            "'\(entry.item.linkID.shortened)' is in '\(container.shortened)', which may be there several times. Write it in a list: "
            + "'\(container.shortened): [{\(entry.item.linkID.shortened): …}]'."
    }

    private mutating func take(
        _ node: FHIRNode, _ item: QuestionnaireItem, into scope: inout Scope, in around: [String]
    ) {
        switch item.kind {
        case .group where item.repeats:
            let times: [FHIRNode] =
                switch node.content {
                case .array(let times): times
                case .null, .plain(""): []
                case _: [node]
                }
            var scopes: [Scope] = []
            for time in times {
                var inner = Scope()
                guard isObject(time, item) else { continue }
                take(time, into: &inner, in: around + [item.linkID])
                scopes.append(inner)
            }
            scope.groups[item.linkID] = scopes
        case .group:
            if isObject(node, item) { take(node, into: &scope, in: around + [item.linkID]) }
        case .display:
            wrong(node.place, item.linkID, "'\(item.linkID.shortened)' is a text to read, and takes no answer.")
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
            .attachment,
            .reference, .quantity:
            scope.answers[item.linkID] = answers(node, item)
        }
    }

    private mutating func isObject(_ node: FHIRNode, _ item: QuestionnaireItem) -> Bool {
        if case .object = node.content { return true }
        wrong(
            node.place, item.linkID,
            "'\(item.linkID.shortened)' is a group. Write the answers to the questions in it, with their linkIds.")
        return false
    }

    private mutating func answers(_ node: FHIRNode, _ item: QuestionnaireItem) -> [FormValue] {
        let written: [FHIRNode] =
            switch node.content {
            case .array(let elements): elements
            case .null, .plain(""): []
            case _: [node]
            }
        if written.count > 1, !item.repeats {
            wrong(node.place, item.linkID, "'\(item.linkID.shortened)' takes one answer. Keep one of these.")
            return []
        }
        return written.compactMap { answer($0, item) }
    }

    private mutating func answer(_ node: FHIRNode, _ item: QuestionnaireItem) -> FormValue? {
        let text: String
        switch node.content {
        case .string(let written), .plain(let written), .number(let written): text = written
        case .boolean(let isTrue): text = isTrue ? "true" : "false"
        case .object, .array, .null:
            wrong(node.place, item.linkID, "'\(item.linkID.shortened)' takes a text, a number, or yes and no.")
            return nil
        }
        do throws(GateError) {
            return try read(text, item)
        } catch {
            wrong(node.place, item.linkID, error.issues.first?.message ?? error.message)
            return nil
        }
    }

    // MARK: - Putting together

    /// - Parameter isNew: it is in a group that was not there: questions without an answer have their initial ones.
    private func items(
        _ items: [QuestionnaireItem], _ present: [QuestionnaireResponseItem], _ scope: Scope, isNew: Bool
    ) -> [QuestionnaireResponseItem] {
        items.flatMap { item in
            let there = present.filter { $0.linkID == item.linkID }
            switch item.kind {
            case .display: return [QuestionnaireResponseItem]()
            case .group where item.repeats:
                guard let times = scope.groups[item.linkID] else { return there }
                return times.map { group(item, self.items(item.items, [], $0, isNew: true)) }
            case .group:
                let inner = self.items(item.items, there.first?.items ?? [], scope, isNew: isNew)
                return inner.isEmpty ? [] : [group(item, inner)]
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                let answers = answers(to: item, there.first?.answers ?? [], scope, isNew: isNew)
                return answers.isEmpty ? [] : [QuestionnaireResponseItem(linkID: item.linkID, answers: answers)]
            }
        }
    }

    private func group(_ item: QuestionnaireItem, _ items: [QuestionnaireResponseItem]) -> QuestionnaireResponseItem {
        QuestionnaireResponseItem(linkID: item.linkID, items: items)
    }

    private func answers(
        to item: QuestionnaireItem, _ present: [QuestionnaireResponseAnswer], _ scope: Scope, isNew: Bool
    ) -> [QuestionnaireResponseAnswer] {
        let there = present.filter { $0.value != nil }
        let values = scope.answers[item.linkID] ?? (isNew ? item.statedInitialValues : there.compactMap(\.value))
        return values.enumerated().map { index, value in
            // What is below an answer stays with it.
            let same = there.indices.contains(index) && there[index].value == value ? there[index].items : []
            let below = item.isContainer ? same : items(item.items, same, scope, isNew: isNew || same.isEmpty)
            return QuestionnaireResponseAnswer(value, items: below)
        }
    }

    private mutating func wrong(_ place: FHIRNode.Place?, _ linkID: String?, _ message: String) {
        problems.append(FormProblem(.error, at: place, path: "", linkID: linkID, message))
    }
}

/// All that is wrong with a file. Not empty.
public struct FormProblems: Error, Hashable, Sendable {
    /// In the order of the file.
    public var problems: [FormProblem]
}
