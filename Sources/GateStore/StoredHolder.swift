import GRDB
import GateCore
import GateModel

/// A column that says whose a form or a ledger is: `account:anna`, `user:1000`.
enum StoredHolder {
    private static let account = "account:"
    private static let user = "user:"
    private static let text = StoredText(byteCounts: 1...(account.utf8.count + Account.maximumNameByteCount))

    static func read(_ column: Int, of row: Row) throws -> FormHolder {
        let text = try text.read(column, of: row)
        if let name = rest(of: text, after: account), !name.isEmpty { return .account(name) }
        guard let digits = rest(of: text, after: user), let uid = UInt32(digits), digits == "\(uid)" else {
            throw StoreError.damaged("a holder that is neither an account nor a user")
        }
        return .user(uid)
    }

    /// By bytes: an accent at the beginning of a name is one character with the colon.
    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// - Throws: `StoreError.failed` where it could not be read again.
    static func checked(_ holder: FormHolder) throws -> String {
        switch holder {
        case .account(let name):
            guard !name.isEmpty else { throw StoreError.failed("a holder without a name can't be stored") }
            return try text.checked(account + name)
        case .user(let uid):
            return "\(user)\(uid)"
        }
    }
}

extension StoredKey {
    /// Of a draft, or of one of its rows.
    init(holder: String, form: String, path: String? = nil) {
        self.init([holder, form] + (path.map { [$0] } ?? []))
    }

    /// - Throws: `StoreError.failed` where a holder like this is never stored.
    init(_ key: FormDraftKey, path: String? = nil) throws {
        self.init(holder: try StoredHolder.checked(key.holder), form: key.name, path: path)
    }
}
