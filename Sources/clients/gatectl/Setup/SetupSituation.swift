import GateModel
import GatePolicy

/// What `gatectl setup` finds on the device before it asks. It makes the defaults, so pressing only Return in a second
/// run changes nothing, except that unconfirmed people are vouched for, which ends their passwords, and that links of a
/// new child ask if those of other children do.
struct SetupSituation: Hashable {
    /// Something that the device can do or not.
    enum Offer: Hashable {
        /// It can't be turned on here.
        ///
        /// - Parameter package: the package that would make it possible; `nil`: nothing is said about it.
        case unavailable(package: String?)
        case off
        case on
    }

    var users: [DeviceUser] = []
    var people: [GatePerson] = []
    var secrets: [SecretKind] = []
    /// Whether the policy asks for an authenticator's code anywhere.
    var asksForCode = false
    /// Whether links can go through Gate.
    var links = Offer.unavailable(package: nil)
    /// The users whose links go through Gate already.
    var linkUsers: Set<String> = []
    /// Whether installing programs is behind a gate.
    var software = Offer.unavailable(package: nil)
    /// Whether the time that grown-ups allow is added to timekpr's.
    var time = Offer.unavailable(package: nil)
    var screen = Offer.unavailable(package: nil)
    var hasScreenWord = false

    /// Whether set-up has run before: a user of this device is on the list of people, and set-up puts them there.
    var isRepeated: Bool { users.contains { person(of: $0) != nil } }

    /// Whether links ask for anybody but grown-ups, who turn that on for themselves.
    var asksBeforeLinks: Bool { users.contains { linkUsers.contains($0.name) && role(of: $0) != .grownUp } }

    /// The person to whom a Unix user belongs; `nil` also if the person's user had another number, since a name that is
    /// used again may be somebody else's.
    func person(of user: DeviceUser) -> GatePerson? {
        people.first { $0.user == GatePerson.UnixUser(name: user.name, uid: user.uid) }
    }

    /// The account with the same name as this Unix user, from before the list of people had Unix users. `nil` also if
    /// the account was registered in parent mode, because anybody could have chosen its name and date of birth.
    func account(of user: DeviceUser) -> GatePerson? {
        people.first { $0.name == user.name && $0.user == nil && $0.isConfirmed }
    }

    /// The role to propose for a Unix user: that of the person who has this user, or else of the account with the same
    /// name. Without either, a user who may administer the device is taken for a grown-up, and any other for a child.
    func role(of user: DeviceUser) -> SetupAnswers.Role {
        switch (person(of: user) ?? account(of: user))?.kind {
        case .grownUp: .grownUp
        case .child(let born): .child(born: born)
        case .shared: .shared
        case nil: user.isAdministrator ? .grownUp : .child(born: nil)
        }
    }
}
