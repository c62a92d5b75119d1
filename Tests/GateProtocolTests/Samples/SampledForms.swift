import GateModel
import GateProtocol

// MARK: Parts

extension SplitMix {
    private mutating func formHolder() -> FormHolder { bool() ? .account(text()) : .user(integer()) }

    mutating func scheduleState() -> ScheduleState {
        ScheduleState(
            name: text(), isOpen: bool(),
            until: optional { WallTime(unixMilliseconds: max($0.wallTime().unixMilliseconds, 1)) })
    }

    mutating func formSummary() -> FormSummary {
        FormSummary(
            name: text(), holder: formHolder(), revision: integer(), draftID: integer(), label: text(),
            openedAt: optional { WallTime(unixMilliseconds: max($0.wallTime().unixMilliseconds, 1)) })
    }

    mutating func formInvitation() -> FormInvitation {
        FormInvitation(name: text(), title: localizedText(), holder: formHolder(), isForGrownUps: bool())
    }

    fileprivate mutating func target() -> FormTarget {
        FormTarget(
            name: text(), cookie: optional { PresentationCookie(bytes: [1] + $0.bytes()) }, draftID: integer())
    }

    /// A number for a field in which 0 means nothing.
    fileprivate mutating func nonzero() -> UInt64 { max(integer(), 1) }

    fileprivate mutating func draft() -> FormDraftMessage {
        FormDraftMessage(
            summary: formSummary(), response: bytes(),
            pending: array { random in
                PendingSuggestionMessage(
                    path: random.path(), answers: random.bytes(),
                    deadline: random.optional { BootTime(nanoseconds: 1 + Int64($0.nonzero() >> 2)) })
            })
    }

    fileprivate mutating func path() -> String {
        let steps = ["driver[1]", "q[0]", "größe", "driver-name", "a b"]
        return (0..<Int.random(in: 1..<4, using: &self)).map { _ in steps.randomElement(using: &self)! }
            .joined(separator: "/")
    }

    fileprivate mutating func change() -> FormChange {
        FormChange(
            summary: formSummary(), isChanged: bool(), cleared: array { FormPath(text: $0.path()) ?? FormPath("a") })
    }

    fileprivate mutating func responseSummary() -> ResponseSummary {
        let statuses: [QuestionnaireResponse.Status] = [.inProgress, .completed, .enteredInError]
        return ResponseSummary(
            id: integer(), name: text(), version: optional { "v\($0.text())" }, holder: formHolder(),
            status: statuses.randomElement(using: &self)!, savedAt: wallTime(), label: text())
    }

    fileprivate mutating func partSummary() -> PartSummary {
        PartSummary(
            id: integer(), holder: formHolder(), definition: text(), label: text(), isNamed: bool(), savedAt: wallTime()
        )
    }

    fileprivate mutating func digest() -> AttachmentDigest {
        AttachmentDigest(bytes: (0..<AttachmentDigest.byteCount).map { _ in integer() })!
    }
}

// MARK: The shapes of messages about a form

extension FormRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(target: random.target()) }
}

extension FormListRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(name: random.optional { "f\($0.text())" }, pageSize: random.number(), pageToken: random.text())
    }
}

extension FormEditRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(target: random.target(), atRevision: random.optional { $0.nonzero() })
    }
}

extension FormDraftReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), draft: random.draft())
    }
}

extension FormChangeReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), change: random.change())
    }
}

extension KeptResponseReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), responseID: random.integer())
    }
}

// MARK: Questionnaires

extension QuestionnaireSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        QuestionnaireSummary(
            name: random.text(), title: random.localizedText(), version: random.optional { "v\($0.text())" },
            url: random.optional { "u\($0.text())" }, itemCount: random.number(), isForGrownUps: random.bool())
    }
}
extension GetQuestionnaireRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(name: random.text(), cookie: random.target().cookie)
    }
}
extension GetQuestionnaireResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(questionnaire: random.bytes()) }
}
extension OpenFormRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            target: random.target(), beginsAnother: random.bool(), label: random.text(),
            questionnaire: random.optional { [1] + $0.bytes() })
    }
}
extension FormSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        random.formSummary()
    }
}
extension LabelDraftRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(target: random.target(), label: random.text()) }
}
extension SetAnswerRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let typed = random.optional { random in
            TypedAnswers(
                texts: random.array { $0.text() },
                habits: WritingHabits(
                    dateFormat: "%d.%m.%Y", decimalSeparator: ",", yes: random.text(), no: random.text()))
        }
        var request = Self(
            target: random.target(), atRevision: random.optional { $0.nonzero() }, path: random.path(),
            answers: typed == nil ? random.bytes() : [])
        request.typed = typed
        return request
    }
}
extension SuggestAnswerRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let answers = random.bytes()
        return Self(
            target: random.target(), atRevision: random.optional { $0.nonzero() }, path: random.path(),
            answers: answers,
            pendingMilliseconds: answers.isEmpty
                ? .random(in: 0...PendingSuggestion.maximumMilliseconds, using: &random) : 0)
    }
}
extension RemoveGroupRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(target: random.target(), atRevision: random.optional { $0.nonzero() }, path: random.path())
    }
}
extension FillFormRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let (isWhole, json) = (random.next() % 2 == 0, random.bytes())
        return Self(
            target: random.target(), atRevision: random.optional { $0.nonzero() }, response: isWhole ? json : [],
            answers: isWhole ? [] : json)
    }
}
extension ValidateFormRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(target: random.target(), response: random.optional { [0x7B] + $0.bytes() })
    }
}
extension ValidateFormResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(outcome: random.bytes(), isValid: random.bool()) }
}
extension LoadFormRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            target: random.target(), atRevision: random.optional { $0.nonzero() },
            responseID: random.optional { $0.nonzero() })
    }
}
extension DiscardFormRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(target: random.target()) }
}
extension ResponseSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        random.responseSummary()
    }
}
extension GetResponseRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(responseID: random.integer()) }
}
extension GetResponseResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(summary: random.responseSummary(), response: random.bytes())
    }
}
extension WithdrawResponseRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(responseID: random.integer()) }
}
extension ListPartsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(definition: random.optional { "u\($0.text())" }, pageSize: random.number(), pageToken: random.text())
    }
}
extension PartSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        random.partSummary()
    }
}
extension GetPartRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(partID: random.integer()) }
}
extension GetPartResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(summary: random.partSummary(), response: random.bytes())
    }
}
extension SavePartRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            target: random.target(), path: random.path(), partID: random.optional { $0.nonzero() },
            label: random.text())
    }
}
extension SavePartResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), partID: random.integer())
    }
}
extension LabelPartRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(partID: random.integer(), label: random.text()) }
}
extension RemovePartRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(partID: random.integer()) }
}
extension TakePartsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            target: random.target(), atRevision: random.optional { $0.nonzero() }, path: random.path(),
            partIDs: random.array { $0.integer() })
    }
}
extension RequestFormRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(name: random.text(), questionnaire: random.optional { [1] + $0.bytes() })
    }
}
extension UploadRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(uploadID: random.integer(), piece: random.bytes(), isLast: random.bool())
    }
}
extension UploadResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(uploadID: random.integer(), digest: random.optional { $0.digest() })
    }
}
extension DownloadRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(digest: random.digest(), offset: random.integer())
    }
}
extension DownloadResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(piece: random.bytes(), byteCount: random.integer())
    }
}
