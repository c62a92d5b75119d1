import CGateProtocol
package import GateModel

// household.proto: what was bought on one device, for the others

package struct CollectReceiptsRequest: MappedMessage {
    package var afterChange: UInt64

    package init(afterChange: UInt64 = 0) {
        self.afterChange = afterChange
    }

    static var initialise: Initialise<Gate__V1__CollectReceiptsRequest> { gate__v1__collect_receipts_request__init }

    init(reading message: Gate__V1__CollectReceiptsRequest) {
        self.init(afterChange: message.after_change)
    }

    func write(to message: inout Gate__V1__CollectReceiptsRequest, in arena: inout MessageArena) {
        message.after_change = afterChange
    }
}

package struct CollectReceiptsResponse: MappedMessage {
    package var receipts: OutgoingReceipts

    package init(receipts: OutgoingReceipts) {
        self.receipts = receipts
    }

    static var initialise: Initialise<Gate__V1__CollectReceiptsResponse> { gate__v1__collect_receipts_response__init }

    init(reading message: Gate__V1__CollectReceiptsResponse) throws(GateError) {
        self.init(
            receipts: OutgoingReceipts(
                change: message.change,
                receipts: try [OutgoingReceipt](reading: message.receipts, count: message.n_receipts)))
    }

    func write(to message: inout Gate__V1__CollectReceiptsResponse, in arena: inout MessageArena) {
        message.change = receipts.change
        message.n_receipts = receipts.receipts.count
        message.receipts = arena.messages(receipts.receipts)
    }
}

package struct SubmitReceiptRequest: MappedMessage {
    package var signedReceipt: [UInt8]

    package init(signedReceipt: [UInt8]) {
        self.signedReceipt = signedReceipt
    }

    static var initialise: Initialise<Gate__V1__SubmitReceiptRequest> { gate__v1__submit_receipt_request__init }

    init(reading message: Gate__V1__SubmitReceiptRequest) {
        self.init(signedReceipt: [UInt8](reading: message.signed_receipt))
    }

    func write(to message: inout Gate__V1__SubmitReceiptRequest, in arena: inout MessageArena) {
        message.signed_receipt = arena.bytes(signedReceipt)
    }
}

package struct SubmitReceiptResponse: MappedMessage {
    package var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__SubmitReceiptResponse> { gate__v1__submit_receipt_response__init }

    init(reading message: Gate__V1__SubmitReceiptResponse) {
        self.init(revision: Revision(reading: message.revision))
    }

    func write(to message: inout Gate__V1__SubmitReceiptResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
    }
}

// MARK: - The values

extension OutgoingReceipt: MessageMapping {
    static var initialise: Initialise<Gate__V1__OutgoingReceipt> { gate__v1__outgoing_receipt__init }

    init(reading message: Gate__V1__OutgoingReceipt) {
        self.init(number: message.number, signed: [UInt8](reading: message.signed_receipt))
    }

    func write(to message: inout Gate__V1__OutgoingReceipt, in arena: inout MessageArena) {
        message.number = number
        message.signed_receipt = arena.bytes(signed)
    }
}
