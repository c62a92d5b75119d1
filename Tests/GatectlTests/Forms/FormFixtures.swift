import GateClient
import GateCore
import GateModel
import Synchronization
import Testing

@testable import gatectl

/// A form with some items of each kind.
let carForm = Questionnaire(
    name: "car", url: "https://example.org/car", version: "2", title: "A car", description: "Tell us about it.",
    items: [
        QuestionnaireItem(linkID: "greeting", kind: .display, text: "Welcome."),
        QuestionnaireItem(
            linkID: "holder", kind: .group, text: "Holder",
            items: [
                QuestionnaireItem(
                    linkID: "name", kind: .string, prefix: "1", text: "Name", isRequired: true,
                    constraints: QuestionnaireItemConstraints(maximumLength: 10)),
                QuestionnaireItem(
                    linkID: "born", kind: .date, text: "Born",
                    constraints: QuestionnaireItemConstraints(maximum: FormDate("2008-12-31").map(FormValue.date))),
            ]),
        QuestionnaireItem(linkID: "has-car", kind: .boolean, text: "Is there a car?", isRequired: true),
        QuestionnaireItem(
            linkID: "colour", kind: .choice, text: "Colour",
            enableWhen: [QuestionnaireEnableCondition(question: "has-car", comparison: .equal, answer: .boolean(true))],
            options: [
                QuestionnaireAnswerOption(.coding(red)), QuestionnaireAnswerOption(.coding(green), isExclusive: true),
            ]),
        QuestionnaireItem(linkID: "secret-number", kind: .integer, isHidden: true, initial: [.integer(7)]),
        QuestionnaireItem(
            linkID: "driver", kind: .group, text: "Driver", repeats: true,
            constraints: QuestionnaireItemConstraints(maximumOccurs: 3),
            items: [
                QuestionnaireItem(linkID: "driver-name", kind: .string, text: "Their name"),
                QuestionnaireItem(
                    linkID: "licence", kind: .choice, text: "Licences", repeats: true,
                    options: [
                        QuestionnaireAnswerOption(.coding(licence("b"))),
                        QuestionnaireAnswerOption(.coding(licence("c1"))),
                    ],
                    parents: ["driver-name"]),
            ]),
        QuestionnaireItem(
            linkID: "note", kind: .string, text: "Notes", repeats: true,
            constraints: QuestionnaireItemConstraints(maximumOccurs: 2)),
    ])

let red = FormCoding(system: "urn:colour", code: "r", display: "Red")
let green = FormCoding(system: "urn:colour", code: "g", display: "Green")

func licence(_ code: String) -> FormCoding { FormCoding(system: "urn:licence", code: code, display: code.uppercased()) }

func item(
    _ kind: QuestionnaireItem.Kind, repeats: Bool = false, options: [FormValue] = [],
    constraints: QuestionnaireItemConstraints = QuestionnaireItemConstraints()
) -> QuestionnaireItem {
    QuestionnaireItem(
        linkID: "it", kind: kind, text: "It", repeats: repeats, options: options.map { QuestionnaireAnswerOption($0) },
        constraints: constraints)
}

/// A draft like the daemon's, without a daemon.
final class MemoryForm: FillableForm {
    private struct Kept {
        var draft: FormDraft
        var completionRefusals: [GateError]
        var savedCount: UInt64 = 0
        var revision: UInt64 = 1
        var completedRevisions: [UInt64] = []
        var pending: [PendingSuggestion] = []
    }

    let questionnaire: Questionnaire
    private let parts: [(label: String, content: QuestionnaireResponseItem)]
    private let kept: Mutex<Kept>

    /// - Parameter completionRefusals: why completing fails, one after the other.
    init(
        _ questionnaire: Questionnaire, completionRefusals: [GateError] = [],
        parts: [(label: String, content: QuestionnaireResponseItem)] = []
    ) {
        self.questionnaire = questionnaire
        self.parts = parts
        kept = Mutex(
            Kept(draft: .opened(CompiledForm(questionnaire)), completionRefusals: completionRefusals))
    }

    var savedCount: UInt64 { kept.withLock { $0.savedCount } }

    var revision: UInt64 { kept.withLock { $0.revision } }

    /// The revisions at which completing was tried, whether it succeeded or not.
    var completedRevisions: [UInt64] { kept.withLock { $0.completedRevisions } }

    func read() -> FormReading {
        kept.withLock { kept in
            FormReading(
                revision: kept.revision,
                response: kept.draft.response(.inProgress, authored: nil, includingUnanswered: true),
                pending: kept.pending)
        }
    }

    /// Sets the suggestions that are being looked up, or wait.
    func suggests(_ pending: PendingSuggestion...) {
        kept.withLock { kept in
            kept.pending = pending
            kept.revision += 1
        }
    }

    /// Changes the draft as another program would while a person is asked.
    func happens(_ change: (inout FormDraft) throws(GateError) -> Void) throws(GateError) {
        try kept.withLock { kept throws(GateError) in
            try change(&kept.draft)
            kept.revision += 1
        }
    }

    @discardableResult
    func answer(_ path: FormPath, with values: [FormValue]) throws(GateError) -> [String] {
        try kept.withLock { kept throws(GateError) in
            let change = try kept.draft.set(path, to: values)
            kept.revision += 1
            return change.cleared.map(\.description)
        }
    }

    func attach(_ path: FormPath, _ file: AttachmentFile) throws(GateError) -> [String] {
        let attachment = FormAttachment(
            mediaType: file.mediaType, title: file.title, byteCount: file.bytes.count,
            digest: FormFiles.digest(file.bytes))
        return try answer(path, with: [.attachment(attachment)])
    }

    func parts(of definition: String) -> [PartSummary] {
        parts.enumerated().filter { $0.element.content.definition == definition }.map { index, part in
            PartSummary(
                id: UInt64(index), holder: .user(1), definition: definition, label: part.label, isNamed: true,
                savedAt: WallTime(unixMilliseconds: 0))
        }
    }

    func takeParts(_ ids: [UInt64], into path: FormPath) throws(GateError) -> [String] {
        try kept.withLock { kept throws(GateError) in
            let change = try kept.draft.take(ids.map { parts[Int($0)].content }, at: path)
            kept.revision += 1
            return change.cleared.map(\.description)
        }
    }

    func save() -> ResponseChange {
        kept.withLock { kept in
            kept.savedCount += 1
            return .numbered(kept.savedCount)
        }
    }

    func complete(at revision: UInt64) throws(GateError) -> ResponseChange {
        let refusal: GateError? = kept.withLock { kept in
            kept.completedRevisions.append(revision)
            return kept.completionRefusals.isEmpty ? nil : kept.completionRefusals.removeFirst()
        }
        if let refusal { throw refusal }
        return .numbered(9)
    }

    func values(_ path: String) -> [FormValue] {
        FormPath(text: path).flatMap { path in kept.withLock { $0.draft.values(at: path) } } ?? []
    }

    func text(_ path: String) -> String { values(path).map(\.displayText).joined(separator: ", ") }
}

/// A person who types these lines, whatever the question, and then nothing more.
final class TypingConsole: FormConsole {
    private struct Typing {
        var lines: [String]
        var prompts: [FormPrompt] = []
    }

    let locale = TextLocale(isUTF8: true)
    let colours = Colours.none
    private let typing: Mutex<Typing>
    private let meanwhile: @Sendable (_ count: Int) -> Void

    /// - Parameter meanwhile: what happens while the person reads the question with this number, from 1.
    init(_ lines: [String], meanwhile: @escaping @Sendable (_ count: Int) -> Void = { _ in }) {
        typing = Mutex(Typing(lines: lines))
        self.meanwhile = meanwhile
    }

    var prompts: [FormPrompt] { typing.withLock { $0.prompts } }

    func ask(_ prompt: FormPrompt) async -> AnswerInput.Typed {
        let count = typing.withLock { typing in
            typing.prompts.append(prompt)
            return typing.prompts.count
        }
        meanwhile(count)
        let line = typing.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
        return line.map { .line(GateSecret($0.utf8)) } ?? .ended
    }

    /// The last question: its last line that is not indented.
    var asked: [String] {
        prompts.map { prompt in prompt.lines.last { !$0.hasPrefix(" ") && !$0.isEmpty } ?? prompt.request }
    }

    var notes: [String] { prompts.flatMap(\.notes) }
}

extension FormPath {
    /// - Throws: where the test has no path in it.
    static func of(_ text: String) throws -> FormPath { try #require(FormPath(text: text)) }
}

extension ResponseChange {
    static func numbered(_ id: UInt64) -> ResponseChange {
        ResponseChange(id: id, revision: Revision(epoch: 1, number: 1))
    }
}
