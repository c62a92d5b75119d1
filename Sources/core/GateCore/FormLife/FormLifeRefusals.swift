public import GateModel

/// The refusals about forms and release notes, as people read them. Those about single answers are in `Forms/`.
extension GateError {
    public static func noForm(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown, "There is no form '\(name.cut(toByteCount: 64))'. See them with `gatectl form list`.",
            parameters: ["what": "form", "name": name.cut(toByteCount: 64)])
    }

    static func otherForm(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown,
            "This presentation does not show the form '\(name.cut(toByteCount: 64))'. Name the form that it shows.",
            parameters: ["what": "shown-form", "name": name.cut(toByteCount: 64)])
    }

    static func noDraft(_ key: FormDraftKey) -> GateError {
        let name = key.name.cut(toByteCount: 64)
        guard key.id == 0 else {
            return GateError(
                .notFound, .unknown,
                "There is no draft \(key.id) of '\(name)'. See which there are with `gatectl form drafts`.",
                parameters: ["what": "draft-number", "name": "\(key.id)", "form": name])
        }
        return GateError(
            .notFound, .unknown, "Nobody is filling in '\(name)'. Begin with `gatectl form open \(name)`.",
            parameters: ["what": "draft", "name": name])
    }

    /// - Parameter number: the id of one of the existing drafts.
    static func otherDraft(than key: FormDraftKey, number: UInt64) -> GateError {
        let name = key.name.cut(toByteCount: 64)
        return GateError(
            .notFound, .unknown,
            "Say which draft of '\(name)' you mean, like `--draft \(number)`. `gatectl form drafts` lists them.",
            parameters: ["what": "draft-unnamed", "name": name, "number": "\(number)"])
    }

    static let anotherOfOne = invalid(
        "target.draft_id", "A new draft has no id yet. Leave `draft_id` out to begin one.")

    static let noOthersForOthers = notPermitted(
        "presenter-of-this",
        "This screen fills in one draft for somebody else. Only that person can begin another one.")

    static let badLabel = invalid(
        "label",
        "A label is one line of at most \(Limits.labelByteCount) bytes, without control characters, invisible or "
            + "unassigned ones, or more than four marks on one letter.")

    static func noResponse(_ id: UInt64) -> GateError {
        GateError(
            .notFound, .unknown, "There is no response \(id). See them with `gatectl form responses`.",
            parameters: ["what": "response", "name": "\(id)"])
    }

    static func noPart(_ id: UInt64) -> GateError {
        GateError(
            .notFound, .unknown, "There is no part \(id). See them with `gatectl form parts`.",
            parameters: ["what": "part", "name": "\(id)"])
    }

    static func responseToOtherForm(_ id: UInt64, _ name: String) -> GateError {
        GateError(
            .notFound, .unknown,
            "Response \(id) belongs to the form '\(name.cut(toByteCount: 64))'. Name that form, or a response to this one: `gatectl form responses`.",
            parameters: ["what": "response-to-form", "name": "\(id)", "form": name.cut(toByteCount: 64)])
    }

    static func nothingToReuse(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown, "'\(name)' was never completed, so there is nothing to reuse. Complete it once first.",
            parameters: ["what": "completed-response", "name": name])
    }

    static func formChanged(now revision: UInt64) -> GateError {
        GateError(
            .aborted, .changedMeanwhile,
            "The form was changed meanwhile, and is at revision \(revision). Read it again, then repeat the change.",
            parameters: ["what": "form", "revision": "\(revision)"])
    }

    static let shownRevisionMissing = invalid(
        "at_revision",
        "A form on a screen is completed as it was read. Name the revision of the draft that was on the screen (`at_revision`)."
    )

    static let onlyGrownUpsComplete = GateError(
        .failedPrecondition, .notParent,
        "Only a grown-up can complete this form. The answers are kept. Ask a grown-up: `gatectl form request`.")

    static func incomplete(_ issues: [FormIssue], of form: CompiledOutline) -> GateError {
        GateError(
            .failedPrecondition, .incomplete, "The form is not complete.\n" + FormIssue.lines(issues),
            all: form.told(issues))
    }

    public static func unreadableResponse(_ issues: [FormIssue]) -> GateError {
        let errors = issues.filter { $0.severity == .error }
        return GateError(
            .invalidArgument, .badAnswer,
            "This response can't be read.\n" + FormIssue.lines(errors, withPlaces: true),
            all: errors.map(ErrorIssue.init))
    }

    static let nobodyShowsForm = GateError(
        .aborted, .noPresenter,
        "A form has to be completed, but no screen can show it. Fill it in with `gatectl form fill`, or run `gatectl present` on a terminal.",
        parameters: ["what": "form"])

    static let nobodyShowsWhatsNew = GateError(
        .aborted, .noPresenter,
        "No screen can show what is new. Try again on a terminal, or run `gatectl present` on one.",
        parameters: ["what": "whats-new"])

    static func noReleaseNotes(_ app: String) -> GateError {
        GateError(
            .notFound, .unknown,
            "This device has no release notes of '\(app.cut(toByteCount: 64))'. `gatectl whatsnew list` shows which it has.",
            parameters: ["what": "release-notes", "name": app.cut(toByteCount: 64)])
    }

    static let notToBeAnswered = invalid(
        "answer", "News can only be acknowledged or dismissed.")

    static let holderIsGone = GateError(
        .aborted, .closed, "The account of this request was removed. Ask again.",
        parameters: ["what": "account-removed"])

    // MARK: - Documents

    static let noAttachment = GateError(
        .notFound, .unknown,
        "The document that the answer names was not uploaded. Upload it first: `gatectl form attach`.",
        parameters: ["what": "document"])

    static let tooLargeAttachment = GateError(
        .resourceExhausted, .limit,
        "A document has at most \(Limits.attachmentByteCount >> 20) MiB. Choose a smaller one.",
        parameters: ["what": "document-bytes", "maximum": "\(Limits.attachmentByteCount)"])

    static let noRoomForAttachment = GateError(
        .resourceExhausted, .limit, "There is no room for more documents. Withdraw responses that are not needed.",
        parameters: ["what": "documents"])

    // MARK: - Limits

    static let tooMuchAnswered = GateError(
        .resourceExhausted, .limit,
        "The answers of a form have at most \(Limits.draftByteCount >> 10) KiB. Shorten some.",
        parameters: ["what": "answer-bytes", "maximum": "\(Limits.draftByteCount)"])

    static let tooLargeResponse = GateError(
        .resourceExhausted, .limit,
        "With its questions, this response is larger than \(Limits.responseByteCount >> 20) MiB. Answer less of it.",
        parameters: ["what": "response-bytes", "maximum": "\(Limits.responseByteCount)"])

    static let tooManyDraftsOfHolder = GateError(
        .resourceExhausted, .limit,
        "There are \(Limits.draftsOfHolder) forms being filled in already. Complete or discard one first.",
        parameters: ["what": "drafts-of-holder", "maximum": "\(Limits.draftsOfHolder)"])

    static let tooManySuggestions = GateError(
        .resourceExhausted, .limit,
        "At most \(Limits.pendingSuggestionsOfDraft) suggestions, of \(Limits.pendingSuggestionsByteCount >> 10) KiB together, can wait for a decision in one form. Take some back.",
        parameters: ["what": "pending-suggestions", "maximum": "\(Limits.pendingSuggestionsOfDraft)"])

    static let tooManyDrafts = GateError(
        .resourceExhausted, .limit, "Too many forms are being filled in on this device. Complete or discard some.",
        parameters: ["what": "drafts"])

    static let tooManyResponsesOfHolder = GateError(
        .resourceExhausted, .limit,
        "\(Limits.responsesOfHolder) responses are kept already. Withdraw some that are not needed.",
        parameters: ["what": "responses-of-holder", "maximum": "\(Limits.responsesOfHolder)"])

    static let tooManyPartsOfHolder = GateError(
        .resourceExhausted, .limit,
        "\(Limits.partsOfHolder) parts are kept already, or they are too large together. Remove some that are not needed.",
        parameters: ["what": "parts-of-holder", "maximum": "\(Limits.partsOfHolder)"])

    static let tooManyParts = GateError(
        .resourceExhausted, .limit, "Too many parts are kept on this device. Remove some that are not needed.",
        parameters: ["what": "parts"])

    static let tooLargePart = GateError(
        .resourceExhausted, .limit,
        "A part has at most \(Limits.partByteCount >> 10) KiB. Answer less of it.",
        parameters: ["what": "part-bytes", "maximum": "\(Limits.partByteCount)"])

    static let tooManyTaken = invalid(
        "part_ids", "At most \(Limits.takenParts) parts can be put into a form at a time, each once. Name fewer.")

    static let tooManyResponses = GateError(
        .resourceExhausted, .limit,
        "Too many responses are kept on this device. Ask an administrator to withdraw some.",
        parameters: ["what": "responses"])
}

extension FormIssue {
    /// The first issues, one in each line; `withPlaces`: each line begins with the issue's FHIRPath.
    static func lines(_ issues: [FormIssue], withPlaces: Bool = false) -> String {
        var lines = issues.prefix(FormBounds.toldIssues).map { issue in
            let (item, message) = (issue.linkID?.cut(toByteCount: 64), issue.message.cut(toByteCount: 300))
            return withPlaces
                ? "\(issue.path)\(item.map { " (\($0))" } ?? ""): \(message)" : (item.map { "\($0): " } ?? "") + message
        }
        if issues.count > lines.count { lines.append("and \(issues.count - lines.count) more") }
        return lines.joined(separator: "\n")
    }
}
