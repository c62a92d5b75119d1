package import GateModel

/// A method of `gate.v1`, with the types of its messages.
package struct Method<Request: WireMessage, Response: WireMessage>: Sendable {
    package enum Kind: Hashable, Sendable {
        case unary
        case serverStream
    }

    /// The full name, for example "gate.v1.Mode".
    package let service: String
    package let name: String
    package let kind: Kind

    init(_ service: String, _ name: String, _ kind: Kind = .unary) {
        self.service = service
        self.name = name
        self.kind = kind
    }
}

/// Every method of the .proto files. A test compares them with `ServiceCatalog`.
package enum Methods {
    package enum Mode {
        package static let get = Method<GetModeRequest, GetModeResponse>(service, "GetMode")
        package static let toggle = Method<ToggleRequest, ToggleResponse>(service, "Toggle")
        package static let cancel = Method<CancelVerifyingRequest, CancelVerifyingResponse>(service, "CancelVerifying")
        package static let lock = Method<LockRequest, LockResponse>(service, "Lock")
        package static let extend = Method<ExtendRequest, ExtendResponse>(service, "Extend")
        package static let override = Method<OverrideModeRequest, OverrideModeResponse>(service, "OverrideMode")
        private static let service = "gate.v1.Mode"
    }

    package enum Authorization {
        package static let check = Method<CheckRequest, CheckResponse>(service, "Check")
        package static let authorize = Method<AuthorizeRequest, AuthorizeResponse>(service, "Authorize")
        package static let redeem = Method<RedeemRequest, RedeemResponse>(service, "Redeem")
        package static let listGrants = Method<ListGrantsRequest, ListGrantsResponse>(service, "ListGrants")
        package static let revoke = Method<RevokeRequest, RevokeResponse>(service, "Revoke")
        package static let listGatedActions = Method<ListGatedActionsRequest, ListGatedActionsResponse>(
            service, "ListGatedActions")
        package static let getGatedAction = Method<GetGatedActionRequest, GetGatedActionResponse>(
            service, "GetGatedAction")
        package static let listLockouts = Method<ListLockoutsRequest, ListLockoutsResponse>(service, "ListLockouts")
        package static let clearLockout = Method<ClearLockoutRequest, ClearLockoutResponse>(service, "ClearLockout")
        private static let service = "gate.v1.Authorization"
    }

    package enum Secrets {
        package static let get = Method<GetSecretsRequest, GetSecretsResponse>(service, "GetSecrets")
        package static let setPasscode = Method<SetPasscodeRequest, SetPasscodeResponse>(service, "SetPasscode")
        package static let enrolTOTP = Method<EnrolTOTPRequest, EnrolTOTPResponse>(service, "EnrolTOTP")
        package static let remove = Method<RemoveSecretRequest, RemoveSecretResponse>(service, "RemoveSecret")
        private static let service = "gate.v1.Secrets"
    }

    package enum Presentations {
        package static let register = Method<RegisterPresenterRequest, RegisterPresenterResponse>(
            service, "RegisterPresenter", .serverStream)
        package static let claim = Method<ClaimRequest, ClaimResponse>(service, "Claim")
        package static let report = Method<ReportRequest, ReportResponse>(service, "Report")
        package static let complete = Method<CompleteRequest, CompleteResponse>(service, "Complete")
        package static let dismiss = Method<DismissRequest, DismissResponse>(service, "Dismiss")
        package static let awaitClosing = Method<AwaitClosingRequest, AwaitClosingResponse>(service, "AwaitClosing")
        package static let withdraw = Method<WithdrawRequest, WithdrawResponse>(service, "Withdraw")
        package static let list = Method<ListPresentationsRequest, ListPresentationsResponse>(
            service, "ListPresentations")
        private static let service = "gate.v1.Presentations"
    }

    package enum SignIn {
        package static let get = Method<GetSignInRequest, GetSignInResponse>(service, "GetSignIn")
        package static let logIn = Method<LogInRequest, LogInResponse>(service, "LogIn")
        package static let logOut = Method<LogOutRequest, LogOutResponse>(service, "LogOut")
        package static let register = Method<RegisterAccountRequest, RegisterAccountResponse>(
            service, "RegisterAccount")
        package static let changePassword = Method<ChangePasswordRequest, ChangePasswordResponse>(
            service, "ChangePassword")
        package static let listAccounts = Method<ListAccountsRequest, ListAccountsResponse>(service, "ListAccounts")
        package static let removeAccount = Method<RemoveAccountRequest, RemoveAccountResponse>(service, "RemoveAccount")
        package static let confirmAccount = Method<ConfirmAccountRequest, ConfirmAccountResponse>(
            service, "ConfirmAccount")
        private static let service = "gate.v1.SignIn"
    }

    package enum Entitlements {
        package static let get = Method<GetEntitlementsRequest, GetEntitlementsResponse>(service, "GetEntitlements")
        package static let listClaims = Method<ListClaimsRequest, ListClaimsResponse>(service, "ListClaims")
        package static let addClaim = Method<AddClaimRequest, AddClaimResponse>(service, "AddClaim")
        package static let revokeClaim = Method<RevokeClaimRequest, RevokeClaimResponse>(service, "RevokeClaim")
        package static let submitSignedTransaction = Method<
            SubmitSignedTransactionRequest, SubmitSignedTransactionResponse
        >(service, "SubmitSignedTransaction")
        package static let submitRenewalInfo = Method<SubmitRenewalInfoRequest, SubmitRenewalInfoResponse>(
            service, "SubmitRenewalInfo")
        package static let submitServerNotification = Method<
            SubmitServerNotificationRequest, SubmitServerNotificationResponse
        >(service, "SubmitServerNotification")
        package static let submitCustomerInfo = Method<SubmitCustomerInfoRequest, SubmitCustomerInfoResponse>(
            service, "SubmitCustomerInfo")
        package static let reportProvider = Method<ReportProviderRequest, ReportProviderResponse>(
            service, "ReportProvider")
        package static let reportOffers = Method<ReportOffersRequest, ReportOffersResponse>(service, "ReportOffers")
        package static let listOffers = Method<ListOffersRequest, ListOffersResponse>(service, "ListOffers")
        package static let requestPaywall = Method<RequestPaywallRequest, RequestPaywallResponse>(
            service, "RequestPaywall")
        package static let requirePremium = Method<RequirePremiumRequest, RequirePremiumResponse>(
            service, "RequirePremium")
        private static let service = "gate.v1.Entitlements"
    }

    package enum Questionnaires {
        package static let list = Method<ListQuestionnairesRequest, ListQuestionnairesResponse>(
            service, "ListQuestionnaires")
        package static let get = Method<GetQuestionnaireRequest, GetQuestionnaireResponse>(service, "GetQuestionnaire")
        package static let open = Method<OpenFormRequest, OpenFormResponse>(service, "OpenForm")
        package static let read = Method<ReadFormRequest, ReadFormResponse>(service, "ReadForm")
        package static let set = Method<SetAnswerRequest, SetAnswerResponse>(service, "SetAnswer")
        package static let suggest = Method<SuggestAnswerRequest, SuggestAnswerResponse>(service, "SuggestAnswer")
        package static let remove = Method<RemoveGroupRequest, RemoveGroupResponse>(service, "RemoveGroup")
        package static let fill = Method<FillFormRequest, FillFormResponse>(service, "FillForm")
        package static let reset = Method<ResetFormRequest, ResetFormResponse>(service, "ResetForm")
        package static let validate = Method<ValidateFormRequest, ValidateFormResponse>(service, "ValidateForm")
        package static let save = Method<SaveFormRequest, SaveFormResponse>(service, "SaveForm")
        package static let load = Method<LoadFormRequest, LoadFormResponse>(service, "LoadForm")
        package static let complete = Method<CompleteFormRequest, CompleteFormResponse>(service, "CompleteForm")
        package static let listDrafts = Method<ListDraftsRequest, ListDraftsResponse>(service, "ListDrafts")
        package static let label = Method<LabelDraftRequest, LabelDraftResponse>(service, "LabelDraft")
        package static let discard = Method<DiscardFormRequest, DiscardFormResponse>(service, "DiscardForm")
        package static let listResponses = Method<ListResponsesRequest, ListResponsesResponse>(
            service, "ListResponses")
        package static let getResponse = Method<GetResponseRequest, GetResponseResponse>(service, "GetResponse")
        package static let withdrawResponse = Method<WithdrawResponseRequest, WithdrawResponseResponse>(
            service, "WithdrawResponse")
        package static let listParts = Method<ListPartsRequest, ListPartsResponse>(service, "ListParts")
        package static let getPart = Method<GetPartRequest, GetPartResponse>(service, "GetPart")
        package static let savePart = Method<SavePartRequest, SavePartResponse>(service, "SavePart")
        package static let labelPart = Method<LabelPartRequest, LabelPartResponse>(service, "LabelPart")
        package static let removePart = Method<RemovePartRequest, RemovePartResponse>(service, "RemovePart")
        package static let takeParts = Method<TakePartsRequest, TakePartsResponse>(service, "TakeParts")
        package static let request = Method<RequestFormRequest, RequestFormResponse>(service, "RequestForm")
        package static let upload = Method<UploadRequest, UploadResponse>(service, "Upload")
        package static let download = Method<DownloadRequest, DownloadResponse>(service, "Download")
        private static let service = "gate.v1.Questionnaires"
    }

    package enum ReleaseNotes {
        package static let show = Method<ShowReleaseNotesRequest, ShowReleaseNotesResponse>(service, "ShowReleaseNotes")
        package static let get = Method<GetReleaseNotesRequest, GetReleaseNotesResponse>(service, "GetReleaseNotes")
        package static let acknowledge = Method<AcknowledgeReleaseNotesRequest, AcknowledgeReleaseNotesResponse>(
            service, "AcknowledgeReleaseNotes")
        package static let reset = Method<ResetReleaseNotesRequest, ResetReleaseNotesResponse>(
            service, "ResetReleaseNotes")
        package static let list = Method<ListReleaseNotesRequest, ListReleaseNotesResponse>(service, "ListReleaseNotes")
        private static let service = "gate.v1.ReleaseNotes"
    }

    package enum Household {
        package static let get = Method<GetHouseholdRequest, GetHouseholdResponse>(service, "GetHousehold")
        package static let submitGuardians = Method<SubmitGuardiansRequest, SubmitGuardiansResponse>(
            service, "SubmitGuardians")
        package static let submitPolicy = Method<SubmitPolicyRequest, SubmitPolicyResponse>(service, "SubmitPolicy")
        package static let submitCommand = Method<SubmitCommandRequest, SubmitCommandResponse>(
            service, "SubmitCommand")
        package static let createDeviceKey = Method<CreateDeviceKeyRequest, CreateDeviceKeyResponse>(
            service, "CreateDeviceKey")
        package static let sendCommand = Method<SendCommandRequest, SendCommandResponse>(service, "SendCommand")
        package static let getResults = Method<GetResultsRequest, GetResultsResponse>(service, "GetResults")
        package static let collectCommands = Method<CollectCommandsRequest, CollectCommandsResponse>(
            service, "CollectCommands")
        package static let reportDevices = Method<ReportDevicesRequest, ReportDevicesResponse>(
            service, "ReportDevices")
        package static let submitResult = Method<SubmitResultRequest, SubmitResultResponse>(service, "SubmitResult")
        package static let obeyHomeAssistant = Method<ObeyHomeAssistantRequest, ObeyHomeAssistantResponse>(
            service, "ObeyHomeAssistant")
        package static let listDevices = Method<ListDevicesRequest, ListDevicesResponse>(service, "ListDevices")
        package static let collectRequests = Method<CollectRequestsRequest, CollectRequestsResponse>(
            service, "CollectRequests")
        package static let submitRequests = Method<SubmitRequestsRequest, SubmitRequestsResponse>(
            service, "SubmitRequests")
        package static let listRequests = Method<ListRequestsRequest, ListRequestsResponse>(service, "ListRequests")
        package static let answerRequest = Method<AnswerRequestRequest, AnswerRequestResponse>(
            service, "AnswerRequest")
        package static let collectReceipts = Method<CollectReceiptsRequest, CollectReceiptsResponse>(
            service, "CollectReceipts")
        package static let submitReceipt = Method<SubmitReceiptRequest, SubmitReceiptResponse>(
            service, "SubmitReceipt")
        private static let service = "gate.v1.Household"
    }

    package enum Watch {
        package static let watch = Method<WatchRequest, WatchResponse>(service, "Watch", .serverStream)
        package static let audit = Method<AuditRequest, AuditResponse>(service, "Audit", .serverStream)
        private static let service = "gate.v1.Watch"
    }

    package enum Control {
        package static let ping = Method<PingRequest, PingResponse>(service, "Ping")
        package static let cancel = Method<CancelRequest, CancelResponse>(service, "Cancel")
        package static let version = Method<GetVersionRequest, GetVersionResponse>(service, "GetVersion")
        package static let statistics = Method<GetStatisticsRequest, DaemonStatistics>(service, "GetStatistics")
        package static let reload = Method<ReloadRequest, ReloadResponse>(service, "Reload")
        package static let policy = Method<GetPolicyRequest, GetPolicyResponse>(service, "GetPolicy")
        package static let recover = Method<RecoverRequest, RecoverResponse>(service, "Recover")
        package static let describe = Method<DescribeRequest, DescribeResponse>(service, "Describe")
        package static let backup = Method<BackupRequest, BackupResponse>(service, "Backup")
        package static let restore = Method<RestoreRequest, RestoreResponse>(service, "Restore")
        private static let service = "gate.v1.Control"
    }
}
