public import GateModel
package import GateProtocol

extension GateClient {
    /// Calls about the list of people: who is a grown-up and who a child, their Unix users, and their passwords.
    public struct PeopleCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.PeopleCalls {
    /// All people, by name. For administrators, and grown-ups with their own Unix user; in parent mode for everyone.
    public func list() async throws(GateError) -> [GatePerson] { try await listed().map(\.person) }

    /// As `list`, and whether the user database knows each person's user.
    package func listed() async throws(GateError) -> [ListedPerson] {
        try await client.allPages(of: Methods.People.list) { ListPeopleRequest(pageToken: $0) }
    }

    /// Puts a person on the list, or replaces everything about the person of this name except the password. An
    /// unconfirmed person loses the password, since nobody can say who chose it. For administrators, and for grown-ups
    /// from the session of their own Unix user. Those are asked for the passcode, with the change in words, by a
    /// presenter.
    ///
    /// ```swift
    /// let born = CivilDate("2015-03-02")
    /// try await gate.people.set(GatePerson(name: "mia", kind: .child(born: born), user: .init(name: "mia", uid: 0)))
    /// ```
    ///
    /// - Parameter person: the name is one line of 1 to 64 bytes, without spaces around it. The number of the Unix user
    ///   is ignored; the daemon looks the name up.
    /// - Throws: `INVALID_ARGUMENT` if there is no such user, or it is the system's own or somebody else's already;
    ///   `FAILED_PRECONDITION` (`exists`) if somebody has this name in another spelling; `RESOURCE_EXHAUSTED` (`limit`)
    ///   if the list is full; `DEADLINE_EXCEEDED` (`expired`) if the device's user database does not answer.
    @discardableResult
    public func set(_ person: GatePerson) async throws(GateError) -> PersonChange {
        let response = try await client.change(
            Methods.People.set, SetPersonRequest(person: ListedPerson(person)), asking: client.askedGrant)
        return PersonChange(name: person.name, revision: response.revision)
    }

    /// Removes a person with their purchases and their forms. If they are signed in, they are signed out. For
    /// administrators, and for grown-ups as with `set`. In parent mode everyone may remove a child without a Unix user.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    public func remove(_ name: String) async throws(GateError) -> PersonChange {
        let response = try await client.change(
            Methods.People.remove, RemovePersonRequest(name: name), asking: client.askedGrant)
        return PersonChange(name: name, revision: response.revision)
    }

    /// Puts a person on the list who has a password and no Unix user. For administrators, and for everyone in parent
    /// mode; somebody registered in parent mode is unconfirmed.
    ///
    /// - Parameters:
    ///   - person: as for `set`. A Unix user is ignored.
    ///   - password: 4 to 128 bytes of UTF-8.
    /// - Throws: `FAILED_PRECONDITION` (`exists`), `INVALID_ARGUMENT`.
    @discardableResult
    public func register(_ person: GatePerson, password: GateSecret) async throws(GateError) -> PersonChange {
        let request = RegisterAccountRequest(account: person, password: password)
        let response = try await client.call(
            Methods.SignIn.register, request, timeout: client.options.hashingTimeout)
        return PersonChange(name: person.name, revision: response.revision)
    }

    /// Sets another password, or a first one.
    ///
    /// - Parameters:
    ///   - old: the current password; a wrong one counts as a wrong log-in. `nil`: for administrators. In parent mode
    ///     everyone may leave it out for a child who has no Unix user; the child is unconfirmed from then on.
    ///   - new: 4 to 128 bytes of UTF-8.
    /// - Throws: the errors of `SignInCalls.logIn`; `PERMISSION_DENIED` if `old` is `nil` and this user needs it.
    @discardableResult
    public func changePassword(
        of name: String, from old: GateSecret?, to new: GateSecret
    ) async throws(GateError) -> PersonChange {
        let request = ChangePasswordRequest(name: name, oldPassword: old, newPassword: new)
        let response = try await client.call(
            Methods.SignIn.changePassword, request, timeout: client.options.hashingTimeout)
        return PersonChange(name: name, revision: response.revision)
    }

    /// Makes the age of a person count who was registered, or got a password, in parent mode. The person gets another
    /// password, since anyone may have set the old one. If they are signed in, they are signed out. For administrators.
    ///
    /// - Parameters:
    ///   - person: the person as they were read.
    ///   - newPassword: 4 to 128 bytes of UTF-8.
    /// - Throws: `NOT_FOUND` (`unknown`); `INVALID_ARGUMENT`; `ABORTED` (`changedMeanwhile`).
    @discardableResult
    public func confirm(_ person: GatePerson, newPassword: GateSecret) async throws(GateError) -> PersonChange {
        let request = ConfirmAccountRequest(account: person, newPassword: newPassword)
        let response = try await client.call(
            Methods.SignIn.confirmAccount, request, timeout: client.options.hashingTimeout)
        return PersonChange(name: person.name, revision: response.revision)
    }
}

extension GateClient {
    /// Makes a change of Gate. If the daemon wants a grant for it, asks for the grant and makes the change with it.
    ///
    /// - Parameter ask: gets the grant for `gate.change` and the details that the daemon has named.
    package func change<Request: GrantedRequest, Response>(
        _ method: Method<Request, Response>, _ request: Request,
        asking ask: (AuthorizationRequest) async throws(GateError) -> Grant
    ) async throws(GateError) -> Response {
        do throws(GateError) {
            return try await call(method, request)
        } catch {
            guard error.parameters["what"] == "change-grant", let details = error.parameters["details"] else {
                throw error
            }
            let grant = try await ask(AuthorizationRequest(gatedAction: GatedAction.change, details: details))
            var granted = request
            granted.grant = grant.proof
            return try await call(method, granted)
        }
    }

    func askedGrant(_ request: AuthorizationRequest) async throws(GateError) -> Grant {
        try await authorization.grant(request)
    }
}

/// A person who came onto the list, was changed or removed.
public struct PersonChange: Hashable, Sendable {
    /// The name of the person.
    public var name: String
    /// The revision from which on the change holds.
    public var revision: Revision

    package init(name: String, revision: Revision) {
        self.name = name
        self.revision = revision
    }
}
