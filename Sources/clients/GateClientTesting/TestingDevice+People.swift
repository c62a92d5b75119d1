public import GateClient
import GateCredentials
import Synchronization

extension TestingDevice {
    /// Registers a person with a password, as an administrator does. The device remembers it for `signIn`.
    ///
    /// - Parameter password: 4 to 128 bytes. It is hashed as on a real device, which takes a while.
    /// - Throws: the errors of `PeopleCalls.register`.
    public func register(
        _ name: String, password: String = "correct horse", kind: GatePerson.Kind = .grownUp
    ) async throws(GateError) {
        let secret = GateSecret(password.utf8)
        try await asAdministrator { client throws(GateError) in
            _ = try await client.people.register(GatePerson(name: name, kind: kind), password: secret)
        }
        memory.value.withLock {
            $0.passwords[name] = secret
            $0.newestAccount = name
        }
    }

    /// Puts a person on the list, as an administrator does. A Unix user "user1001" has the uid 1001, and so on.
    ///
    /// - Throws: the errors of `PeopleCalls.set`.
    public func setPerson(_ person: GatePerson) async throws(GateError) {
        try await asAdministrator { client throws(GateError) in _ = try await client.people.set(person) }
    }

    /// Signs in a person who was registered with this device. Anybody else is signed out first.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) if the person was not registered here; the errors of `SignInCalls.logIn`.
    public func signIn(_ name: String) async throws(GateError) {
        guard let password = memory.value.withLock({ $0.passwords[name] }) else {
            throw GateError(
                .notFound, .unknown, "\(name) has no password here: register the person with the device first.")
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

    /// Sets the passcode, so that challenges can ask for it. The person knows it.
    public func setPasscode(_ passcode: String) async throws(GateError) {
        let secret = GateSecret(passcode.utf8)
        try await asAdministrator { client throws(GateError) in _ = try await client.secrets.setPasscode(secret) }
        memory.value.withLock { $0.passcode = secret }
    }

    /// Sets up an authenticator, so that challenges can ask for its codes. The person has it, and waits for the next
    /// code at each challenge, which advances the clock by 30 s.
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
