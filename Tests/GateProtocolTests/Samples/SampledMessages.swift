import GateModel
import GateProtocol

/// A message that a test can make up, with something in every field, or without where that means something.
protocol SampledMessage: WireMessage {
    static func sample(using random: inout SplitMix) -> Self
}

/// Every message that travels by itself.
let sampledMessages: [any SampledMessage.Type] = [
    GetModeRequest.self, GetModeResponse.self, ToggleRequest.self, ToggleResponse.self, CancelVerifyingRequest.self,
    CancelVerifyingResponse.self, LockRequest.self, LockResponse.self, ExtendRequest.self, ExtendResponse.self,
    OverrideModeRequest.self, OverrideModeResponse.self,
    CheckRequest.self, CheckResponse.self, AuthorizeRequest.self, AuthorizeResponse.self, RedeemRequest.self,
    RedeemResponse.self, ListGrantsRequest.self, ListGrantsResponse.self, RevokeRequest.self, RevokeResponse.self,
    ListGatedActionsRequest.self, ListGatedActionsResponse.self, ListLockoutsRequest.self, ListLockoutsResponse.self,
    ListAsksRequest.self, ListAsksResponse.self, AnswerAskRequest.self, AnswerAskResponse.self,
    WithdrawAskRequest.self, WithdrawAskResponse.self, AskMoreTimeRequest.self, AskMoreTimeResponse.self,
    CountUseRequest.self, CountUseResponse.self, ListUsageRequest.self, ListUsageResponse.self,
    ClearLockoutRequest.self, ClearLockoutResponse.self, GetGatedActionRequest.self, GetGatedActionResponse.self,
    GetSecretsRequest.self, GetSecretsResponse.self, SetPasscodeRequest.self, SetPasscodeResponse.self,
    EnrolTOTPRequest.self, EnrolTOTPResponse.self, RemoveSecretRequest.self, RemoveSecretResponse.self,
    RegisterPresenterRequest.self, RegisterPresenterResponse.self, ClaimRequest.self, ClaimResponse.self,
    ReportRequest.self,
    ReportResponse.self, CompleteRequest.self, CompleteResponse.self, DismissRequest.self, DismissResponse.self,
    AwaitClosingRequest.self, AwaitClosingResponse.self, WithdrawRequest.self, WithdrawResponse.self,
    ListPresentationsRequest.self, ListPresentationsResponse.self,
    GetSignInRequest.self, GetSignInResponse.self, LogInRequest.self, LogInResponse.self, LogOutRequest.self,
    LogOutResponse.self, RegisterAccountRequest.self, RegisterAccountResponse.self, ChangePasswordRequest.self,
    ChangePasswordResponse.self, ListAccountsRequest.self, ListAccountsResponse.self, RemoveAccountRequest.self,
    RemoveAccountResponse.self, ConfirmAccountRequest.self, ConfirmAccountResponse.self,
    ListPeopleRequest.self, ListPeopleResponse.self, SetPersonRequest.self, SetPersonResponse.self,
    RemovePersonRequest.self, RemovePersonResponse.self,
    QueryAgeRangeRequest.self, QueryAgeRangeResponse.self, GetAgeSettingsRequest.self, GetAgeSettingsResponse.self,
    SetAgeSettingsRequest.self, SetAgeSettingsResponse.self, ListAgeAppsRequest.self, ListAgeAppsResponse.self,
    SetAgeChoiceRequest.self, SetAgeChoiceResponse.self,
    GetEntitlementsRequest.self, GetEntitlementsResponse.self, ListClaimsRequest.self, ListClaimsResponse.self,
    AddClaimRequest.self, AddClaimResponse.self, RevokeClaimRequest.self, RevokeClaimResponse.self,
    SubmitSignedTransactionRequest.self, SubmitSignedTransactionResponse.self, SubmitRenewalInfoRequest.self,
    SubmitRenewalInfoResponse.self, SubmitServerNotificationRequest.self, SubmitServerNotificationResponse.self,
    SubmitCustomerInfoRequest.self, SubmitCustomerInfoResponse.self, ReportProviderRequest.self,
    ReportProviderResponse.self, RequestPaywallRequest.self, RequestPaywallResponse.self, RequirePremiumRequest.self,
    RequirePremiumResponse.self, ReportOffersRequest.self, ReportOffersResponse.self, ListOffersRequest.self,
    ListOffersResponse.self,
    ListQuestionnairesRequest.self, ListQuestionnairesResponse.self, GetQuestionnaireRequest.self,
    GetQuestionnaireResponse.self, OpenFormRequest.self, OpenFormResponse.self, ReadFormRequest.self,
    ReadFormResponse.self, SetAnswerRequest.self, SetAnswerResponse.self, SuggestAnswerRequest.self,
    SuggestAnswerResponse.self, RemoveGroupRequest.self, RemoveGroupResponse.self, FillFormRequest.self,
    FillFormResponse.self, ResetFormRequest.self, ResetFormResponse.self, ValidateFormRequest.self,
    ValidateFormResponse.self, SaveFormRequest.self, SaveFormResponse.self, LoadFormRequest.self,
    LoadFormResponse.self, CompleteFormRequest.self, CompleteFormResponse.self, DiscardFormRequest.self,
    ListDraftsRequest.self, ListDraftsResponse.self, LabelDraftRequest.self, LabelDraftResponse.self,
    DiscardFormResponse.self, ListResponsesRequest.self, ListResponsesResponse.self, GetResponseRequest.self,
    GetResponseResponse.self, WithdrawResponseRequest.self, WithdrawResponseResponse.self, RequestFormRequest.self,
    ListPartsRequest.self, ListPartsResponse.self, GetPartRequest.self, GetPartResponse.self,
    SavePartRequest.self, SavePartResponse.self, LabelPartRequest.self, LabelPartResponse.self, RemovePartRequest.self,
    RemovePartResponse.self, TakePartsRequest.self, TakePartsResponse.self,
    RequestFormResponse.self, UploadRequest.self, UploadResponse.self, DownloadRequest.self, DownloadResponse.self,
    ShowReleaseNotesRequest.self, ShowReleaseNotesResponse.self, GetReleaseNotesRequest.self,
    GetReleaseNotesResponse.self, AcknowledgeReleaseNotesRequest.self, AcknowledgeReleaseNotesResponse.self,
    ResetReleaseNotesRequest.self, ResetReleaseNotesResponse.self, ListReleaseNotesRequest.self,
    ListReleaseNotesResponse.self,
    GetHouseholdRequest.self, GetHouseholdResponse.self,
    SubmitGuardiansRequest.self, SubmitGuardiansResponse.self,
    SubmitPolicyRequest.self, SubmitPolicyResponse.self,
    SubmitCommandRequest.self, SubmitCommandResponse.self,
    CreateDeviceKeyRequest.self, CreateDeviceKeyResponse.self,
    SendCommandRequest.self, SendCommandResponse.self,
    GetResultsRequest.self, GetResultsResponse.self,
    CollectCommandsRequest.self, CollectCommandsResponse.self,
    ReportDevicesRequest.self, ReportDevicesResponse.self,
    SubmitResultRequest.self, SubmitResultResponse.self,
    ObeyHomeAssistantRequest.self, ObeyHomeAssistantResponse.self,
    ListDevicesRequest.self, ListDevicesResponse.self,
    CollectRequestsRequest.self, CollectRequestsResponse.self,
    SubmitRequestsRequest.self, SubmitRequestsResponse.self,
    ListRequestsRequest.self, ListRequestsResponse.self,
    CollectReceiptsRequest.self, CollectReceiptsResponse.self,
    CollectAnswersRequest.self, CollectAnswersResponse.self,
    SubmitReceiptRequest.self, SubmitReceiptResponse.self,
    CollectUsageRequest.self, CollectUsageResponse.self, SubmitUsageRequest.self, SubmitUsageResponse.self,
    AnswerRequestRequest.self, AnswerRequestResponse.self,
    WatchRequest.self, WatchResponse.self, AuditRequest.self, AuditResponse.self,
    PingRequest.self, PingResponse.self, CancelRequest.self, CancelResponse.self, GetVersionRequest.self,
    GetVersionResponse.self, GetStatisticsRequest.self, DaemonStatistics.self, ReloadRequest.self, ReloadResponse.self,
    SetGateRequest.self, SetGateResponse.self, SetTimeRuleRequest.self, SetTimeRuleResponse.self,
    GetPolicyRequest.self, GetPolicyResponse.self, RecoverRequest.self, RecoverResponse.self, DescribeRequest.self,
    DescribeResponse.self, BackupRequest.self, BackupResponse.self, RestoreRequest.self, RestoreResponse.self,
]

/// A random generator that repeats its numbers for a seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Small and large numbers, and the bounds.
    mutating func integer<Integer: FixedWidthInteger>() -> Integer {
        switch Int.random(in: 0..<5, using: &self) {
        case 0: 0
        case 1: .max
        case 2: .min
        case 3: Integer(truncatingIfNeeded: Int.random(in: 0..<300, using: &self))
        default: .random(in: .min ... .max, using: &self)
        }
    }

    mutating func bool() -> Bool { .random(using: &self) }

    mutating func bytes() -> [UInt8] {
        (0..<Int.random(in: 0..<40, using: &self)).map { _ in .random(in: .min ... .max, using: &self) }
    }

    mutating func text() -> String {
        let characters: [Character] = [
            "a", "Z", "7", " ", "\"", "\\", "\n", "\t", "/", "é", "÷", "語", "👪", "\u{1}", "}",
        ]
        return String((0..<Int.random(in: 0..<12, using: &self)).map { _ in characters.randomElement(using: &self)! })
    }

    mutating func translation() -> LocalizedText.Translation { .init(language: text(), text: text()) }

    mutating func localizedText() -> LocalizedText { LocalizedText(text(), array { $0.translation() }) }

    mutating func optional<Value>(_ make: (inout SplitMix) -> Value) -> Value? {
        bool() ? make(&self) : nil
    }

    mutating func array<Value>(_ make: (inout SplitMix) -> Value) -> [Value] {
        (0..<Int.random(in: 0..<5, using: &self)).map { _ in make(&self) }
    }

    mutating func any<Value: CaseIterable>(of type: Value.Type) -> Value {
        type.allCases.randomElement(using: &self)!
    }
}

// MARK: Parts

extension SplitMix {
    mutating func revision() -> Revision { Revision(epoch: integer(), number: integer()) }

    mutating func modeState() -> ModeState {
        let nanoseconds: Int64 = integer()
        return ModeState(
            mode: any(of: Mode.self), deadline: nanoseconds == 0 ? nil : BootTime(nanoseconds: nanoseconds))
    }

    /// A duration of whole milliseconds that can be expressed in nanoseconds; never zero.
    mutating func duration() -> Duration {
        .milliseconds(Int64.random(in: 1...1_000_000_000_000, using: &self))
    }

    mutating func number() -> Int { Int(integer() as UInt32) }

    /// A set of none, some or all of the values.
    mutating func set<Value: CaseIterable & Hashable>(of type: Value.Type) -> Set<Value> {
        Set(type.allCases.filter { _ in bool() })
    }

    mutating func auditEntry() -> AuditEntry {
        AuditEntry(
            number: integer(), time: WallTime(unixMilliseconds: integer()), kind: any(of: AuditEntry.Kind.self),
            actor: optional {
                AuditEntry.Actor(
                    uid: $0.integer(), pid: $0.integer(), broker: $0.optional { $0.broker() },
                    guardian: $0.optional { $0.guardianName() })
            }, mode: any(of: Mode.self),
            detail: text())
    }
}

// MARK: Mode

extension ToggleRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(presenting: random.any(of: Presenting.self)) }
}
extension ExtendRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(duration: random.optional { $0.duration() }, presenting: random.any(of: Presenting.self))
    }
}
extension OverrideModeRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(mode: random.any(of: Mode.self), duration: random.optional { $0.duration() }, reason: random.text())
    }
}
// MARK: Watch

extension WatchRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(topics: random.set(of: WatchTopic.self), after: random.optional { $0.revision() })
    }
}
extension WatchResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            firstNumber: random.integer(), revision: random.revision(), isSnapshot: random.bool(),
            mode: random.optional { $0.modeState() },
            presentations: random.optional { $0.array { $0.presentationSummary() } },
            signIn: random.optional { $0.signInState() }, entitlements: random.optional { $0.entitlementsState() },
            forms: random.optional { $0.array { $0.formSummary() } },
            asks: random.optional { $0.array { Ask.sample(using: &$0) } },
            schedules: random.optional { $0.array { $0.scheduleState() } },
            usage: random.optional { $0.array { $0.usedTime() } }, ageRanges: random.optional { $0.ageState() })
    }
}
extension AuditRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            after: random.optional { $0.revision() }, follow: random.bool(),
            last: random.optional { Int.random(in: 1...Int(UInt32.max), using: &$0) })
    }
}
extension AuditResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), entries: random.array { $0.auditEntry() })
    }
}

// MARK: Control

extension PingRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(echo: random.bytes()) }
}
extension PingResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(echo: random.bytes(), revision: random.revision())
    }
}
extension CancelRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(streamID: random.integer()) }
}
extension GetVersionResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            version: random.text(), protocol: random.text(), sqlite: random.text(),
            capabilities: random.array { $0.text() })
    }
}
extension DaemonStatistics: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            uptime: random.duration(), connections: random.number(), watchers: random.number(),
            transitions: random.integer(), commits: random.integer(),
            conflated: random.integer(), refused: random.integer(), anonymousBytes: random.integer(),
            presenters: random.number(), callsOfMethods: random.array { $0.labelledCount() },
            closed: random.array { $0.labelledCount() }, commitMicroseconds: random.histogram(),
            pushMicroseconds: random.histogram(), commandsPerCommit: random.histogram(),
            commandsWaiting: random.number())
    }
}
extension SplitMix {
    fileprivate mutating func labelledCount() -> StatisticsCount { StatisticsCount(label: text(), count: integer()) }

    fileprivate mutating func histogram() -> StatisticsHistogram {
        let counts: [UInt64] = array { $0.integer() }
        return counts.isEmpty ? StatisticsHistogram() : StatisticsHistogram(counts: counts, sum: integer())
    }
}
extension BackupRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(backupID: random.integer(), offset: random.integer())
    }
}
extension BackupResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(backupID: random.integer(), piece: random.bytes(), byteCount: random.integer())
    }
}
extension RestoreRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            restoreID: random.integer(), piece: random.bytes(), isLast: random.number() % 2 == 0,
            checkOnly: random.number() % 2 == 0)
    }
}
extension RestoreResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let contents = BackupSummary(
            version: random.text(), madeAt: random.number() % 2 == 0 ? nil : WallTime(unixMilliseconds: 17),
            accountCount: random.number(), claimCount: random.number(), responseCount: random.number(),
            hasPasscode: random.number() % 2 == 0, hasTOTP: random.number() % 2 == 0)
        return Self(
            restoreID: random.integer(), revision: random.number() % 2 == 0 ? nil : random.revision(),
            contents: random.number() % 2 == 0 ? nil : contents, leftOutChoices: random.array { $0.text() })
    }
}
extension PolicyReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(inForce: random.array { $0.text() }, policy: random.optional { $0.policySummary() })
    }
}
extension SetGateRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            gatedAction: random.text(), requires: random.optional { "a" + $0.text() },
            keep: random.optional { $0.duration() }, title: random.optional { "a" + $0.text() },
            moreTime: random.optional { $0.array { $0.choice() } }, checkOnly: random.bool(),
            grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}
extension SetGateResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            before: random.optional { $0.listedGate() }, after: random.optional { $0.listedGate() },
            revision: random.optional { $0.revision() })
    }
}
extension SetTimeRuleRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            kind: random.any(of: TimeRule.Kind.self), name: random.text(),
            notation: random.optional { "a" + $0.text() }, checkOnly: random.bool(),
            grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}
extension SetTimeRuleResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            before: random.optional { $0.timeRule() }, after: random.optional { $0.timeRule() },
            revision: random.optional { $0.revision() })
    }
}
extension RecoverResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), quarantinedFile: random.text())
    }
}
extension DescribeResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(fileDescriptorSet: random.bytes()) }
}
