package import CGateProtocol
package import GateModel

// people.proto

extension Methods {
    package enum People {
        package static let list = Method<ListPeopleRequest, ListPeopleResponse>(service, "ListPeople")
        package static let set = Method<SetPersonRequest, SetPersonResponse>(service, "SetPerson")
        package static let remove = Method<RemovePersonRequest, RemovePersonResponse>(service, "RemovePerson")
        private static let service = "gate.v1.People"
    }
}

/// A person on the list, as the methods of `People` return them.
package struct ListedPerson: MessageMapping, Hashable {
    package var person: GatePerson
    package var isUserUnknown: Bool

    package init(_ person: GatePerson, isUserUnknown: Bool = false) {
        self.person = person
        self.isUserUnknown = isUserUnknown
    }

    /// - Throws: `INVALID_ARGUMENT` if the kind is missing or unknown, so that nobody becomes a grown-up by omission.
    init(reading message: Gate__V1__Person) throws(GateError) {
        let kind: GatePerson.Kind
        switch (message.kind_case, message.child) {
        case (GATE__V1__PERSON__KIND_GROWN_UP, _): kind = .grownUp
        case (GATE__V1__PERSON__KIND_CHILD, let child?):
            kind = .child(born: try KnownChild(reading: child.pointee).born)
        case (GATE__V1__PERSON__KIND_SHARED, _): kind = .shared
        default:
            throw .wrong(
                "gate.v1.Person.kind",
                "is not set, or one that this version does not know; set grownUp, child or shared")
        }
        person = GatePerson(
            name: String(reading: message.name), kind: kind,
            user: message.user.map { GatePerson.UnixUser(reading: $0.pointee) },
            hasPassword: message.has_password != 0, isConfirmed: message.is_unconfirmed == 0)
        isUserUnknown = message.is_user_unknown != 0
    }

    func write(to message: inout Gate__V1__Person, in arena: inout MessageArena) {
        message.name = arena.string(person.name)
        switch person.kind {
        case .grownUp:
            message.kind_case = GATE__V1__PERSON__KIND_GROWN_UP
            message.grown_up = arena.blank()
        case .child(let born):
            message.kind_case = GATE__V1__PERSON__KIND_CHILD
            message.child = arena.message(KnownChild(born: born))
        case .shared:
            message.kind_case = GATE__V1__PERSON__KIND_SHARED
            message.shared = arena.blank()
        }
        message.user = arena.message(optional: person.user)
        message.has_password = person.hasPassword ? 1 : 0
        message.is_unconfirmed = person.isConfirmed ? 0 : 1
        message.is_user_unknown = isUserUnknown ? 1 : 0
    }
}

/// A child whose date of birth may be unknown.
private struct KnownChild: MessageMapping {
    let born: CivilDate?

    init(born: CivilDate?) {
        self.born = born
    }

    init(reading message: Gate__V1__Child) throws(GateError) {
        born = String(reading: message.born).isEmpty ? nil : try CivilDate(readingBirth: message.born)
    }

    func write(to message: inout Gate__V1__Child, in arena: inout MessageArena) {
        message.born = arena.string(born?.description ?? "")
    }
}

extension GatePerson.UnixUser: MessageMapping {
    init(reading message: Gate__V1__UnixUser) {
        self.init(name: String(reading: message.name), uid: message.uid)
    }

    func write(to message: inout Gate__V1__UnixUser, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.uid = uid
    }
}

// MARK: Requests and responses

package typealias ListPeopleRequest = PageRequest<Gate__V1__ListPeopleRequest>
extension Gate__V1__ListPeopleRequest: CPageRequest {}

/// Sorted by name.
package typealias ListPeopleResponse = PageReply<ListedPerson, Gate__V1__ListPeopleResponse>

extension Gate__V1__ListPeopleResponse: CPageReply {
    package var elements: CList<Gate__V1__Person> {
        get { (people, n_people) }
        set { (people, n_people) = newValue }
    }
}

package struct SetPersonRequest: MappedMessage, GrantedRequest {
    package var person: ListedPerson
    package var grant: Grant.Proof?

    package init(person: ListedPerson, grant: Grant.Proof? = nil) {
        self.person = person
        self.grant = grant
    }

    init(reading message: Gate__V1__SetPersonRequest) throws(GateError) {
        let proof = [UInt8](reading: message.grant_proof)
        self.init(
            person: try ListedPerson(reading: message.person, of: "gate.v1.SetPersonRequest.person"),
            grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
    }

    func write(to message: inout Gate__V1__SetPersonRequest, in arena: inout MessageArena) {
        message.person = arena.message(person)
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
    }
}

package typealias SetPersonResponse = RevisionReply<Gate__V1__SetPersonResponse>
extension Gate__V1__SetPersonResponse: CRevisionReply {}

package struct RemovePersonRequest: MappedMessage, GrantedRequest {
    package var name: String
    package var grant: Grant.Proof?

    package init(name: String, grant: Grant.Proof? = nil) {
        self.name = name
        self.grant = grant
    }

    init(reading message: Gate__V1__RemovePersonRequest) {
        let proof = [UInt8](reading: message.grant_proof)
        self.init(name: String(reading: message.name), grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
    }

    func write(to message: inout Gate__V1__RemovePersonRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
    }
}

package typealias RemovePersonResponse = RevisionReply<Gate__V1__RemovePersonResponse>
extension Gate__V1__RemovePersonResponse: CRevisionReply {}
