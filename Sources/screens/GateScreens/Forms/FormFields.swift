import GateForms
import GateModel
import GateTexts

struct FormFields {
    let contents: FormContents
    let typing: FormTyping
    let items: [String: QuestionnaireItem]
    /// Whether missing answers are reported, because the person has been through the section.
    let tellsMissing: Bool
    /// The errors that the daemon found when the form was to be completed, by linkId.
    let found: [String: String]

    func field(_ item: QuestionnaireItem, at path: FormPath) -> FormField {
        let known = contents.values[path] ?? []
        let refusal = typing.refusals[path]
        let missing = missingParents(of: item, at: path)
        return FormField(
            path: path, label: item.shownName, isRequired: item.isRequired && !item.isReadOnly,
            hint: missing.isEmpty ? hint(item) : missing,
            error: refusal?.why ?? Self.overtaken(path, of: item, in: contents, typing) ?? error(at: path),
            isSensitive: missing.isEmpty,
            control: control(item, typing.sending[path]?.values ?? known, refusal?.text),
            answer: Self.list(known, of: item), suggestion: suggestion(for: item, at: path))
    }

    private func suggestion(for item: QuestionnaireItem, at path: FormPath) -> FormSuggestion? {
        guard let pending = contents.pending[path] else { return nil }
        guard !pending.isBeingFetched else { return .beingFetched(FormWords.beingFetched) }
        // The person has taken it, and the change is on its way to the daemon.
        guard !item.isReadOnly, typing.sending[path]?.values != pending.answers else { return nil }
        return .waiting(FormWords.use(Self.list(pending.answers, of: item)), pending.answers)
    }

    // MARK: Hints and errors

    private func hint(_ item: QuestionnaireItem) -> String {
        guard !item.isReadOnly else { return "" }
        var item = item
        item.constraints.mediaTypes = item.constraints.mediaTypes.map(MediaType.shortName)
        // `format` says already how the person writes a date.
        if [.date, .dateTime, .time].contains(item.kind) { item.constraints.entryFormats = nil }
        let rules = FormRuleWords(item: item) { $0.foreignLine }
        let limits = item.kind == .attachment ? documentLimits(rules) : rules.limits
        return ListText.remarks(([format(of: item)] + limits).compactMap(\.self))
    }

    private func documentLimits(_ rules: FormRuleWords) -> [String] {
        let limits = rules.documentLimits
        guard limits.isEmpty else { return limits }
        return [
            localized("at most {maximum}", ["maximum": FormSizeWords.text(FormAttachment.maximumByteCount)])
        ]
    }

    /// How an answer is written; `nil` if that is obvious.
    private func format(of item: QuestionnaireItem) -> String? {
        guard item.options.isEmpty else { return nil }
        if item.kind == .dateTime {
            let example = WritingHabits.ofPerson.date(atStartOf: "2026-01-31 18:30")
            return localized("date and time: {example}", ["example": example])
        }
        // The list of units is beside the field.
        return item.kind == .quantity && !item.constraints.units.isEmpty ? nil : FormRuleWords.format(of: item.kind)
    }

    private func missingParents(of item: QuestionnaireItem, at path: FormPath) -> String {
        let missing = item.parents.filter { !contents.isAnswered($0, near: path) }
        guard !missing.isEmpty else { return "" }
        let names = ListText.things(missing.map { items[$0]?.shownName ?? $0.foreignLine })
        return localized("Answer first: {questions}", ["questions": names])
    }

    /// The sentence about others' answer since the person began to type into the field; `nil` if there is none.
    static func overtaken(
        _ path: FormPath, of item: QuestionnaireItem?, in contents: FormContents, _ typing: FormTyping
    ) -> String? {
        let values = contents.values[path] ?? []
        guard typing.isOvertaken(path, by: values) else { return nil }
        guard !values.isEmpty else { return localized("Somebody else has cleared this answer.") }
        return localized("Somebody else has answered meanwhile: {values}", ["values": list(values, of: item)])
    }

    /// The error in the answer of the draft. May be empty.
    func error(at path: FormPath) -> String {
        let issue = contents.problems[path]?.first { tellsMissing || $0.code != .required }
        return issue.map(Self.sentence) ?? found[path.linkID] ?? ""
    }

    /// The error without the question's name, because it is shown beside the question.
    static func sentence(_ issue: FormIssue) -> String {
        issue.code == .required
            ? localized("This has to be answered.") : RefusalText.sentence(issue).foreignLine
    }

    static func list(_ values: [FormValue], of item: QuestionnaireItem?) -> String {
        ListText.things(values.map { FormValueWords.shown($0, of: item) { $0.foreignLine } })
    }

    /// The answers in one line, in the order of the form. `includesHidden` is true for the person who completes the
    /// form, and has to see everything.
    func line(of nodes: [QuestionnaireResponseItem], includesHidden: Bool = false) -> String {
        FormValueWords.line(
            answers(in: nodes, includesHidden: includesHidden), name: \.shownName, visible: \.foreignLine)
    }

    private func answers(
        in nodes: [QuestionnaireResponseItem], includesHidden: Bool
    ) -> [(item: QuestionnaireItem, values: [FormValue])] {
        nodes.flatMap { node -> [(item: QuestionnaireItem, values: [FormValue])] in
            guard let item = items[node.linkID], includesHidden || !item.isHidden else { return [] }
            return [(item, node.answers.compactMap(\.value))]
                + answers(in: node.items + node.answers.flatMap(\.items), includesHidden: includesHidden)
        }
    }

    // MARK: Controls

    /// - Parameter text: the text that was typed and refused; `nil` if none was.
    private func control(_ item: QuestionnaireItem, _ values: [FormValue], _ text: String?) -> FormControl {
        guard !item.isReadOnly else { return .fixed(values.isEmpty ? "–" : Self.list(values, of: item)) }
        if !item.options.isEmpty, item.kind != .boolean { return .choice(choice(item, values, text)) }
        let takesMore = item.takesMore(after: values.count)
        let shown = values.first.map { Self.typed($0, of: item) } ?? ""
        if item.repeats, item.kind != .attachment, item.kind != .boolean {
            return .several(
                values.map { Self.list([$0], of: item) }, Self.entry(item), text: text ?? "", takesMore: takesMore)
        }
        switch item.kind {
        case .boolean: return .yesNo(values.first.flatMap { Bool(formValue: $0) })
        case .text: return .paragraph(text ?? shown)
        case .date:
            return .date(
                text ?? shown, shown: values.first.flatMap(Self.day), limits: item.constraints.dateLimits)
        case .quantity where !item.constraints.units.isEmpty:
            return quantity(item, values.first, text)
        case .attachment:
            return .documents(
                values.compactMap(Self.document), types: item.constraints.mediaTypes,
                takesMore: item.repeats ? takesMore : true)
        case .integer, .decimal, .dateTime, .time, .string, .url, .choice, .openChoice, .reference, .quantity, .group,
            .display:
            return .entry(text ?? shown, Self.entry(item))
        }
    }

    private func choice(_ item: QuestionnaireItem, _ values: [FormValue], _ text: String?) -> FormChoice {
        let entry = FormEntry(item: item, values: values)
        let labels = item.options.map { FormValueWords.shown($0) { $0.foreignLine } }
        let own = entry.ownWords.map { Self.list([$0], of: item) }
        let isOpen = item.kind == .openChoice
        guard item.repeats else {
            return FormChoice(
                labels: labels, chosen: entry.chosenOptions, isMultiple: false,
                other: isOpen ? text ?? own.first ?? "" : nil, otherKind: Self.entry(item))
        }
        return FormChoice(
            labels: labels + own, chosen: entry.chosenOptions.union(own.indices.map { labels.count + $0 }),
            isMultiple: true, other: isOpen && item.takesMore(after: values.count) ? text ?? "" : nil,
            otherKind: Self.entry(item))
    }

    private func quantity(_ item: QuestionnaireItem, _ value: FormValue?, _ text: String?) -> FormControl {
        let units = item.constraints.units
        var (number, unit) = (text ?? "", 0)
        if case .quantity(let quantity) = value {
            let own = [quantity.comparator, quantity.value?.text].compactMap(\.self).joined(separator: " ")
            number = text ?? WritingHabits.ofPerson.decimal(own)
            unit =
                units.firstIndex { $0.code == quantity.code && quantity.code != nil || $0.display == quantity.unit }
                ?? 0
        }
        return .quantity(number, units: units.map { FormAnswerText.name($0).foreignLine }, unit: unit)
    }

    private static func entry(_ item: QuestionnaireItem) -> FormControl.EntryKind {
        switch item.kind {
        case .integer, .decimal: .number
        case .url: .address
        case .dateTime: .moment
        case .string, .openChoice: item.constraints.textMask.map(FormControl.EntryKind.masked) ?? .words
        case .date, .time, .text, .choice, .reference, .quantity, .attachment,
            .boolean, .group, .display:
            .words
        }
    }

    /// The answer as the person would type it.
    private static func typed(_ value: FormValue, of item: QuestionnaireItem) -> String {
        switch value {
        case .string(let text), .uri(let text): item.kind == .text ? text : text.foreignLine
        case .reference(let reference): (reference.reference ?? "").foreignLine
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .coding, .quantity, .attachment:
            list([value], of: item)
        }
    }

    private static func day(_ value: FormValue) -> CivilDate? {
        guard case .date(let date) = value else { return nil }
        return date.civilDate
    }

    private static func document(_ value: FormValue) -> FormDocument? {
        guard case .attachment(let attachment) = value else { return nil }
        let name = (attachment.title ?? attachment.mediaType ?? "").foreignLine
        return FormDocument(
            name: name.isEmpty ? localized("A document") : name, size: FormSizeWords.text(attachment.byteCount),
            digest: attachment.digest, isPicture: ["image/png", "image/jpeg"].contains(attachment.mediaType ?? ""))
    }
}

extension QuestionnaireItemConstraints {
    /// A missing limit is the first or the last day that any form can have. Contradicting limits count as missing.
    fileprivate var dateLimits: ClosedRange<CivilDate> {
        let all = CivilDate.firstOfForms...CivilDate.lastOfForms
        var (first, last) = (all.lowerBound, all.upperBound)
        if case .date(let date) = minimum { first = date.firstDay }
        if case .date(let date) = maximum { last = date.lastDay }
        return first <= last ? first...last : all
    }
}

extension CivilDate {
    fileprivate static let firstOfForms = day(1, 1, 1)
    fileprivate static let lastOfForms = day(9999, 12, 31)

    fileprivate static func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
        guard let date = CivilDate(year: year, month: month, day: day) else { preconditionFailure("there is that day") }
        return date
    }
}

extension FormDate {
    /// The first day that it can mean, if it has no day or no month.
    fileprivate var firstDay: CivilDate { .day(year, month ?? 1, day ?? 1) }

    fileprivate var lastDay: CivilDate {
        let month = month ?? 12
        guard day == nil else { return firstDay }
        return (28...31).reversed().lazy.compactMap { CivilDate(year: year, month: month, day: $0) }.first ?? firstDay
    }
}

extension Bool {
    fileprivate init?(formValue: FormValue) {
        guard case .boolean(let isTrue) = formValue else { return nil }
        self = isTrue
    }
}
