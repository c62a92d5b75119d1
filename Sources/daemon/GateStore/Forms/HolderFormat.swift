import GateCore
import GateModel
import SQLite

extension Format<FormHolder> {
    private static let account = "account:"
    private static let user = "user:"

    /// The holder of a form or of seen news: `account:anna`; `user:1000`; `user:100000:1000` for a uid that is billed
    /// to another user.
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
            // A number has only one spelling.
            return holder.flatMap { Format<FormHolder>.text(of: $0) == text ? $0 : nil }
        }, base: text(of:))

    /// The text after a prefix, compared by bytes: an accent at its beginning would be one character with the colon.
    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// - Returns: `nil` for an account without a name.
    @Sendable private static func text(of holder: FormHolder) -> String? {
        switch holder.kind {
        case .account(let name): name.isEmpty ? nil : account + name
        case .user(let uid): "\(user)\(uid)" + (holder.otherOwner.map { ":\($0.number)" } ?? "")
        }
    }
}

extension StoredKey {
    /// The key of a draft, or of one of its rows. If the draft has an id, the key begins with it; no holder looks like
    /// an id. So the keys of one draft's rows have a common beginning that no other row has.
    ///
    /// - Throws: `StoreError.failed` if such a holder can't be stored.
    init(_ key: FormDraftKey, path: String? = nil) throws {
        self.init(
            (key.id == 0 ? [] : ["\(key.id)"]) + [try Self.text(of: key.holder), key.name] + (path.map { [$0] } ?? []))
    }

    /// - Throws: `StoreError.failed` if such a holder can't be stored.
    init(_ key: WhatsNewKey, _ texts: String...) throws {
        self.init([try Self.text(of: key.holder), key.app] + texts)
    }

    private static func text(of holder: FormHolder) throws -> String {
        try Format.text.read(Format.holder.stored(holder))
    }
}
