import Foundation
import GateForms
import GateModel
import GateScripting
import ProcessSupport

// Forms, and what is kept of them.

extension DaemonDialogue {
    mutating func openForm(_ name: String, as person: Person) throws -> Outcome {
        try openForm(name, bringing: [], as: person)
    }

    mutating func bringForm(_ name: String, as person: Person) throws -> Outcome {
        try openForm(name, bringing: ["--bring", try broughtFile(name, suffix: "json")], as: person)
    }

    /// A file with the form or the release notes that an app brings.
    func broughtFile(_ name: String, suffix: String) throws -> String {
        let file = directory.appending(path: "brought-\(name).\(suffix)")
        try Data((world.brought[name] ?? "").utf8).write(to: file)
        return file.path
    }

    private mutating func openForm(_ name: String, bringing options: [String], as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["form", "open"] + words(name) + options, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let revision = reply["draft"]?["summary"]?.number("revision") else {
            throw UnreadableReply(reply: "\(reply.fields)")
        }
        return .openForm(UInt64(revision))
    }

    mutating func beginForm(_ name: String, label: String, as person: Person) throws -> Outcome {
        let verb = ["form", "open", name, "--new"] + (label.isEmpty ? [] : ["--label", label])
        let reply = try lastReply(to: verb, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let summary = reply["draft"]?["summary"], let revision = summary.number("revision"),
            let draft = summary.number("draftId")
        else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .begun(UInt64(draft), UInt64(revision))
    }

    mutating func labelForm(_ name: String, label: String, as person: Person) throws -> Outcome {
        try said("labelled", by: ["form", "label"] + words(name) + (label.isEmpty ? [] : [label]), as: person)
    }

    mutating func drafts(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["form", "drafts"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .drafts(reply.objects("drafts").compactMap { $0.shownForm(in: world) })
    }

    /// The name of a form, and the option for a draft beside others: "insurance#2".
    private func words(_ text: String) -> [String] { words(ScriptFormTarget(text)) }

    private func words(_ target: ScriptFormTarget) -> [String] {
        [target.name] + (target.draft == 0 ? [] : ["--draft", "\(target.draft)"])
    }

    mutating func editForm(
        _ target: ScriptFormTarget, _ edit: ScriptFormEdit, as person: Person
    ) throws -> Outcome {
        var verb: [String]
        switch edit {
        case .announce(let path, let duration):
            return try announce(target, path, for: duration, as: person)
        case .suggest(let path, let answers) where answers.isEmpty:
            verb = ["suggest"] + words(target) + [path, "--withdraw"]
        case .set(let path, let answers): verb = ["set"] + words(target) + [path] + answers
        case .suggest(let path, let answers): verb = ["suggest"] + words(target) + [path] + answers
        case .remove(let path): verb = ["remove"] + words(target) + [path]
        case .fill(let name): verb = ["fill"] + words(target) + ["--file", try responseFile(name)]
        case .reset: verb = ["reset"] + words(target)
        case .take(let path, let ids): verb = ["parts", "take"] + words(target) + [path] + ids.map { "\($0)" }
        case .load(let id?): verb = ["load"] + words(target) + ["\(id)"]
        case .load(nil): verb = ["reuse"] + words(target)
        }
        if let revision = target.revision { verb += ["--at", "\(revision)"] }
        let reply = try lastReply(to: ["form"] + verb, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let change = reply.formChange else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .form(change)
    }

    /// The program goes on running as long as it fetches the answers.
    private mutating func announce(
        _ target: ScriptFormTarget, _ path: String, for duration: Duration, as person: Person
    ) throws -> Outcome {
        let verb = ["form", "suggest"] + words(target) + [path, "--pending", duration.shortText]
        let process = try ChildProcess(builtProgram("gatectl"), arguments(verb, as: person), hasInput: false)
        holders.append(process)
        guard let reply = try process.nextLineOrEnd().flatMap(GatectlReply.init) else {
            throw process.failure("it says nothing")
        }
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let change = reply.formChange else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .form(change)
    }

    mutating func suggestions(in name: String, as person: Person) throws -> Outcome {
        let process = try ChildProcess(
            builtProgram("gatectl"), arguments(["form", "get"] + words(name) + ["--pending"], as: person),
            hasInput: false)
        guard let line = try process.ended().output.split(separator: "\n").last.map(String.init) else {
            throw process.failure("it says nothing")
        }
        if let error = GatectlReply(line)?.error { return .refused(error.text("message") ?? "") }
        guard let list = GatectlReply("{\"pending\":\(line)}") else { throw UnreadableReply(reply: line) }
        return .suggestions(
            try list.objects("pending").map { suggestion in
                let answers = try suggestion.fields["answers"].map {
                    try ResponseReader().answers(Array(JSONSerialization.data(withJSONObject: $0))).values
                }
                return (path: suggestion.text("path") ?? "", answers: answers ?? [])
            })
    }

    /// A file with the response as JSON.
    private func responseFile(_ name: String) throws -> String {
        let file = directory.appending(path: "\(name).json")
        try Data((world.responses[name] ?? "").utf8).write(to: file)
        return file.path()
    }

    mutating func readForm(_ name: String, at path: String?, as person: Person) throws -> Outcome {
        try answers(to: ["form", "get"] + words(name), of: ScriptFormTarget(name).name, at: path, as: person)
    }

    mutating func response(_ id: UInt64, as person: Person) throws -> Outcome {
        let known = try lastReply(to: ["form", "responses"], as: person).objects("responses")
        let name = known.first { $0.number("id") == Int64(id) }?.text("name")
        return try answers(to: ["form", "response", "\(id)"], of: name, at: nil, as: person)
    }

    /// The answers that a verb prints as a QuestionnaireResponse.
    private func answers(
        to verb: [String], of name: String?, at path: String?, as person: Person
    ) throws -> Outcome {
        let reply = try lastReply(to: verb, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let response = ResponseReader().response(Array(reply.line.utf8)).response,
            let form = try name.flatMap({ try world.form($0)?.questionnaire })
        else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .answers(AnswerLines(form).lines(response, at: path))
    }

    mutating func missing(in name: String, as person: Person) throws -> Outcome {
        let target = ScriptFormTarget(name)
        let request = "{\"target\":{\"name\":\"\(target.name)\",\"draftId\":\"\(target.draft)\"}}"
        let reply = try lastReply(to: ["call", "gate.v1.Questionnaires/ValidateForm", request], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let bytes = reply.text("outcome").flatMap({ Data(base64Encoded: $0) }),
            let outcome = GatectlReply(String(decoding: bytes, as: UTF8.self))
        else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .missing(
            outcome.objects("issue").filter { $0.text("severity") == "error" }.map { $0.text("diagnostics") ?? "" })
    }

    mutating func saveForm(_ name: String, as person: Person) throws -> Outcome {
        try kept(["form", "save"] + words(name), as: person)
    }

    mutating func completeForm(_ target: ScriptFormTarget, as person: Person) throws -> Outcome {
        let revision = target.revision.map { ["--at", "\($0)"] } ?? []
        return try kept(["form", "complete"] + words(target) + revision, as: person)
    }

    private func kept(_ verb: [String], as person: Person) throws -> Outcome {
        let reply = try lastReply(to: verb, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let id = reply.number("responseId") else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .said("response \(id)")
    }

    mutating func discardForm(_ name: String, as person: Person) throws -> Outcome {
        try said("discarded", by: ["form", "discard"] + words(name), as: person)
    }

    mutating func responses(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["form", "responses"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .responses(reply.objects("responses").compactMap { $0.shownResponse(in: world) })
    }

    mutating func withdrawResponse(_ id: UInt64, as person: Person) throws -> Outcome {
        try said("withdrawn", by: ["form", "withdraw", "\(id)"], as: person)
    }

    mutating func savePart(
        of name: String, at path: String, label: String, as person: Person
    ) throws -> Outcome {
        let verb = ["form", "parts", "save"] + words(name) + [path] + (label.isEmpty ? [] : ["--label", label])
        let reply = try lastReply(to: verb, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let id = reply.number("partId") else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .said("part \(id)")
    }

    mutating func removePart(_ id: UInt64, as person: Person) throws -> Outcome {
        try said("removed", by: ["form", "parts", "remove", "\(id)"], as: person)
    }

    mutating func parts(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["form", "parts"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .parts(reply.objects("parts").compactMap { $0.shownPart(in: world) })
    }

    /// Whether the person whom the form is for has completed it.
    func isCompleted(_ invitation: FormInvitation) throws -> Bool {
        guard let administrator = world.administrator else { return false }
        return try lastReply(to: ["form", "responses"], as: administrator).objects("responses").contains { response in
            response.text("name") == invitation.name && response["holder"]?.formHolder == invitation.holder
                && response.text("status") == "STATUS_COMPLETED"
        }
    }

    // MARK: - On a screen

    mutating func handIn(_ id: UInt64, from name: String) throws -> Outcome {
        try settleScreens()
        guard let screen = screens.first(where: { $0.presentation?["summary"]?.number("id") == Int64(id) }) else {
            throw UnknownChallenge(id: id, message: "it is on no screen")
        }
        let text = world.responses[name] ?? ""
        try screen.answer(text)
        try waitUntil("the screen takes the response") { screen.hasTakenAnswer }
        var outcome: Outcome?
        try waitUntil("the screen says what came of it") {
            let isOpen = try openPresentations().contains { $0.number("id") == Int64(id) }
            if isOpen {
                // The program was started once more, with the error as its note.
                let note = screen.note.replacing("<U+000A>", with: "\n")
                outcome = note.isEmpty ? nil : .refused(note)
            } else {
                let isCompleted = GatectlReply(text)?.text("status") == "completed"
                outcome = isCompleted ? .said("form \(id): handed in") : .answered("form \(id)", .dismissed)
            }
            return outcome != nil
        }
        return outcome ?? .blank
    }

    // MARK: - Watching

    mutating func watchForms(as person: Person) throws -> Outcome {
        if formWatchers[person] == nil {
            formWatchers[person] = DaemonWatcher(process: try watching("forms", as: person))
        }
        try settleForms()
        return .seenForms(formWatchers[person]?.read() ?? [])
    }

    /// Waits until all watchers have been told what a new watcher is told now.
    mutating func settleForms() throws {
        for person in formWatchers.keys {
            let fresh = try watching("forms", as: person)
            defer { fresh.kill() }
            var now: [ShownForm]?
            while now == nil {
                guard let line = try fresh.nextLineOrEnd() else { throw fresh.failure("it has ended") }
                now = GatectlReply(line)?.shownForms(in: world)
            }
            guard let now else { continue }
            try formWatchers[person]?.catchUp(with: now) { [world] in $0.shownForms(in: world) }
        }
    }

    // MARK: - The files that say what there is

    mutating func reload(_ new: ScriptWorld, as person: Person) throws -> Outcome {
        (world.policy, world.questions, world.files) = (new.policy, new.questions, new.files)
        try world.writeConfiguration(into: directory, store)
        let reply = try lastReply(to: ["reload"], as: person)
        let folder = ScriptWorld.configuration(in: directory).path() + "/"
        return reply.error.map { error in
            .refused((error.text("message") ?? "").replacing(folder, with: ""))
        } ?? .said("reloaded")
    }
}

extension GatectlReply {
    /// The forms in a WatchResponse; `nil` if it has none.
    fileprivate func shownForms(in world: ScriptWorld) -> [ShownForm]? {
        self["forms"].map { $0.objects("forms").compactMap { $0.shownForm(in: world) } }
    }
}
