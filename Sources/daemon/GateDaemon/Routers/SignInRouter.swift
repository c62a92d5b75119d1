import GateCore
import GateCredentials
import GateModel
import GateProtocol

/// The methods of `gate.v1.SignIn`: signing in, and the passwords of people.
struct SignInRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let passwords: PasswordWork

    func addMethods(to router: inout Router) {
        router.on(Methods.SignIn.get) { _, call in
            let durable = pipeline.durable
            call.answer(GetSignInResponse(revision: durable.revision, state: durable.signIn(by: pipeline.clock)))
        }
        router.onCommand(Methods.SignIn.logIn, isSecret: true) {
            .signIn(.logIn(name: $0.name, password: $0.password))
        } answer: {
            LogInResponse(revision: $0.revision, state: $0.signIn)
        }
        router.onCommand(Methods.SignIn.logOut) { _ in
            .signIn(.logOut)
        } answer: {
            LogOutResponse(revision: $0.revision, state: $0.signIn)
        }
        router.on(Methods.SignIn.register, isSecret: true) { request, call in
            // Checked before the work of hashing, and again by the core after it.
            let refusal = refusalToHash(request.password, "password", for: call)
            if let refusal { return call.fail(refusal) }
            register(request, call)
        }
        router.on(Methods.SignIn.changePassword, isSecret: true) { request, call in
            let refusal =
                request.oldPassword == nil
                ? refusalToHash(request.newPassword, "new_password", for: call)
                : GateError.unsuitable(request.newPassword, "new_password")
            if let refusal { return call.fail(refusal) }
            changePassword(request, call)
        }
        router.onRead(Methods.SignIn.listAccounts) { request, call throws(GateError) in
            let durable = pipeline.durable
            guard durable.mayReadPeople(call.peer, by: pipeline.clock) else { throw .onlyGrownUpsInCharge }
            let page = try Page(of: durable.people.filter(\.isAccount), for: request, pipeline.limits) {
                PageKey(name: $0.name)
            }
            return ListAccountsResponse(page.elements.map { AccountMessage($0) }, nextPageToken: page.nextToken)
        }
        router.onCommand(Methods.SignIn.removeAccount) {
            .people(.remove(name: $0.name, grant: nil))
        } answer: {
            RemoveAccountResponse(revision: $0.revision)
        }
        router.on(Methods.SignIn.confirmAccount, isSecret: true) { request, call in
            let refusal = refusalToHash(request.newPassword, "new_password", for: call)
            if let refusal { return call.fail(refusal) }
            confirm(request, call)
        }
    }

    /// Why a peer may not set this password without the old one: it has no right to, or the password is unsuitable.
    /// `nil` if it may, or if only the core can decide that.
    private func refusalToHash<Response>(
        _ password: GateSecret, _ field: String, for call: Call<Response>
    ) -> GateError? {
        let isParentMode = pipeline.durable.modeState(by: pipeline.clock).mode == .parent
        guard call.peer.roles.contains(.administrator) || isParentMode else { return .onlyGrownUpsInCharge }
        return .unsuitable(password, field)
    }

    private func register(_ request: RegisterAccountRequest, _ call: Call<RegisterAccountResponse>) {
        passwords.hash(for: call) { random throws(CredentialError) in
            try PasswordHash(of: request.password, using: &random)
        } then: { hash in
            pipeline.submit(.signIn(.register(request.account, passwordHash: hash.text)), for: call) {
                RegisterAccountResponse(revision: $0.revision)
            }
        }
    }

    private func confirm(_ request: ConfirmAccountRequest, _ call: Call<ConfirmAccountResponse>) {
        passwords.hash(for: call) { random throws(CredentialError) in
            try PasswordHash(of: request.newPassword, using: &random)
        } then: { hash in
            pipeline.submit(.signIn(.confirm(request.account, passwordHash: hash.text)), for: call) {
                ConfirmAccountResponse(revision: $0.revision)
            }
        }
    }

    private func changePassword(_ request: ChangePasswordRequest, _ call: Call<ChangePasswordResponse>) {
        passwords.hash(for: call) { random throws(CredentialError) in
            try PasswordHash(of: request.newPassword, using: &random)
        } then: { hash in
            let (name, hash) = (request.name, hash.text)
            let command =
                request.oldPassword.map { SignInCommand.changePassword(name: name, old: $0, newHash: hash) }
                ?? .setPassword(name: name, hash: hash)
            pipeline.submit(.signIn(command), for: call) { ChangePasswordResponse(revision: $0.revision) }
        }
    }
}

extension GatePerson {
    /// Whether the messages of version 0.9.0 can describe this person. They have only people with a password, and
    /// children with a date of birth.
    fileprivate var isAccount: Bool { hasPassword && kind != .child(born: nil) }
}

extension GateError {
    fileprivate static func unsuitable(_ password: GateSecret, _ field: String) -> GateError? {
        PasswordHash.unsuitability(of: password).map { .invalid(field, $0) }
    }
}
