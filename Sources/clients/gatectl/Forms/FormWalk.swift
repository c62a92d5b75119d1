import GateModel
import GateScreens

/// Everything in a form that a person passes, in order, for the present state of the draft. Disabled items are not in
/// the draft, and hidden ones are usually left out. A walk is made anew after each change.
struct FormWalk: Hashable {
    enum Stop: Hashable {
        case section(Section)
        /// An item that is only displayed.
        case text(QuestionnaireItem)
        case question(Question)
        /// After the last of a repeating group: the person may add one more.
        case another(Another)
    }

    struct Section: Hashable {
        let item: QuestionnaireItem
        let path: FormPath
        /// The section's number, from 1; `nil` if the group does not repeat.
        let number: Int?
        let count: Int
        let depth: Int
    }

    struct Question: Hashable {
        let item: QuestionnaireItem
        let path: FormPath
        /// The number, from 1, among the questions of the form.
        let number: Int
        let values: [FormValue]
        let depth: Int
        /// The suggestion that is being fetched or waits to be taken; `nil` if there is none.
        var pending: PendingSuggestion?
    }

    struct Another: Hashable {
        let item: QuestionnaireItem
        /// The path of the group that may be added.
        let path: FormPath
        /// How many groups there are already.
        let count: Int
        /// The first question in the added group; `nil` if it has no question that is certainly enabled.
        let first: First?

        struct First: Hashable {
            let item: QuestionnaireItem
            let path: FormPath
        }
    }

    private(set) var stops: [Stop] = []
    private(set) var questionCount = 0
    enum Hidden: Hashable, Sendable {
        case leftOut
        /// For the end of a form: hidden answers are completed with the others, so the person has to see them.
        case whereAnswered
        /// For listings of the whole form.
        case included
    }

    private let hidden: Hidden
    private let pending: [FormPath: PendingSuggestion]

    /// The response has every item that is enabled, answered or not; `pending` are at most one for each question.
    init(
        _ questionnaire: Questionnaire, _ response: QuestionnaireResponse, pending: [PendingSuggestion] = [],
        hidden: Hidden = .leftOut
    ) {
        self.hidden = hidden
        self.pending = Dictionary(pending.map { ($0.path, $0) }) { first, _ in first }
        add(questionnaire.items, response.items, behind: [], depth: 0)
    }

    var questions: [Question] {
        stops.compactMap(\.question)
    }

    /// The index of a stop from an earlier walk; `nil` if it is gone.
    func index(of stop: Stop) -> Int? { stops.firstIndex { $0.place == stop.place } }

    /// The indices of everything inside the group that begins at `index`.
    func inside(_ index: Int) -> Range<Int> {
        guard let depth = stops[index].depth else { return index..<index }
        let end = stops.indices[(index + 1)...].first { stops[$0].depth.map { $0 <= depth } ?? false }
        return index + 1..<(end ?? stops.count)
    }

    // MARK: The way through

    private mutating func add(
        _ items: [QuestionnaireItem], _ responses: [QuestionnaireResponseItem], behind steps: [FormPath.Step],
        depth: Int
    ) {
        for item in items {
            let own = responses.filter { $0.linkID == item.linkID }
            guard !item.isHidden || includes(own) else { continue }
            switch item.kind {
            case .group: add(group: item, own, behind: steps, depth: depth)
            case .display: if !own.isEmpty { stops.append(.text(item)) }
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                guard let response = own.first else { continue }
                add(question: item, response, behind: steps, depth: depth)
            }
        }
    }

    private func includes(_ hiddenItem: [QuestionnaireResponseItem]) -> Bool {
        switch hidden {
        case .leftOut: false
        case .whereAnswered: hiddenItem.contains { !$0.answers.isEmpty || !$0.items.isEmpty }
        case .included: true
        }
    }

    private mutating func add(
        group item: QuestionnaireItem, _ own: [QuestionnaireResponseItem], behind steps: [FormPath.Step], depth: Int
    ) {
        for (index, response) in own.enumerated() {
            let step = FormPath.Step(item.linkID, item.repeats ? index : nil)
            stops.append(
                .section(
                    Section(
                        item: item, path: FormPath(steps + [step]), number: item.repeats ? index + 1 : nil,
                        count: own.count, depth: depth)))
            add(item.items, response.items, behind: steps + (item.repeats ? [step] : []), depth: depth + 1)
        }
        guard item.repeats, !own.isEmpty, !item.isReadOnly, item.takesMore(after: own.count) else { return }
        let path = FormPath(steps + [FormPath.Step(item.linkID, own.count)])
        stops.append(
            .another(Another(item: item, path: path, count: own.count, first: Self.first(of: item.items, in: path))))
    }

    /// The first question that can be answered and depends on no other answer.
    private static func first(of items: [QuestionnaireItem], in path: FormPath) -> Another.First? {
        for item in items where !item.isHidden && item.enableWhen.isEmpty {
            if item.kind == .group {
                let inner = item.repeats ? FormPath(path.steps + [FormPath.Step(item.linkID, 0)]) : path
                if let first = first(of: item.items, in: inner) { return first }
            } else if item.kind.isQuestion, !item.isReadOnly, item.parents.isEmpty {
                return Another.First(item: item, path: FormPath(path.steps + [FormPath.Step(item.linkID)]))
            }
        }
        return nil
    }

    private mutating func add(
        question item: QuestionnaireItem, _ response: QuestionnaireResponseItem, behind steps: [FormPath.Step],
        depth: Int
    ) {
        questionCount += 1
        let path = FormPath(steps + [FormPath.Step(item.linkID)])
        let values = response.answers.compactMap(\.value)
        stops.append(
            .question(
                Question(
                    item: item, path: path, number: questionCount, values: values, depth: depth, pending: pending[path])
            ))
        for (index, answer) in response.answers.enumerated() {
            let step = item.repeats ? [FormPath.Step(item.linkID, index)] : []
            add(item.items, answer.items, behind: steps + step, depth: depth)
        }
    }
}

extension FormWalk.Stop {
    /// What identifies a stop, even after the draft was changed.
    enum Place: Hashable {
        case section(FormPath)
        case text(String)
        case question(FormPath)
        case another(FormPath)
    }

    var place: Place {
        switch self {
        case .section(let section): .section(section.path)
        case .text(let item): .text(item.linkID)
        case .question(let question): .question(question.path)
        case .another(let another): .another(another.path)
        }
    }

    var question: FormWalk.Question? {
        switch self {
        case .question(let question): question
        case .section, .text, .another: nil
        }
    }

    /// How many groups are around the stop; `nil` if that is not shown.
    fileprivate var depth: Int? {
        switch self {
        case .section(let section): section.depth
        case .question(let question): question.depth
        case .text, .another: nil
        }
    }

    var asks: Bool {
        switch self {
        case .section, .text: false
        case .question(let question): !question.item.isReadOnly
        case .another(let another): another.first != nil
        }
    }
}
