package import CGateProtocol
package import GateModel

// signin.proto: the accounts

extension Methods.SignIn {
    package static let register = Method<RegisterAccountRequest, RegisterAccountResponse>(
        service, "RegisterAccount")
    package static let changePassword = Method<ChangePasswordRequest, ChangePasswordResponse>(
        service, "ChangePassword")
    package static let listAccounts = Method<ListAccountsRequest, ListAccountsResponse>(service, "ListAccounts")
    package static let removeAccount = Method<RemoveAccountRequest, RemoveAccountResponse>(service, "RemoveAccount")
    package static let confirmAccount = Method<ConfirmAccountRequest, ConfirmAccountResponse>(
        service, "ConfirmAccount")
}

/// A person as the methods of `SignIn` return them: a grown-up, or a child with a date of birth, without a user.
package struct AccountMessage: MessageMapping, Hashable {
    package var person: GatePerson

    package init(_ person: GatePerson) {
        self.person = person
    }

    /// - Throws: `INVALID_ARGUMENT` if the kind is missing or unknown, so that nobody becomes a grown-up by omission.
    init(reading message: Gate__V1__Account) throws(GateError) {
        let kind: GatePerson.Kind
        switch (message.kind_case, message.child) {
        case (GATE__V1__ACCOUNT__KIND_GROWN_UP, _): kind = .grownUp
        case (GATE__V1__ACCOUNT__KIND_CHILD, let child?): kind = .child(born: try Child(reading: child.pointee).born)
        default:
            throw .wrong(
                "gate.v1.Account.kind", "is not set, or one that this version does not know; set grownUp or child")
        }
        person = GatePerson(
            name: String(reading: message.name), kind: kind,
            isConfirmed: message.is_unconfirmed == 0)
    }

    func write(to message: inout Gate__V1__Account, in arena: inout MessageArena) {
        message.name = arena.string(person.name)
        message.is_unconfirmed = person.isConfirmed ? 0 : 1
        switch person.kind {
        case .grownUp:
            message.kind_case = GATE__V1__ACCOUNT__KIND_GROWN_UP
            message.grown_up = arena.blank()
        case .child(let born?):
            message.kind_case = GATE__V1__ACCOUNT__KIND_CHILD
            message.child = arena.message(Child(born: born))
        // Accounts always have a password, and children among them a date of birth.
        case .child(nil), .shared: break
        }
    }
}

private struct Child: MessageMapping {
    let born: CivilDate

    init(born: CivilDate) {
        self.born = born
    }

    init(reading message: Gate__V1__Child) throws(GateError) {
        born = try CivilDate(readingBirth: message.born)
    }

    func write(to message: inout Gate__V1__Child, in arena: inout MessageArena) {
        message.born = arena.string(born.description)
    }
}

extension CivilDate {
    init(readingBirth text: UnsafeMutablePointer<CChar>?) throws(GateError) {
        guard let born = CivilDate(String(reading: text)) else {
            throw .wrong("gate.v1.Child.born", "is no date; write it as YYYY-MM-DD")
        }
        self = born
    }
}

// MARK: Requests and responses

package struct RegisterAccountRequest: MappedMessage {
    package var account: GatePerson
    package var password: GateSecret

    package init(account: GatePerson, password: GateSecret) {
        self.account = account
        self.password = password
    }

    init(reading message: Gate__V1__RegisterAccountRequest) throws(GateError) {
        self.init(
            account: try AccountMessage(reading: message.account, of: "gate.v1.RegisterAccountRequest.account").person,
            password: GateSecret(reading: message.password))
    }

    func write(to message: inout Gate__V1__RegisterAccountRequest, in arena: inout MessageArena) {
        message.account = arena.message(AccountMessage(account))
        message.password = arena.bytes(password)
    }
}

package typealias RegisterAccountResponse = RevisionReply<Gate__V1__RegisterAccountResponse>
extension Gate__V1__RegisterAccountResponse: CRevisionReply {}

package struct ChangePasswordRequest: MappedMessage {
    package var name: String
    /// `nil` if the peer may change the password without the old one. An empty old password is a wrong one.
    package var oldPassword: GateSecret?
    package var newPassword: GateSecret

    package init(name: String, oldPassword: GateSecret?, newPassword: GateSecret) {
        self.name = name
        self.oldPassword = oldPassword
        self.newPassword = newPassword
    }

    init(reading message: Gate__V1__ChangePasswordRequest) {
        self.init(
            name: String(reading: message.name), oldPassword: nil,
            newPassword: GateSecret(reading: message.new_password))
        if message.proof_case == GATE__V1__CHANGE_PASSWORD_REQUEST__PROOF_OLD_PASSWORD {
            oldPassword = GateSecret(reading: message.old_password)
        }
    }

    func write(to message: inout Gate__V1__ChangePasswordRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
        if let oldPassword {
            message.proof_case = GATE__V1__CHANGE_PASSWORD_REQUEST__PROOF_OLD_PASSWORD
            message.old_password = arena.bytes(oldPassword)
        }
        message.new_password = arena.bytes(newPassword)
    }
}

package typealias ChangePasswordResponse = RevisionReply<Gate__V1__ChangePasswordResponse>
extension Gate__V1__ChangePasswordResponse: CRevisionReply {}

package typealias ListAccountsRequest = PageRequest<Gate__V1__ListAccountsRequest>
extension Gate__V1__ListAccountsRequest: CPageRequest {}

/// Sorted by name.
package typealias ListAccountsResponse = PageReply<AccountMessage, Gate__V1__ListAccountsResponse>

extension Gate__V1__ListAccountsResponse: CPageReply {
    package var elements: CList<Gate__V1__Account> {
        get { (accounts, n_accounts) }
        set { (accounts, n_accounts) = newValue }
    }
}

package struct RemoveAccountRequest: MappedMessage {
    package var name: String

    package init(name: String) {
        self.name = name
    }

    init(reading message: Gate__V1__RemoveAccountRequest) {
        self.init(name: String(reading: message.name))
    }

    func write(to message: inout Gate__V1__RemoveAccountRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
    }
}

package typealias RemoveAccountResponse = RevisionReply<Gate__V1__RemoveAccountResponse>
extension Gate__V1__RemoveAccountResponse: CRevisionReply {}

package struct ConfirmAccountRequest: MappedMessage {
    /// The person as the administrator has read them. The daemon refuses if the kind has changed since.
    package var account: GatePerson
    package var newPassword: GateSecret

    package init(account: GatePerson, newPassword: GateSecret) {
        self.account = account
        self.newPassword = newPassword
    }

    init(reading message: Gate__V1__ConfirmAccountRequest) throws(GateError) {
        self.init(
            account: try AccountMessage(reading: message.account, of: "gate.v1.ConfirmAccountRequest.account").person,
            newPassword: GateSecret(reading: message.new_password))
    }

    func write(to message: inout Gate__V1__ConfirmAccountRequest, in arena: inout MessageArena) {
        message.account = arena.message(AccountMessage(account))
        message.new_password = arena.bytes(newPassword)
    }
}

package typealias ConfirmAccountResponse = RevisionReply<Gate__V1__ConfirmAccountResponse>
extension Gate__V1__ConfirmAccountResponse: CRevisionReply {}
