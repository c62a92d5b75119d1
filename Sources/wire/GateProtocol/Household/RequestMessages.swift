package import CGateProtocol
package import GateModel

// household.proto: questions that are answered on another device

extension Methods.Household {
    package static let collectRequests = Method<CollectRequestsRequest, CollectRequestsResponse>(
        service, "CollectRequests")
    package static let submitRequests = Method<SubmitRequestsRequest, SubmitRequestsResponse>(
        service, "SubmitRequests")
    package static let listRequests = Method<ListRequestsRequest, ListRequestsResponse>(service, "ListRequests")
    package static let answerRequest = Method<AnswerRequestRequest, AnswerRequestResponse>(
        service, "AnswerRequest")
}

package typealias CollectRequestsRequest = ChangesRequest<Gate__V1__CollectRequestsRequest>
extension Gate__V1__CollectRequestsRequest: CChangesRequest {}

package struct CollectRequestsResponse: MappedMessage {
    package var requests: OutgoingRequests

    package init(requests: OutgoingRequests) {
        self.requests = requests
    }

    init(reading message: Gate__V1__CollectRequestsResponse) throws(GateError) {
        self.init(
            requests: OutgoingRequests(
                change: message.change,
                requests: try [OutgoingRequest](reading: message.requests, count: message.n_requests)))
    }

    func write(to message: inout Gate__V1__CollectRequestsResponse, in arena: inout MessageArena) {
        message.change = requests.change
        (message.requests, message.n_requests) = arena.messages(requests.requests)
    }
}

package struct SubmitRequestsRequest: MappedMessage {
    package var requests: [ArrivedRequest]
    /// Whether questions that this request does not name are closed.
    package var isAll: Bool

    package init(requests: [ArrivedRequest], isAll: Bool) {
        self.requests = requests
        self.isAll = isAll
    }

    init(reading message: Gate__V1__SubmitRequestsRequest) throws(GateError) {
        guard message.n_requests <= ArrivedRequest.maximumCount else {
            throw .wrong(
                "gate.v1.SubmitRequestsRequest.requests",
                "has more than \(ArrivedRequest.maximumCount); send several requests")
        }
        self.init(
            requests: try [ArrivedRequest](reading: message.requests, count: message.n_requests),
            isAll: message.is_all != 0)
    }

    func write(to message: inout Gate__V1__SubmitRequestsRequest, in arena: inout MessageArena) {
        (message.requests, message.n_requests) = arena.messages(requests)
        message.is_all = isAll ? 1 : 0
    }
}

package typealias SubmitRequestsResponse = EmptyMessage<Gate__V1__SubmitRequestsResponse>

package typealias ListRequestsRequest = EmptyMessage<Gate__V1__ListRequestsRequest>

package struct ListRequestsResponse: MappedMessage {
    package var requests: [HouseholdRequest]

    package init(requests: [HouseholdRequest]) {
        self.requests = requests
    }

    init(reading message: Gate__V1__ListRequestsResponse) throws(GateError) {
        self.init(requests: try [HouseholdRequest](reading: message.requests, count: message.n_requests))
    }

    func write(to message: inout Gate__V1__ListRequestsResponse, in arena: inout MessageArena) {
        (message.requests, message.n_requests) = arena.messages(requests)
    }
}

package struct AnswerRequestRequest: MappedMessage {
    package var number: UInt64
    package var isApproved: Bool
    package var grant: Grant.Proof?

    package init(number: UInt64, isApproved: Bool, grant: Grant.Proof? = nil) {
        self.number = number
        self.isApproved = isApproved
        self.grant = grant
    }

    init(reading message: Gate__V1__AnswerRequestRequest) {
        let proof = [UInt8](reading: message.grant_proof)
        self.init(
            number: message.number, isApproved: message.is_approved != 0,
            grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
    }

    func write(to message: inout Gate__V1__AnswerRequestRequest, in arena: inout MessageArena) {
        message.number = number
        message.is_approved = isApproved ? 1 : 0
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
    }
}

package struct AnswerRequestResponse: MappedMessage {
    package var revision: Revision
    package var command: UInt64

    package init(revision: Revision, command: UInt64) {
        self.revision = revision
        self.command = command
    }

    init(reading message: Gate__V1__AnswerRequestResponse) {
        self.init(revision: Revision(reading: message.revision), command: message.command)
    }

    func write(to message: inout Gate__V1__AnswerRequestResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.command = command
    }
}

// MARK: - The values

extension OutgoingRequest: MessageMapping {
    init(reading message: Gate__V1__OutgoingRequest) throws(GateError) {
        self.init(
            number: message.number, kind: String(reading: message.kind),
            askedAt: WallTime(unixMilliseconds: message.asked_unix_milliseconds),
            left: .milliseconds(message.left_milliseconds),
            sealed: try [SealedRequest](reading: message.sealed, count: message.n_sealed),
            clear: message.asked.map {
                ClearWords(
                    purpose: Presentation.Purpose(wire: message.purpose, else: .unrecognized),
                    asked: PresentationContext(reading: $0.pointee))
            })
    }

    func write(to message: inout Gate__V1__OutgoingRequest, in arena: inout MessageArena) {
        message.number = number
        message.kind = arena.string(kind)
        message.asked_unix_milliseconds = askedAt.unixMilliseconds
        message.left_milliseconds = left.wireMilliseconds
        (message.sealed, message.n_sealed) = arena.messages(sealed)
        guard let clear else { return }
        message.purpose = clear.purpose.wire
        message.asked = arena.message(clear.asked)
    }
}

extension SealedRequest: MessageMapping {
    init(reading message: Gate__V1__SealedRequest) throws(GateError) {
        self.init(
            device: try HouseholdID(reading: message.device, of: "gate.v1.SealedRequest.device"),
            sealed: [UInt8](reading: message.sealed))
    }

    func write(to message: inout Gate__V1__SealedRequest, in arena: inout MessageArena) {
        message.device = arena.string(device.description)
        message.sealed = arena.bytes(sealed)
    }
}

extension ArrivedRequest: MessageMapping {
    init(reading message: Gate__V1__ArrivedRequest) throws(GateError) {
        self.init(
            name: RequestName(
                try HouseholdID(reading: message.device, of: "gate.v1.ArrivedRequest.device"), message.number),
            sealed: [UInt8](reading: message.sealed), left: .milliseconds(message.left_milliseconds),
            askedAt: WallTime(unixMilliseconds: message.asked_unix_milliseconds))
    }

    func write(to message: inout Gate__V1__ArrivedRequest, in arena: inout MessageArena) {
        message.device = arena.string(name.device.description)
        message.number = name.number
        message.sealed = arena.bytes(sealed)
        message.left_milliseconds = left.wireMilliseconds
        message.asked_unix_milliseconds = askedAt.unixMilliseconds
    }
}

extension HouseholdRequest: MessageMapping {
    init(reading message: Gate__V1__HouseholdRequest) throws(GateError) {
        let asked = try PresentationContext(reading: message.asked, of: "gate.v1.HouseholdRequest.asked")
        self.init(
            device: try HouseholdID(reading: message.device, of: "gate.v1.HouseholdRequest.device"),
            id: message.number, purpose: Presentation.Purpose(wire: message.purpose, else: .unrecognized),
            asked: asked, askedAt: WallTime(unixMilliseconds: message.asked_unix_milliseconds))
    }

    func write(to message: inout Gate__V1__HouseholdRequest, in arena: inout MessageArena) {
        message.number = id
        message.device = arena.string(device.description)
        message.purpose = purpose.wire
        message.asked = arena.message(asked)
        message.asked_unix_milliseconds = askedAt.unixMilliseconds
    }
}
