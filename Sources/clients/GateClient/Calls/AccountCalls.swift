public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the accounts of people.
    public struct AccountCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.AccountCalls {
    /// All accounts, by name. For administrators, and for everyone in parent mode.
    public func list() async throws(GateError) -> [GateAccount] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(Methods.SignIn.listAccounts, ListAccountsRequest(pageToken: token))
        }
    }

    /// Makes an account (F-48). For administrators, and for everyone in parent mode.
    ///
    /// - Parameters:
    ///   - account: its name is 1 to 64 bytes in one line, without spaces around it.
    ///   - password: UTF-8, 4 to 128 bytes.
    /// - Throws: `FAILED_PRECONDITION` (`exists`), `INVALID_ARGUMENT`.
    @discardableResult
    public func register(_ account: GateAccount, password: GateSecret) async throws(GateError) -> AccountChange {
        let request = RegisterAccountRequest(account: account, password: password)
        let response = try await client.call(
            Methods.SignIn.register, request, timeout: client.options.hashingTimeout)
        return AccountChange(name: account.name, revision: response.revision)
    }

    /// Sets another password.
    ///
    /// - Parameters:
    ///   - name: of the account.
    ///   - old: the password until now; a wrong one counts as a wrong log-in. `nil`: for administrators, and in parent mode
    ///     for the accounts of children.
    ///   - new: UTF-8, 4 to 128 bytes.
    /// - Throws: as `SignInCalls.logIn`, and `PERMISSION_DENIED` without the old one.
    @discardableResult
    public func changePassword(
        of name: String, from old: GateSecret?, to new: GateSecret
    ) async throws(GateError) -> AccountChange {
        let request = ChangePasswordRequest(name: name, oldPassword: old, newPassword: new)
        let response = try await client.call(
            Methods.SignIn.changePassword, request, timeout: client.options.hashingTimeout)
        return AccountChange(name: name, revision: response.revision)
    }

    /// Removes an account, with its claims; anyone who is signed in with it is signed out. For administrators, and in
    /// parent mode for the accounts of children.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    public func remove(_ name: String) async throws(GateError) -> AccountChange {
        let response = try await client.call(Methods.SignIn.removeAccount, RemoveAccountRequest(name: name))
        return AccountChange(name: name, revision: response.revision)
    }

    /// Confirms an account that was made in parent mode, or got its password there, so that its age counts. For
    /// administrators.
    ///
    /// It gets another password, since nobody can say who set the old one. Anyone who is signed in with it is signed out.
    ///
    /// - Parameters:
    ///   - account: as it was read.
    ///   - newPassword: UTF-8, 4 to 128 bytes.
    /// - Throws: `NOT_FOUND` (`unknown`), `INVALID_ARGUMENT`, `ABORTED` (`changedMeanwhile`) where it is another account by now.
    @discardableResult
    public func confirm(_ account: GateAccount, newPassword: GateSecret) async throws(GateError) -> AccountChange {
        let request = ConfirmAccountRequest(account: account, newPassword: newPassword)
        let response = try await client.call(
            Methods.SignIn.confirmAccount, request, timeout: client.options.hashingTimeout)
        return AccountChange(name: account.name, revision: response.revision)
    }
}

/// An account that was made, changed or removed.
public struct AccountChange: Hashable, Sendable {
    /// The name of the account.
    public var name: String
    /// The revision from which on it is so.
    public var revision: Revision

    package init(name: String, revision: Revision) {
        self.name = name
        self.revision = revision
    }
}
