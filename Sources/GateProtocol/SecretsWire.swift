import CGateProtocol
package import GateModel

// secrets.proto

package struct GetSecretsRequest: MappedMessage {
    package init() {}

    static var initialise: Initialise<Gate__V1__GetSecretsRequest> { gate__v1__get_secrets_request__init }
    init(reading message: Gate__V1__GetSecretsRequest) {}
    func write(to message: inout Gate__V1__GetSecretsRequest, in arena: inout MessageArena) {}
}

package struct GetSecretsResponse: MappedMessage {
    /// Those that are set up.
    package var kinds: [SecretKind]

    package init(kinds: [SecretKind]) {
        self.kinds = kinds
    }

    static var initialise: Initialise<Gate__V1__GetSecretsResponse> { gate__v1__get_secrets_response__init }

    /// Without the kinds that this version does not know: it can do nothing with them.
    init(reading message: Gate__V1__GetSecretsResponse) {
        self.init(
            kinds: UnsafeBufferPointer(start: message.kinds, count: message.n_kinds)
                .compactMap { SecretKind(wire: $0) })
    }

    func write(to message: inout Gate__V1__GetSecretsResponse, in arena: inout MessageArena) {
        message.n_kinds = kinds.count
        message.kinds = arena.numbers(kinds.map(\.wire))
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
    /// UTF-8, 4 to 128 bytes.
    package var passcode: GateSecret

    package init(passcode: GateSecret) {
        self.passcode = passcode
    }

    static var initialise: Initialise<Gate__V1__SetPasscodeRequest> { gate__v1__set_passcode_request__init }

    init(reading message: Gate__V1__SetPasscodeRequest) {
        self.init(passcode: GateSecret(reading: message.passcode))
    }

    func write(to message: inout Gate__V1__SetPasscodeRequest, in arena: inout MessageArena) {
        message.passcode = arena.bytes(passcode)
    }
}

package struct SetPasscodeResponse: RevisionReply {
    package var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__SetPasscodeResponse> { gate__v1__set_passcode_response__init }
}

package struct EnrolTOTPRequest: MappedMessage {
    /// 20 to 64 random bytes (RFC 6238, SHA-1, 30 s, six digits).
    package var key: GateSecret
    /// The code that the authenticator shows for it now.
    package var code: GateSecret

    package init(key: GateSecret, code: GateSecret) {
        self.key = key
        self.code = code
    }

    static var initialise: Initialise<Gate__V1__EnrolTOTPRequest> { gate__v1__enrol_totprequest__init }

    init(reading message: Gate__V1__EnrolTOTPRequest) {
        self.init(key: GateSecret(reading: message.key), code: GateSecret(reading: message.code))
    }

    func write(to message: inout Gate__V1__EnrolTOTPRequest, in arena: inout MessageArena) {
        message.key = arena.bytes(key)
        message.code = arena.bytes(code)
    }
}

package struct EnrolTOTPResponse: RevisionReply {
    package var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__EnrolTOTPResponse> { gate__v1__enrol_totpresponse__init }
}

package struct RemoveSecretRequest: MappedMessage {
    package var kind: SecretKind

    package init(kind: SecretKind) {
        self.kind = kind
    }

    static var initialise: Initialise<Gate__V1__RemoveSecretRequest> { gate__v1__remove_secret_request__init }

    init(reading message: Gate__V1__RemoveSecretRequest) throws(GateError) {
        self.init(kind: try SecretKind(wire: message.kind, of: "gate.v1.RemoveSecretRequest.kind"))
    }

    func write(to message: inout Gate__V1__RemoveSecretRequest, in arena: inout MessageArena) {
        message.kind = kind.wire
    }
}

package struct RemoveSecretResponse: RevisionReply {
    package var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__RemoveSecretResponse> { gate__v1__remove_secret_response__init }
}
