/// The names of the gates at which wrong passwords are counted.
///
/// A gate's stored name has a hash of the account's name, since a person may have typed a password there.
enum SignInGate {
    /// The gate of all names that have no counter of their own.
    static let rest = "sign-in"

    private static let prefix = "sign-in #"

    static func name(of account: String) -> String {
        // It does no harm if two names share a counter.
        prefix + account.stableHash
    }

    static func isOne(_ gate: String) -> Bool { gate.hasPrefix(prefix) }

    /// The gate's name for people. It contains the person's name if one of `names` fits.
    static func shown(_ gate: String, names: some Sequence<String>) -> String {
        guard isOne(gate), let person = names.first(where: { name(of: $0) == gate }) else { return gate }
        return shown(person)
    }

    static func shown(_ account: String) -> String { "sign-in \(account)" }
}
