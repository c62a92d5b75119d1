public import GateModel

/// A person on the list, and the hash that their password is compared with.
public struct PersonRecord: Hashable, Sendable {
    /// `hasPassword` says whether there is a hash.
    public package(set) var person: GatePerson
    /// A crypt(3) hash; `nil` if the person has no password.
    public package(set) var passwordHash: String? {
        didSet { person.hasPassword = passwordHash != nil }
    }

    public init(_ person: GatePerson, passwordHash: String?) {
        var person = person
        person.hasPassword = passwordHash != nil
        self.person = person
        self.passwordHash = passwordHash
    }
}
