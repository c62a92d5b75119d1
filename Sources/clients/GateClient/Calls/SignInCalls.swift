public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the person who is signed in.
    public struct SignInCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.SignInCalls {
    /// The state of the sign-in (F-60).
    public func state() async throws(GateError) -> SignInState {
        try await client.call(Methods.SignIn.get, GetSignInRequest()).state
    }

    /// Signs somebody in, on the whole device (F-61). `SignInForm` has what a screen needs for it. Cancelling the task takes
    /// the attempt back.
    ///
    /// - Parameters:
    ///   - name: as it was registered, to the letter (F-67).
    ///   - password: UTF-8, 1 to 128 bytes.
    /// - Returns: the state of the sign-in afterwards.
    /// - Throws: `UNAUTHENTICATED` (`wrongPassword`) where there is no such account or the password is another one: which of
    ///   the two is not told; `RESOURCE_EXHAUSTED` (`lockedOut`) with the time to wait; `FAILED_PRECONDITION`
    ///   (`authenticating`) while somebody else's are being checked, (`signedIn`) where somebody is signed in already;
    ///   `INVALID_ARGUMENT` where a field is empty (F-66); `DEADLINE_EXCEEDED` (`expired`) after 30 s (F-70).
    @discardableResult
    public func logIn(name: String, password: GateSecret) async throws(GateError) -> SignInState {
        let request = LogInRequest(name: name, password: password)
        return try await client.call(Methods.SignIn.logIn, request, timeout: client.options.hashingTimeout).state
    }

    /// Signs out the person who is signed in (F-62). Where nobody is, this changes nothing.
    ///
    /// - Returns: the state of the sign-in afterwards.
    @discardableResult
    public func logOut() async throws(GateError) -> SignInState {
        try await client.call(Methods.SignIn.logOut, LogOutRequest()).state
    }
}

extension GateClientOptions {
    /// How long the daemon may take to check a password. It gives an attempt 30 s (F-70), and says so when they are over.
    private static let shortestHashingTimeout = Duration.seconds(35)

    /// For calls that wait for a password to be hashed, behind those of others; `nil`: as long as it takes.
    var hashingTimeout: Duration? {
        callTimeout.map { max($0, Self.shortestHashingTimeout) }
    }
}
