import GateClient
import GateCore
import GateModel

/// A draft of a form that is being filled in, wherever it is kept. Others may work on it at the same time.
protocol FillableForm: Sendable {
    var questionnaire: Questionnaire { get }

    /// The draft as it is now. What is changed after that is changed in this.
    func read() async throws(GateError) -> FormReading

    /// - Returns: what was cleared with it.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`), `FAILED_PRECONDITION` (`notAnswerable`), `ABORTED` (`changedMeanwhile`)
    ///   where somebody else has changed the same answer since it was read.
    func answer(_ path: FormPath, with values: [FormValue]) async throws(GateError) -> [String]

    /// Answers with a document; where there may be several, behind those that are there.
    func attach(_ path: FormPath, _ file: AttachmentFile) async throws(GateError) -> [String]

    /// The parts that its holder may take into an item with this `definition` (F-72), the newest first.
    func parts(of definition: String) async throws(GateError) -> [PartSummary]

    /// Takes parts into an item.
    ///
    /// - Returns: what did not fit, and what was cleared with it.
    /// - Throws: as `answer`.
    func takeParts(_ parts: [UInt64], into path: FormPath) async throws(GateError) -> [String]

    /// Keeps a copy as it is.
    func save() async throws(GateError) -> ResponseChange

    /// - Parameter revision: of what the person was shown.
    /// - Throws: `FAILED_PRECONDITION` (`incomplete`, `notParent`), `ABORTED` (`changedMeanwhile`).
    func complete(at revision: UInt64) async throws(GateError) -> ResponseChange
}

/// A draft at one moment.
struct FormReading: Hashable, Sendable {
    /// Names exactly these answers.
    let revision: UInt64
    /// With every item that is enabled, answered or not.
    let response: QuestionnaireResponse
    /// The suggestions that are being fetched, or wait.
    var pending: [PendingSuggestion] = []
}

extension FillableForm {
    /// The issues that it would have if it were completed: by the rules that the daemon completes it by, here, where
    /// each issue has its item.
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
