package import CGateProtocol
package import GateModel

// secrets.proto

extension Methods {
    package enum Secrets {
        package static let get = Method<GetSecretsRequest, GetSecretsResponse>(service, "GetSecrets")
        package static let setPasscode = Method<SetPasscodeRequest, SetPasscodeResponse>(service, "SetPasscode")
        package static let enrolTOTP = Method<EnrolTOTPRequest, EnrolTOTPResponse>(service, "EnrolTOTP")
        package static let remove = Method<RemoveSecretRequest, RemoveSecretResponse>(service, "RemoveSecret")
        private static let service = "gate.v1.Secrets"
    }
}

package typealias GetSecretsRequest = EmptyMessage<Gate__V1__GetSecretsRequest>

package struct GetSecretsResponse: MappedMessage {
    package var kinds: [SecretKind]

    package init(kinds: [SecretKind]) {
        self.kinds = kinds
    }

    /// Skips kinds that this version does not know, since it can do nothing with them.
    init(reading message: Gate__V1__GetSecretsResponse) {
        self.init(
            kinds: UnsafeBufferPointer(start: message.kinds, count: message.n_kinds)
                .compactMap { SecretKind(wire: $0) })
    }

    func write(to message: inout Gate__V1__GetSecretsResponse, in arena: inout MessageArena) {
        (message.kinds, message.n_kinds) = arena.numbers(kinds.map(\.wire))
    }
}

extension SecretKind: EnumMapping {
    var wire: Gate__V1__SecretKind {
        switch self {
        case .passcode: GATE__V1__SECRET_KIND__SECRET_KIND_PASSCODE
        case .totp: GATE__V1__SECRET_KIND__SECRET_KIND_TOTP
        }
    }
}

package struct SetPasscodeRequest: MappedMessage {
    package var passcode: GateSecret

    package init(passcode: GateSecret) {
        self.passcode = passcode
    }

    init(reading message: Gate__V1__SetPasscodeRequest) {
        self.init(passcode: GateSecret(reading: message.passcode))
    }

    func write(to message: inout Gate__V1__SetPasscodeRequest, in arena: inout MessageArena) {
        message.passcode = arena.bytes(passcode)
    }
}

package typealias SetPasscodeResponse = RevisionReply<Gate__V1__SetPasscodeResponse>
extension Gate__V1__SetPasscodeResponse: CRevisionReply {}

package struct EnrolTOTPRequest: MappedMessage {
    /// 20 to 64 random bytes (RFC 6238 with SHA-1, 30 s, six digits).
    package var key: GateSecret
    package var code: GateSecret

    package init(key: GateSecret, code: GateSecret) {
        self.key = key
        self.code = code
    }

    init(reading message: Gate__V1__EnrolTOTPRequest) {
        self.init(key: GateSecret(reading: message.key), code: GateSecret(reading: message.code))
    }

    func write(to message: inout Gate__V1__EnrolTOTPRequest, in arena: inout MessageArena) {
        message.key = arena.bytes(key)
        message.code = arena.bytes(code)
    }
}

package typealias EnrolTOTPResponse = RevisionReply<Gate__V1__EnrolTOTPResponse>
extension Gate__V1__EnrolTOTPResponse: CRevisionReply {}

package struct RemoveSecretRequest: MappedMessage {
    package var kind: SecretKind

    package init(kind: SecretKind) {
        self.kind = kind
    }

    init(reading message: Gate__V1__RemoveSecretRequest) throws(GateError) {
        self.init(kind: try SecretKind(wire: message.kind, of: "gate.v1.RemoveSecretRequest.kind"))
    }

    func write(to message: inout Gate__V1__RemoveSecretRequest, in arena: inout MessageArena) {
        message.kind = kind.wire
    }
}

package typealias RemoveSecretResponse = RevisionReply<Gate__V1__RemoveSecretResponse>
extension Gate__V1__RemoveSecretResponse: CRevisionReply {}
