package import CGateProtocol
package import GateModel

// household.proto: how much time people use on the household's devices

extension Methods.Household {
    package static let collectUsage = Method<CollectUsageRequest, CollectUsageResponse>(service, "CollectUsage")
    package static let submitUsage = Method<SubmitUsageRequest, SubmitUsageResponse>(service, "SubmitUsage")
}

package typealias CollectUsageRequest = ChangesRequest<Gate__V1__CollectUsageRequest>
extension Gate__V1__CollectUsageRequest: CChangesRequest {}

package struct CollectUsageResponse: MappedMessage {
    package var usage: OutgoingUsage

    package init(usage: OutgoingUsage) {
        self.usage = usage
    }

    init(reading message: Gate__V1__CollectUsageResponse) {
        self.init(
            usage: OutgoingUsage(change: message.change, signed: [UInt8](reading: message.signed_usage)))
    }

    func write(to message: inout Gate__V1__CollectUsageResponse, in arena: inout MessageArena) {
        message.change = usage.change
        message.signed_usage = arena.bytes(usage.signed)
    }
}

package struct SubmitUsageRequest: MappedMessage {
    package var signedUsage: [UInt8]

    package init(signedUsage: [UInt8]) {
        self.signedUsage = signedUsage
    }

    init(reading message: Gate__V1__SubmitUsageRequest) {
        self.init(signedUsage: [UInt8](reading: message.signed_usage))
    }

    func write(to message: inout Gate__V1__SubmitUsageRequest, in arena: inout MessageArena) {
        message.signed_usage = arena.bytes(signedUsage)
    }
}

package typealias SubmitUsageResponse = RevisionReply<Gate__V1__SubmitUsageResponse>
extension Gate__V1__SubmitUsageResponse: CRevisionReply {}
