package import GateModel
import GateTexts

/// A draft as a form screen needs it: the answers, groups and issues by their paths. Disabled items are not in it.
struct FormContents: Hashable, Sendable {
    struct Group: Hashable, Sendable {
        let item: QuestionnaireItem
        /// Its number, counted from 1; `nil` if the group does not repeat.
        let number: Int?
        let nodes: [QuestionnaireResponseItem]
        /// The steps with which the paths of its items begin.
        let steps: [FormPath.Step]
    }

    let revision: UInt64
    let nodes: [QuestionnaireResponseItem]
    private(set) var values: [FormPath: [FormValue]] = [:]
    private(set) var groups: [FormPath: Group] = [:]
    /// The errors, by the path of their item. The last step of the path has no index.
    private(set) var problems: [FormPath: [FormIssue]] = [:]
    /// The errors of the form as a whole.
    private(set) var ownProblems: [FormIssue] = []
    /// The broken rules of the form that are only warnings.
    private(set) var remarks: [FormIssue] = []
    let pending: [FormPath: PendingSuggestion]

    var problemCount: Int { problems.values.reduce(ownProblems.count) { $0 + $1.count } }

    init(_ standing: FormStanding, of items: [String: QuestionnaireItem]) {
        revision = standing.revision
        nodes = standing.response.items
        pending = Dictionary(standing.pending.map { ($0.path, $0) }) { first, _ in first }
        add(nodes, below: [], items)
        remarks = standing.issues.filter { $0.severity == .warning && $0.parameters["rule"] == "invariant" }
        for issue in standing.issues where issue.severity == .error {
            guard let path = Self.path(of: issue, in: standing.response, items) else {
                ownProblems.append(issue)
                continue
            }
            problems[path, default: []].append(issue)
        }
    }

    private mutating func add(
        _ nodes: [QuestionnaireResponseItem], below steps: [FormPath.Step], _ items: [String: QuestionnaireItem]
    ) {
        var counts: [String: Int] = [:]
        for node in nodes {
            // An unknown item came with a newer version of the form.
            guard let item = items[node.linkID] else { continue }
            let index = counts[node.linkID, default: 0]
            counts[node.linkID] = index + 1
            let path = FormPath(steps + [FormPath.Step(node.linkID, item.isInstances ? index : nil)])
            guard item.kind.isQuestion else {
                let inside = item.repeats ? path.steps : steps
                groups[path] = Group(
                    item: item, number: item.repeats ? index + 1 : nil, nodes: node.items, steps: inside)
                add(node.items, below: inside, items)
                continue
            }
            values[path] = node.answers.compactMap(\.value)
            for (index, answer) in node.answers.enumerated() {
                add(answer.items, below: steps + (item.repeats ? [FormPath.Step(node.linkID, index)] : []), items)
            }
        }
    }

    /// Whether both drafts are equal, apart from suggestions and the revision.
    func saysTheSame(as other: FormContents) -> Bool {
        nodes == other.nodes && problems == other.problems && ownProblems == other.ownProblems
            && remarks == other.remarks
    }

    func count(of linkID: String, in steps: [FormPath.Step]) -> Int {
        var count = 0
        while groups[FormPath(steps + [FormPath.Step(linkID, count)])] != nil { count += 1 }
        return count
    }

    /// Whether a question on which the item at `path` depends is answered. If the question is in several instances of a
    /// group, the ones around `path` count.
    func isAnswered(_ linkID: String, near path: FormPath) -> Bool {
        let around = path.steps.dropLast()
        let answered = values.filter { $0.key.linkID == linkID }
        let near = answered.filter { around.starts(with: $0.key.steps.dropLast()) }
        return (near.isEmpty ? answered : near).contains { !$0.value.isEmpty }
    }

    /// The path of an issue's item; `nil` if the issue is about the form as a whole, or its item is not found. FHIR's
    /// path counts all items; a `FormPath` counts only instances of a repeating group, and answers that repeat.
    private static func path(
        of issue: FormIssue, in response: QuestionnaireResponse, _ items: [String: QuestionnaireItem]
    ) -> FormPath? {
        var (steps, nodes): ([FormPath.Step], [QuestionnaireResponseItem]) = ([], response.items)
        var last: (node: QuestionnaireResponseItem, inside: [FormPath.Step])?
        for part in issue.path.split(separator: ".").dropFirst() {
            guard let bracket = part.firstIndex(of: "["), part.last == "]",
                let index = Int(part[part.index(after: bracket)...].dropLast())
            else { continue }
            if part.hasPrefix("item[") {
                guard nodes.indices.contains(index) else { return nil }
                let node = nodes[index]
                let time = nodes[..<index].count { $0.linkID == node.linkID }
                let item = items[node.linkID]
                let inside = item?.isInstances ?? false ? steps + [FormPath.Step(node.linkID, time)] : steps
                last = (node, steps)
                if item?.kind.isQuestion ?? false { continue }
                (steps, nodes) = (inside, node.items)
            } else if let node = last?.node, node.answers.indices.contains(index) {
                if items[node.linkID]?.repeats ?? false { steps += [FormPath.Step(node.linkID, index)] }
                nodes = node.answers[index].items
            }
        }
        guard let linkID = issue.linkID ?? last?.node.linkID else { return nil }
        return FormPath((last?.node.linkID == linkID ? last?.inside ?? [] : steps) + [FormPath.Step(linkID)])
    }
}

extension QuestionnaireItem {
    var isInstances: Bool { kind == .group && repeats }

    /// The text that a person reads, or the linkId if there is no text.
    var shownName: String {
        let text = [prefixes, texts].compactMap { $0?.ofPerson.foreignLine }.filter { !$0.isEmpty }.joined(
            separator: " ")
        return text.isEmpty ? linkID.foreignLine : text
    }

    /// Whether the question takes another answer, or the group another instance, if it has `count` already.
    package func takesMore(after count: Int) -> Bool {
        count < constraints.maximumOccurs ?? FormPath.maximumInstanceCount
    }

    /// The `definition` whose parts can be taken into it; `nil` if it has none, or can't be answered by a person.
    package var definitionOfParts: String? { isReadOnly || kind == .display ? nil : definition }

    package var withAllItems: [QuestionnaireItem] { [self] + items.flatMap(\.withAllItems) }

    /// Whether it is a group that is one line on the page and has a page of its own: if the form says so, or if the
    /// form says nothing and its items make one answer together, as those of a name or an address do. Never true for a
    /// group that repeats, which is a table.
    var isComposite: Bool {
        guard kind == .group, !repeats else { return false }
        return isInOneLine ?? (items.count > 1 && items.allSatisfy { $0.isPart })
    }

    private var isPart: Bool {
        guard !repeats, items.isEmpty else { return false }
        switch kind {
        case .group, .display, .boolean, .text, .attachment, .openChoice: return false
        case .decimal, .integer, .date, .dateTime, .time, .string, .url, .choice, .reference, .quantity: return true
        }
    }
}
