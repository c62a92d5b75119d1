import GateModel

/// The gate at which wrong passwords for an account count.
///
/// It holds the name only scrambled: what was typed as a name may have been a password, and it is kept.
enum SignInGate {
    /// For the names that have no counter of their own.
    static let rest = "sign-in"

    private static let prefix = "sign-in #"

    static func name(of account: String) -> String {
        // FNV-1a, 64 bits: two names that share a counter are no harm.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in account.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return prefix + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    static func isOne(_ gate: String) -> Bool { gate.hasPrefix(prefix) }

    /// As people read it: with the name, where it is an account's.
    static func shown(_ gate: String, accounts: some Sequence<String>) -> String {
        guard isOne(gate), let account = accounts.first(where: { name(of: $0) == gate }) else { return gate }
        return shown(account)
    }

    static func shown(_ account: String) -> String { "sign-in \(account)" }
}
