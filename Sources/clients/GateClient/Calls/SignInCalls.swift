public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about signing in and out. All return the state of the sign-in afterwards.
    public struct SignInCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.SignInCalls {
    /// Who is signed in, whether somebody has to sign in, and whether a password is being checked.
    public func state() async throws(GateError) -> SignInState {
        try await client.call(Methods.SignIn.get, GetSignInRequest()).state
    }

    /// Signs a person in on the whole device; `SignInForm` helps a screen with that. Cancelling the task cancels it.
    /// - Parameters:
    ///   - name: exactly as the account was registered.
    ///   - password: 1 to 128 bytes of UTF-8.
    /// - Throws: `UNAUTHENTICATED` (`wrongPassword`) for a wrong name or password, without saying which;
    ///   `RESOURCE_EXHAUSTED` (`lockedOut`); `FAILED_PRECONDITION` with `authenticating` while this user's previous
    ///   attempt is being checked, or with `signedIn` if somebody is signed in already (a grown-up takes a child's
    ///   place); `INVALID_ARGUMENT` if a field is empty; `DEADLINE_EXCEEDED` (`expired`) after 30 s.
    @discardableResult
    public func logIn(name: String, password: GateSecret) async throws(GateError) -> SignInState {
        let request = LogInRequest(name: name, password: password)
        return try await client.call(Methods.SignIn.logIn, request, timeout: client.options.hashingTimeout).state
    }

    /// Signs out the person who is signed in. If nobody is, this changes nothing.
    /// - Throws: `RESOURCE_EXHAUSTED` (`limit`) if this user has ended others' parent mode or session three times; one
    ///   more time is allowed after each hour.
    @discardableResult
    public func logOut() async throws(GateError) -> SignInState {
        try await client.call(Methods.SignIn.logOut, LogOutRequest()).state
    }
}

extension GateClientOptions {
    /// The shortest timeout of a call that checks a password: the daemon itself ends an attempt after 30 s.
    private static let shortestHashingTimeout = Duration.seconds(35)

    /// The timeout of calls whose password has to be hashed, after those of other calls; `nil`: no limit.
    var hashingTimeout: Duration? {
        callTimeout.map { max($0, Self.shortestHashingTimeout) }
    }
}
