import CGateProtocol
import GateModel

/// An answer that says in which revision it was done, and nothing more. Many are just that.
protocol RevisionReply: MappedMessage where CMessage: CRevisionReply {
    var revision: Revision { get }

    init(revision: Revision)
}

extension RevisionReply {
    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
    }
}

/// The generated struct of a `RevisionReply`.
protocol CRevisionReply {
    var revision: UnsafeMutablePointer<Gate__V1__Revision>! { get set }
}

extension Gate__V1__SetPasscodeResponse: CRevisionReply {}
extension Gate__V1__EnrolTOTPResponse: CRevisionReply {}
extension Gate__V1__RemoveSecretResponse: CRevisionReply {}
extension Gate__V1__WithdrawResponse: CRevisionReply {}
extension Gate__V1__RegisterAccountResponse: CRevisionReply {}
extension Gate__V1__ChangePasswordResponse: CRevisionReply {}
extension Gate__V1__RemoveAccountResponse: CRevisionReply {}
extension Gate__V1__ConfirmAccountResponse: CRevisionReply {}
extension Gate__V1__RevokeClaimResponse: CRevisionReply {}
extension Gate__V1__SubmitSignedTransactionResponse: CRevisionReply {}
extension Gate__V1__SubmitRenewalInfoResponse: CRevisionReply {}
extension Gate__V1__SubmitServerNotificationResponse: CRevisionReply {}
extension Gate__V1__SubmitCustomerInfoResponse: CRevisionReply {}
extension Gate__V1__ReportProviderResponse: CRevisionReply {}
extension Gate__V1__ReportOffersResponse: CRevisionReply {}
extension Gate__V1__SubmitGuardiansResponse: CRevisionReply {}
extension Gate__V1__DiscardFormResponse: CRevisionReply {}
extension Gate__V1__LabelDraftResponse: CRevisionReply {}
extension Gate__V1__WithdrawResponseResponse: CRevisionReply {}
extension Gate__V1__LabelPartResponse: CRevisionReply {}
extension Gate__V1__RemovePartResponse: CRevisionReply {}
extension Gate__V1__AcknowledgeReleaseNotesResponse: CRevisionReply {}
