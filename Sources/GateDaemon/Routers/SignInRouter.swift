import GateCore
import GateCredentials
import GateModel
import GateProtocol

/// `gate.v1.SignIn`.
extension Router {
    mutating func addSignIn() {
        on(Methods.SignIn.get) { authority, _, call in
            call.answer(GetSignInResponse(revision: authority.durable.revision, state: authority.signInStateNow))
        }
        onCommand(Methods.SignIn.logIn, isSecret: true) {
            .logIn(name: $0.name, password: $0.password)
        } answer: {
            LogInResponse(revision: $0.revision, state: $0.signIn)
        }
        onCommand(Methods.SignIn.logOut) { _ in
            .logOut
        } answer: {
            LogOutResponse(revision: $0.revision, state: $0.signIn)
        }
        on(Methods.SignIn.register, isSecret: true) { authority, request, call in
            // Before the work of hashing, and again by the core after it.
            let refusal = authority.refusalToHashPassword(request.password, for: call)
            if let refusal { return call.fail(refusal) }
            authority.register(request, call)
        }
        on(Methods.SignIn.changePassword, isSecret: true) { authority, request, call in
            let refusal =
                request.oldPassword == nil
                ? authority.refusalToHashPassword(request.newPassword, for: call)
                : GateError.unsuitable(request.newPassword)
            if let refusal { return call.fail(refusal) }
            authority.changePassword(request, call)
        }
        onList(Methods.SignIn.listAccounts) { authority, request, call throws(GateError) in
            if let refusal = authority.refusalToManageAccounts(call.peer) { throw refusal }
            let page = try Page(
                of: authority.durable.accounts, size: request.pageSize, after: request.pageToken,
                limit: authority.limits.pageSize, hasGroups: false
            ) { PageKey(name: $0.name) }
            return ListAccountsResponse(accounts: page.elements, nextPageToken: page.nextToken)
        }
        onCommand(Methods.SignIn.removeAccount) {
            .removeAccount(name: $0.name)
        } answer: {
            RemoveAccountResponse(revision: $0.revision)
        }
        on(Methods.SignIn.confirmAccount, isSecret: true) { authority, request, call in
            let refusal = authority.refusalToHashPassword(request.newPassword, for: call)
            if let refusal { return call.fail(refusal) }
            authority.confirm(request, call)
        }
    }
}

extension Authority {
    /// Why this peer may neither read accounts nor make them; nil: it may, as far as can be said without the core.
    fileprivate func refusalToManageAccounts(_ peer: Peer) -> GateError? {
        let isParentMode = modeStateNow.mode == .parent
        guard !peer.roles.contains(.administrator), !(isParentMode && durable.mayReadAccounts(peer)) else { return nil }
        return GateError(
            .permissionDenied, .notPermitted,
            "Only an administrator may do that, or anybody in parent mode: `gatectl toggle`.",
            parameters: ["what": "grown-up"])
    }

    fileprivate func refusalToHashPassword<Response>(_ password: Secret, for call: Call<Response>) -> GateError? {
        refusalToManageAccounts(call.peer) ?? .unsuitable(password)
    }

    fileprivate func register(_ request: RegisterAccountRequest, _ call: Call<RegisterAccountResponse>) {
        hash(for: call) { random throws(CredentialError) in
            try PasswordHash(of: request.password, using: &random)
        } then: { [self] hash in
            submit(.registerAccount(request.account, passwordHash: hash.text), for: call) {
                RegisterAccountResponse(revision: $0.revision)
            }
        }
    }

    fileprivate func confirm(_ request: ConfirmAccountRequest, _ call: Call<ConfirmAccountResponse>) {
        hash(for: call) { random throws(CredentialError) in
            try PasswordHash(of: request.newPassword, using: &random)
        } then: { [self] hash in
            submit(.confirmAccount(request.account, passwordHash: hash.text), for: call) {
                ConfirmAccountResponse(revision: $0.revision)
            }
        }
    }

    fileprivate func changePassword(_ request: ChangePasswordRequest, _ call: Call<ChangePasswordResponse>) {
        hash(for: call) { random throws(CredentialError) in
            try PasswordHash(of: request.newPassword, using: &random)
        } then: { [self] hash in
            let command =
                request.oldPassword.map { Command.changePassword(name: request.name, old: $0, newHash: hash.text) }
                ?? .setPassword(name: request.name, hash: hash.text)
            submit(command, for: call) { ChangePasswordResponse(revision: $0.revision) }
        }
    }
}

extension GateError {
    /// Why this can't be a new password; nil: it can.
    fileprivate static func unsuitable(_ password: Secret) -> GateError? {
        PasswordHash.unsuitability(of: password).map { GateError(.invalidArgument, .invalidRequest, $0) }
    }
}
