public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about accounts, which people sign in with.
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

    /// Makes an account. For administrators, and for everyone in parent mode; an account made in parent mode is
    /// unconfirmed.
    ///
    /// - Parameters:
    ///   - account: its name is one line of 1 to 64 bytes, without spaces around it.
    ///   - password: 4 to 128 bytes of UTF-8.
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
    ///   - old: the current password; a wrong one counts as a wrong log-in. `nil`: only for administrators and, in
    ///     parent mode, for the accounts of children, which are unconfirmed from then on.
    ///   - new: 4 to 128 bytes of UTF-8.
    /// - Throws: the errors of `SignInCalls.logIn`; `PERMISSION_DENIED` if `old` is `nil` and this user needs it.
    @discardableResult
    public func changePassword(
        of name: String, from old: GateSecret?, to new: GateSecret
    ) async throws(GateError) -> AccountChange {
        let request = ChangePasswordRequest(name: name, oldPassword: old, newPassword: new)
        let response = try await client.call(
            Methods.SignIn.changePassword, request, timeout: client.options.hashingTimeout)
        return AccountChange(name: name, revision: response.revision)
    }

    /// Removes an account with its claims and its forms. If it is signed in, it is signed out. For administrators, and
    /// in parent mode for the accounts of children.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    public func remove(_ name: String) async throws(GateError) -> AccountChange {
        let response = try await client.call(Methods.SignIn.removeAccount, RemoveAccountRequest(name: name))
        return AccountChange(name: name, revision: response.revision)
    }

    /// Makes the age of an account count that was made, or got its password, in parent mode. The account gets another
    /// password, since anyone may have set the old one. If it is signed in, it is signed out. For administrators.
    ///
    /// - Parameters:
    ///   - account: the account as it was read.
    ///   - newPassword: 4 to 128 bytes of UTF-8.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT`; `ABORTED` (`changedMeanwhile`) if it is not that account
    ///   any more.
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
    /// The revision from which on the change holds.
    public var revision: Revision

    package init(name: String, revision: Revision) {
        self.name = name
        self.revision = revision
    }
}
