import GateCore
import GateModel
import SQLite

extension RecordTables {
    /// The accounts: who can sign in, and the hashes that passwords are compared with. What is removed or replaced is
    /// overwritten in the file, as in `SecretTable`.
    static let accounts = EntryTable(
        Table(
            // Cached statements would keep hashes in memory.
            "account", keepsStatements: false, constraints: ["CHECK ((kind = 'child') = (born IS NOT NULL))"],
            Column("name", .line(1...GateAccount.maximumNameByteCount), "PRIMARY KEY"),
            Column("kind", .text, "CHECK (kind IN ('grown-up', 'child'))"),
            // A child's date of birth, as YYYY-MM-DD.
            Column("born", .optional(.date)), Column("password_hash", .hash),
            // Whether an administrator has confirmed the account, so that its age counts.
            Column("is_confirmed", .flag, "DEFAULT 1 CHECK (is_confirmed IN (0, 1))")),
        of: \.accounts, atMost: 100_000, foundBy: .secretName { $0 },
        row: { name, record in
            switch record.account.kind {
            case .grownUp: (name, "grown-up", nil, record.passwordHash, record.account.isConfirmed)
            case .child(let born): (name, "child", born, record.passwordHash, record.account.isConfirmed)
            }
        },
        entry: { name, kindName, born, passwordHash, isConfirmed in
            let kind: GateAccount.Kind =
                switch (kindName, born) {
                case ("grown-up", nil): .grownUp
                case ("child", let born?): .child(born: born)
                case _: throw StoreError.damaged("an account that is neither a grown-up's nor a child's")
                }
            let account = GateAccount(name: name, kind: kind, isConfirmed: isConfirmed)
            return (name, AccountRecord(account: account, passwordHash: passwordHash))
        })
}

extension Format<CivilDate> {
    /// Years have four digits.
    fileprivate static let date = Format(
        .text, "a date of a year with four digits", value: { CivilDate($0) },
        base: { CivilDate($0.description) == nil ? nil : $0.description })
}
