import GateForms
package import GateModel
import GateTexts

/// A form that is filled in on the screen, section by section: which page stands there, what may be pressed, and what goes to
/// the daemon, which decides. Draws and calls nothing.
///
/// Everything that is answered goes to the daemon at once, so a screen that dies loses nothing but what is being typed. What
/// is completed is the draft of the overview that stands there, by its revision (T-03). After the overview has changed it
/// can't be completed for a second. Listed silent drops: what is done on a page that has gone, and while it is completed.
package struct FormScreen: Hashable, Sendable {
    /// A page.
    enum Page: Hashable {
        /// A section, by its name. Can go to: another section, a part, overview.
        case section(String)
        /// All of it, and the button that completes it. Can go to: a section.
        case overview
    }

    let questionnaire: Questionnaire
    let sections: FormSections
    private(set) var contents: FormContents
    private(set) var typing = FormTyping()
    private(set) var page: Page
    /// The groups that are opened on the section's page, from the outside in.
    private(set) var opened: [FormPath] = []
    /// The group that comes to be with its first answer.
    private var pending: FormPath?
    /// The sections that the person has left once: what is missing there is said.
    private(set) var visited: Set<String> = []
    /// The daemon's findings when it was to be completed, by linkId.
    private(set) var found: [String: String] = [:]
    private(set) var note = ""
    private(set) var parts = FormParts()
    /// The page of parts that stands before the others, if there is one.
    private(set) var choosing: FormPartsPage?
    /// The page whose parts are on their way; it comes back where they are refused.
    private var taking: FormPartsPage?
    /// Since when the overview shows what it shows.
    private var overviewSince: BootTime?
    private(set) var isCompleting = false

    /// Begins on the first section.
    package init(_ questionnaire: Questionnaire, _ standing: FormStanding, at now: BootTime) {
        self.questionnaire = questionnaire
        sections = FormSections(questionnaire)
        contents = FormContents(standing, of: sections.items)
        page = sections.shown(in: contents).first.map { .section($0.name) } ?? .overview
        if page == .overview { overviewSince = now }
    }

    // MARK: The daemon

    /// The draft was read: it was changed, here or by others.
    package mutating func draftRead(_ standing: FormStanding, isOwn: Bool, at now: BootTime) {
        guard standing.revision >= contents.revision else { return }
        let before = contents
        contents = FormContents(standing, of: sections.items)
        // What is suggested takes nothing away, and what was read before may be completed.
        guard !contents.saysTheSame(as: before) else { return }
        found = [:]
        keepPlace(since: before, isOwn: isOwn)
        keepChoosing()
        if page == .overview {
            overviewSince = now
            if !isOwn { note = Self.changedMeanwhile }
        }
        // It stands at the field as well, which may be out of sight.
        if let path = typing.edited?.path,
            let words = FormFields.overtaken(path, of: sections.items[path.linkID], in: contents, typing)
        {
            note = words
        }
    }

    /// A change was made.
    ///
    /// - Parameter cleared: what was cleared since it depends on that.
    package mutating func changeTaken(_ path: FormPath, cleared: [FormPath]) {
        _ = typing.cameBack(path)
        typing.left(path)
        if !cleared.isEmpty { note = FormWords.cleared(names(of: cleared)) }
    }

    private func names(of paths: [FormPath]) -> [String] {
        paths.map { sections.items[$0.linkID]?.shownName ?? $0.linkID.foreignLine }
    }

    /// A change was refused. Where a newer one of the same field is on its way, that one decides.
    package mutating func changeRefused(_ path: FormPath, _ error: GateError) {
        let why = (error.issues.first.map(RefusalText.sentence) ?? RefusalText.sentence(error)).foreignLine
        guard sections.items[path.linkID]?.kind != .group else {
            note = why
            return
        }
        guard let values = typing.cameBack(path), typing.refusals[path] == nil else { return }
        typing.refused(shownText(of: values, at: path), at: path, why: why)
    }

    /// The parts that the person has kept are these, the oldest first.
    package mutating func partsListed(_ parts: [PartSummary]) {
        self.parts = FormParts(parts)
        keepChoosing()
    }

    /// Parts were taken into an item.
    ///
    /// - Parameter leftOut: what did not fit, and what was cleared since it depends on that.
    package mutating func partsTaken(leftOut: [FormPath]) {
        taking = nil
        if !leftOut.isEmpty { note = FormWords.leftOut(names(of: leftOut)) }
    }

    /// Parts were not taken. The person can choose others.
    package mutating func partsRefused(_ error: GateError) {
        choosing = choosing ?? taking
        taking = nil
        keepChoosing()
        note = (error.issues.first.map(RefusalText.sentence) ?? RefusalText.sentence(error)).foreignLine
    }

    /// It was not completed.
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

    /// The words that were on their way, so that they can be mended.
    private func shownText(of values: [FormValue], at path: FormPath) -> String? {
        guard let item = sections.items[path.linkID], let last = values.last,
            item.options.isEmpty || values.contains(where: { !FormEntry(item: item, values: [$0]).ownWords.isEmpty })
        else { return nil }
        // Where there are several, the others have rows of their own.
        guard !item.repeats || !(contents.values[path] ?? []).contains(last) else { return nil }
        return FormFields.list([last], of: item)
    }

    /// The page stays where it was, as far as it is still there.
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
            // Others have added one meanwhile: this one comes behind it.
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

    /// Whether a page of a group is about the same group as before. Where one of several was taken away by others, that can't
    /// be told.
    private func isThere(_ path: FormPath, since before: FormContents, isOwn: Bool) -> Bool {
        if let pending, path.steps.starts(with: pending.steps) { return true }
        for (index, step) in path.steps.enumerated() where step.index != nil && !isOwn {
            let steps = Array(path.steps[..<index])
            if contents.count(of: step.linkID, in: steps) < before.count(of: step.linkID, in: steps) { return false }
        }
        return contents.groups[path] != nil
    }

    /// The page of parts stays as long as there are some, and the button that led to it.
    private mutating func keepChoosing() {
        guard var page = choosing else { return }
        page.listed(parts.parts(for: page.item))
        choosing = !page.parts.isEmpty && offersParts(at: page.path) ? page : nil
        if choosing == nil { note = Self.changedMeanwhile }
    }

    // MARK: The person

    /// A person did something.
    package mutating func inputReceived(_ input: FormInput, at now: BootTime) -> [FormAction] {
        guard !isCompleting else { return [] }
        switch input {
        // It has begun.
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
            // What the button said, and not what has come since.
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

    /// - Parameters:
    ///   - text: what was typed, to be kept where it is no answer.
    ///   - values: makes the answers of it; `nil`: there is nothing to do.
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
            // What is on its way would take back an answer that is the known one again.
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

    /// The answers as they will be once what is on its way has come.
    private func current(_ path: FormPath) -> [FormValue] {
        typing.sending[path]?.values ?? contents.values[path] ?? []
    }

    private func isShown(_ path: FormPath) -> Bool {
        contents.values[path] != nil || pending.map { path.steps.starts(with: $0.steps) } ?? false
    }

    /// The limits are told before anything is uploaded; the daemon keeps to them all the same.
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
                    "This is no such document: {types}.",
                    ["types": ListText.alternatives(types.map { MediaType.shortName(of: $0).foreignLine })]))
            return []
        }
        note = ""
        typing.sent(current(path), to: path)
        return [.attach(path, file)]
    }

    // MARK: The pages

    /// Has the parts read anew with each page: other programs keep some meanwhile.
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

    /// When the picture changes by itself; `nil`: it does not.
    func nextChange(after now: BootTime) -> BootTime? {
        overviewSince.map { $0.advanced(by: ReadingTime.length) }.flatMap { $0 > now ? $0 : nil }
    }
}
