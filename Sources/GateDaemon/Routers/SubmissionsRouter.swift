import GateCore
import GateModel
import GateProtocol
import GateReceipts

/// The methods of `gate.v1.Entitlements` that take what providers signed (G-07): permission and size first, then the
/// signature, away from the event loop, then the core.
extension Router {
    mutating func addSubmissions() {
        on(Methods.Entitlements.submitSignedTransaction) { authority, request, call in
            let jws = request.signedTransaction
            if let refusal = authority.refusal(ofSigned: jws, from: call.peer) { return call.fail(refusal) }
            authority.verifyAndSubmit(for: call, holder: request.holder) { verifiers throws(GateError) in
                let verifier = try verifiers.ofStoreKit()
                return { now throws(ReceiptError) in try await verifier.transaction(jws, at: now) }
            } answer: {
                SubmitSignedTransactionResponse(revision: $0.revision)
            }
        }
        on(Methods.Entitlements.submitRenewalInfo) { authority, request, call in
            let jws = request.signedRenewalInfo
            if let refusal = authority.refusal(ofSigned: jws, from: call.peer) { return call.fail(refusal) }
            authority.verifyAndSubmit(for: call, holder: nil) { verifiers throws(GateError) in
                let verifier = try verifiers.ofStoreKit()
                return { now throws(ReceiptError) in try await verifier.renewalInfo(jws, at: now) }
            } answer: {
                SubmitRenewalInfoResponse(revision: $0.revision)
            }
        }
        on(Methods.Entitlements.submitServerNotification) { authority, request, call in
            let payload = request.signedPayload
            if let refusal = authority.refusal(ofSigned: payload, from: call.peer) { return call.fail(refusal) }
            authority.verifyAndSubmit(for: call, holder: request.holder) { verifiers throws(GateError) in
                let verifier = try verifiers.ofStoreKit()
                return { now throws(ReceiptError) in try await verifier.notification(payload, at: now) }
            } answer: {
                SubmitServerNotificationResponse(revision: $0.revision)
            }
        }
        on(Methods.Entitlements.submitCustomerInfo) { authority, request, call in
            if let refusal = authority.refusal(of: request, from: call.peer) { return call.fail(refusal) }
            let response = CustomerInfoResponse(
                path: request.path, nonce: request.nonce,
                headers: request.headers.map { CustomerInfoResponse.Header(name: $0.name, value: $0.value) },
                body: request.body)
            authority.verifyAndSubmit(for: call, holder: nil) { verifiers throws(GateError) in
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
}

extension Authority {
    /// Why what StoreKit signed is not even looked at; nil: it is.
    fileprivate func refusal(ofSigned data: [UInt8], from peer: Peer) -> GateError? {
        refusalToSubmit(peer) ?? refusal(of: data, limit: limits.signedDataBytes, called: "What StoreKit signed")
    }

    fileprivate func refusal(of request: SubmitCustomerInfoRequest, from peer: Peer) -> GateError? {
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
