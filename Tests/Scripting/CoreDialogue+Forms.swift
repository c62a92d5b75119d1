import CommandSupport
import GateCore
import GateForms
package import GateModel
import GatePolicy

// Forms, and what is kept of them.

extension CoreDialogue {
    public mutating func openForm(_ name: String, as person: Person) -> Outcome { openForm(name, own: nil, as: person) }

    public mutating func bringForm(_ name: String, as person: Person) throws -> Outcome {
        guard let form = try world.form(name) else { throw NothingAsked(name: "form \(name)") }
        return openForm(name, own: AppForm(form, of: person.uid), as: person)
    }

    private mutating func openForm(_ name: String, own: AppForm?, as person: Person) -> Outcome {
        switch apply(.openForm(FormTarget(ScriptFormTarget(name)), own: own), as: newPeer(person)) {
        case .success(.form(let change)): .openForm(change.summary.revision)
        case .success(.refused(let error)), .failure(let error): .refused(error.message)
        case .success: .said("something else")
        }
    }

    public mutating func beginForm(_ name: String, label: String, as person: Person) -> Outcome {
        let command = Command.openForm(FormTarget(ScriptFormTarget(name)), beginsAnother: true, label: label)
        switch apply(command, as: newPeer(person)) {
        case .success(.form(let change)): return .begun(change.summary.draftID, change.summary.revision)
        case .success(.refused(let error)), .failure(let error): return .refused(error.message)
        case .success: return .said("something else")
        }
    }

    public mutating func labelForm(_ name: String, label: String, as person: Person) -> Outcome {
        said("labelled", after: .labelDraft(FormTarget(ScriptFormTarget(name)), label: label), as: person)
    }

    public func drafts(as person: Person) -> Outcome { .drafts(shownForms(to: reader(person))) }

    public mutating func editForm(
        _ target: ScriptFormTarget, _ edit: ScriptFormEdit, as person: Person
    ) throws -> Outcome {
        self.edit(FormTarget(target), at: target.revision, edit, as: newPeer(person))
    }

    public func readForm(_ name: String, at path: String?, as person: Person) -> Outcome {
        do throws(GateError) {
            let (_, draft) = try state.form(FormTarget(ScriptFormTarget(name)), for: reader(person), at: now)
            let response = draft.response(.inProgress, authored: nil, includingUnanswered: false)
            return .answers(AnswerLines(draft.form.questionnaire).lines(response, at: path))
        } catch {
            return .refused(error.message)
        }
    }

    public func suggestions(in name: String, as person: Person) -> Outcome {
        do throws(GateError) {
            let (summary, _) = try state.form(FormTarget(ScriptFormTarget(name)), for: reader(person), at: now)
            return .suggestions(
                state.pendingSuggestions(for: summary).map { (path: "\($0.path)", answers: $0.answers) })
        } catch {
            return .refused(error.message)
        }
    }

    public func missing(in name: String, as person: Person) -> Outcome {
        do throws(GateError) {
            let (_, draft) = try state.form(FormTarget(ScriptFormTarget(name)), for: reader(person), at: now)
            return .missing(
                draft.issues(now: LocalTime(wallTime)).filter { $0.severity == .error }.map(\.message))
        } catch {
            return .refused(error.message)
        }
    }

    public mutating func saveForm(_ name: String, as person: Person) -> Outcome {
        outcome(of: .saveForm(FormTarget(ScriptFormTarget(name))), as: person)
    }

    public mutating func completeForm(_ target: ScriptFormTarget, as person: Person) -> Outcome {
        outcome(of: .completeForm(FormTarget(target), at: target.revision), as: person)
    }

    public mutating func discardForm(_ name: String, as person: Person) -> Outcome {
        said("discarded", after: .discardForm(FormTarget(ScriptFormTarget(name))), as: person)
    }

    public func responses(as person: Person) -> Outcome {
        .responses(
            state.responses(visibleTo: reader(person)).map { response in
                ShownResponse(
                    id: response.id, name: response.name, version: response.version ?? "",
                    holder: world.name(of: response.holder), status: response.status, label: response.label)
            })
    }

    public func response(_ id: UInt64, as person: Person) -> Outcome {
        do throws(GateError) {
            let kept = try state.response(id, for: reader(person))
            guard let form = configuration.forms[kept.summary.name]?.questionnaire else {
                throw .noForm(kept.summary.name)
            }
            return .answers(AnswerLines(form).lines(kept.response))
        } catch {
            return .refused(error.message)
        }
    }

    public mutating func withdrawResponse(_ id: UInt64, as person: Person) -> Outcome {
        said("withdrawn", after: .withdrawResponse(id), as: person)
    }

    public mutating func savePart(
        of name: String, at path: String, label: String, as person: Person
    ) throws -> Outcome {
        do throws(GateError) {
            let target = FormTarget(ScriptFormTarget(name))
            let command = Command.savePart(target, try FormPath(script: path), over: nil, label: label)
            switch apply(command, as: newPeer(person)) {
            case .success(.keptPart(let id)): return .said("part \(id)")
            case .success(.refused(let error)), .failure(let error): throw error
            case .success: return .said("something else")
            }
        } catch {
            return .refused(error.message)
        }
    }

    public mutating func removePart(_ id: UInt64, as person: Person) -> Outcome {
        said("removed", after: .removePart(id), as: person)
    }

    public func parts(as person: Person) -> Outcome {
        .parts(
            state.parts(visibleTo: reader(person)).map { part in
                ShownPart(
                    id: part.id, label: part.label, definition: part.definition, holder: world.name(of: part.holder))
            })
    }

    public mutating func watchForms(as person: Person) -> Outcome {
        var watching: (peer: Peer, watcher: Watcher<[ShownForm]>)
        if let before = formWatchers[person] {
            watching = before
        } else {
            let peer = newPeer(person)
            watching = (peer, Watcher(shownForms(to: peer)))
        }
        defer { formWatchers[person] = watching }
        return .seenForms(watching.watcher.read())
    }

    public mutating func reload(_ new: ScriptWorld, as person: Person) -> Outcome {
        do throws(PolicyError) {
            let read = try new.readConfiguration(choices: state.records.gateChoices)
            let detail =
                "\(new.fileCount.times("policy file")), \(read.gatedActions.count.times("gated action"))"
            switch apply(.configure(read, detail: detail), as: newPeer(person)) {
            case .failure(let error): return .refused(error.message)
            case .success: break
            }
            (world.policy, world.questions, world.files) = (new.policy, new.questions, new.files)
            configuration = read
            return .said("reloaded")
        } catch {
            let lines =
                ["The policy has mistakes; the previous policy stays in force."] + error.problems.map { "\($0)" }
            return .refused(lines.joined(separator: "\n"))
        }
    }

    // MARK: - On a screen

    /// Hands in a response as `gatectl present --exec` does.
    public mutating func handIn(_ id: UInt64, from name: String) throws -> Outcome {
        let (target, peer) = try shownForm(id)
        let outcome = edit(target, at: nil, .fill(from: name), as: peer)
        guard case .form(let filled) = outcome else { return outcome }
        let status = ResponseReader().response(Array((world.responses[name] ?? "").utf8)).response?.status
        guard status == .completed else { return try dismiss(challenge: id) }
        switch apply(.completeForm(target, at: filled.revision), as: peer) {
        case .success(.refused(let error)), .failure(let error): return .refused(error.message)
        case .success:
            asked[id]?.connection = nil
            return .said("form \(id): handed in")
        }
    }

    /// The draft on somebody's screen, with the cookie that gives access to it.
    private func shownForm(_ id: UInt64) throws -> (FormTarget, Peer) {
        let question = try question(id)
        guard case .form(let invitation) = question.presentation.content else {
            throw UnknownChallenge(id: id, message: "it is a \(question.presentation.summary.kind.name)")
        }
        guard let peer = question.connection else { throw UnknownChallenge(id: id, message: "it is closed") }
        return (FormTarget(name: invitation.name, cookie: question.presentation.cookie), peer)
    }

    // MARK: - Parts

    private mutating func edit(
        _ target: FormTarget, at revision: UInt64?, _ edit: ScriptFormEdit, as peer: Peer
    ) -> Outcome {
        do throws(GateError) {
            let command = try command(target, at: revision, edit, for: peer)
            // As with `gatectl`, a file may be the beginning of a draft.
            if case .fill = edit, case .failure(let error) = apply(.openForm(target), as: peer) { throw error }
            switch apply(command, as: peer) {
            case .success(.form(let change)): return .form(change)
            case .success(.refused(let error)), .failure(let error): return .refused(error.message)
            case .success: return .said("something else")
            }
        } catch {
            return .refused(error.message)
        }
    }

    private func command(
        _ target: FormTarget, at revision: UInt64?, _ edit: ScriptFormEdit, for peer: Peer
    ) throws(GateError) -> Command {
        switch edit {
        case .set(let path, let answers):
            let path = try FormPath(script: path)
            return .editForm(
                target, at: revision,
                .set(path, try values(answers, at: path, in: target.name, for: peer), attachments: [:]))
        case .suggest(let path, let answers):
            let path = try FormPath(script: path)
            return .editForm(
                target, at: revision,
                .suggest(path, try values(answers, at: path, in: target.name, for: peer), attachments: [:]))
        case .announce(let path, let duration):
            return .announceSuggestion(target, at: revision, try FormPath(script: path), for: duration)
        case .remove(let path):
            return .editForm(target, at: revision, .remove(try FormPath(script: path)))
        case .fill(let name):
            let reading = ResponseReader().response(Array((world.responses[name] ?? "").utf8))
            guard let response = reading.response, !reading.issues.contains(where: { $0.severity == .error }) else {
                throw GateError.unreadableResponse(reading.issues)
            }
            return .editForm(target, at: revision, .fill(response, attachments: [:]))
        case .reset:
            return .editForm(target, at: revision, .reset)
        case .take(let path, let ids):
            return .editForm(target, at: revision, .take(try FormPath(script: path), parts: ids))
        case .load(let id):
            return .loadForm(target, at: revision, response: id)
        }
    }

    /// The answers, read text by text as `gatectl` reads them.
    private func values(
        _ answers: [String], at path: FormPath, in name: String, for peer: Peer
    ) throws(GateError) -> [FormValue] {
        let form = try state.form(named: name, cookie: nil, for: peer, at: now).questionnaire
        // The core refuses a path that does not exist.
        guard let item = form.items.item(path.linkID) else { return answers.map { .string($0) } }
        var values: [FormValue] = []
        // A question with one answer takes all words as one answer.
        let answers = item.repeats || answers.isEmpty ? answers : [answers.joined(separator: " ")]
        for answer in answers { values.append(try FormAnswerText(item: item).value(answer)) }
        return values
    }

    /// Reading needs no connection of its own.
    private func reader(_ person: Person) -> Peer {
        Peer(
            connection: .max, uid: person.uid, owner: person.owner, pid: 99, roles: person.roles, program: "gatectl")
    }

    func shownForms(to peer: Peer) -> [ShownForm] {
        state.forms(visibleTo: peer).map { form in
            ShownForm(
                name: form.name, holder: world.name(of: form.holder), revision: form.revision, draft: form.draftID,
                label: form.label)
        }
    }
}

extension FormTarget {
    fileprivate init(_ target: ScriptFormTarget) {
        self.init(name: target.name, draftID: target.draft)
    }
}

extension FormPath {
    fileprivate init(script text: String) throws(GateError) {
        guard let path = FormPath(text: text) else {
            throw GateError(.invalidArgument, .invalidRequest, "'\(text)' names no question.")
        }
        self = path
    }
}

extension Outcome {
    /// Another draft is there, at this revision.
    public static func begun(_ draft: UInt64, _ revision: UInt64) -> Outcome {
        .said("open, draft \(draft), revision \(revision)")
    }

    static func form(_ change: FormChange) -> Outcome {
        .form(
            ShownFormChange(
                revision: change.summary.revision, isChanged: change.isChanged,
                cleared: change.cleared.map(\.description)))
    }
}

extension Presentation.Content {
    /// Whether it has no answer, because the state closes it.
    var isClosedByState: Bool {
        switch self {
        case .challenge, .whatsNew, .unrecognized: false
        case .signIn, .paywall, .form: true
        }
    }
}

extension ScriptWorld {
    /// A form by its name, of an app by its whole name, too: that of the policy, else that which an app brings.
    package func form(_ name: String) throws -> FormDescription? {
        if let form = try configuration.forms[name] { return form }
        guard let text = brought[AppsOwnName(name)?.name ?? name] else { return nil }
        let (form, problems) = QuestionnaireReader(fallbackName: name).form(try FHIRNode(json: Array(text.utf8)))
        guard let form else { throw problems[0] }
        return form
    }
}
