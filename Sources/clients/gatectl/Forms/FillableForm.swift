import GateClient
import GateCore
import GateModel

/// A draft of a form that a person fills in: one that the daemon keeps, or a stand-in for it in tests. Other clients
/// may work on the same draft.
protocol FillableForm: Sendable {
    var questionnaire: Questionnaire { get }

    /// Reads the draft as it is now, since others may have changed it.
    func read() async throws(GateError) -> FormReading

    /// - Returns: what was cleared because of the answer.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`), `FAILED_PRECONDITION` (`notAnswerable`); `ABORTED`
    ///   (`changedMeanwhile`) if another client has changed this answer since the draft was read.
    func answer(_ path: FormPath, with values: [FormValue]) async throws(GateError) -> [String]

    /// Answers with a document. If the question repeats, the document is added after the others.
    func attach(_ path: FormPath, _ file: AttachmentFile) async throws(GateError) -> [String]

    /// The parts that the form's holder has for an item with this `definition`, newest first.
    func parts(of definition: String) async throws(GateError) -> [PartSummary]

    /// Returns what did not fit, and what was cleared because of the parts.
    /// - Throws: as `answer`.
    func takeParts(_ parts: [UInt64], into path: FormPath) async throws(GateError) -> [String]

    func save() async throws(GateError) -> ResponseChange

    /// - Parameter revision: the revision that the person was shown.
    /// - Throws: `FAILED_PRECONDITION` (`incomplete`, `notParent`); `ABORTED` (`changedMeanwhile`).
    func complete(at revision: UInt64) async throws(GateError) -> ResponseChange
}

/// A draft at one moment.
struct FormReading: Hashable, Sendable {
    /// Identifies exactly these answers.
    let revision: UInt64
    /// Has every item that is enabled, answered or not.
    let response: QuestionnaireResponse
    /// Suggestions that are being fetched, or wait to be taken.
    var pending: [PendingSuggestion] = []
}

extension FillableForm {
    /// The issues that the draft would have if it were completed, found by the daemon's own rules, each with its item.
    func issues(of draft: QuestionnaireResponse) -> [FormIssue] {
        var response = draft
        response.status = .completed
        return ResponseValidator(CompiledForm(questionnaire), now: .now()).issues(of: response)
    }
}

extension FormSession: FillableForm {
    func read() async throws(GateError) -> FormReading {
        try await refresh()
        let draft = draft
        return FormReading(revision: draft.revision, response: draft.response, pending: draft.pending)
    }

    @discardableResult
    func complete(at revision: UInt64) async throws(GateError) -> ResponseChange {
        try await complete(at: Optional(revision))
    }

    func answer(_ path: FormPath, with values: [FormValue]) async throws(GateError) -> [String] {
        try await set(path, to: values).cleared.map(\.description)
    }

    func parts(of definition: String) async throws(GateError) -> [PartSummary] {
        try await ownParts(of: definition).reversed()
    }

    func takeParts(_ parts: [UInt64], into path: FormPath) async throws(GateError) -> [String] {
        try await take(parts, into: path).cleared.map(\.description)
    }

    func attach(_ path: FormPath, _ file: AttachmentFile) async throws(GateError) -> [String] {
        try await attach(path, bytes: file.bytes, mediaType: file.mediaType, title: file.title).cleared.map(
            \.description)
    }
}
