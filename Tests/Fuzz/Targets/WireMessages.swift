import CProtobufC
import GateModel
package import GateProtocol

/// Every message that travels by itself, as a Swift value.
public enum WireMessages {
    package static let all: [any WireMessage.Type] = [
        GetModeRequest.self, GetModeResponse.self, ToggleRequest.self, ToggleResponse.self,
        CancelVerifyingRequest.self, CancelVerifyingResponse.self, LockRequest.self, LockResponse.self,
        ExtendRequest.self,
        ExtendResponse.self, OverrideModeRequest.self, OverrideModeResponse.self,
        CheckRequest.self, CheckResponse.self, AuthorizeRequest.self, AuthorizeResponse.self, RedeemRequest.self,
        RedeemResponse.self, ListGrantsRequest.self, ListGrantsResponse.self, RevokeRequest.self,
        RevokeResponse.self, ListGatedActionsRequest.self, ListGatedActionsResponse.self,
        GetGatedActionRequest.self, GetGatedActionResponse.self,
        ListLockoutsRequest.self, ListLockoutsResponse.self, ClearLockoutRequest.self, ClearLockoutResponse.self,
        ListAsksRequest.self, ListAsksResponse.self, AnswerAskRequest.self, AnswerAskResponse.self,
        CountUseRequest.self, CountUseResponse.self, ListUsageRequest.self, ListUsageResponse.self,
        WithdrawAskRequest.self, WithdrawAskResponse.self, AskMoreTimeRequest.self, AskMoreTimeResponse.self,
        GetSecretsRequest.self, GetSecretsResponse.self, SetPasscodeRequest.self, SetPasscodeResponse.self,
        EnrolTOTPRequest.self, EnrolTOTPResponse.self, RemoveSecretRequest.self, RemoveSecretResponse.self,
        RegisterPresenterRequest.self, RegisterPresenterResponse.self, ClaimRequest.self, ClaimResponse.self,
        ReportRequest.self,
        ReportResponse.self, CompleteRequest.self, CompleteResponse.self, DismissRequest.self,
        DismissResponse.self,
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
        ReportProviderResponse.self, RequestPaywallRequest.self, RequestPaywallResponse.self,
        RequirePremiumRequest.self,
        RequirePremiumResponse.self, ReportOffersRequest.self, ReportOffersResponse.self, ListOffersRequest.self,
        ListOffersResponse.self,
        ListQuestionnairesRequest.self, ListQuestionnairesResponse.self, GetQuestionnaireRequest.self,
        GetQuestionnaireResponse.self, OpenFormRequest.self, OpenFormResponse.self, ReadFormRequest.self,
        ReadFormResponse.self, SetAnswerRequest.self, SetAnswerResponse.self, SuggestAnswerRequest.self,
        SuggestAnswerResponse.self, RemoveGroupRequest.self, RemoveGroupResponse.self, FillFormRequest.self,
        FillFormResponse.self, ResetFormRequest.self, ResetFormResponse.self, ValidateFormRequest.self,
        ValidateFormResponse.self, SaveFormRequest.self, SaveFormResponse.self, LoadFormRequest.self,
        LoadFormResponse.self, CompleteFormRequest.self, CompleteFormResponse.self, DiscardFormRequest.self,
        DiscardFormResponse.self, ListDraftsRequest.self, ListDraftsResponse.self, LabelDraftRequest.self,
        LabelDraftResponse.self, ListResponsesRequest.self, ListResponsesResponse.self, GetResponseRequest.self,
        GetResponseResponse.self, WithdrawResponseRequest.self, WithdrawResponseResponse.self,
        ListPartsRequest.self, ListPartsResponse.self, GetPartRequest.self, GetPartResponse.self,
        SavePartRequest.self, SavePartResponse.self, LabelPartRequest.self, LabelPartResponse.self,
        RemovePartRequest.self,
        RemovePartResponse.self, TakePartsRequest.self, TakePartsResponse.self,
        RequestFormRequest.self, RequestFormResponse.self, UploadRequest.self, UploadResponse.self,
        DownloadRequest.self, DownloadResponse.self, ShowReleaseNotesRequest.self, ShowReleaseNotesResponse.self,
        GetReleaseNotesRequest.self, GetReleaseNotesResponse.self, AcknowledgeReleaseNotesRequest.self,
        AcknowledgeReleaseNotesResponse.self, ResetReleaseNotesRequest.self, ResetReleaseNotesResponse.self,
        ListReleaseNotesRequest.self, ListReleaseNotesResponse.self,
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
        GetVersionResponse.self, GetStatisticsRequest.self, DaemonStatistics.self, ReloadRequest.self,
        ReloadResponse.self, SetGateRequest.self, SetGateResponse.self, SetTimeRuleRequest.self,
        SetTimeRuleResponse.self,
        GetPolicyRequest.self, GetPolicyResponse.self, RecoverRequest.self, RecoverResponse.self,
        DescribeRequest.self,
        DescribeResponse.self, BackupRequest.self, BackupResponse.self, RestoreRequest.self, RestoreResponse.self,
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Messages in order of a hash of their names, so that a new message does not change the place of others.
    private static let byHash = all.map { (hash: hash($0.name), type: $0) }.sorted {
        ($0.hash, $0.type.name) < ($1.hash, $1.type.name)
    }

    /// - Returns: the message that an input is about, which its first two bytes choose, and the bytes behind them.
    static func split(_ input: [UInt8]) -> (type: any WireMessage.Type, rest: [UInt8])? {
        guard input.count >= 2 else { return nil }
        let key = UInt16(input[0]) << 8 | UInt16(input[1])
        guard let chosen = byHash.first(where: { $0.hash >= key }) ?? byHash.first else { return nil }
        return (chosen.type, Array(input[2...]))
    }

    /// An input about this message.
    static func join(_ type: any WireMessage.Type, _ rest: [UInt8]) -> [UInt8] {
        let hash = hash(type.name)
        return [UInt8(hash >> 8), UInt8(hash & 0xFF)] + rest
    }

    /// FNV-1a, folded.
    private static func hash(_ name: String) -> UInt16 {
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return UInt16(truncatingIfNeeded: hash >> 16 ^ hash)
    }
}

extension WireMessage {
    /// The full name, like "gate.v1.ToggleRequest".
    static var name: String { String(cString: descriptor.pointee.name) }
}
