package import CGateProtocol
package import GateModel

// entitlements.proto: data that providers signed or answered. It travels unchanged; the daemon's handlers verify it.

extension Methods.Entitlements {
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
}

package struct SubmitSignedTransactionRequest: MappedMessage {
    package var signedTransaction: [UInt8]
    /// `nil`: the holder of the existing claim; if there is none, the account that is signed in; otherwise the device.
    package var holder: Claim.Holder?

    package init(signedTransaction: [UInt8], holder: Claim.Holder?) {
        self.signedTransaction = signedTransaction
        self.holder = holder
    }

    init(reading message: Gate__V1__SubmitSignedTransactionRequest) throws(GateError) {
        self.init(
            signedTransaction: [UInt8](reading: message.signed_transaction),
            holder: try Claim.Holder(optional: message.holder))
    }

    func write(to message: inout Gate__V1__SubmitSignedTransactionRequest, in arena: inout MessageArena) {
        message.signed_transaction = arena.bytes(signedTransaction)
        message.holder = arena.message(optional: holder)
    }
}

package typealias SubmitSignedTransactionResponse = RevisionReply<Gate__V1__SubmitSignedTransactionResponse>
extension Gate__V1__SubmitSignedTransactionResponse: CRevisionReply {}

package struct SubmitRenewalInfoRequest: MappedMessage {
    package var signedRenewalInfo: [UInt8]

    package init(signedRenewalInfo: [UInt8]) {
        self.signedRenewalInfo = signedRenewalInfo
    }

    init(reading message: Gate__V1__SubmitRenewalInfoRequest) {
        self.init(signedRenewalInfo: [UInt8](reading: message.signed_renewal_info))
    }

    func write(to message: inout Gate__V1__SubmitRenewalInfoRequest, in arena: inout MessageArena) {
        message.signed_renewal_info = arena.bytes(signedRenewalInfo)
    }
}

package typealias SubmitRenewalInfoResponse = RevisionReply<Gate__V1__SubmitRenewalInfoResponse>
extension Gate__V1__SubmitRenewalInfoResponse: CRevisionReply {}

package struct SubmitServerNotificationRequest: MappedMessage {
    package var signedPayload: [UInt8]
    package var holder: Claim.Holder?

    package init(signedPayload: [UInt8], holder: Claim.Holder?) {
        self.signedPayload = signedPayload
        self.holder = holder
    }

    init(reading message: Gate__V1__SubmitServerNotificationRequest) throws(GateError) {
        self.init(
            signedPayload: [UInt8](reading: message.signed_payload), holder: try Claim.Holder(optional: message.holder))
    }

    func write(to message: inout Gate__V1__SubmitServerNotificationRequest, in arena: inout MessageArena) {
        message.signed_payload = arena.bytes(signedPayload)
        message.holder = arena.message(optional: holder)
    }
}

package typealias SubmitServerNotificationResponse = RevisionReply<Gate__V1__SubmitServerNotificationResponse>
extension Gate__V1__SubmitServerNotificationResponse: CRevisionReply {}

package struct SubmitCustomerInfoRequest: MappedMessage {
    package var path: String
    /// The nonce of the HTTP request; empty if none was sent.
    package var nonce: [UInt8]
    package var headers: [ProviderHTTPHeader]
    package var body: [UInt8]

    package init(path: String, nonce: [UInt8], headers: [ProviderHTTPHeader], body: [UInt8]) {
        self.path = path
        self.nonce = nonce
        self.headers = headers
        self.body = body
    }

    init(reading message: Gate__V1__SubmitCustomerInfoRequest) throws(GateError) {
        self.init(
            path: String(reading: message.path), nonce: [UInt8](reading: message.nonce),
            headers: try [ProviderHTTPHeader](reading: message.headers, count: message.n_headers),
            body: [UInt8](reading: message.body))
    }

    func write(to message: inout Gate__V1__SubmitCustomerInfoRequest, in arena: inout MessageArena) {
        message.path = arena.string(path)
        message.nonce = arena.bytes(nonce)
        (message.headers, message.n_headers) = arena.messages(headers)
        message.body = arena.bytes(body)
    }
}

extension ProviderHTTPHeader: MessageMapping {
    init(reading message: Gate__V1__HTTPHeader) {
        self.init(name: String(reading: message.name), value: String(reading: message.value))
    }

    func write(to message: inout Gate__V1__HTTPHeader, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.value = arena.string(value)
    }
}

package typealias SubmitCustomerInfoResponse = RevisionReply<Gate__V1__SubmitCustomerInfoResponse>
extension Gate__V1__SubmitCustomerInfoResponse: CRevisionReply {}
