import GateForms
package import GateModel
import GateTexts

/// A form that is filled in section by section. It decides which page is shown and what can be pressed; the daemon
/// decides about the answers. It draws nothing and makes no calls.
///
/// Each answer goes to the daemon at once, so if the screen dies, only the text in the current field is lost.
/// "Complete" sends the revision of the draft that the overview shows, so that nobody completes answers that they have
/// not seen, and it can't be pressed in the second after the overview has changed. Listed silent drops: input on a page
/// that is no longer there, and while the form is being completed.
package struct FormScreen: Hashable, Sendable {
    enum Page: Hashable {
        /// A section, by its name. Can go to: another section, overview.
        case section(String)
        /// All answers, and the button that completes the form. Can go to: section.
        case overview
    }

    let questionnaire: Questionnaire
    let sections: FormSections
    private(set) var contents: FormContents
    /// The draft's revision when the screen began with it.
    private let firstRevision: UInt64
    private(set) var typing = FormTyping()
    private(set) var page: Page
    /// The groups that are open on the section's page, from the outside in.
    private(set) var opened: [FormPath] = []
    /// The opened instance of a repeating group that is not in the draft before its first answer.
    private var pending: FormPath?
    /// The sections that the person has left once, or all that were shown when the overview was opened. From then on
    /// missing answers in them are reported.
    private(set) var visited: Set<String> = []
    /// The errors that the daemon found when the form was to be completed, by linkId.
    private(set) var found: [String: String] = [:]
    private(set) var note = ""
    private(set) var parts = FormParts()
    /// The page of earlier answers; `nil` if it is not shown.
    private(set) var choosing: FormPartsPage?
    /// The page whose parts were sent to the daemon. It is shown again if they are refused.
    private var taking: FormPartsPage?
    /// Since when the overview has shown these answers; `nil` if it is not shown.
    private var overviewSince: BootTime?
    private(set) var isCompleting = false

    package init(_ questionnaire: Questionnaire, _ standing: FormStanding, at now: BootTime) {
        self.questionnaire = questionnaire
        sections = FormSections(questionnaire)
        contents = FormContents(standing, of: sections.items)
        firstRevision = standing.revision
        page = sections.shown(in: contents).first.map { .section($0.name) } ?? .overview
        if page == .overview { overviewSince = now }
    }

    /// Whether nothing has been answered since the screen began. Missing answers are no mistakes then.
    var isUntouched: Bool { contents.revision == firstRevision }

    // MARK: The daemon

    /// - Parameter isOwn: whether it was changed from this screen.
    package mutating func draftRead(_ standing: FormStanding, isOwn: Bool, at now: BootTime) {
        guard standing.revision >= contents.revision else { return }
        let before = contents
        contents = FormContents(standing, of: sections.items)
        // A suggestion alone changes no answer, so the person can go on and complete what they have read.
        guard !contents.saysTheSame(as: before) else { return }
        found = [:]
        keepPlace(since: before, isOwn: isOwn)
        keepChoosing()
        if page == .overview {
            overviewSince = now
            if !isOwn { note = Self.changedMeanwhile }
        }
        // The field says it too, but it may be out of sight.
        if let path = typing.edited?.path,
            let words = FormFields.overtaken(path, of: sections.items[path.linkID], in: contents, typing)
        {
            note = words
        }
    }

    /// - Parameter cleared: the answers that were cleared because they depend on the change.
    package mutating func changeTaken(_ path: FormPath, cleared: [FormPath]) {
        _ = typing.cameBack(path)
        typing.left(path)
        if !cleared.isEmpty { note = FormWords.cleared(names(of: cleared)) }
    }

    private func names(of paths: [FormPath]) -> [String] {
        paths.map { sections.items[$0.linkID]?.shownName ?? $0.linkID.foreignLine }
    }

    /// The daemon has refused a change. This is not shown if a newer change of the field is on its way.
    package mutating func changeRefused(_ path: FormPath, _ error: GateError) {
        let why = (error.issues.first.map(RefusalText.sentence) ?? RefusalText.sentence(error)).foreignLine
        guard sections.items[path.linkID]?.kind != .group else {
            note = why
            return
        }
        guard let values = typing.cameBack(path), typing.refusals[path] == nil else { return }
        typing.refused(shownText(of: values, at: path), at: path, why: why)
    }

    /// The daemon has listed the parts that the person has kept, the oldest first.
    package mutating func partsListed(_ parts: [PartSummary]) {
        self.parts = FormParts(parts)
        keepChoosing()
    }

    /// `leftOut` are the questions whose answers had no place, or were cleared because they depend on the parts.
    package mutating func partsTaken(leftOut: [FormPath]) {
        taking = nil
        if !leftOut.isEmpty { note = FormWords.leftOut(names(of: leftOut)) }
    }

    /// The daemon has refused to take parts. The page comes back, so that the person can choose others.
    package mutating func partsRefused(_ error: GateError) {
        choosing = choosing ?? taking
        taking = nil
        keepChoosing()
        note = (error.issues.first.map(RefusalText.sentence) ?? RefusalText.sentence(error)).foreignLine
    }

    package mutating func completionRefused(_ error: GateError, at now: BootTime) {
        isCompleting = false
        overviewSince = now
        note = error.reason == .changedMeanwhile ? Self.changedMeanwhile : RefusalText.sentence(error).foreignLine
        found = [:]
        for issue in error.issues {
            guard case .form(let place) = issue.place, let linkID = place.linkID else { continue }
            found[linkID] = RefusalText.sentence(issue).foreignLine
        }
    }

    private static var changedMeanwhile: String {
        localized("Somebody else has changed this meanwhile. Look at it again.")
    }

    /// The text of answers that were refused, so that the person can correct it; `nil` if there is none to correct.
    private func shownText(of values: [FormValue], at path: FormPath) -> String? {
        guard let item = sections.items[path.linkID], let last = values.last,
            item.options.isEmpty || values.contains(where: { !FormEntry(item: item, values: [$0]).ownWords.isEmpty })
        else { return nil }
        // If there are several answers, those in the draft have rows of their own.
        guard !item.repeats || !(contents.values[path] ?? []).contains(last) else { return nil }
        return FormFields.list([last], of: item)
    }

    /// Stays on the page, or goes to the nearest one if that page has disappeared.
    private mutating func keepPlace(since before: FormContents, isOwn: Bool) {
        let shown = sections.shown(in: contents)
        if case .section(let name) = page, !shown.contains(where: { $0.name == name }) {
            let index = sections.all.firstIndex { $0.name == name } ?? 0
            let previous = sections.all[..<index].last { one in shown.contains { $0.name == one.name } }
            page = (previous ?? shown.first).map { .section($0.name) } ?? .overview
            opened = []
        }
        if let group = pending, contents.groups[group] != nil {
            pending = nil
            // Others have added an instance meanwhile, so this one comes behind it.
            if !isOwn, let last = group.steps.last {
                let count = contents.count(of: last.linkID, in: group.steps.dropLast())
                let moved = FormPath(group.steps.dropLast() + [FormPath.Step(last.linkID, count)])
                pending = moved
                opened = opened.map { $0 == group ? moved : $0 }
            }
        }
        guard let gone = opened.firstIndex(where: { !isThere($0, since: before, isOwn: isOwn) }) else { return }
        opened = Array(opened[..<gone])
        pending = nil
        if !isOwn { note = Self.changedMeanwhile }
    }

    /// Whether a page is still about the same group. False if others removed an instance: it is not known which.
    private func isThere(_ path: FormPath, since before: FormContents, isOwn: Bool) -> Bool {
        if let pending, path.steps.starts(with: pending.steps) { return true }
        for (index, step) in path.steps.enumerated() where step.index != nil && !isOwn {
            let steps = Array(path.steps[..<index])
            if contents.count(of: step.linkID, in: steps) < before.count(of: step.linkID, in: steps) { return false }
        }
        return contents.groups[path] != nil
    }

    /// Keeps the page of earlier answers only while there are parts, and the button that led to it.
    private mutating func keepChoosing() {
        guard var page = choosing else { return }
        page.listed(parts.parts(for: page.item))
        choosing = !page.parts.isEmpty && offersParts(at: page.path) ? page : nil
        if choosing == nil { note = Self.changedMeanwhile }
    }

    // MARK: The person

    package mutating func inputReceived(_ input: FormInput, at now: BootTime) -> [FormAction] {
        guard !isCompleting else { return [] }
        switch input {
        // The form has begun already.
        case .began: return []
        case .edited(let path):
            typing.began(path, values: contents.values[path] ?? [])
            return []
        case .typed(let path, let text): return answer(path, text) { entry throws(GateError) in try entry.typed(text) }
        case .typedAnother(let path, let text):
            return answer(path, text) { entry throws(GateError) in try entry.another(text) }
        case .typedOther(let path, let text):
            return answer(path, text) { entry throws(GateError) in try entry.other(text) }
        case .measured(let path, let text, let unit):
            return answer(path, text) { entry throws(GateError) in try entry.number(text, unit: unit) }
        case .took(let path, let values):
            // The person took the answers on the button, which a newer suggestion may have replaced.
            guard contents.pending[path]?.answers == values else { return [] }
            return answer(path, nil) { _ in values }
        case .answered(let path, let yes): return answer(path, nil) { _ in [.boolean(yes)] }
        case .chosen(let path, let index, let isOn) where choosing?.path == path:
            choosing?.chose(index, isOn: isOn)
            return []
        case .chosen(let path, let index, let isOn): return answer(path, nil) { $0.chosen(index, isOn: isOn) }
        case .removedAnswer(let path, let index):
            return answer(path, nil) { entry in
                entry.values.enumerated().filter { $0.offset != index }.map(\.element)
            }
        case .attached(let path, let file): return attach(path, file)
        case .unreadable(let path, let why):
            typing.refused(nil, at: path, why: why)
            return []
        case .added(let path), .opened(let path):
            open(path)
            return listing
        case .askedForParts(let path):
            guard choosing == nil, offersParts(at: path), let item = sections.items[path.linkID] else { return [] }
            note = ""
            choosing = FormPartsPage(path, item, parts.parts(for: item))
            return listing
        case .tookParts:
            guard let page = choosing, !page.taken.isEmpty else { return [] }
            (choosing, taking) = (nil, page)
            note = ""
            typing.mended(within: page.item, at: page.path)
            return [.take(page.path, page.taken)]
        case .removed(let path):
            note = ""
            return contents.groups[path] == nil ? [] : [.remove(path)]
        case .wentBack, .wentOn, .wentTo:
            move(input, at: now)
            return listing
        case .completed(let revision):
            guard page == .overview, takesCompletion(at: now), revision == contents.revision else { return [] }
            isCompleting = true
            note = ""
            return [.complete(revision: revision)]
        }
    }

    /// `text` is what was typed, which is kept if it is refused; `nil` if nothing was. `values` makes the new answers
    /// from the present ones; `nil`: nothing to do.
    private mutating func answer(
        _ path: FormPath, _ text: String?, _ values: (FormEntry) throws(GateError) -> [FormValue]?
    ) -> [FormAction] {
        guard let item = sections.items[path.linkID], item.kind.isQuestion, !item.isReadOnly, isShown(path) else {
            return []
        }
        let known = contents.values[path] ?? []
        let entry = FormEntry(item: item, values: current(path))
        note = ""
        do throws(GateError) {
            guard let answers = try values(entry) else { return [] }
            typing.left(path)
            // If a change is on its way, the known answer has to be sent again to take that change back.
            guard answers != known || typing.sending[path] != nil else {
                typing.mended(path)
                return []
            }
            typing.sent(answers, to: path)
            return [.set(path, answers)]
        } catch {
            typing.refused(text, at: path, why: RefusalText.sentence(error).foreignLine)
            return []
        }
    }

    /// The answers as they will be after the changes on their way.
    private func current(_ path: FormPath) -> [FormValue] {
        typing.sending[path]?.values ?? contents.values[path] ?? []
    }

    private func isShown(_ path: FormPath) -> Bool {
        contents.values[path] != nil || pending.map { path.steps.starts(with: $0.steps) } ?? false
    }

    /// Checks the limits before the file is uploaded. The daemon checks them again.
    private mutating func attach(_ path: FormPath, _ file: FormDocumentFile) -> [FormAction] {
        guard let item = sections.items[path.linkID], item.kind == .attachment, !item.isReadOnly, isShown(path) else {
            return []
        }
        let maximum = min(item.constraints.maximumBytes ?? .max, FormAttachment.maximumByteCount)
        guard file.bytes.count <= maximum else {
            let size = FormSizeWords.text(maximum)
            typing.refused(
                nil, at: path, why: localized("This is too much: at most {maximum}.", ["maximum": size]))
            return []
        }
        let types = item.constraints.mediaTypes
        guard types.isEmpty || types.contains(where: { $0.lowercased() == file.mediaType }) else {
            typing.refused(
                nil, at: path,
                why: localized(
                    "Choose a document of one of these types: {types}.",
                    ["types": ListText.alternatives(types.map { MediaType.shortName(of: $0).foreignLine })]))
            return []
        }
        note = ""
        typing.sent(current(path), to: path)
        return [.attach(path, file)]
    }

    // MARK: The pages

    /// The parts are listed again with each page, since other programs can add some meanwhile.
    private var listing: [FormAction] { questionnaire.definitions.isEmpty ? [] : [.listParts] }

    private mutating func open(_ path: FormPath) {
        guard choosing == nil else { return }
        note = ""
        guard let item = sections.items[path.linkID], item.kind == .group, opened.last != path else { return }
        if contents.groups[path] == nil, item.repeats { pending = path }
        opened.append(path)
    }

    private mutating func move(_ input: FormInput, at now: BootTime) {
        note = ""
        let shown = sections.shown(in: contents)
        if choosing != nil {
            choosing = nil
            if input == .wentBack || input == .wentOn { return }
        }
        if opened.popLast() != nil, input == .wentBack || input == .wentOn {
            if opened.isEmpty { pending = nil }
            return
        }
        opened = []
        pending = nil
        if case .section(let name) = page { visited.insert(name) }
        let index = currentIndex(shown)
        switch input {
        case .wentBack: go(to: index - 1, shown, at: now)
        case .wentOn: go(to: index + 1, shown, at: now)
        case .wentTo(let index): go(to: index, shown, at: now)
        case _: break
        }
    }

    func currentIndex(_ shown: [FormSections.Section]) -> Int {
        guard case .section(let name) = page else { return shown.count }
        return shown.firstIndex { $0.name == name } ?? 0
    }

    private mutating func go(to index: Int, _ shown: [FormSections.Section], at now: BootTime) {
        guard index >= 0 else { return }
        guard index < shown.count else {
            visited.formUnion(shown.map(\.name))
            if page != .overview { overviewSince = now }
            page = .overview
            return
        }
        page = .section(shown[index].name)
        overviewSince = nil
    }

    // MARK: Completing

    func takesCompletion(at now: BootTime) -> Bool {
        guard let overviewSince, contents.problemCount == 0, !typing.isSending, !isCompleting else { return false }
        return overviewSince.duration(to: now) >= ReadingTime.length
    }

    /// When the picture changes by itself; `nil` if it does not.
    func nextChange(after now: BootTime) -> BootTime? {
        overviewSince.map { $0.advanced(by: ReadingTime.length) }.flatMap { $0 > now ? $0 : nil }
    }
}
