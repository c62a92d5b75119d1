import GateCore
import GateGuardians
import GateModel
import SQLite

// The tables with secrets: of the device, of people, of the household.

extension RecordTables {
    /// The secrets of the device. What is replaced or removed is overwritten in the file and its log (`PRAGMA
    /// secure_delete`, `GateStore.forgetLog`). It is not removed from what a disk keeps out of the file system's reach,
    /// nor from this process: SQLite's cache and values read from it are freed without being overwritten. The core
    /// holds the key anyway, for as long as it is set up.
    static let secret = RowTable(
        table: Table(
            "secret", isOneRow: true, constraints: ["CHECK ((totp_key IS NULL) = (totp_used_step IS NULL))"],
            // NULL: no passcode is set up.
            Column("passcode_hash", .optional(.hash)),
            // No key is as long as 1,024 bytes. Both columns are NULL if no authenticator is set up.
            Column("totp_key", .optional(.secret(1...1024))),
            // The newest time step whose code was used.
            Column("totp_used_step", .optional(.number), "CHECK (totp_used_step >= 0)")),
        path: \.secrets, row: { ($0.passcodeHash, $0.totp?.key, $0.totp?.usedStep) },
        record: { hash, key, usedStep in
            (hash, try both(key, usedStep, "an authenticator") { TOTPEnrolment(key: $0, usedStep: $1) })
        })

    /// The list of people, and the hashes that passwords are compared with. What is removed or replaced is overwritten
    /// in the file, as in `secret`.
    static let people = EntryTable(
        Table(
            "person", step: 16,
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
            let user = try both(userName, uid, "a Unix user") { GatePerson.UnixUser(name: $0, uid: $1) }
            guard kind != .shared || user != nil && passwordHash == nil else {
                throw StoreError.damaged("a shared user without a user, or with a password")
            }
            let person = GatePerson(name: name, kind: kind, user: user, isConfirmed: isConfirmed)
            return (name, PersonRecord(person, passwordHash: passwordHash))
        })

    /// The newest list of devices and guardians, the newest policy for all devices, and this device's key.
    static let household = RowTable(
        table: Table(
            "household", step: 13, isOneRow: true,
            constraints: [
                "CHECK ((list IS NULL) = (list_key IS NULL))", "CHECK ((device_key IS NULL) = (public_key IS NULL))",
            ],
            // The list as a JWS, and the key that it was verified with.
            Column("list", .optional(.bytes(0...(.max)))), Column("list_key", .optional(.bytes(32...32))),
            // The private and the public half of an Ed25519 key.
            Column("device_key", .optional(.secret(32...32))), Column("public_key", .optional(.bytes(32...32))),
            // The newest time at which a guardian opened something.
            Column("seen_at", .optional(.time)),
            // The policy as a JWS, and the key that it was verified with.
            Column("policy", .optional(.bytes(0...(.max))), step: 14),
            Column(
                "policy_key", .optional(.bytes(32...32)), "CHECK ((policy IS NULL) = (policy_key IS NULL))", step: 14)),
        path: \.household,
        row: { household in
            let (list, key, policy) = (household.list, household.deviceKey, household.policy)
            return (
                list?.signed, list?.verifiedBy, key?.secret, key?.publicKey, household.seenAt, policy?.signed,
                policy?.verifiedBy
            )
        },
        record: { list, listKey, secret, publicKey, seenAt, policy, policyKey in
            HouseholdRecord(
                list: try both(list, listKey, "a list of a household") {
                    SignedHouseholdList(try HouseholdList(signed: $0, by: $1), signed: $0, verifiedBy: $1)
                },
                deviceKey: try both(secret, publicKey, "a key of a household") { DeviceKey(publicKey: $1, secret: $0) },
                seenAt: seenAt,
                policy: try both(policy, policyKey, "a policy of a household") {
                    SignedHouseholdPolicy(try HouseholdPolicy(signed: $0, by: $1), signed: $0, verifiedBy: $1)
                })
        })

    /// Combines two columns that count only together; `nil` if both are NULL.
    private static func both<First, Second, Whole>(
        _ first: First?, _ second: Second?, _ noun: String, _ whole: (First, Second) throws -> Whole
    ) throws -> Whole? {
        guard let first, let second else {
            if first == nil, second == nil { return nil }
            throw StoreError.damaged("half of \(noun)")
        }
        guard let whole = try? whole(first, second) else { throw StoreError.damaged("\(noun) that nobody signed") }
        return whole
    }
}

extension DurableRecords {
    fileprivate var secrets: (passcodeHash: String?, totp: TOTPEnrolment?) {
        get { (passcodeHash, totp) }
        set { (passcodeHash, totp) = newValue }
    }
}

extension Format<CivilDate> {
    /// Years have four digits.
    fileprivate static let date = Format(
        .text, "a date of a year with four digits", value: { CivilDate($0) },
        base: { CivilDate($0.description) == nil ? nil : $0.description })
}
