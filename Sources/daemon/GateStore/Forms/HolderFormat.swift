import GateCore
import GateModel
import SQLite

extension Format<FormHolder> {
    private static let account = "account:"
    private static let user = "user:"

    /// The holder of a form or a ledger: `account:anna`, `user:1000`; `user:100000:1000`, billed to another user.
    static let holder = Format(
        .line(1...(account.utf8.count + GateAccount.maximumNameByteCount)), "a holder that is an account or a user",
        value: { text in
            if let name = rest(of: text, after: account) { return name.isEmpty ? nil : .account(name) }
            let numbers = rest(of: text, after: user)?.split(separator: ":", omittingEmptySubsequences: false) ?? []
            let holder: FormHolder? =
                switch numbers.compactMap({ UInt32($0) }) {
                case let uid where uid.count == 1: .user(uid[0])
                case let both where both.count == 2: .subordinate(both[0], of: Owner(stored: both[1]))
                default: nil
                }
            // Numbers have one spelling.
            return holder.flatMap { Format<FormHolder>.text(of: $0) == text ? $0 : nil }
        }, base: text(of:))

    /// The rest after a prefix, by bytes: an accent at the beginning of a name is one character with the colon.
    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// - Returns: `nil` where an account has no name.
    @Sendable private static func text(of holder: FormHolder) -> String? {
        switch holder.kind {
        case .account(let name): name.isEmpty ? nil : account + name
        case .user(let uid): "\(user)\(uid)" + (holder.otherOwner.map { ":\($0.number)" } ?? "")
        }
    }
}

extension StoredKey {
    /// The key of a draft, or of one of its rows. The id of the draft stands first, if it has one; no holder looks like an id.
    /// So the rows of one draft have keys that begin alike, and no other row has such a key.
    ///
    /// - Throws: `StoreError.failed` where a holder like this is never stored.
    init(_ key: FormDraftKey, path: String? = nil) throws {
        self.init(
            (key.id == 0 ? [] : ["\(key.id)"]) + [try Self.text(of: key.holder), key.name] + (path.map { [$0] } ?? []))
    }

    /// - Throws: `StoreError.failed` where a holder like this is never stored.
    init(_ key: WhatsNewKey, _ texts: String...) throws {
        self.init([try Self.text(of: key.holder), key.app] + texts)
    }

    private static func text(of holder: FormHolder) throws -> String {
        try Format.text.read(Format.holder.stored(holder))
    }
}
