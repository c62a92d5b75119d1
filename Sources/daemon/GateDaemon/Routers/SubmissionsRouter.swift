import GateCore
import GateModel
import GateProtocol
import GateReceipts

/// The methods of `gate.v1.Entitlements` that take receipts. Role and size are checked first, then the signature, away
/// from the event loop. Then the core decides.
struct SubmissionsRouter: ServiceRouter {
    let limits: DaemonLimits
    let verifications: Verifications

    func addMethods(to router: inout Router) {
        router.on(Methods.Entitlements.submitSignedTransaction) { request, call in
            verify(.transaction, request.signedTransaction, of: request.holder, for: call) {
                SubmitSignedTransactionResponse(revision: $0.revision)
            }
        }
        router.on(Methods.Entitlements.submitRenewalInfo) { request, call in
            verify(.renewal, request.signedRenewalInfo, of: nil, for: call) {
                SubmitRenewalInfoResponse(revision: $0.revision)
            }
        }
        router.on(Methods.Entitlements.submitServerNotification) { request, call in
            verify(.notification, request.signedPayload, of: request.holder, for: call) {
                SubmitServerNotificationResponse(revision: $0.revision)
            }
        }
        router.on(Methods.Entitlements.submitCustomerInfo) { request, call in
            if let refusal = refusal(of: request, from: call.peer) { return call.fail(refusal) }
            let response = CustomerInfoResponse(
                path: request.path, nonce: request.nonce,
                headers: request.headers.map { CustomerInfoResponse.Header(name: $0.name, value: $0.value) },
                body: request.body)
            verifications.verifyAndSubmit(for: call, as: { .entitlements(.submit($0, for: nil)) }) {
                verifiers throws(GateError) in
                let verifier = try verifiers.ofRevenueCat()
                let mayBeUnsigned = verifiers.acceptUnsigned(from: call.peer)
                return { now throws(ReceiptError) in
                    try verifier.customerInfo(response, mayBeUnsigned: mayBeUnsigned, at: now)
                }
            } answer: {
                SubmitCustomerInfoResponse(revision: $0.revision)
            }
        }
    }

    private func verify<Response>(
        _ kind: StoreReceipt.Kind, _ bytes: [UInt8], of holder: Claim.Holder?, for call: Call<Response>,
        answer: @escaping (CommittedReply) -> Response?
    ) {
        if let refusal = refusal(ofSigned: bytes, from: call.peer) { return call.fail(refusal) }
        let source = StatementSource.provider(StoreReceipt(kind, bytes: bytes))
        verifications.verifyAndSubmit(for: call, as: { .entitlements(.submit($0, for: holder, from: source)) }) {
            verifiers throws(GateError) in
            try verifiers.verification(of: kind, bytes)
        } answer: {
            answer($0)
        }
    }

    private func refusal(ofSigned data: [UInt8], from peer: Peer) -> GateError? {
        refusalToSubmit(peer) ?? refusal(of: data, limit: limits.signedDataBytes, called: "What StoreKit signed")
    }

    private func refusal(of request: SubmitCustomerInfoRequest, from peer: Peer) -> GateError? {
        refusalToSubmit(peer) ?? refusal(of: request.body, limit: limits.customerInfoBytes, called: "The body")
    }

    private func refusalToSubmit(_ peer: Peer) -> GateError? {
        peer.roles.isDisjoint(with: [.provider, .administrator]) ? .onlyProviders("say what was paid for") : nil
    }

    private func refusal(of data: [UInt8], limit: Int, called name: String) -> GateError? {
        guard data.count > limit else { return nil }
        return GateError(
            ReceiptError(.size, "\(name) has \(data.count) bytes. At most \(limit) are taken."))
    }
}
