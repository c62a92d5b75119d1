import GateModel
import TestRounds
import Testing

@testable import GateCore

/// Random edits of random forms: what must hold whatever happens.
@Suite("Random walks through forms")
struct FormWalkTests {
    @Test("the promises of a draft hold on every walk", arguments: 1...UInt64(TestRounds.count(20, all: 60)))
    func walk(seed: UInt64) throws {
        var walk = FormWalk(seed: seed)
        for _ in 0..<60 { try walk.step() }
    }

    @Test("the walks meet every kind of edit, accepted and refused, and clearing")
    func walksAreWide() throws {
        let edits = ["set", "suggest", "remove", "fill"].flatMap {
            ["\($0) changed", "\($0) unchanged", "\($0) refused"]
        }
        let others = ["load changed", "load unchanged", "reset changed", "reset unchanged", "cleared", "left out"]
        var missing = Set(edits + others + ["invalid", "valid", "incomplete"])
        for seed in 101...180 as ClosedRange<UInt64> where TestRounds.areAll || !missing.isEmpty {
            var walk = FormWalk(seed: seed)
            for step in 0..<80 { try walk.step(isChecked: step % 10 == 9) }
            missing.subtract(walk.seen)
        }
        #expect(missing == [])
    }
}

private struct FormWalk {
    private var random: RandomForm
    private let form: CompiledForm
    private var draft: FormDraft
    private var kept: [QuestionnaireResponse] = []
    /// The rows that a store would have.
    private var rows: [FormPath: FormRow]
    private(set) var seen: Set<String> = []

    init(seed: UInt64) {
        random = RandomForm(seed: seed)
        form = CompiledForm(random.questionnaire())
        draft = .opened(form)
        rows = draft.rows
    }

    mutating func step(isChecked: Bool = true) throws {
        let before = draft
        let (name, edit) = nextEdit()
        do {
            let change = try edit(&draft)
            note(name, change)
            for (path, row) in change.rows {
                #expect(before.rows[path] != row, "told, and not changed: \(path)")
                rows[path] = row
            }
        } catch let error as GateError {
            seen.insert("\(name) refused")
            #expect(draft == before, "\(error) left a trace")
        }
        guard isChecked else { return }
        #expect(draft.rows == rows, "the changes do not come to the rows")
        try checkDraft()
    }

    private mutating func note(_ name: String, _ change: FormDraft.Change) {
        seen.insert("\(name) \(change.isChanged ? "changed" : "unchanged")")
        if !change.cleared.isEmpty { seen.insert(name == "load" ? "left out" : "cleared") }
    }

    // MARK: - Edits

    private mutating func nextEdit() -> (String, (inout FormDraft) throws -> FormDraft.Change) {
        let path = path()
        let item = form.outline.positions[path.linkID].map { form.outline.items[$0].item }
        let values = random.values(for: item)
        let response = response()
        switch random.index(below: 21) {
        case 0..<11: return ("set", { try $0.set(path, to: values) })
        case 11..<14: return ("suggest", { try $0.suggest(path, values) })
        case 14..<16:
            let group = groupPath() ?? path
            return ("remove", { try $0.remove(group) })
        case 16: return ("fill", { try $0.fill(from: response) })
        case 17: return ("load", { $0.load(from: response) })
        case 18: return ("reset", { $0.reset() })
        case 19: return ("amend", { try $0.amend(by: response) })
        case _: return ("set", { try $0.set(path, to: $0.values(at: path) ?? values) })
        }
    }

    /// A path that exists, or nearly.
    private mutating func path() -> FormPath {
        guard !random.oneIn(12), !form.outline.items.isEmpty else { return FormPath(random.linkID()) }
        let item = random.index(below: form.outline.items.count)
        let indices = form.outline.items[item].containers.map { _ in random.index(below: 3) }
        return form.outline.path(of: item, at: indices)
    }

    /// The path of a group's instance that exists, or nearly; `nil` if no group repeats.
    private mutating func groupPath() -> FormPath? {
        let groups = form.outline.items.indices.filter {
            form.outline.items[$0].item.kind == .group && form.outline.items[$0].item.repeats
        }
        guard !groups.isEmpty else { return nil }
        let group = groups[random.index(below: groups.count)]
        let around = form.outline.path(of: group, at: form.outline.items[group].containers.map { _ in 0 })
        return FormPath(around.steps.dropLast() + [.init(around.linkID, random.index(below: 3))])
    }

    /// An earlier response, the present one, or one of another form.
    private mutating func response() -> QuestionnaireResponse {
        if random.oneIn(3) { kept.append(draft.completed) }
        if random.oneIn(4) {
            var other = RandomForm(seed: UInt64(random.index(below: 1000)))
            return FormDraft.opened(CompiledForm(other.questionnaire())).completed
        }
        return kept.isEmpty ? draft.completed : kept[random.index(below: kept.count)]
    }

    // MARK: - Promises

    private mutating func checkDraft() throws {
        let restored = FormDraft(restoring: rows, of: form)
        #expect(restored == draft, "what was kept makes another draft")
        #expect(restored.byteCount == draft.byteCount && restored.attachments == draft.attachments)
        for path in rows.keys {
            guard case .answers(let values) = rows[path] else { continue }
            #expect(draft.values(at: path) == values)
            var same = draft
            if let change = try? same.set(path, to: values) {
                #expect(!change.isChanged, "the same answer is no change")
            }
        }
        checkResponse()
        checkEnablement()
    }

    private mutating func checkResponse() {
        let response = draft.response(.inProgress, authored: nil, includingUnanswered: false)
        let errors = ResponseValidator(form, now: .epoch).issues(of: response).filter { $0.severity == .error }
        // The only errors are parents without an answer, because they were shut or came with initial values.
        for error in errors {
            #expect(error.code == .businessRule && error.message.contains("depends on"), "\(error)")
        }
        let isComplete = !draft.issues(now: .epoch).contains { $0.severity == .error }
        seen.insert(errors.isEmpty ? isComplete ? "valid" : "incomplete" : "invalid")
        var filled = FormDraft.opened(form)
        guard errors.isEmpty, (try? filled.fill(from: response)) != nil else {
            #expect(!errors.isEmpty)
            return
        }
        #expect(
            filled.response(.inProgress, authored: nil, includingUnanswered: false) == response,
            "a response that is filled in says something else")
    }

    /// Compares with the rules taken literally, with nothing prepared.
    private func checkEnablement() {
        // This one keeps its findings for the others.
        var shared = Enablement(of: draft.filled)
        for item in form.outline.items.indices where !form.outline.items[item].isNeverEnabled {
            for occurrence in draft.filled.occurrences(of: item, within: []) {
                let isEnabled = draft.filled.isEnabledAsRead(item, at: occurrence.indices)
                #expect(shared.isEnabled(occurrence) == isEnabled, "\(form.outline.path(of: occurrence))")
                var fresh = Enablement(of: draft.filled)
                #expect(
                    draft.filled.missingParent(of: occurrence, &shared)
                        == draft.filled.missingParent(of: occurrence, &fresh))
                #expect(draft.filled.isEnabled(occurrence) == isEnabled, "\(form.outline.path(of: occurrence))")
            }
        }
    }
}

extension FilledForm {
    fileprivate func isEnabledAsRead(_ item: Int, at indices: [Int]) -> Bool {
        let compiled = outline.items[item]
        guard !compiled.isNeverEnabled else { return false }
        if let parent = compiled.parent {
            let around = Array(indices.prefix(outline.items[parent].containers.count))
            guard isEnabledAsRead(parent, at: around) else { return false }
        }
        let conditions = compiled.item.enableWhen
        func holds(_ condition: QuestionnaireEnableCondition) -> Bool {
            guard let question = outline.positions[condition.question] else { return condition.holds(for: []) }
            let theirs = outline.items[question].containers
            let shared = zip(compiled.containers, theirs).prefix { $0 == $1 }.count
            var answers: [FormValue] = []
            for occurrence in occurrences(of: question, within: indices.prefix(shared))
            where isEnabledAsRead(question, at: occurrence.indices) {
                let values = self.answers(of: occurrence)
                // If the item is below one of the question's answers, that answer counts.
                let isBelow = compiled.containers.count > theirs.count && compiled.containers[theirs.count] == question
                answers += isBelow && shared == theirs.count ? values.dropFirst(indices[shared]).prefix(1) : values[...]
            }
            return condition.holds(for: answers)
        }
        guard !conditions.isEmpty else { return true }
        switch compiled.item.enableBehavior {
        case .all: return conditions.allSatisfy(holds)
        case .any: return conditions.contains(where: holds)
        }
    }
}
