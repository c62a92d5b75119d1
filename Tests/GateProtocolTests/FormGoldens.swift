import GateModel
import GateProtocol

extension ProtocTests {
    private static let revisionText = "revision {epoch: 11 number: 22}"
    private static let json = Array("{}".utf8)
    private static let ours = FormTarget(name: "consent")
    private static let typedAnswer: SetAnswerRequest = {
        var request = SetAnswerRequest(target: ours, atRevision: nil, path: "house", answers: [])
        request.typed = TypedAnswers(
            texts: ["1,5"],
            habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ",", yes: "ja", no: "nein"))
        return request
    }()
    private static let shown = FormTarget(name: "consent", cookie: PresentationCookie(bytes: [9]))
    private static let oursText = "target {name: \"consent\"}"
    private static let shownText = "target {name: \"consent\" cookie: \"\\011\"}"
    static let formSummaries = [
        FormSummary(name: "consent", holder: .account("anna"), revision: 5),
        FormSummary(
            name: "order", holder: .user(0), revision: 1, draftID: 3, label: "Anna, Golf",
            openedAt: WallTime(unixMilliseconds: 1000)),
    ]
    private static let summaryTexts = [
        "name: \"consent\" holder {account: \"anna\"} revision: 5",
        "name: \"order\" holder {uid: 0} revision: 1 draft_id: 3 label: \"Anna, Golf\" opened_at_unix_milliseconds: 1000",
    ]
    static let formSummariesText = "forms {\(summaryTexts[0])} forms {\(summaryTexts[1])}"
    private static let draft = FormDraftMessage(summary: formSummaries[0], response: json)
    private static let draftText = "\(revisionText) draft {summary {\(summaryTexts[0])} response: \"{}\"}"
    private static let pendingDraft = FormDraftMessage(
        summary: formSummaries[0], response: json,
        pending: [
            PendingSuggestionMessage(path: "house", answers: [], deadline: BootTime(nanoseconds: 7)),
            PendingSuggestionMessage(path: "driver[1]/driver-name", answers: answers, deadline: nil),
        ])
    private static let change = FormChange(
        summary: formSummaries[1], isChanged: true,
        cleared: [FormPath([FormPath.Step("driver", 1), FormPath.Step("driver-name")]), FormPath("house")],
        clearedCount: 501)
    private static let changeText = """
        \(revisionText) change {summary {\(summaryTexts[1])} is_changed: true cleared: "driver[1]/driver-name"
                                cleared: "house" cleared_count: 501}
        """
    private static let digest = AttachmentDigest(bytes: Array(0..<32))!
    private static let digestText = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let answers = Array("[]".utf8)

    private static let partSummaries = [
        PartSummary(
            id: 6, holder: .account("anna"), definition: "https://a.example", label: "Anna", isNamed: true,
            savedAt: WallTime(unixMilliseconds: 1000)),
        PartSummary(
            id: 7, holder: .user(0), definition: "u", label: "", isNamed: false, savedAt: WallTime(unixMilliseconds: 0)),
    ]
    private static let partTexts = [
        "id: 6 holder {account: \"anna\"} definition: \"https://a.example\" label: \"Anna\" is_named: true "
            + "saved_at_unix_milliseconds: 1000",
        "id: 7 holder {uid: 0} definition: \"u\"",
    ]

    static let forms: [Golden] = [
        Golden(ListQuestionnairesRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
        Golden(
            ListQuestionnairesResponse(
                [
                    QuestionnaireSummary(
                        name: "consent", title: "Consent", version: "2", url: "https://a.example", itemCount: 7,
                        isForGrownUps: true),
                    QuestionnaireSummary(
                        name: "order", title: "", version: nil, url: nil, itemCount: 0, isForGrownUps: false),
                ],
                nextPageToken: "n"),
            """
            questionnaires {name: "consent" title: "Consent" version: "2" url: "https://a.example" items: 7
                            is_for_grown_ups: true}
            questionnaires {name: "order"} next_page_token: "n"
            """),
        Golden(GetQuestionnaireRequest(name: "consent"), "name: \"consent\""),
        Golden(GetQuestionnaireResponse(questionnaire: json), "questionnaire: \"{}\""),
        Golden(OpenFormRequest(target: ours), oursText),
        Golden(OpenFormRequest(target: shown), shownText),
        Golden(
            OpenFormRequest(target: ours, beginsAnother: true, label: "Anna"),
            "\(oursText) begins_another: true label: \"Anna\""),
        Golden(OpenFormRequest(target: ours, questionnaire: json), "\(oursText) questionnaire: \"{}\""),
        Golden(RequestFormRequest(name: "plan", questionnaire: json), "name: \"plan\" questionnaire: \"{}\""),
        Golden(
            ReadFormRequest(target: FormTarget(name: "consent", draftID: 3)),
            "target {name: \"consent\" draft_id: 3}"),
        Golden(
            ListDraftsRequest(name: "consent", pageSize: 5, pageToken: "t"),
            "name: \"consent\" page_size: 5 page_token: \"t\""),
        Golden(ListDraftsRequest(name: nil), ""),
        Golden(
            ListDraftsResponse(formSummaries, nextPageToken: "n"),
            "drafts {\(summaryTexts[0])} drafts {\(summaryTexts[1])} next_page_token: \"n\""),
        Golden(LabelDraftRequest(target: ours, label: "Anna, Golf"), "\(oursText) label: \"Anna, Golf\""),
        Golden(LabelDraftResponse(revision: revision), revisionText),
        Golden(OpenFormResponse(revision: revision, draft: draft), draftText),
        Golden(ReadFormRequest(target: shown), shownText),
        Golden(ReadFormResponse(revision: revision, draft: draft), draftText),
        Golden(
            SetAnswerRequest(target: ours, atRevision: 5, path: "driver[1]/driver-name", answers: answers),
            "\(oursText) at_revision: 5 path: \"driver[1]/driver-name\" answers: \"[]\""),
        Golden(
            SetAnswerRequest(target: shown, atRevision: nil, path: "house", answers: []), "\(shownText) path: \"house\""
        ),
        Golden(
            typedAnswer,
            "\(oursText) path: \"house\" typed { texts: \"1,5\" date_format: \"%d.%m.%Y\" decimal_separator: \",\" "
                + "yes: \"ja\" no: \"nein\" }"),
        Golden(SetAnswerResponse(revision: revision, change: change), changeText),
        Golden(
            SuggestAnswerRequest(target: ours, atRevision: 5, path: "house", answers: answers),
            "\(oursText) at_revision: 5 path: \"house\" answers: \"[]\""),
        Golden(
            SuggestAnswerRequest(
                target: ours, atRevision: nil, path: "house", answers: [], pendingMilliseconds: 60_000),
            "\(oursText) path: \"house\" pending_milliseconds: 60000"),
        Golden(
            ReadFormResponse(revision: revision, draft: pendingDraft),
            "\(draftText.dropLast()) pending {path: \"house\" deadline_boottime_nanoseconds: 7} "
                + "pending {path: \"driver[1]/driver-name\" answers: \"[]\"}}"),
        Golden(SuggestAnswerResponse(revision: revision, change: change), changeText),
        Golden(
            RemoveGroupRequest(target: ours, atRevision: 5, path: "driver[1]"),
            "\(oursText) at_revision: 5 path: \"driver[1]\""),
        Golden(RemoveGroupResponse(revision: revision, change: change), changeText),
        Golden(
            FillFormRequest(target: ours, atRevision: 5, response: json), "\(oursText) at_revision: 5 response: \"{}\""),
        Golden(FillFormRequest(target: ours, atRevision: nil, answers: json), "\(oursText) answers: \"{}\""),
        Golden(FillFormResponse(revision: revision, change: change), changeText),
        Golden(ResetFormRequest(target: shown, atRevision: 5), "\(shownText) at_revision: 5"),
        Golden(
            ResetFormResponse(
                revision: revision, change: FormChange(summary: formSummaries[0], isChanged: false)),
            "\(revisionText) change {summary {\(summaryTexts[0])}}"),
        Golden(
            LoadFormRequest(target: ours, atRevision: 5, responseID: 6), "\(oursText) at_revision: 5 response_id: 6"),
        Golden(LoadFormRequest(target: ours, atRevision: nil, responseID: nil), oursText),
        Golden(LoadFormResponse(revision: revision, change: change), changeText),
        Golden(DiscardFormRequest(target: ours), oursText),
        Golden(DiscardFormResponse(revision: revision), revisionText),
        Golden(
            UploadRequest(uploadID: 3, piece: [1, 0], isLast: true), "upload_id: 3 piece: \"\\001\\000\" is_last: true"),
        Golden(UploadResponse(uploadID: 3, digest: nil), "upload_id: 3"),
        Golden(UploadResponse(uploadID: 3, digest: digest), "upload_id: 3 digest: \"\(digestText)\""),
        Golden(DownloadRequest(digest: digest, offset: 4), "digest: \"\(digestText)\" offset: 4"),
        Golden(DownloadResponse(piece: [1], byteCount: 5), "piece: \"\\001\" byte_count: 5"),
    ]

    private static func kept(_ status: QuestionnaireResponse.Status, version: String? = nil) -> ResponseSummary {
        ResponseSummary(
            id: 6, name: "consent", version: version, holder: .user(1000), status: status,
            savedAt: WallTime(unixMilliseconds: 1000), label: version == nil ? "" : "Anna")
    }
    private static func keptText(_ status: String) -> String {
        """
        id: 6 name: "consent" holder {uid: 1000} status: \(status) saved_at_unix_milliseconds: 1000
        """
    }

    static let responses: [Golden] = [
        Golden(ValidateFormRequest(target: ours, response: json), "\(oursText) response: \"{}\""),
        Golden(ValidateFormRequest(target: shown, response: nil), shownText),
        Golden(ValidateFormResponse(outcome: json, isValid: true), "outcome: \"{}\" is_valid: true"),
        Golden(SaveFormRequest(target: ours), oursText),
        Golden(SaveFormResponse(revision: revision, responseID: 6), "\(revisionText) response_id: 6"),
        Golden(CompleteFormRequest(target: shown, atRevision: 5), "\(shownText) at_revision: 5"),
        Golden(CompleteFormResponse(revision: revision, responseID: 6), "\(revisionText) response_id: 6"),
        Golden(
            ListResponsesRequest(name: "consent", pageSize: 5, pageToken: "t"),
            "name: \"consent\" page_size: 5 page_token: \"t\""),
        Golden(ListResponsesRequest(name: nil), ""),
        Golden(
            ListResponsesResponse(
                [kept(.inProgress, version: "2"), kept(.completed), kept(.enteredInError)],
                nextPageToken: "n"),
            """
            responses {\(keptText("STATUS_IN_PROGRESS")) version: "2" label: "Anna"}
            responses {\(keptText("STATUS_COMPLETED"))} responses {\(keptText("STATUS_ENTERED_IN_ERROR"))}
            next_page_token: "n"
            """),
        Golden(GetResponseRequest(responseID: 6), "response_id: 6"),
        Golden(
            GetResponseResponse(summary: kept(.completed), response: json),
            "summary {\(keptText("STATUS_COMPLETED"))} response: \"{}\""),
        Golden(WithdrawResponseRequest(responseID: 6), "response_id: 6"),
        Golden(WithdrawResponseResponse(revision: revision), revisionText),
        Golden(
            ListPartsRequest(definition: "u", pageSize: 5, pageToken: "t"),
            "definition: \"u\" page_size: 5 page_token: \"t\""),
        Golden(ListPartsRequest(definition: nil), ""),
        Golden(
            ListPartsResponse(partSummaries, nextPageToken: "n"),
            "parts {\(partTexts[0])} parts {\(partTexts[1])} next_page_token: \"n\""),
        Golden(GetPartRequest(partID: 6), "part_id: 6"),
        Golden(
            GetPartResponse(summary: partSummaries[0], response: json), "summary {\(partTexts[0])} response: \"{}\""),
        Golden(
            SavePartRequest(target: ours, path: "driver[1]", partID: 6, label: "Anna"),
            "\(oursText) path: \"driver[1]\" part_id: 6 label: \"Anna\""),
        Golden(SavePartRequest(target: shown, path: "a"), "\(shownText) path: \"a\""),
        Golden(SavePartResponse(revision: revision, partID: 6), "\(revisionText) part_id: 6"),
        Golden(LabelPartRequest(partID: 6, label: "Anna"), "part_id: 6 label: \"Anna\""),
        Golden(LabelPartResponse(revision: revision), revisionText),
        Golden(RemovePartRequest(partID: 6), "part_id: 6"),
        Golden(RemovePartResponse(revision: revision), revisionText),
        Golden(
            TakePartsRequest(target: ours, atRevision: 5, path: "driver", partIDs: [6, 7]),
            "\(oursText) at_revision: 5 path: \"driver\" part_ids: 6 part_ids: 7"),
        Golden(TakePartsRequest(target: shown, atRevision: nil, path: "a", partIDs: []), "\(shownText) path: \"a\""),
        Golden(TakePartsResponse(revision: revision, change: change), changeText),
        Golden(RequestFormRequest(name: "consent"), "name: \"consent\""),
        Golden(RequestFormResponse(revision: revision, responseID: 6), "\(revisionText) response_id: 6"),
    ]

    // MARK: What is new

    static let notice = WhatsNewNotice(
        app: "org.example.draw",
        entry: WhatsNew(
            version: AppVersion(1, 2, 0), title: "New",
            features: [
                WhatsNew.Feature(image: "layers", colour: "#3584e4", title: "Layers", subtitle: "On top."),
                WhatsNew.Feature(image: "", colour: "", title: "Faster", subtitle: ""),
            ],
            primary: WhatsNew.PrimaryAction(title: "Continue", haptic: .success),
            secondary: WhatsNew.SecondaryAction(
                title: "Learn more", haptic: .light, colour: "#26a269", url: "https://a.example")))
    static let noticeText = """
        app: "org.example.draw" version: "1.2.0" title: "New"
        features {image: "layers" colour: "#3584e4" title: "Layers" subtitle: "On top."} features {title: "Faster"}
        primary {title: "Continue" haptic: HAPTIC_SUCCESS}
        secondary {title: "Learn more" haptic: HAPTIC_LIGHT colour: "#26a269" url: "https://a.example"}
        """

    /// Each value of the enum, on both buttons, without an address.
    private static let haptics = WhatsNew.Haptic.allCases.map { haptic in
        Golden(
            GetReleaseNotesResponse(
                entry: WhatsNewNotice(
                    app: "",
                    entry: WhatsNew(
                        version: AppVersion(0, 0, 1), title: "", features: [],
                        primary: WhatsNew.PrimaryAction(title: "", haptic: haptic),
                        secondary: WhatsNew.SecondaryAction(title: "", haptic: haptic)))),
            """
            entry {version: "0.0.1" primary {haptic: HAPTIC_\("\(haptic)".uppercased())}
                   secondary {haptic: HAPTIC_\("\(haptic)".uppercased())}}
            """)
    }

    static let releaseNotes: [Golden] =
        haptics + [
            Golden(
                ShowReleaseNotesRequest(app: "a", version: AppVersion(1, 2, 3), presenting: .here),
                "app: \"a\" version: \"1.2.3\" presents_itself: true"),
            Golden(
                ShowReleaseNotesResponse(revision: revision, result: .outcome(.nothingNew)),
                "\(revisionText) outcome: WHATS_NEW_OUTCOME_NOTHING_NEW"),
            Golden(
                ShowReleaseNotesResponse(revision: revision, result: .outcome(.shown)),
                "\(revisionText) outcome: WHATS_NEW_OUTCOME_SHOWN"),
            Golden(
                ShowReleaseNotesResponse(revision: revision, result: .outcome(.secondaryChosen)),
                "\(revisionText) outcome: WHATS_NEW_OUTCOME_SECONDARY_CHOSEN"),
            Golden(
                ShowReleaseNotesResponse(
                    revision: revision,
                    result: .presentation(
                        Presentation(
                            summary, cookie: PresentationCookie(bytes: [0, 1, 0xFF]), content: .whatsNew(notice)))),
                "\(revisionText) presentation {\(presentationText) whats_new {\(noticeText)}}"),
            Golden(
                GetReleaseNotesRequest(app: "a", version: AppVersion(1, 0, 0)), "app: \"a\" version: \"1.0.0\""),
            Golden(GetReleaseNotesResponse(entry: nil), ""),
            Golden(GetReleaseNotesResponse(entry: notice), "entry {\(noticeText)}"),
            Golden(
                AcknowledgeReleaseNotesRequest(app: "a", version: AppVersion(1, 0, 0)),
                "app: \"a\" version: \"1.0.0\""),
            Golden(AcknowledgeReleaseNotesResponse(revision: revision), revisionText),
            Golden(ResetReleaseNotesRequest(app: "a"), "app: \"a\""),
            Golden(ResetReleaseNotesRequest(app: nil), ""),
            Golden(ResetReleaseNotesResponse(revision: revision, count: 3), "\(revisionText) count: 3"),
            Golden(ListReleaseNotesRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
            Golden(
                ListReleaseNotesResponse(
                    [
                        ReleaseNotesSummary(
                            app: "a", newest: AppVersion(2, 0, 0), entryCount: 3,
                            seen: [AppVersion(1, 0, 0), AppVersion(1, 1, 0)]),
                        ReleaseNotesSummary(app: "b", newest: AppVersion(0, 0, 1), entryCount: 0, seen: []),
                    ],
                    nextPageToken: "n"),
                """
                apps {app: "a" newest: "2.0.0" entries: 3 seen: "1.0.0" seen: "1.1.0"} apps {app: "b" newest: "0.0.1"}
                next_page_token: "n"
                """),
        ]
}
