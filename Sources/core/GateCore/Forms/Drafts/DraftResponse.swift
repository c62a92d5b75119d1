public import GateModel

extension FormDraft {
    /// The answers as a response: only enabled items, in the order of the form.
    ///
    /// Items without answers are left out, except groups in which something is required, so that it can be reported as
    /// missing. With `includingUnanswered` everything that is asked is included.
    public func response(
        _ status: QuestionnaireResponse.Status, authored: String?, includingUnanswered: Bool
    ) -> QuestionnaireResponse {
        filled.response(status, authored: authored, includingUnanswered: includingUnanswered)
    }
}

extension FilledForm {
    func response(
        _ status: QuestionnaireResponse.Status, authored: String?, includingUnanswered: Bool
    ) -> QuestionnaireResponse {
        var writer = ResponseItems(of: self, includingUnanswered: includingUnanswered)
        return QuestionnaireResponse(
            questionnaire: form.questionnaire.canonical, status: status, authored: authored,
            items: writer.items(outline.roots, at: []).items)
    }
}

extension FilledForm {
    /// The answers in a group or one instance. `indices`: the instances of the repeating items around its items.
    func answered(within group: Int, at indices: [Int]) -> [QuestionnaireResponseItem] {
        var writer = ResponseItems(of: self, includingUnanswered: false)
        return writer.items(outline.items[group].children, at: indices).items.filter(\.hasAnswer)
    }
}

private struct ResponseItems {
    private let filled: FilledForm
    private let includingUnanswered: Bool
    private var enablement: Enablement

    init(of filled: FilledForm, includingUnanswered: Bool) {
        self.filled = filled
        self.includingUnanswered = includingUnanswered
        enablement = Enablement(of: filled)
    }

    mutating func items(_ children: [Int], at indices: [Int]) -> (items: [QuestionnaireResponseItem], hasAnswer: Bool) {
        var items: [QuestionnaireResponseItem] = []
        var hasAnswer = false
        for child in children where enablement.isEnabled(child, at: indices) {
            let written = written(child, at: indices)
            items += written.items
            hasAnswer = hasAnswer || written.hasAnswer
        }
        return (items, hasAnswer)
    }

    private mutating func written(_ child: Int, at indices: [Int]) -> (
        items: [QuestionnaireResponseItem], hasAnswer: Bool
    ) {
        let compiled = filled.outline.items[child]
        var written = QuestionnaireResponseItem(linkID: compiled.item.linkID, text: compiled.item.text)
        switch compiled.item.kind {
        case .display: return (includingUnanswered ? [written] : [], false)
        case .group where compiled.item.repeats:
            let times = (0..<filled.count(of: child, at: indices)).map { items(compiled.children, at: indices + [$0]) }
            let kept = times.filter { includingUnanswered || $0.hasAnswer }
            let groups = kept.map { time in
                var group = written
                group.items = time.items
                return group
            }
            return (groups, kept.contains(where: \.hasAnswer))
        case .group:
            let content = items(compiled.children, at: indices)
            written.items = content.items
            let isWritten = includingUnanswered || content.hasAnswer || compiled.isDemanding
            return (isWritten ? [written] : [], content.hasAnswer)
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
            .attachment, .reference, .quantity:
            let values = filled.answers(of: child, at: indices)
            for (time, value) in values.enumerated() {
                let below =
                    compiled.children.isEmpty
                    ? [] : items(compiled.children, at: compiled.isContainer ? indices + [time] : indices).items
                written.answers.append(QuestionnaireResponseAnswer(value, items: below))
            }
            return (includingUnanswered || !values.isEmpty ? [written] : [], !values.isEmpty)
        }
    }
}
