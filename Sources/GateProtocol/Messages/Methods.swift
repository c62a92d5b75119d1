/// A method of `gate.v1`, with the types of its messages.
public struct Method<Request: WireMessage, Response: WireMessage>: Sendable {
    public enum Kind: Hashable, Sendable {
        case unary
        case serverStream
    }

    /// In full, like "gate.v1.Mode".
    public let service: String
    public let name: String
    public let kind: Kind

    init(_ service: String, _ name: String, _ kind: Kind = .unary) {
        self.service = service
        self.name = name
        self.kind = kind
    }
}

/// Every method of the .proto files. A test holds them against `ServiceCatalog`.
public enum Methods {
    public enum Mode {
        public static let get = Method<GetModeRequest, GetModeResponse>(service, "GetMode")
        public static let toggle = Method<ToggleRequest, ToggleResponse>(service, "Toggle")
        public static let cancel = Method<CancelVerifyingRequest, CancelVerifyingResponse>(service, "CancelVerifying")
        public static let lock = Method<LockRequest, LockResponse>(service, "Lock")
        public static let extend = Method<ExtendRequest, ExtendResponse>(service, "Extend")
        public static let override = Method<OverrideModeRequest, OverrideModeResponse>(service, "OverrideMode")
        private static let service = "gate.v1.Mode"
    }

    public enum Authorization {
        public static let check = Method<CheckRequest, CheckResponse>(service, "Check")
        public static let authorize = Method<AuthorizeRequest, AuthorizeResponse>(service, "Authorize")
        public static let redeem = Method<RedeemRequest, RedeemResponse>(service, "Redeem")
        public static let listGrants = Method<ListGrantsRequest, ListGrantsResponse>(service, "ListGrants")
        public static let revoke = Method<RevokeRequest, RevokeResponse>(service, "Revoke")
        public static let listGatedActions = Method<ListGatedActionsRequest, ListGatedActionsResponse>(
            service, "ListGatedActions")
        public static let getGatedAction = Method<GetGatedActionRequest, GetGatedActionResponse>(
            service, "GetGatedAction")
        public static let listLockouts = Method<ListLockoutsRequest, ListLockoutsResponse>(service, "ListLockouts")
        public static let clearLockout = Method<ClearLockoutRequest, ClearLockoutResponse>(service, "ClearLockout")
        private static let service = "gate.v1.Authorization"
    }

    public enum Secrets {
        public static let get = Method<GetSecretsRequest, GetSecretsResponse>(service, "GetSecrets")
        public static let setPasscode = Method<SetPasscodeRequest, SetPasscodeResponse>(service, "SetPasscode")
        public static let enrolTOTP = Method<EnrolTOTPRequest, EnrolTOTPResponse>(service, "EnrolTOTP")
        public static let remove = Method<RemoveSecretRequest, RemoveSecretResponse>(service, "RemoveSecret")
        private static let service = "gate.v1.Secrets"
    }

    public enum Presentations {
        public static let register = Method<RegisterPresenterRequest, RegisterPresenterResponse>(
            service, "RegisterPresenter", .serverStream)
        public static let claim = Method<ClaimRequest, ClaimResponse>(service, "Claim")
        public static let report = Method<ReportRequest, ReportResponse>(service, "Report")
        public static let complete = Method<CompleteRequest, CompleteResponse>(service, "Complete")
        public static let dismiss = Method<DismissRequest, DismissResponse>(service, "Dismiss")
        /// `Await`, which is a keyword of Swift.
        public static let awaitClosing = Method<AwaitClosingRequest, AwaitClosingResponse>(service, "AwaitClosing")
        public static let withdraw = Method<WithdrawRequest, WithdrawResponse>(service, "Withdraw")
        public static let list = Method<ListPresentationsRequest, ListPresentationsResponse>(
            service, "ListPresentations")
        private static let service = "gate.v1.Presentations"
    }

    public enum SignIn {
        public static let get = Method<GetSignInRequest, GetSignInResponse>(service, "GetSignIn")
        public static let logIn = Method<LogInRequest, LogInResponse>(service, "LogIn")
        public static let logOut = Method<LogOutRequest, LogOutResponse>(service, "LogOut")
        public static let register = Method<RegisterAccountRequest, RegisterAccountResponse>(service, "RegisterAccount")
        public static let changePassword = Method<ChangePasswordRequest, ChangePasswordResponse>(
            service, "ChangePassword")
        public static let listAccounts = Method<ListAccountsRequest, ListAccountsResponse>(service, "ListAccounts")
        public static let removeAccount = Method<RemoveAccountRequest, RemoveAccountResponse>(service, "RemoveAccount")
        public static let confirmAccount = Method<ConfirmAccountRequest, ConfirmAccountResponse>(
            service, "ConfirmAccount")
        private static let service = "gate.v1.SignIn"
    }

    public enum Entitlements {
        public static let get = Method<GetEntitlementsRequest, GetEntitlementsResponse>(service, "GetEntitlements")
        public static let listClaims = Method<ListClaimsRequest, ListClaimsResponse>(service, "ListClaims")
        public static let addClaim = Method<AddClaimRequest, AddClaimResponse>(service, "AddClaim")
        public static let revokeClaim = Method<RevokeClaimRequest, RevokeClaimResponse>(service, "RevokeClaim")
        public static let submitSignedTransaction = Method<
            SubmitSignedTransactionRequest, SubmitSignedTransactionResponse
        >(service, "SubmitSignedTransaction")
        public static let submitRenewalInfo = Method<SubmitRenewalInfoRequest, SubmitRenewalInfoResponse>(
            service, "SubmitRenewalInfo")
        public static let submitServerNotification = Method<
            SubmitServerNotificationRequest, SubmitServerNotificationResponse
        >(service, "SubmitServerNotification")
        public static let submitCustomerInfo = Method<SubmitCustomerInfoRequest, SubmitCustomerInfoResponse>(
            service, "SubmitCustomerInfo")
        public static let reportProvider = Method<ReportProviderRequest, ReportProviderResponse>(
            service, "ReportProvider")
        public static let requestPaywall = Method<RequestPaywallRequest, RequestPaywallResponse>(
            service, "RequestPaywall")
        public static let requirePremium = Method<RequirePremiumRequest, RequirePremiumResponse>(
            service, "RequirePremium")
        private static let service = "gate.v1.Entitlements"
    }

    public enum Questionnaires {
        public static let list = Method<ListQuestionnairesRequest, ListQuestionnairesResponse>(
            service, "ListQuestionnaires")
        public static let get = Method<GetQuestionnaireRequest, GetQuestionnaireResponse>(service, "GetQuestionnaire")
        public static let open = Method<OpenFormRequest, OpenFormResponse>(service, "OpenForm")
        public static let read = Method<ReadFormRequest, ReadFormResponse>(service, "ReadForm")
        public static let set = Method<SetAnswerRequest, SetAnswerResponse>(service, "SetAnswer")
        public static let suggest = Method<SuggestAnswerRequest, SuggestAnswerResponse>(service, "SuggestAnswer")
        public static let remove = Method<RemoveGroupRequest, RemoveGroupResponse>(service, "RemoveGroup")
        public static let fill = Method<FillFormRequest, FillFormResponse>(service, "FillForm")
        public static let reset = Method<ResetFormRequest, ResetFormResponse>(service, "ResetForm")
        public static let validate = Method<ValidateFormRequest, ValidateFormResponse>(service, "ValidateForm")
        public static let save = Method<SaveFormRequest, SaveFormResponse>(service, "SaveForm")
        public static let load = Method<LoadFormRequest, LoadFormResponse>(service, "LoadForm")
        public static let complete = Method<CompleteFormRequest, CompleteFormResponse>(service, "CompleteForm")
        public static let discard = Method<DiscardFormRequest, DiscardFormResponse>(service, "DiscardForm")
        public static let listResponses = Method<ListResponsesRequest, ListResponsesResponse>(
            service, "ListResponses")
        public static let getResponse = Method<GetResponseRequest, GetResponseResponse>(service, "GetResponse")
        public static let withdrawResponse = Method<WithdrawResponseRequest, WithdrawResponseResponse>(
            service, "WithdrawResponse")
        public static let request = Method<RequestFormRequest, RequestFormResponse>(service, "RequestForm")
        public static let upload = Method<UploadRequest, UploadResponse>(service, "Upload")
        public static let download = Method<DownloadRequest, DownloadResponse>(service, "Download")
        private static let service = "gate.v1.Questionnaires"
    }

    public enum ReleaseNotes {
        public static let show = Method<ShowReleaseNotesRequest, ShowReleaseNotesResponse>(service, "ShowReleaseNotes")
        public static let get = Method<GetReleaseNotesRequest, GetReleaseNotesResponse>(service, "GetReleaseNotes")
        public static let acknowledge = Method<AcknowledgeReleaseNotesRequest, AcknowledgeReleaseNotesResponse>(
            service, "AcknowledgeReleaseNotes")
        public static let reset = Method<ResetReleaseNotesRequest, ResetReleaseNotesResponse>(
            service, "ResetReleaseNotes")
        public static let list = Method<ListReleaseNotesRequest, ListReleaseNotesResponse>(service, "ListReleaseNotes")
        private static let service = "gate.v1.ReleaseNotes"
    }

    public enum Watch {
        public static let watch = Method<WatchRequest, WatchResponse>(service, "Watch", .serverStream)
        public static let audit = Method<AuditRequest, AuditResponse>(service, "Audit", .serverStream)
        private static let service = "gate.v1.Watch"
    }

    public enum Control {
        public static let ping = Method<PingRequest, PingResponse>(service, "Ping")
        public static let cancel = Method<CancelRequest, CancelResponse>(service, "Cancel")
        public static let version = Method<VersionRequest, VersionResponse>(service, "Version")
        public static let statistics = Method<StatisticsRequest, StatisticsResponse>(service, "Statistics")
        public static let reload = Method<ReloadRequest, ReloadResponse>(service, "Reload")
        public static let policy = Method<PolicyRequest, PolicyResponse>(service, "Policy")
        public static let recover = Method<RecoverRequest, RecoverResponse>(service, "Recover")
        public static let describe = Method<DescribeRequest, DescribeResponse>(service, "Describe")
        public static let backup = Method<BackupRequest, BackupResponse>(service, "Backup")
        public static let restore = Method<RestoreRequest, RestoreResponse>(service, "Restore")
        private static let service = "gate.v1.Control"
    }
}
