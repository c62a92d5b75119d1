import GateCore
import GateModel
import SQLite

extension RecordTables {
    /// The list of people, and the hashes that passwords are compared with. What is removed or replaced is overwritten
    /// in the file, as in `SecretTable`.
    static let people = EntryTable(
        Table(
            // Cached statements would keep hashes in memory.
            "person", step: 16, keepsStatements: false,
            constraints: [
                "CHECK (born IS NULL OR kind = 'child')", "CHECK ((user_name IS NULL) = (uid IS NULL))",
                "CHECK (kind <> 'shared' OR uid IS NOT NULL AND password_hash IS NULL)",
            ],
            Column("name", .line(1...GatePerson.maximumNameByteCount), "PRIMARY KEY"),
            Column("kind", .text, "CHECK (kind IN ('grown-up', 'child', 'shared'))"),
            // A child's date of birth, as YYYY-MM-DD.
            Column("born", .optional(.date)),
            // The person's Unix user.
            Column("user_name", .optional(.line(1...GatePerson.maximumUserNameByteCount))),
            Column("uid", .optional(.uid), "UNIQUE"),
            // NULL: the person can't sign in.
            Column("password_hash", .optional(.hash)),
            // Whether an administrator vouches for the person.
            Column("is_confirmed", .flag, "CHECK (is_confirmed IN (0, 1))")),
        of: \.people, atMost: 100_000, foundBy: .secretName { $0 },
        row: { name, record in
            let (person, user) = (record.person, record.person.user)
            let (kind, born): (String, CivilDate?) =
                switch person.kind {
                case .grownUp: ("grown-up", nil)
                case .child(let born): ("child", born)
                case .shared: ("shared", nil)
                }
            return (name, kind, born, user?.name, user?.uid, record.passwordHash, person.isConfirmed)
        },
        entry: { name, kindName, born, userName, uid, passwordHash, isConfirmed in
            let kind: GatePerson.Kind =
                switch (kindName, born) {
                case ("grown-up", nil): .grownUp
                case ("child", let born): .child(born: born)
                case ("shared", nil): .shared
                case _: throw StoreError.damaged("somebody who is neither a grown-up, a child nor a shared user")
                }
            let user: GatePerson.UnixUser? =
                switch (userName, uid) {
                case (let userName?, let uid?): .init(name: userName, uid: uid)
                case (nil, nil): nil
                case _: throw StoreError.damaged("half a Unix user")
                }
            guard kind != .shared || user != nil && passwordHash == nil else {
                throw StoreError.damaged("a shared user without a user, or with a password")
            }
            let person = GatePerson(name: name, kind: kind, user: user, isConfirmed: isConfirmed)
            return (name, PersonRecord(person, passwordHash: passwordHash))
        })

    /// The table of the steps before, and what the step that replaces it does besides making the new one.
    static let accounts = TableSchema(
        "account", keepsStatements: false, constraints: ["CHECK ((kind = 'child') = (born IS NOT NULL))"],
        columns: [
            ColumnSchema("name", "TEXT NOT NULL PRIMARY KEY"),
            ColumnSchema("kind", "TEXT NOT NULL CHECK (kind IN ('grown-up', 'child'))"), ColumnSchema("born", "TEXT"),
            ColumnSchema("password_hash", "TEXT NOT NULL"),
            ColumnSchema("is_confirmed", "INTEGER NOT NULL DEFAULT 1 CHECK (is_confirmed IN (0, 1))"),
        ])

    static let accountsBecomePeople = [
        """
        INSERT INTO person (name, kind, born, password_hash, is_confirmed)
        SELECT name, kind, born, password_hash, is_confirmed FROM account
        """,
        "DROP TABLE account",
    ]
}

extension Format<CivilDate> {
    /// Years have four digits.
    fileprivate static let date = Format(
        .text, "a date of a year with four digits", value: { CivilDate($0) },
        base: { CivilDate($0.description) == nil ? nil : $0.description })
}
