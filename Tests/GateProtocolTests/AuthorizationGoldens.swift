import GateModel
import GateProtocol

extension ProtocTests {
    static let grant = Grant(
        id: 3, proof: Grant.Proof(bytes: [7, 0]), gatedAction: "link.open", details: "https://a.example/",
        deadline: BootTime(nanoseconds: 44))
    static let grantText = """
        id: 3 proof: "\\007\\000" gated_action: "link.open" details: "https://a.example/"
        deadline_boottime_nanoseconds: 44
        """
    private static let revisionText = "revision {epoch: 11 number: 22}"

    private static let atOnce = {
        var request = AuthorizationRequest(gatedAction: "link.open")
        (request.mayWait, request.atOnce) = (true, true)
        return request
    }()

    static let authorizations: [Golden] = [
        Golden(CheckRequest(gatedAction: "link.open"), "gated_action: \"link.open\""),
        Golden(
            CheckRequest(gatedAction: "link.open", subject: Subject(uid: 1002, pid: 4242, startTime: 99)),
            "gated_action: \"link.open\" subject {uid: 1002 pid: 4242 start_time_ticks: 99}"),
        Golden(
            CheckRequest(gatedAction: "link.open", details: "https://a.example/"),
            "gated_action: \"link.open\" details: \"https://a.example/\""),
        Golden(
            AuthorizeRequest(request: atOnce, presenting: .elsewhere),
            "gated_action: \"link.open\" may_wait: true at_once: true"),
        Golden(
            AuthorizeRequest(
                request: AuthorizationRequest(
                    gatedAction: "link.open", subject: Subject(uid: 1002, pid: 4242, startTime: 99)),
                presenting: .here),
            "gated_action: \"link.open\" presents_itself: true subject {uid: 1002 pid: 4242 start_time_ticks: 99}"),
        Golden(
            CheckResponse(revision: revision, outlook: AuthorizationOutlook(.granted)),
            "\(revisionText) outcome: OUTCOME_GRANTED"),
        Golden(
            CheckResponse(revision: revision, outlook: AuthorizationOutlook(.personNeeded, explanation: "why")),
            "\(revisionText) outcome: OUTCOME_PERSON_NEEDED explanation: \"why\""),
        Golden(
            CheckResponse(revision: revision, outlook: AuthorizationOutlook(.denied)),
            "\(revisionText) outcome: OUTCOME_DENIED"),
        Golden(
            CheckResponse(
                revision: revision,
                outlook: AuthorizationOutlook(
                    .personNeeded, need: .challenge(.quiz),
                    refusal: GateError(
                        .resourceExhausted, .lockedOut, "", retryAfter: .seconds(1),
                        parameters: ["what": "mode", "maximum": "3"]))),
            """
            \(revisionText) outcome: OUTCOME_PERSON_NEEDED need {kind: KIND_CHALLENGE challenge: PRESENTATION_KIND_QUIZ}
            refusal {
              reason: REASON_LOCKED_OUT retry_after_milliseconds: 1000
              parameters {name: "maximum" value: "3"} parameters {name: "what" value: "mode"}
              code: 8
            }
            """),
        Golden(
            CheckResponse(
                revision: revision,
                outlook: AuthorizationOutlook(
                    .personNeeded, need: .entitlement(.init(entitlement: "premium", title: "P")))),
            """
            \(revisionText) outcome: OUTCOME_PERSON_NEEDED need {kind: KIND_ENTITLEMENT name: "premium" title: "P"}
            """),
        Golden(
            AuthorizeRequest(
                request: AuthorizationRequest(gatedAction: "a.b", details: "ü", redeemer: 0), presenting: .here),
            "gated_action: \"a.b\" details: \"ü\" redeemer {} presents_itself: true"),
        Golden(
            AuthorizeRequest(
                request: AuthorizationRequest(gatedAction: "a.b", details: "", redeemer: nil), presenting: .elsewhere),
            "gated_action: \"a.b\""),
        Golden(
            AuthorizeResponse(revision: revision, result: .grant(grant)), "\(revisionText) grant {\(grantText)}"),
        Golden(
            AuthorizeResponse(revision: revision, result: .presentation(presentation(.totp))),
            "\(revisionText) presentation {\(presentationText) totp {}}"),
        Golden(
            RedeemRequest(proof: Grant.Proof(bytes: [1]), gatedAction: "a.b", details: "d"),
            "proof: \"\\001\" gated_action: \"a.b\" details: \"d\""),
        Golden(
            RedeemResponse(revision: revision, requesterUID: 1000, requesterPID: 4242),
            "\(revisionText) requester_uid: 1000 requester_pid: 4242"),
        Golden(ListGrantsRequest(), ""),
        Golden(ListGrantsRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
        Golden(
            ListGrantsResponse(
                [KeptGrantSummary(uid: 1000, gatedAction: "a.b", deadline: BootTime(nanoseconds: 9))],
                nextPageToken: "n"),
            """
            grants {uid: 1000 gated_action: "a.b" deadline_boottime_nanoseconds: 9} next_page_token: "n"
            """),
        Golden(RevokeRequest(uid: nil, gatedAction: ""), ""),
        Golden(RevokeRequest(uid: 0, gatedAction: "a.b"), "user {} gated_action: \"a.b\""),
        Golden(RevokeResponse(revision: revision, count: 2), "\(revisionText) count: 2"),
        Golden(ListAsksRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
        Golden(
            ListAsksResponse(
                [
                    Ask(
                        id: 12, uid: 1002, person: "mia", gatedAction: "a.b", titles: "A", details: "d",
                        state: .allowed, ends: WallTime(unixMilliseconds: 9), device: "Tablet"),
                    Ask(
                        id: 13, uid: 1002, person: "mia", gatedAction: "a.b", titles: "A", details: "d",
                        state: .allowed, ends: nil, choice: .thisSite),
                    Ask(
                        id: 14, uid: 1002, person: "mia", gatedAction: "a.b", titles: "A", details: "d",
                        state: .waiting, ends: WallTime(unixMilliseconds: 9),
                        choices: [.once, .today, .always, .thisSite, .time(.seconds(5400))]),
                    Ask(
                        id: 15, uid: 0, person: "mia", gatedAction: "a.b", titles: "A", details: "d", state: .closed,
                        ends: WallTime(unixMilliseconds: 9), device: "Tablet", isUntilTomorrow: true, refusal: "Why."),
                ], nextPageToken: "n"),
            """
            asks {number: 12 uid: 1002 person: "mia" gated_action: "a.b" title: "A" details: "d" state: STATE_ALLOWED \
            ends_unix_milliseconds: 9 device: "Tablet"} \
            asks {number: 13 uid: 1002 person: "mia" gated_action: "a.b" title: "A" details: "d" state: STATE_ALLOWED \
            choice: "this-site"} \
            asks {number: 14 uid: 1002 person: "mia" gated_action: "a.b" title: "A" details: "d" state: STATE_WAITING \
            ends_unix_milliseconds: 9 choices: "once" choices: "today" choices: "always" choices: "this-site" \
            choices: "1h30m"} \
            asks {number: 15 person: "mia" gated_action: "a.b" title: "A" details: "d" state: STATE_CLOSED \
            ends_unix_milliseconds: 9 device: "Tablet" is_until_tomorrow: true refusal: "Why."} next_page_token: "n"
            """),
        Golden(AnswerAskRequest(number: 12, isAllowed: true), "number: 12 is_allowed: true"),
        Golden(AnswerAskRequest(number: 12, .no), "number: 12"),
        Golden(AnswerAskRequest(number: 12, .notUntilTomorrow), "number: 12 choice: \"until-tomorrow\""),
        Golden(
            AnswerAskRequest(number: 12, .yes(.time(.seconds(1800)))), "number: 12 is_allowed: true choice: \"30m\""),
        Golden(AnswerAskResponse(revision: revision), revisionText),
        Golden(WithdrawAskRequest(number: 12), "number: 12"),
        Golden(WithdrawAskResponse(revision: revision), revisionText),
        Golden(AskMoreTimeRequest(gatedAction: "a.b"), "gated_action: \"a.b\""),
        Golden(
            AskMoreTimeRequest(gatedAction: "a.b", choice: .time(.seconds(900))),
            "gated_action: \"a.b\" choice: \"15m\""),
        Golden(
            AskMoreTimeResponse(
                revision: revision,
                ask: Ask(
                    id: 15, uid: 1002, person: "mia", gatedAction: "a.b", titles: "A", details: "15m", state: .waiting,
                    ends: WallTime(unixMilliseconds: 9), choices: [.time(.seconds(900)), .today], isMoreTime: true)),
            """
            \(revisionText) ask {number: 15 uid: 1002 person: "mia" gated_action: "a.b" title: "A" details: "15m" \
            state: STATE_WAITING ends_unix_milliseconds: 9 choices: "15m" choices: "today" is_more_time: true}
            """),
        Golden(ListGatedActionsRequest(pageSize: 500), "page_size: 500"),
        Golden(
            ListGatedActionsResponse(
                [
                    GatedActionSummary(name: "a.b", title: "A", requirement: "mode parent", keep: .seconds(2)),
                    GatedActionSummary(
                        name: "c.d", title: "C", requirement: "challenge quiz", keep: nil,
                        moreTime: [.time(.seconds(3600)), .today]),
                ],
                nextPageToken: ""),
            """
            gated_actions {name: "a.b" title: "A" requirement: "mode parent" keep_milliseconds: 2000}
            gated_actions {name: "c.d" title: "C" requirement: "challenge quiz" more_time: "1h" more_time: "today"}
            """),
        Golden(GetGatedActionRequest(name: "a.b"), "name: \"a.b\""),
        Golden(
            GetGatedActionResponse(
                gatedAction: GatedActionSummary(name: "a.b", title: "A", requirement: "r", keep: nil),
                conditions: ListedCondition.list(
                    of: .all([
                        .parentMode, .any([.challenge(ChallengeRule(.quiz)), .entitlement("e")]), .form("f"), .signedIn,
                    ]))),
            """
            gated_action {name: "a.b" title: "A" requirement: "r"}
            conditions {kind: KIND_ALL} conditions {kind: KIND_PARENT_MODE part_of: 1}
            conditions {kind: KIND_ANY part_of: 1}
            conditions {kind: KIND_CHALLENGE part_of: 3 challenges {challenge: PRESENTATION_KIND_QUIZ}}
            conditions {kind: KIND_ENTITLEMENT part_of: 3 name: "e"} conditions {kind: KIND_FORM part_of: 1 name: "f"}
            conditions {kind: KIND_SIGNED_IN part_of: 1}
            """),
        Golden(
            GetGatedActionResponse(
                gatedAction: GatedActionSummary(name: "a.b", title: "A", requirement: "r", keep: nil),
                conditions: [
                    ListedCondition(
                        .during(Schedule("s", days: [[.init(60, 120)], [], [], [], [], [], [.init(1200, 1500)]])))
                ]),
            """
            gated_action {name: "a.b" title: "A" requirement: "r"}
            conditions {
                kind: KIND_SCHEDULE name: "s" spans {weekday: 1 begin_minute: 60 end_minute: 120}
                spans {weekday: 7 begin_minute: 1200 end_minute: 1500}
            }
            """),
        Golden(
            GetGatedActionResponse(
                gatedAction: GatedActionSummary(name: "a.b", title: "A", requirement: "r", keep: nil),
                conditions: [
                    ListedCondition(
                        .allowance(
                            Allowance(
                                "g", secondsOfDays: [60, 0, 0, 0, 0, 0, 7200], secondsOfWeek: 9000, dayStart: 240)))
                ]),
            """
            gated_action {name: "a.b" title: "A" requirement: "r"}
            conditions {
                kind: KIND_ALLOWANCE name: "g" allowed {
                    seconds_of_days: 60 seconds_of_days: 0 seconds_of_days: 0 seconds_of_days: 0 seconds_of_days: 0
                    seconds_of_days: 0 seconds_of_days: 7200 seconds_of_week: 9000 day_start_minute: 240
                }
            }
            """),
        Golden(CountUseRequest(gatedAction: "a.b"), "gated_action: \"a.b\""),
        Golden(CountUseRequest(gatedAction: "a.b", details: "c"), "gated_action: \"a.b\" details: \"c\""),
        Golden(
            CountUseResponse(time: TimeLeft(left: .seconds(60), isOver: false)),
            "is_limited: true left_milliseconds: 60000"),
        Golden(CountUseResponse(time: TimeLeft(left: .zero, isOver: true)), "is_limited: true is_over: true"),
        Golden(CountUseResponse(time: TimeLeft(left: nil, isOver: false)), ""),
        Golden(ListUsageRequest(pageSize: 5, pageToken: "t", days: 7), "page_size: 5 page_token: \"t\" days: 7"),
        Golden(
            ListUsageResponse(
                [
                    UsedTime(
                        person: "mia", uid: 1002, subject: .allowance("games"),
                        day: CivilDate(WallTime(unixMilliseconds: 0)), used: .seconds(2), left: .seconds(1),
                        isToday: true, isRunning: true,
                        elsewhere: [UsedElsewhere(device: "Tablet", used: .seconds(1))])
                ], nextPageToken: "n"),
            """
            times {
                person: "mia" uid: 1002 allowance: "games" day: "1970-01-01" used_milliseconds: 2000 is_limited: true
                left_milliseconds: 1000 is_today: true is_running: true
                elsewhere {device: "Tablet" used_milliseconds: 1000}
            } next_page_token: "n"
            """),
        Golden(ListLockoutsRequest(pageToken: "t"), "page_token: \"t\""),
        Golden(
            ListLockoutsResponse(
                [
                    LockoutSummary(
                        owner: .user(1000), gate: .mode, wrongAnswers: 3, limit: nil, remaining: .milliseconds(1)),
                    LockoutSummary(
                        owner: .strangers, gate: .secretOfDevice(.totp), wrongAnswers: 1, limit: 500, remaining: nil),
                ],
                nextPageToken: "n"),
            """
            lockouts {uid: 1000 gate {kind: KIND_MODE} wrong_answers: 3 remaining_milliseconds: 1 owner: OWNER_KIND_USER}
            lockouts {gate {kind: KIND_TOTP_OF_DEVICE} wrong_answers: 1 owner: OWNER_KIND_STRANGERS limit: 500} next_page_token: "n"
            """),
        Golden(
            ClearLockoutRequest(uid: nil, gate: .gatedAction("a.b")), "gate {kind: KIND_GATED_ACTION name: \"a.b\"}"),
        Golden(ClearLockoutRequest(uid: nil, gate: .secret(.passcode)), "gate {kind: KIND_PASSCODE}"),
        Golden(ClearLockoutRequest(uid: nil, gate: .secret(.totp)), "gate {kind: KIND_TOTP}"),
        Golden(
            ClearLockoutRequest(uid: nil, gate: .secretOfDevice(.passcode)), "gate {kind: KIND_PASSCODE_OF_DEVICE}"),
        Golden(
            ClearLockoutRequest(uid: nil, gate: .signIn(account: "Anna")), "gate {kind: KIND_SIGN_IN name: \"Anna\"}"),
        Golden(ClearLockoutRequest(uid: 0, gate: nil), "user {}"),
        Golden(ClearLockoutResponse(revision: revision, count: 1), "\(revisionText) count: 1"),
    ]

    static let secrets: [Golden] = [
        Golden(GetSecretsRequest(), ""),
        Golden(GetSecretsResponse(kinds: [.totp, .passcode]), "kinds: SECRET_KIND_TOTP kinds: SECRET_KIND_PASSCODE"),
        Golden(SetPasscodeRequest(passcode: GateSecret([0x31, 0, 0xFF])), "passcode: \"1\\000\\377\""),
        Golden(SetPasscodeResponse(revision: revision), revisionText),
        Golden(
            EnrolTOTPRequest(key: GateSecret([1, 2]), code: GateSecret("123456".utf8)),
            "key: \"\\001\\002\" code: \"123456\""),
        Golden(EnrolTOTPResponse(revision: revision), revisionText),
        Golden(RemoveSecretRequest(kind: .passcode), "kind: SECRET_KIND_PASSCODE"),
        Golden(RemoveSecretRequest(kind: .totp), "kind: SECRET_KIND_TOTP"),
        Golden(RemoveSecretResponse(revision: revision), revisionText),
    ]
}
