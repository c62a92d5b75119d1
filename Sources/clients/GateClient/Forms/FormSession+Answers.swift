import GateForms
public import GateModel
import GateProtocol

// What a person has answered, and answering.

extension FormSession {
    // MARK: Reading, as it was last read

    /// The one answer to a question; `nil`: it has none, or is not enabled.
    ///
    /// ```swift
    /// let form = try await gate.forms.open("motor-insurance")
    /// let name = try form.value(at: "driver[1]/driver-name", as: String.self)
    /// ```
    ///
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT` (`badAnswer`) where the answer is of another type, or there are
    ///   several.
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
    ///
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT` (`badAnswer`) where one is of another type.
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

    /// All answers to a question, whatever they are. Empty: none, or it is not enabled.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT` where the path leaves open which of several is meant.
    public func values(at path: FormPath) throws(GateError) -> [FormValue] {
        try outline.values(at: path)
    }

    /// The text of the answer, as a person reads it (F-33). Empty: there is none.
    ///
    /// - Parameters:
    ///   - path: the question.
    ///   - languages: those of the person, as BCP 47 tags, the preferred one first: the words of the form's options are in one of
    ///     them where the form has it.
    /// - Throws: as `values`.
    public func text(at path: FormPath, for languages: [String] = []) throws(GateError) -> String {
        let item = try item(at: path)
        return try values(at: path).map { item.text(of: $0, for: languages) }.joined(separator: ", ")
    }

    /// Whether it is asked for now (F-38).
    ///
    /// - Throws: as `values`.
    public func isEnabled(at path: FormPath) throws(GateError) -> Bool {
        try outline.isEnabled(path)
    }

    /// How many there are of a group, or answers to a question.
    ///
    /// - Parameter path: without an index of its own: `"driver"`.
    /// - Throws: as `values`.
    public func count(of path: FormPath) throws(GateError) -> Int {
        try outline.count(of: path)
    }

    /// The question that comes after one, for the person who fills the form in (F-44): over what is hidden, what is
    /// disabled, groups and texts, and through each group as often as it is there.
    ///
    /// - Parameter path: of a question or a group; `nil`: the first question of all.
    /// - Returns: `nil`: there is none.
    public func next(after path: FormPath?) -> FormPath? {
        outline.next(after: path)
    }

    /// The question that comes before one. As `next`; `nil`: the last question of all.
    public func previous(before path: FormPath?) -> FormPath? {
        outline.previous(before: path)
    }

    /// All that is asked now, in order.
    public var questions: [FormPath] { outline.questions }

    // MARK: Answering

    /// Answers a question with one answer. If it really changes, the answers that depend on it are cleared (F-36).
    ///
    /// - Parameters:
    ///   - path: `"driver[2]/driver-name"` makes the third driver where there are two.
    ///   - answer: as the question takes it; for a choice, a code that is offered.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) where the question does not take that; `FAILED_PRECONDITION`
    ///   (`notAnswerable`): it is disabled, read-only, or lacks one that comes before it (F-37); `NOT_FOUND` (`unknown`);
    ///   `ABORTED` (`changedMeanwhile`) where somebody else has changed the same answer.
    @discardableResult
    public func set(_ path: FormPath, to answer: some FormAnswer) async throws(GateError) -> FormChange {
        let value = try answer.formValue(for: try item(at: path))
        return try await set(path, to: [value])
    }

    /// Answers a question with several answers, in place of those it has. None clears it.
    ///
    /// - Throws: as with one answer.
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

    /// Clears the answer.
    ///
    /// - Throws: as `set`.
    @discardableResult
    public func clear(_ path: FormPath) async throws(GateError) -> FormChange {
        try await set(path, to: [FormValue]())
    }

    /// Answers a question, but only where nothing is answered (F-41): for what a server knows. Never over what a person has
    /// entered: beside that it waits, in `pending`, until it is taken (F-75). Read-only questions, too.
    ///
    /// - Throws: as `set`; `RESOURCE_EXHAUSTED` (`limit`) where too many wait.
    @discardableResult
    public func suggest(
        _ path: FormPath, answer: some FormAnswer
    ) async throws(GateError) -> FormChange {
        try await suggest(path, answers: [try answer.formValue(for: try item(at: path))])
    }

    /// As with one answer.
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

    /// Says that the answers to a question are being fetched, so that those who fill it in know that they come (F-76). `suggest` with
    /// the answers ends it, and so does `suggest` with an empty list of them; by itself it ends after this time, and with the connection
    /// of this client.
    ///
    /// ```swift
    /// let form = try await gate.forms.open("motor-insurance")
    /// try await form.suggest("engine-power", pendingFor: .seconds(10))
    /// try await form.suggest("engine-power", answer: await enginePower())
    /// ```
    ///
    /// - Parameter duration: at most a minute.
    /// - Throws: as `suggest`; `INVALID_ARGUMENT` (`invalidRequest`) for another duration.
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

    /// Removes one of several groups (F-35): `"driver[1]"`. Those behind it move up; the last one left is emptied.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`), `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func remove(_ path: FormPath) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.remove) { revision in
            RemoveGroupRequest(target: target, atRevision: revision, path: "\(path)")
        }
    }

    // MARK: All answers at once

    /// Puts a whole response in place of all answers, or changes nothing (F-40).
    ///
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`), with what is wrong; `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func fill(from response: QuestionnaireResponse) async throws(GateError) -> FormChange {
        try await fill(json: ResponseWriter.json(response))
    }

    /// The same, from FHIR JSON. It may bring attachments along.
    @discardableResult
    public func fill(json response: [UInt8]) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.fill) { revision in
            FillFormRequest(target: target, atRevision: revision, response: response)
        }
    }

    /// Restores the initial values, and clears the rest (F-34).
    ///
    /// - Throws: `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func reset() async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.reset) { revision in
            ResetFormRequest(target: target, atRevision: revision)
        }
    }

    /// Puts what was kept in place of all answers, as far as it still fits.
    ///
    /// - Parameter responseID: its number, which `save` and `complete` return.
    /// - Returns: with what no longer fits.
    /// - Throws: `NOT_FOUND` (`unknown`), `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func load(_ responseID: UInt64) async throws(GateError) -> FormChange {
        try await load(kept: responseID)
    }

    /// Puts the newest completed response of the same holder in place of all answers, as far as it still fits (F-39).
    ///
    /// - Returns: with what no longer fits.
    /// - Throws: as `load`.
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

    /// Takes parts into an item of the same `definition` (F-72, F-73): one in place of what is answered there, or several beside one
    /// another where it repeats. `FormCalls.parts(of:)` lists them.
    ///
    /// ```swift
    /// let order = try await gate.forms.open("motor-insurance")
    /// let drivers = try await gate.forms.parts(of: "https://gate.example/fhir/StructureDefinition/driver")
    /// try await order.take(drivers.map(\.id), into: "driver")
    /// ```
    ///
    /// - Parameters:
    ///   - parts: their numbers, in order; at most 64.
    ///   - path: the item; with a place, `driver[1]`, one part takes the place of that group.
    /// - Returns: with what does not fit.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` (`invalidRequest`) where they don't go there, (`badAnswer`) where there are
    ///   too many; `ABORTED` (`changedMeanwhile`); `UNIMPLEMENTED` by a daemon that keeps no parts.
    @discardableResult
    public func take(_ parts: [UInt64], into path: FormPath) async throws(GateError) -> FormChange {
        try await change(Methods.Questionnaires.takeParts) { revision in
            TakePartsRequest(target: target, atRevision: revision, path: path.description, partIDs: parts)
        }
    }

    /// The parts of this form's holder, the oldest first.
    ///
    /// - Parameter definition: the `definition` of an item; `nil`: of all.
    /// - Returns: none where the daemon keeps no parts.
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

    /// Keeps what is answered at an item as a part, for other forms.
    ///
    /// - Parameters:
    ///   - path: an item that has a `definition`; of a group that repeats with its place.
    ///   - id: the part in whose place it is kept; `nil`: a new one.
    ///   - label: one line of at most 200 bytes; empty: its answers make one.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT` (`invalidRequest`) where nothing is answered there, or it has no
    ///   `definition`; `RESOURCE_EXHAUSTED` (`limit`); `UNIMPLEMENTED` by a daemon that keeps no parts.
    @discardableResult
    public func savePart(
        at path: FormPath, over id: UInt64? = nil, label: String = ""
    ) async throws(GateError) -> PartChange {
        let request = SavePartRequest(target: target, path: path.description, partID: id, label: label)
        let response = try await line.call(Methods.Questionnaires.savePart, request)
        return PartChange(id: response.partID, revision: response.revision)
    }

    // MARK: Documents

    /// Answers a question with a document: in place of the one that is there, or behind those where the question takes
    /// several.
    ///
    /// - Parameters:
    ///   - path: of the question.
    ///   - bytes: at most 3 MiB.
    ///   - mediaType: "image/png".
    ///   - title: what people read: the name of the file.
    /// - Throws: as `set`, and `RESOURCE_EXHAUSTED` (`limit`).
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
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    public func download(_ digest: AttachmentDigest) async throws(GateError) -> [UInt8] {
        try await line.download(digest)
    }
}

extension Duration {
    /// At least one, since 0 says that the answers are here; what is too long the daemon refuses.
    fileprivate var pendingMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return .max }
        return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
