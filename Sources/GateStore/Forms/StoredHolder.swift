import GateCore
import GateModel
import SQLite

/// A column that says whose a form or a ledger is: `account:anna`, `user:1000`; `user:100000:1000`, billed to another user.
enum StoredHolder {
    private static let account = "account:"
    private static let user = "user:"
    private static let text = StoredText(byteCounts: 1...(account.utf8.count + GateAccount.maximumNameByteCount))

    static func read(_ column: Int, of row: Row) throws -> FormHolder {
        let text = try text.read(column, of: row)
        if let name = rest(of: text, after: account), !name.isEmpty { return .account(name) }
        let numbers = rest(of: text, after: user)?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        let holder: FormHolder? =
            switch numbers.compactMap({ UInt32($0) }) {
            case let uid where uid.count == 1: .user(uid[0])
            case let both where both.count == 2: .subordinate(both[0], of: Owner(stored: both[1]))
            default: nil
            }
        // Numbers have one spelling.
        guard let holder, try checked(holder) == text else {
            throw StoreError.damaged("a holder that is neither an account nor a user")
        }
        return holder
    }

    /// The rest after a prefix, by bytes: an accent at the beginning of a name is one character with the colon.
    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// - Throws: `StoreError.failed` where it could not be read again.
    static func checked(_ holder: FormHolder) throws -> String {
        switch holder.kind {
        case .account(let name):
            guard !name.isEmpty else { throw StoreError.failed("a holder without a name can't be stored") }
            return try text.checked(account + name)
        case .user(let uid):
            return "\(user)\(uid)" + (holder.otherOwner.map { ":\($0.number)" } ?? "")
        }
    }
}

extension StoredKey {
    /// The key of a draft, or of one of its rows. Before that of a draft with an id stands the id, which no holder looks like: so
    /// the rows of one draft have keys that begin alike, and no other has such a key.
    init(holder: String, form: String, draft id: UInt64, path: String? = nil) {
        self.init((id == 0 ? [] : ["\(id)"]) + [holder, form] + (path.map { [$0] } ?? []))
    }

    /// - Throws: `StoreError.failed` where a holder like this is never stored.
    init(_ key: FormDraftKey, path: String? = nil) throws {
        self.init(holder: try StoredHolder.checked(key.holder), form: key.name, draft: key.id, path: path)
    }
}
