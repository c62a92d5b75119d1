import CGateProtocol
package import GateModel

// household.proto: the policy that the household sets for all its devices

extension Methods.Household {
    package static let submitPolicy = Method<SubmitPolicyRequest, SubmitPolicyResponse>(service, "SubmitPolicy")
}

package struct SubmitPolicyRequest: MappedMessage {
    package var signedPolicy: [UInt8]

    package init(signedPolicy: [UInt8]) {
        self.signedPolicy = signedPolicy
    }

    init(reading message: Gate__V1__SubmitPolicyRequest) {
        self.init(signedPolicy: [UInt8](reading: message.signed_policy))
    }

    func write(to message: inout Gate__V1__SubmitPolicyRequest, in arena: inout MessageArena) {
        message.signed_policy = arena.bytes(signedPolicy)
    }
}

package struct SubmitPolicyResponse: MappedMessage {
    package var revision: Revision
    package var number: UInt64

    package init(revision: Revision, number: UInt64) {
        self.revision = revision
        self.number = number
    }

    init(reading message: Gate__V1__SubmitPolicyResponse) {
        self.init(revision: Revision(reading: message.revision), number: message.number)
    }

    func write(to message: inout Gate__V1__SubmitPolicyResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.number = number
    }
}
