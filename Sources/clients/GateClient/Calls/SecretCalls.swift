public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the passcode and the authenticator.
    public struct SecretCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.SecretCalls {
    /// The secrets that are set up.
    public func state() async throws(GateError) -> SecretsState {
        SecretsState(kinds: try await client.call(Methods.Secrets.get, GetSecretsRequest()).kinds)
    }

    /// Sets the passcode, which replaces the one before. For administrators.
    ///
    /// - Parameter passcode: UTF-8, 4 to 128 bytes.
    /// - Throws: `INVALID_ARGUMENT` where it is too short or too long.
    @discardableResult
    public func setPasscode(_ passcode: GateSecret) async throws(GateError) -> SecretChange {
        let response = try await client.call(Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode))
        return SecretChange(kind: .passcode, revision: response.revision)
    }

    /// Sets up an authenticator, which replaces the one before. For administrators.
    ///
    /// - Parameters:
    ///   - key: 20 to 64 random bytes that the caller has made and the authenticator was given.
    ///   - code: what the authenticator shows for it now.
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`) where the code is not the key's.
    @discardableResult
    public func enrolTOTP(key: GateSecret, code: GateSecret) async throws(GateError) -> SecretChange {
        let response = try await client.call(Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: key, code: code))
        return SecretChange(kind: .totp, revision: response.revision)
    }

    /// Forgets a secret. For administrators.
    @discardableResult
    public func remove(_ kind: SecretKind) async throws(GateError) -> SecretChange {
        let response = try await client.call(Methods.Secrets.remove, RemoveSecretRequest(kind: kind))
        return SecretChange(kind: kind, revision: response.revision)
    }
}

/// The secrets of the device that are set up.
public struct SecretsState: Hashable, Sendable {
    /// Their kinds.
    public var kinds: [SecretKind]

    package init(kinds: [SecretKind]) {
        self.kinds = kinds
    }
}

/// A secret that was set up or removed.
public struct SecretChange: Hashable, Sendable {
    /// The kind of secret.
    public var kind: SecretKind
    /// The revision from which on it is so.
    public var revision: Revision

    package init(kind: SecretKind, revision: Revision) {
        self.kind = kind
        self.revision = revision
    }
}
