public import GateModel
package import GateProtocol

// Who is signed in on the device, and who can be.

extension GateClient {
    /// The state of the sign-in (F-60).
    public func signIn() async throws(GateError) -> SignInState {
        try await call(Methods.SignIn.get, GetSignInRequest()).state
    }

    /// The state of the sign-in now, then each change of it (F-62, F-71). `SignInState.closed` at once when the daemon
    /// is lost, until it is back.
    public var signIns: SignInSequence { SignInSequence(events: watch([.signIn])) }

    /// Signs somebody in, on the whole device (F-61). `SignInForm` has what a screen needs for it. Cancelling the task takes
    /// the attempt back.
    ///
    /// - Parameters:
    ///   - name: as it was registered, to the letter (F-67).
    ///   - password: UTF-8, 1 to 128 bytes.
    /// - Throws: `UNAUTHENTICATED` (`wrongPassword`) where there is no such account or the password is another one: which of
    ///   the two is not told; `RESOURCE_EXHAUSTED` (`lockedOut`) with the time to wait; `FAILED_PRECONDITION`
    ///   (`authenticating`) while somebody else's are being checked, (`signedIn`) where somebody is signed in already;
    ///   `INVALID_ARGUMENT` where a field is empty (F-66); `DEADLINE_EXCEEDED` (`expired`) after 30 s (F-70).
    @discardableResult
    public func logIn(name: String, password: Secret) async throws(GateError) -> SignInState {
        let request = LogInRequest(name: name, password: password)
        return try await call(Methods.SignIn.logIn, request, timeout: options.hashingTimeout).state
    }

    /// Signs out the person who is signed in (F-62). Where nobody is, this changes nothing.
    @discardableResult
    public func logOut() async throws(GateError) -> SignInState {
        try await call(Methods.SignIn.logOut, LogOutRequest()).state
    }

    /// Makes an account (F-48). For administrators, and for everyone in parent mode.
    ///
    /// - Parameters:
    ///   - account: its name is 1 to 64 bytes in one line, without spaces around it.
    ///   - password: UTF-8, 4 to 128 bytes.
    /// - Throws: `FAILED_PRECONDITION` (`exists`), `PERMISSION_DENIED`, `INVALID_ARGUMENT`.
    @discardableResult
    package func register(
        _ account: Account, password: Secret
    ) async throws(GateError) -> RegisterAccountResponse {
        let request = RegisterAccountRequest(account: account, password: password)
        return try await call(Methods.SignIn.register, request, timeout: options.hashingTimeout)
    }

    /// Sets another password.
    ///
    /// - Parameters:
    ///   - name: of the account.
    ///   - old: the password until now; a wrong one counts as a wrong log-in. `nil`: for administrators, and in parent mode
    ///     for the accounts of children.
    ///   - new: UTF-8, 4 to 128 bytes.
    /// - Throws: as `logIn`, and `PERMISSION_DENIED` without the old one.
    @discardableResult
    package func changePassword(
        of name: String, from old: Secret?, to new: Secret
    ) async throws(GateError) -> ChangePasswordResponse {
        let request = ChangePasswordRequest(name: name, oldPassword: old, newPassword: new)
        return try await call(Methods.SignIn.changePassword, request, timeout: options.hashingTimeout)
    }

    /// All accounts, by name. For administrators, and for everyone in parent mode.
    public func accounts() async throws(GateError) -> [Account] {
        try await allPages { token throws(GateError) in
            let response = try await call(Methods.SignIn.listAccounts, ListAccountsRequest(pageToken: token))
            return (response.accounts, response.nextPageToken)
        }
    }

    /// Removes an account, with its claims; anyone who is signed in with it is signed out. For administrators, and in
    /// parent mode for the accounts of children.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`), `PERMISSION_DENIED`.
    @discardableResult
    package func removeAccount(_ name: String) async throws(GateError) -> RemoveAccountResponse {
        try await call(Methods.SignIn.removeAccount, RemoveAccountRequest(name: name))
    }

    /// Confirms an account that was made in parent mode, or got its password there, so that its age counts. For
    /// administrators.
    ///
    /// It gets another password, since nobody can say who set the old one. Anyone who is signed in with it is signed out.
    ///
    /// - Parameters:
    ///   - account: as it was read.
    ///   - newPassword: UTF-8, 4 to 128 bytes.
    /// - Throws: `NOT_FOUND` (`unknown`), `PERMISSION_DENIED`, `INVALID_ARGUMENT`, `ABORTED` (`changedMeanwhile`) where it is
    ///   another account by now.
    @discardableResult
    package func confirmAccount(
        _ account: Account, newPassword: Secret
    ) async throws(GateError) -> ConfirmAccountResponse {
        try await call(
            Methods.SignIn.confirmAccount, ConfirmAccountRequest(account: account, newPassword: newPassword),
            timeout: options.hashingTimeout)
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
