public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the passcode and the authenticator.
    public struct SecretCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.SecretCalls {
    /// Which secrets are set up.
    public func state() async throws(GateError) -> SecretsState {
        SecretsState(kinds: try await client.call(Methods.Secrets.get, GetSecretsRequest()).kinds)
    }

    /// Sets the passcode; this replaces the previous one. For administrators.
    /// - Throws: `INVALID_ARGUMENT` unless the passcode has 4 to 128 bytes of UTF-8.
    @discardableResult
    public func setPasscode(_ passcode: GateSecret) async throws(GateError) -> SecretChange {
        let response = try await client.call(Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode))
        return SecretChange(kind: .passcode, revision: response.revision)
    }

    /// Sets up an authenticator; this replaces the previous one. For administrators.
    /// - Parameters:
    ///   - key: 20 to 64 random bytes that the caller has created and stored in the authenticator.
    ///   - code: the code that the authenticator shows for this key now.
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`) if the code does not belong to the key.
    @discardableResult
    public func enrolTOTP(key: GateSecret, code: GateSecret) async throws(GateError) -> SecretChange {
        let response = try await client.call(Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: key, code: code))
        return SecretChange(kind: .totp, revision: response.revision)
    }

    /// Removes a secret. For administrators.
    /// - Throws: `FAILED_PRECONDITION` (`notSetUp`) if it is not set up.
    @discardableResult
    public func remove(_ kind: SecretKind) async throws(GateError) -> SecretChange {
        let response = try await client.call(Methods.Secrets.remove, RemoveSecretRequest(kind: kind))
        return SecretChange(kind: kind, revision: response.revision)
    }
}

/// Which secrets of the device are set up.
public struct SecretsState: Hashable, Sendable {
    /// The kinds of the secrets that are set up.
    public var kinds: [SecretKind]

    package init(kinds: [SecretKind]) {
        self.kinds = kinds
    }
}

/// A secret that was set up or removed.
public struct SecretChange: Hashable, Sendable {
    /// The kind of secret.
    public var kind: SecretKind
    /// The revision from which on the change holds.
    public var revision: Revision

    package init(kind: SecretKind, revision: Revision) {
        self.kind = kind
        self.revision = revision
    }
}
