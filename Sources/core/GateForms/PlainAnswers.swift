public import GateModel

/// Answers as a person writes them who knows nothing of FHIR: `linkId: value`.
///
/// ```yaml
/// holder-name: Anna Schmidt
/// colours: [red, blue]
/// driver:
///   - {driver-name: Anna, driver-born: 1980-03-02}
///   - {driver-name: Ben}
/// ```
///
/// A group that repeats is a list of what is in it. Other groups may be left out, or written with what is in them.
public struct PlainAnswers {
    /// The answers within one repetition of a group, or outside of all such groups.
    private struct Scope {
        var answers: [String: [FormValue]] = [:]
        var groups: [String: [Scope]] = [:]
    }

    private struct Entry {
        var item: QuestionnaireItem
        /// The items around it, from the outside.
        var around: [QuestionnaireItem]

        var container: String? { around.last(where: \.isContainer)?.linkID }
    }

    private let questionnaire: Questionnaire
    private let read: (String, QuestionnaireItem) throws(GateError) -> FormValue
    private var entries: [String: Entry] = [:]
    private var problems: [FormProblem] = []

    public init(
        to questionnaire: Questionnaire,
        reading read: @escaping (String, QuestionnaireItem) throws(GateError) -> FormValue
    ) {
        self.questionnaire = questionnaire
        self.read = read
        enter(questionnaire.items, in: [])
    }

    /// Whether this is a FHIR resource, and not plain answers.
    public static func isResource(_ node: FHIRNode) -> Bool { node["resourceType"] != nil }

    /// A response that amends a draft: it has what the file has, and nothing else. A question that stands in the file
    /// without an answer is cleared. A repeating group in the file replaces all its repetitions in the draft; an empty
    /// list leaves one empty repetition.
    ///
    /// - Parameter draft: gives the answers to the questions above those in the file.
    /// - Throws: everything that is wrong.
    public mutating func response(
        _ node: FHIRNode, over draft: QuestionnaireResponse
    ) throws(FormProblems) -> QuestionnaireResponse {
        problems = []
        var scope = Scope()
        if case .object = node.content {
            take(node, into: &scope, in: [])
        } else {
            wrong(
                node.place, "no-mapping", nil, nil,
                "Write answers like 'name: Anna', each with the linkId of its question.")
        }
        guard problems.isEmpty else { throw FormProblems(problems: problems) }
        var response = draft
        response.items = items(questionnaire.items, draft.items, scope)
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
                let similar = NearestWord.of(key, among: Array(entries.keys))
                wrong(
                    place, similar == nil ? "no-item" : "similar-item", key, nil,
                    "The form has no item '\(key.shortened)'.\(similar.map { " Did you mean '\($0)'?" } ?? "")",
                    similar: similar)
                continue
            }
            let ways = Set(entry.around.map(\.linkID))
            if let other = around.first(where: { !ways.contains($0) }) {
                wrong(
                    place, "outside", key, other,
                    "'\(key.shortened)' is not in '\(other.shortened)'. Write it outside of that.")
                continue
            }
            if let container = entry.container, !around.contains(container) {
                misplaced(entry, in: container, at: place)
                continue
            }
            guard scope.answers[key] == nil, scope.groups[key] == nil else {
                wrong(place, "twice", key, nil, "'\(key.shortened)' is there twice. Keep one of them.")
                continue
            }
            take(written.value, entry.item, into: &scope, in: around)
        }
    }

    private mutating func misplaced(_ entry: Entry, in container: String, at place: FHIRNode.Place?) {
        let key = entry.item.linkID
        guard entry.around.last(where: \.isContainer)?.kind == .group else {
            return wrong(
                place, "below-answer", key, container,
                "'\(key.shortened)' belongs to an answer of '\(container.shortened)', which may have several. Write a "
                    + "QuestionnaireResponse for that.")
        }
        wrong(
            place, "in-list", key, container,
            "'\(key.shortened)' is in '\(container.shortened)', which may be there several times. Write it in a list: "
                + "'\(container.shortened): [{\(key.shortened): …}]'.")
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
            wrong(
                node.place, "display", item.linkID, nil,
                "'\(item.linkID.shortened)' is a text to read, and takes no answer.")
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
            .attachment,
            .reference, .quantity:
            scope.answers[item.linkID] = answers(node, item)
        }
    }

    private mutating func isObject(_ node: FHIRNode, _ item: QuestionnaireItem) -> Bool {
        if case .object = node.content { return true }
        wrong(
            node.place, "group", item.linkID, nil,
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
            wrong(
                node.place, "one-answer", item.linkID, nil,
                "'\(item.linkID.shortened)' takes one answer. Keep one of these.")
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
            wrong(
                node.place, "plain-value", item.linkID, nil,
                "'\(item.linkID.shortened)' takes a text, a number, or yes and no.")
            return nil
        }
        do throws(GateError) {
            return try read(text, item)
        } catch {
            refused(error, item, at: node.place)
            return nil
        }
    }

    // MARK: - Putting together

    private func items(
        _ items: [QuestionnaireItem], _ present: [QuestionnaireResponseItem], _ scope: Scope
    ) -> [QuestionnaireResponseItem] {
        items.flatMap { item in
            let there = present.first { $0.linkID == item.linkID }
            switch item.kind {
            case .display: return [QuestionnaireResponseItem]()
            case .group where item.repeats:
                guard let times = scope.groups[item.linkID] else { return [] }
                return (times.isEmpty ? [Scope()] : times).map { group(item, self.items(item.items, [], $0)) }
            case .group:
                let inner = self.items(item.items, there?.items ?? [], scope)
                return inner.isEmpty ? [] : [group(item, inner)]
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                return question(item, there?.answers.filter { $0.value != nil } ?? [], scope).map { [$0] } ?? []
            }
        }
    }

    private func group(_ item: QuestionnaireItem, _ items: [QuestionnaireResponseItem]) -> QuestionnaireResponseItem {
        QuestionnaireResponseItem(linkID: item.linkID, items: items)
    }

    /// - Returns: `nil` if neither the question nor anything below its answer is in the file.
    private func question(
        _ item: QuestionnaireItem, _ present: [QuestionnaireResponseAnswer], _ scope: Scope
    ) -> QuestionnaireResponseItem? {
        let written = scope.answers[item.linkID]
        let below = item.isContainer ? [] : items(item.items, present.first?.items ?? [], scope)
        guard let values = written ?? (below.isEmpty ? nil : present.compactMap(\.value)) else { return nil }
        return QuestionnaireResponseItem(
            linkID: item.linkID, answers: values.map { QuestionnaireResponseAnswer($0, items: below) })
    }

    /// `rule` names the mistake, for callers that say it in another language. `name` is the wrong linkId, as it is
    /// written, and `group` that of the item that it is in, or should be in.
    private mutating func wrong(
        _ place: FHIRNode.Place?, _ rule: String, _ name: String?, _ group: String?, _ message: String,
        similar: String? = nil
    ) {
        let names = ["rule": rule, "name": name?.shortened, "group": group?.shortened, "similar": similar?.shortened]
        problems.append(
            FormProblem(
                .error, at: place, path: "", linkID: name.flatMap { entries[$0] == nil ? nil : $0 }, message,
                parameters: names.compactMapValues(\.self)))
    }

    private mutating func refused(_ error: GateError, _ item: QuestionnaireItem, at place: FHIRNode.Place?) {
        let issue = error.issues.first
        problems.append(
            FormProblem(
                .error, at: place, path: "", linkID: item.linkID,
                "'\((item.text ?? item.linkID).oneShortLine)': \(issue?.message ?? error.message)",
                kind: issue?.kind ?? .value, parameters: issue?.parameters ?? item.namingParameters))
    }
}

/// Everything that is wrong with a file; never empty.
public struct FormProblems: Error, Hashable, Sendable {
    /// In the order of the file.
    public var problems: [FormProblem]
}
