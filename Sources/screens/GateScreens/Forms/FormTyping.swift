import GateForms
import GateModel
import GateTexts

/// What a person has entered into fields that is not in the draft: it is on its way to the daemon, or was refused.
struct FormTyping: Hashable, Sendable {
    /// The changes of a field that are on their way to the daemon. A count is enough, because replies come in order.
    struct Sending: Hashable {
        /// The answers after all of these changes.
        var values: [FormValue]
        var count: Int
    }

    /// An entry that was refused. Its text is kept, so that the person can correct it.
    struct Refusal: Hashable {
        let text: String?
        let why: String
    }

    private(set) var sending: [FormPath: Sending] = [:]
    private(set) var refusals: [FormPath: Refusal] = [:]
    /// The field into which the person is typing, and the answers that it had when they began.
    private(set) var edited: (path: FormPath, values: [FormValue])?

    var isSending: Bool { !sending.isEmpty }

    /// A change was sent to the daemon. It replaces an entry that was refused before.
    mutating func sent(_ values: [FormValue], to path: FormPath) {
        sending[path] = Sending(values: values, count: (sending[path]?.count ?? 0) + 1)
        refusals[path] = nil
    }

    /// The reply to the oldest of the changes on their way has come.
    /// - Returns: the answers that the change would have led to; `nil` if newer changes are on their way, or none was.
    mutating func cameBack(_ path: FormPath) -> [FormValue]? {
        guard let before = sending[path] else { return nil }
        guard before.count <= 1 else {
            sending[path]?.count -= 1
            return nil
        }
        sending[path] = nil
        return before.values
    }

    mutating func refused(_ text: String?, at path: FormPath, why: String) {
        refusals[path] = Refusal(text: text, why: why)
    }

    /// The person has removed the entry that was refused.
    mutating func mended(_ path: FormPath) { refusals[path] = nil }

    /// Forgets the refused entries in a group, or at a question, because parts were taken there.
    mutating func mended(within item: QuestionnaireItem, at path: FormPath) {
        let names = Set(item.withAllItems.map(\.linkID))
        let around = path.index == nil ? path.steps.dropLast() : path.steps[...]
        refusals = refusals.filter { !names.contains($0.key.linkID) || !$0.key.steps.starts(with: around) }
    }

    mutating func began(_ path: FormPath, values: [FormValue]) {
        if edited?.path != path { edited = (path, values) }
    }

    mutating func left(_ path: FormPath) {
        if edited?.path == path { edited = nil }
    }

    /// Whether others have changed the answer since the person began to type into the field.
    func isOvertaken(_ path: FormPath, by values: [FormValue]) -> Bool {
        edited.map { $0.path == path && $0.values != values } ?? false
    }

    static func == (left: FormTyping, right: FormTyping) -> Bool {
        left.sending == right.sending && left.refusals == right.refusals && left.edited?.path == right.edited?.path
            && left.edited?.values == right.edited?.values
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(sending)
        hasher.combine(refusals)
        hasher.combine(edited?.path)
    }
}

/// Turns what was typed or chosen into the answers of a question.
struct FormEntry {
    let item: QuestionnaireItem
    /// The answers so far.
    let values: [FormValue]

    /// One answer; none if the text is empty.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) if the text is no answer to the question.
    func typed(_ text: String) throws(GateError) -> [FormValue] {
        try value(text).map { [$0] } ?? []
    }

    /// - Throws: as `typed`.
    func another(_ text: String) throws(GateError) -> [FormValue] {
        try values + typed(text)
    }

    private func value(_ text: String) throws(GateError) -> FormValue? {
        let trimmed = FormAnswerText.trimmed(text)
        guard !trimmed.isEmpty else { return nil }
        return try FormAnswerText(item: item, habits: .ofPerson).value(item.kind == .text ? text : trimmed)
    }

    func number(_ text: String, unit: Int) throws(GateError) -> [FormValue] {
        guard !FormAnswerText.trimmed(text).isEmpty else { return [] }
        let units = item.constraints.units
        let name = units.indices.contains(unit) ? FormAnswerText.name(units[unit]) : ""
        return try typed("\(text) \(name)")
    }

    /// - Returns: `nil` if there is no such option.
    func chosen(_ index: Int, isOn: Bool) -> [FormValue]? {
        let options = item.options
        guard options.indices.contains(index) else {
            // The entries behind the options are answers in the person's own words. They can only be removed.
            let own = ownWords
            guard own.indices.contains(index - options.count), !isOn else { return nil }
            return values.filter { $0 != own[index - options.count] }
        }
        let option = options[index]
        guard isOn else { return values.filter { !$0.isSame(as: option.value) } }
        guard item.repeats, !option.isExclusive else { return [option.value] }
        let exclusive = options.filter(\.isExclusive).map(\.value)
        let kept = values.filter { value in !exclusive.contains { $0.isSame(as: value) } }
        // In the order of the form's options, then the person's own words.
        let all = kept.filter { !$0.isSame(as: option.value) } + [option.value]
        let offered = options.map(\.value).filter { one in all.contains { $0.isSame(as: one) } }
        return offered + all.filter { one in !options.contains { $0.value.isSame(as: one) } }
    }

    /// The answer in the person's own words. It replaces the chosen option, or is added if the question repeats.
    func other(_ text: String) throws(GateError) -> [FormValue] {
        let own = try typed(text)
        guard item.repeats else { return own }
        return values + own.filter { !values.contains($0) }
    }

    /// The answers that are not among the options.
    var ownWords: [FormValue] {
        values.filter { value in !item.options.contains { $0.value.isSame(as: value) } }
    }

    var chosenOptions: Set<Int> {
        Set(item.options.indices.filter { index in values.contains { item.options[index].value.isSame(as: $0) } })
    }
}

extension FormValue {
    /// Whether both are the same answer. The texts of codings count only if neither coding has a code.
    func isSame(as other: FormValue) -> Bool {
        guard case .coding(let ours) = self, case .coding(let theirs) = other else { return self == other }
        return ours.isSame(as: theirs)
    }
}
