public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the passcode and the authenticator.
    public struct SecretCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.SecretCalls {
    /// The kinds of secrets that are set up.
    public func kinds() async throws(GateError) -> [SecretKind] {
        try await client.call(Methods.Secrets.get, GetSecretsRequest()).kinds
    }

    /// Sets the passcode, which replaces the one before. For administrators.
    ///
    /// - Parameter passcode: UTF-8, 4 to 128 bytes.
    /// - Returns: the revision at which it counts.
    /// - Throws: `INVALID_ARGUMENT` where it is too short or too long.
    @discardableResult
    public func setPasscode(_ passcode: GateSecret) async throws(GateError) -> Revision {
        try await client.call(Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode)).revision
    }

    /// Sets up an authenticator, which replaces the one before. For administrators.
    ///
    /// - Parameters:
    ///   - key: 20 to 64 random bytes that the caller has made and the authenticator was given.
    ///   - code: what the authenticator shows for it now.
    /// - Returns: the revision at which it counts.
    /// - Throws: `FAILED_PRECONDITION` (`wrongAnswer`) where the code is not the key's.
    @discardableResult
    public func enrolTOTP(key: GateSecret, code: GateSecret) async throws(GateError) -> Revision {
        try await client.call(Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: key, code: code)).revision
    }

    /// Forgets a secret. For administrators.
    ///
    /// - Returns: the revision from which on it is forgotten.
    @discardableResult
    public func remove(_ kind: SecretKind) async throws(GateError) -> Revision {
        try await client.call(Methods.Secrets.remove, RemoveSecretRequest(kind: kind)).revision
    }
}
