public import GateClient
import GateCredentials
import Synchronization

extension TestingDevice {
    /// Makes an account, as an administrator does. Its password is remembered, so that `signIn` and the person know it.
    ///
    /// - Parameters:
    ///   - name: of the account.
    ///   - password: 4 to 128 bytes. It is hashed as on a real device, which takes its time.
    ///   - kind: a grown-up's, or a child's.
    /// - Throws: as `AccountCalls.register`.
    public func register(
        _ name: String, password: String = "correct horse", kind: GateAccount.Kind = .grownUp
    ) async throws(GateError) {
        let secret = GateSecret(password.utf8)
        try await asAdministrator { client throws(GateError) in
            _ = try await client.accounts.register(GateAccount(name: name, kind: kind), password: secret)
        }
        memory.value.withLock {
            $0.passwords[name] = secret
            $0.newestAccount = name
        }
    }

    /// Signs somebody in who was registered here. Somebody else who is signed in is signed out first.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) where they were not, else as `SignInCalls.logIn`.
    public func signIn(_ name: String) async throws(GateError) {
        guard let password = memory.value.withLock({ $0.passwords[name] }) else {
            throw GateError(.notFound, .unknown, "\(name) has no account: register it with the device first.")
        }
        try await asAdministrator { client throws(GateError) in
            if let session = try await client.signIn.state().session {
                guard session.name != name else { return }
                try await client.signIn.logOut()
            }
            try await client.signIn.logIn(name: name, password: password)
        }
    }

    /// Signs out the person who is signed in.
    public func signOut() async throws(GateError) {
        try await asAdministrator { client throws(GateError) in _ = try await client.signIn.logOut() }
    }

    /// Sets the passcode, so that challenges of that kind can be asked; the person knows it.
    public func setPasscode(_ passcode: String) async throws(GateError) {
        let secret = GateSecret(passcode.utf8)
        try await asAdministrator { client throws(GateError) in _ = try await client.secrets.setPasscode(secret) }
        memory.value.withLock { $0.passcode = secret }
    }

    /// Sets up an authenticator, so that challenges of that kind can be asked; the person has it in hand, and waits for its next
    /// code: the clock goes on by 30 s for each.
    public func setAuthenticator() async throws(GateError) {
        let secret = GateSecret(1...UInt8(TOTPKey.byteCounts.lowerBound))
        guard let key = try? TOTPKey(secret) else { return }
        let code = key.code(at: TOTPKey.step(at: now))
        try await asAdministrator { client throws(GateError) in
            _ = try await client.secrets.enrolTOTP(key: secret, code: code)
        }
        memory.value.withLock { $0.authenticator = key }
    }

    func asAdministrator<Result: Sendable>(
        _ body: (GateClient) async throws(GateError) -> Result
    ) async throws(GateError) -> Result {
        let client = unkeptClient(.administrator, programName: "testing")
        do throws(GateError) {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }
}
