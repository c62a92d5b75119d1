import GateForms
public import GateModel
import GateProtocol

// Reading the answers of a form, and answering.

extension FormSession {
    // MARK: Reading, as it was last read

    /// The only answer to a question; `nil` if it has none or is disabled.
    ///
    /// ```swift
    /// let form = try await gate.forms.open("motor-insurance")
    /// let name = try form.value(at: "driver[1]/driver-name", as: String.self)
    /// ```
    ///
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` (`badAnswer`) for another type, or several answers.
    public func value<Answer: FormAnswer>(
        at path: FormPath, as type: Answer.Type = Answer.self
    ) throws(GateError) -> Answer? {
        let all = try values(at: path, as: type)
        guard all.count <= 1 else {
            throw GateError(
                .invalidArgument, .badAnswer,
                "\(try item(at: path).spokenName) has \(all.count) answers; ask for all of them (`values`).")
        }
        return all.first
    }

    /// All answers to a question.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` (`badAnswer`) if an answer is of another type.
    public func values<Answer: FormAnswer>(
        at path: FormPath, as type: Answer.Type = Answer.self
    ) throws(GateError) -> [Answer] {
        var answers: [Answer] = []
        for value in try values(at: path) {
            guard let answer = Answer(formValue: value) else {
                throw GateError(
                    .invalidArgument, .badAnswer,
                    "\(try item(at: path).spokenName) is answered with \(value.typeName), not \(Answer.answerTypeName)."
                )
            }
            answers.append(answer)
        }
        return answers
    }

    /// All answers to a question, of any type. Empty if there are none, or the question is disabled.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` if the path leaves open which of several items is meant.
    public func values(at path: FormPath) throws(GateError) -> [FormValue] {
        try outline.values(at: path)
    }

    /// The answers as a person reads them, joined by commas. Empty if there are none.
    /// - Parameter languages: BCP 47 tags, the preferred one first. Options are in the first of them that the form has.
    /// - Throws: the errors of `values`.
    public func text(at path: FormPath, for languages: [String] = []) throws(GateError) -> String {
        let item = try item(at: path)
        return try values(at: path).map { item.text(of: $0, for: languages) }.joined(separator: ", ")
    }

    /// Whether an item is asked for now, which may depend on other answers.
    /// - Throws: the errors of `values`.
    public func isEnabled(at path: FormPath) throws(GateError) -> Bool {
        try outline.isEnabled(path)
    }

    /// How many repetitions a group has, or answers a question. The path has no index of its own, like `"driver"`.
    /// - Throws: the errors of `values`.
    public func count(of path: FormPath) throws(GateError) -> Int {
        try outline.count(of: path)
    }

    /// The question after an item (`nil`: the first), through every repetition of a group. Hidden and disabled items,
    /// groups and texts are skipped. Returns `nil` if there is no further question.
    public func next(after path: FormPath?) -> FormPath? {
        outline.next(after: path)
    }

    /// The question that comes before an item, as by `next`. A path of `nil` is behind the last question.
    public func previous(before path: FormPath?) -> FormPath? {
        outline.previous(before: path)
    }

    /// All questions that are asked now, in order.
    public var questions: [FormPath] { outline.questions }

    // MARK: Answering

    /// Answers a question with one answer. If the answer really changes, the answers that depend on it are cleared.
    /// - Parameters:
    ///   - path: the question. `"driver[2]/driver-name"` adds a third driver if there are two.
    ///   - answer: a value of the type that the question takes; for a choice, a code that is offered.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) if the question does not take this answer; `FAILED_PRECONDITION`
    ///   (`notAnswerable`) if it is disabled, read-only, or depends on an unanswered question; `NOT_FOUND` (`unknown`);
    ///   `ABORTED` (`changedMeanwhile`) if the same answer was changed elsewhere since it was last read.
    @discardableResult
    public func set(_ path: FormPath, to answer: some FormAnswer) async throws(GateError) -> FormChange {
        let value = try answer.formValue(for: try item(at: path))
        return try await set(path, to: [value])
    }

    /// Replaces the answers to a question by these. An empty array clears them.
    /// - Throws: the errors of `set` with one answer.
    @discardableResult
    public func set<Answer: FormAnswer>(
        _ path: FormPath, to answers: [Answer]
    ) async throws(GateError) -> FormChange {
        let values = try values(of: answers, at: path)
        return try await change(Methods.Questionnaires.set, at: path) { revision in
            SetAnswerRequest(
                target: target, atRevision: revision, path: "\(path)", answers: ResponseWriter.answers(values))
        }
    }

    /// Clears the answers to a question.
    /// - Throws: the errors of `set`.
    @discardableResult
    public func clear(_ path: FormPath) async throws(GateError) -> FormChange {
        try await set(path, to: [FormValue]())
    }

    /// Suggests an answer, as a server does that knows the value. It is taken if the question has no answer. If a
    /// person has entered something else, the suggestion waits in `pending` until a program takes it. Read-only
    /// questions can be answered this way too.
    /// - Throws: the errors of `set`; `RESOURCE_EXHAUSTED` (`limit`) if too many suggestions wait.
    @discardableResult
    public func suggest(
        _ path: FormPath, answer: some FormAnswer
    ) async throws(GateError) -> FormChange {
        try await suggest(path, answers: [try answer.formValue(for: try item(at: path))])
    }

    /// Suggests several answers, as `suggest(_:answer:)` does one. An empty array ends `suggest(_:pendingFor:)`.
    @discardableResult
    public func suggest<Answer: FormAnswer>(
        _ path: FormPath, answers: [Answer]
    ) async throws(GateError) -> FormChange {
        let values = try values(of: answers, at: path)
        return try await change(Methods.Questionnaires.suggest, at: path) { revision in
            SuggestAnswerRequest(
                target: target, atRevision: revision, path: "\(path)", answers: ResponseWriter.answers(values))
        }
    }

    /// Announces that answers to a question are being fetched, so that the people who fill in the form know. The
    /// announcement ends when `suggest` is called with the answers or with an empty array, after this duration, or with
    /// the connection of this client.
    ///
    /// ```swift
    /// let form = try await gate.forms.open("motor-insurance")
    /// try await form.suggest("engine-power", pendingFor: .seconds(10))
    /// try await form.suggest("engine-power", answer: await enginePower())
    /// ```
    ///
    /// - Parameter duration: at most a minute.
    /// - Throws: the errors of `suggest`; `INVALID_ARGUMENT` (`invalidRequest`) if the duration is too long.
    @discardableResult
    public func suggest(_ path: FormPath, pendingFor duration: Duration) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.suggest, at: path) { revision in
            SuggestAnswerRequest(
                target: target, atRevision: revision, path: "\(path)", answers: [],
                pendingMilliseconds: duration.pendingMilliseconds)
        }
    }

    private func values<Answer: FormAnswer>(of answers: [Answer], at path: FormPath) throws(GateError)
        -> [FormValue]
    {
        let item = try item(at: path)
        var values: [FormValue] = []
        for answer in answers { values.append(try answer.formValue(for: item)) }
        return values
    }

    /// Removes one repetition of a group, like `"driver[1]"`. Later ones move up. The last one is only emptied.
    /// - Throws: `NOT_FOUND` (`unknown`); `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func remove(_ path: FormPath) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.remove) { revision in
            RemoveGroupRequest(target: target, atRevision: revision, path: "\(path)")
        }
    }

    // MARK: All answers at once

    /// Replaces all answers by those of a response. If it has a mistake, nothing changes.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) with the mistakes; `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func fill(from response: QuestionnaireResponse) async throws(GateError) -> FormChange {
        try await fill(json: ResponseWriter.json(response))
    }

    /// Like `fill(from:)`, with a response in FHIR JSON, which may contain attachments.
    @discardableResult
    public func fill(json response: [UInt8]) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.fill) { revision in
            FillFormRequest(target: target, atRevision: revision, response: response)
        }
    }

    /// Restores the initial values, and clears all other answers.
    /// - Throws: `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func reset() async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.reset) { revision in
            ResetFormRequest(target: target, atRevision: revision)
        }
    }

    /// Replaces all answers by those of a kept response, as far as they still fit the form.
    /// - Parameter responseID: as returned by `save` and `complete`.
    /// - Returns: the change, with the answers that no longer fit.
    /// - Throws: `NOT_FOUND` (`unknown`); `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func load(_ responseID: UInt64) async throws(GateError) -> FormChange {
        try await load(kept: responseID)
    }

    /// As `load`, with the newest completed response of the same holder.
    @discardableResult
    public func reuse() async throws(GateError) -> FormChange {
        try await load(kept: nil)
    }

    private func load(kept responseID: UInt64?) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.load) { revision in
            LoadFormRequest(target: target, atRevision: revision, responseID: responseID)
        }
    }

    // MARK: Parts

    /// Copies parts into an item with the same `definition`: one part replaces the answers there, several become
    /// repetitions of the item. `FormCalls.parts(of:)` lists them.
    ///
    /// ```swift
    /// let order = try await gate.forms.open("motor-insurance")
    /// let drivers = try await gate.forms.parts(of: "https://gate.example/fhir/StructureDefinition/driver")
    /// try await order.take(drivers.map(\.id), into: "driver")
    /// ```
    ///
    /// - Parameters:
    ///   - parts: their numbers, in order; at most 64.
    ///   - path: the item. With an index, as in `driver[1]`, one part replaces that group.
    /// - Returns: the change, with the answers that don't fit.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` with `invalidRequest` if the parts can't go there, or with
    ///   `badAnswer` if there are too many; `ABORTED` (`changedMeanwhile`); `UNIMPLEMENTED` if the daemon has no parts.
    @discardableResult
    public func take(_ parts: [UInt64], into path: FormPath) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.takeParts) { revision in
            TakePartsRequest(target: target, atRevision: revision, path: path.description, partIDs: parts)
        }
    }

    /// The parts of this form's holder, oldest first; none if the daemon keeps no parts. `definition` is that of an
    /// item; `nil`: the parts for all items.
    package func ownParts(of definition: String? = nil) async throws(GateError) -> [PartSummary] {
        do throws(GateError) {
            let parts = try await GateClient.allPages { token throws(GateError) in
                try await line.call(
                    Methods.Questionnaires.listParts, ListPartsRequest(definition: definition, pageToken: token))
            }
            return parts.filter { $0.holder == holder }
        } catch {
            guard error.code == .unimplemented else { throw error }
            return []
        }
    }

    /// Keeps the answers at an item as a part, for use in other forms.
    /// - Parameters:
    ///   - path: an item that has a `definition`; with an index if it is a repeating group.
    ///   - id: the part to replace; `nil`: a new one.
    ///   - label: one line of at most 200 bytes; empty: the daemon makes one from the answers.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` (`invalidRequest`) if the item has no answers or no
    ///   `definition`; `RESOURCE_EXHAUSTED` (`limit`); `UNIMPLEMENTED` if the daemon keeps no parts.
    @discardableResult
    public func savePart(
        at path: FormPath, over id: UInt64? = nil, label: String = ""
    ) async throws(GateError) -> PartChange {
        let request = SavePartRequest(target: target, path: path.description, partID: id, label: label)
        let response = try await line.call(Methods.Questionnaires.savePart, request)
        return PartChange(id: response.partID, revision: response.revision)
    }

    // MARK: Documents

    /// Answers a question with a document. It replaces the existing document, or is added behind the existing ones if
    /// the question takes several.
    /// - Parameters:
    ///   - bytes: at most 3 MiB.
    ///   - mediaType: like "image/png".
    ///   - title: the name of the file, for people.
    /// - Throws: the errors of `set`; `RESOURCE_EXHAUSTED` (`limit`).
    @discardableResult
    public func attach(
        _ path: FormPath, bytes: [UInt8], mediaType: String, title: String? = nil
    ) async throws(GateError) -> FormChange {
        let item = try item(at: path)
        let digest = try await line.upload(bytes)
        let attachment = FormAttachment(mediaType: mediaType, title: title, byteCount: bytes.count, digest: digest)
        let value = try attachment.formValue(for: item)
        return try await set(path, to: item.repeats ? try values(at: path) + [value] : [value])
    }

    /// The bytes of a document of this form.
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func download(_ digest: AttachmentDigest) async throws(GateError) -> [UInt8] {
        try await line.download(digest)
    }
}

extension Duration {
    /// At least 1, because 0 means that the answers are here. The daemon refuses a duration that is too long.
    fileprivate var pendingMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return .max }
        return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
