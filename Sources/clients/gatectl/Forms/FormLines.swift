import GateClient
import GateForms
import GateModel
import GateProtocol
import GateTexts

enum FormLines {
    /// The columns of a form: `consent`, `2`, `Parental consent`, `12 items`, `for grown-ups`.
    static func columns(_ form: QuestionnaireSummary) -> [String] {
        let items = localized("{count} item", plural: "{count} items", count: form.itemCount)
        return [
            VisibleText.line(form.name), VisibleText.line(form.version ?? "-"), VisibleText.line(form.titles.ofPerson),
            items,
        ] + (form.isForGrownUps ? [localized("for grown-ups")] : [])
    }

    /// The columns of a draft, with its id and its label: `consent`, `0`, `for anna`, `Tim`.
    static func columns(_ draft: FormSummary) -> [String] {
        [
            VisibleText.line(draft.name), "\(draft.draftID)",
            localized("for {name}", ["name": name(of: draft.holder)]),
        ] + (draft.label.isEmpty ? [] : [VisibleText.line(draft.label)])
    }

    /// The columns of a response, with its id, the form's version, and its label: `7`, `consent`, `2`, `completed`,
    /// `for anna`, `2026-01-01T00:00:00Z`, `Tim`.
    static func columns(_ response: ResponseSummary) -> [String] {
        [
            "\(response.id)", VisibleText.line(response.name), VisibleText.line(response.version ?? "-"),
            word(for: response.status), localized("for {name}", ["name": name(of: response.holder)]),
            WallTimeText.shown(response.savedAt),
        ] + (response.label.isEmpty ? [] : [VisibleText.line(response.label)])
    }

    /// The columns of a part, with its id, its label, and its definition: `7`, `Schmidt, Anna`, `for anna`,
    /// `2026-01-01T00:00:00Z`, `https://gate.example/fhir/StructureDefinition/person`.
    static func columns(_ part: PartSummary) -> [String] {
        [
            "\(part.id)", VisibleText.line(part.label), localized("for {name}", ["name": name(of: part.holder)]),
            WallTimeText.shown(part.savedAt), VisibleText.line(part.definition),
        ]
    }

    static func word(for status: QuestionnaireResponse.Status) -> String {
        switch status {
        case .inProgress: localized("saved")
        case .completed: localized("completed")
        case .amended: localized("amended")
        case .enteredInError: localized("withdrawn")
        case .stopped: localized("stopped")
        }
    }

    static func name(of holder: FormHolder) -> String {
        switch holder.kind {
        case .account(let name): VisibleText.line(name)
        case .user(let uid): "uid \(uid)"
        }
    }

    /// `consent for anna  draft 5`, where 5 is the revision. With a draft id other than 0:
    /// `consent 3 for anna  draft 5`.
    static func line(_ summary: FormSummary) -> String {
        let form = VisibleText.line(summary.name) + (summary.draftID == 0 ? "" : " \(summary.draftID)")
        return localized(
            "{form} for {name}  draft {revision}",
            ["form": form, "name": name(of: summary.holder), "revision": "\(summary.revision)"])
    }

    /// `rev 12  consent for anna  draft 5  changed; cleared: house, flat`
    static func line(_ revision: Revision, _ change: FormChange) -> String {
        let more = change.clearedCount - change.cleared.count
        let cleared = ListText.things(
            change.cleared.map { VisibleText.line($0.description) }
                + (more > 0 ? [localized("{count} more", ["count": "\(more)"])] : []))
        let remarks =
            [change.isChanged ? localized("changed") : localized("as it was")]
            + (cleared.isEmpty ? [] : [localized("cleared: {answers}", ["answers": cleared])])
        return RevisionText.row(revision, "\(line(change.summary))  \(ListText.remarks(remarks))")
    }

    static func labelled(_ label: String) -> String {
        label.isEmpty
            ? localized("the label is removed")
            : localized("the label is now: {label}", ["label": VisibleText.line(label)])
    }

    static func completed(_ response: CompleteFormResponse) -> String {
        RevisionText.row(
            response.revision, localized("response {id}  completed", ["id": "\(response.responseID)"]))
    }

    /// The error to end with if the person left a form before it was completed. It says how to go on with it.
    static func left(_ outcome: FormFiller.Outcome, name: String, draft: UInt64 = 0) -> GateError {
        let kept =
            switch outcome {
            case .saved(let kept): localized("Kept as response {id}, and not completed.", ["id": "\(kept.id)"])
            case .left, .completed: localized("Not completed; the answers are kept as a draft.")
            }
        return GateError(
            .cancelled, .dismissed,
            saying: localized(
                "{outcome} `gatectl form fill {form}` continues it.",
                ["outcome": kept, "form": "\(name) --draft \(draft)"]))
    }

    /// - Throws: `INTERNAL` if the daemon's response can't be read.
    static func response(_ json: [UInt8]) throws(GateError) -> QuestionnaireResponse {
        let reading = ResponseReader().response(json)
        guard let response = reading.response else {
            let why = reading.issues.first.map { ": \($0.message)" } ?? "."
            throw GateError(.internal, .unspecified, "The daemon sent a response that can't be read\(why)")
        }
        return response
    }

    /// Suggestions that are being fetched, or wait to be taken.
    /// - Throws: `INTERNAL` if they can't be read.
    static func pending(_ draft: FormDraftMessage) throws(GateError) -> [PendingSuggestion] {
        var pending: [PendingSuggestion] = []
        for message in draft.pending { pending.append(try PendingSuggestion(ofDaemon: message)) }
        return pending
    }

    /// `[{"path":"engine-power","answers":[…]}]`. A suggestion that is being fetched has a deadline instead of answers.
    static func json(_ pending: [PendingSuggestion]) -> String {
        let objects = pending.map { suggestion in
            var object = JSONText.adding("path", suggestion.path.description, to: "{}")
            if !suggestion.isBeingFetched {
                object = JSONText.appending("answers", json: json(suggestion.answers), to: object)
            }
            guard let deadline = suggestion.deadline else { return object }
            return JSONText.appending(
                "deadlineBoottimeNanoseconds", json: "\"\(deadline.nanoseconds)\"", to: object)
        }
        return "[\(objects.joined(separator: ","))]"
    }

    /// As an array of FHIR answers.
    static func json(_ values: [FormValue]) -> String {
        String(decoding: ResponseWriter.answers(values), as: UTF8.self)
    }
}
