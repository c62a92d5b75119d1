import CGateProtocol
public import GateModel

// secrets.proto

public struct GetSecretsRequest: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__GetSecretsRequest> { gate__v1__get_secrets_request__init }
    init(reading message: Gate__V1__GetSecretsRequest) {}
    func write(to message: inout Gate__V1__GetSecretsRequest, in arena: inout MessageArena) {}
}

public struct GetSecretsResponse: MappedMessage {
    /// Those that are set up.
    public var kinds: [SecretKind]

    public init(kinds: [SecretKind]) {
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

public struct SetPasscodeRequest: MappedMessage {
    /// UTF-8, 4 to 128 bytes.
    public var passcode: Secret

    public init(passcode: Secret) {
        self.passcode = passcode
    }

    static var initialise: Initialise<Gate__V1__SetPasscodeRequest> { gate__v1__set_passcode_request__init }

    init(reading message: Gate__V1__SetPasscodeRequest) {
        self.init(passcode: Secret(reading: message.passcode))
    }

    func write(to message: inout Gate__V1__SetPasscodeRequest, in arena: inout MessageArena) {
        message.passcode = arena.bytes(passcode)
    }
}

public struct SetPasscodeResponse: RevisionReply {
    public var revision: Revision

    public init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__SetPasscodeResponse> { gate__v1__set_passcode_response__init }
}

public struct EnrolTOTPRequest: MappedMessage {
    /// 20 to 64 random bytes (RFC 6238, SHA-1, 30 s, six digits).
    public var key: Secret
    /// What the authenticator shows for it now.
    public var code: Secret

    public init(key: Secret, code: Secret) {
        self.key = key
        self.code = code
    }

    static var initialise: Initialise<Gate__V1__EnrolTOTPRequest> { gate__v1__enrol_totprequest__init }

    init(reading message: Gate__V1__EnrolTOTPRequest) {
        self.init(key: Secret(reading: message.key), code: Secret(reading: message.code))
    }

    func write(to message: inout Gate__V1__EnrolTOTPRequest, in arena: inout MessageArena) {
        message.key = arena.bytes(key)
        message.code = arena.bytes(code)
    }
}

public struct EnrolTOTPResponse: RevisionReply {
    public var revision: Revision

    public init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__EnrolTOTPResponse> { gate__v1__enrol_totpresponse__init }
}

public struct RemoveSecretRequest: MappedMessage {
    public var kind: SecretKind

    public init(kind: SecretKind) {
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

public struct RemoveSecretResponse: RevisionReply {
    public var revision: Revision

    public init(revision: Revision) {
        self.revision = revision
    }

    static var initialise: Initialise<Gate__V1__RemoveSecretResponse> { gate__v1__remove_secret_response__init }
}
