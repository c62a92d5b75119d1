package import CGateProtocol
package import GateModel

// household.proto: receipts of purchases on one device, for the others

extension Methods.Household {
    package static let collectReceipts = Method<CollectReceiptsRequest, CollectReceiptsResponse>(
        service, "CollectReceipts")
    package static let submitReceipt = Method<SubmitReceiptRequest, SubmitReceiptResponse>(
        service, "SubmitReceipt")
}

package typealias CollectReceiptsRequest = ChangesRequest<Gate__V1__CollectReceiptsRequest>
extension Gate__V1__CollectReceiptsRequest: CChangesRequest {}

package struct CollectReceiptsResponse: MappedMessage {
    package var receipts: OutgoingReceipts

    package init(receipts: OutgoingReceipts) {
        self.receipts = receipts
    }

    init(reading message: Gate__V1__CollectReceiptsResponse) throws(GateError) {
        self.init(
            receipts: OutgoingReceipts(
                change: message.change,
                receipts: try [OutgoingReceipt](reading: message.receipts, count: message.n_receipts)))
    }

    func write(to message: inout Gate__V1__CollectReceiptsResponse, in arena: inout MessageArena) {
        message.change = receipts.change
        (message.receipts, message.n_receipts) = arena.messages(receipts.receipts)
    }
}

package struct SubmitReceiptRequest: MappedMessage {
    package var signedReceipt: [UInt8]

    package init(signedReceipt: [UInt8]) {
        self.signedReceipt = signedReceipt
    }

    init(reading message: Gate__V1__SubmitReceiptRequest) {
        self.init(signedReceipt: [UInt8](reading: message.signed_receipt))
    }

    func write(to message: inout Gate__V1__SubmitReceiptRequest, in arena: inout MessageArena) {
        message.signed_receipt = arena.bytes(signedReceipt)
    }
}

package typealias SubmitReceiptResponse = RevisionReply<Gate__V1__SubmitReceiptResponse>
extension Gate__V1__SubmitReceiptResponse: CRevisionReply {}

// MARK: - The values

extension OutgoingReceipt: MessageMapping {
    init(reading message: Gate__V1__OutgoingReceipt) {
        self.init(number: message.number, signed: [UInt8](reading: message.signed_receipt))
    }

    func write(to message: inout Gate__V1__OutgoingReceipt, in arena: inout MessageArena) {
        message.number = number
        message.signed_receipt = arena.bytes(signed)
    }
}
