import GateCore
import GateGuardians
import GateModel

// The tables with secrets: of the device, of people, of the household. Each is written again as a whole, and what is
// replaced or removed is overwritten in the file and its log (`PRAGMA secure_delete`, `GateStore.forgetLog`). It is not
// removed from what a disk keeps out of the file system's reach, nor from this process: SQLite's cache and values read
// from it are freed without being overwritten.

extension RecordTables {
    /// The passcode's hash and the authenticator's key. The core also holds the key, for as long as it is set up.
    static let secret = RowTable(
        table: Table(
            "secret", isOneRow: true, blank: .empty,
            constraints: ["CHECK ((totp_key IS NULL) = (totp_used_step IS NULL))"],
            // NULL: no passcode is set up.
            Column("passcode_hash", .optional(.hash), \.passcodeHash),
            Column(
                \.totp, blank: TOTPEnrolment(key: GateSecret([]), usedStep: 0),
                // No key is as long as 1,024 bytes.
                Column("totp_key", .secret(1...1024), \.key),
                // The newest time step whose code was used.
                Column("totp_used_step", .number, \.usedStep, "CHECK (totp_used_step >= 0)"),
                mayBeNull: true, part: { $0 }, value: { $0 })),
        records: \DurableRecords.self)

    /// The list of people, and the hashes that passwords are compared with. If SQLite splits or merges pages, copies of
    /// rows stay in their free space, which `secure_delete` does not overwrite. Emptying the table overwrites all of
    /// its pages.
    static let people = EntryTable(
        Table(
            "person", step: 16, blank: PersonRecord(GatePerson(name: "", kind: .grownUp), passwordHash: nil),
            constraints: [
                "CHECK (born IS NULL OR kind = 'child')", "CHECK ((user_name IS NULL) = (uid IS NULL))",
                "CHECK (kind <> 'shared' OR uid IS NOT NULL AND password_hash IS NULL)",
            ],
            where: { $0.person.kind != .shared || $0.person.user != nil && $0.passwordHash == nil },
            Column("name", .line(1...GatePerson.maximumNameByteCount), \.person.name, "PRIMARY KEY"),
            Column(
                \.person.kind, blank: (word: "", born: CivilDate?.none),
                Column("kind", .text, \.word, "CHECK (kind IN ('grown-up', 'child', 'shared'))"),
                // A child's date of birth, as YYYY-MM-DD.
                Column("born", .optional(.date), \.born),
                part: { kind in
                    switch kind {
                    case .grownUp: ("grown-up", nil)
                    case .child(let born): ("child", born)
                    case .shared: ("shared", nil)
                    }
                },
                value: { kind in
                    switch (kind?.word, kind?.born) {
                    case ("grown-up", nil): .grownUp
                    case ("child", let born): .child(born: born)
                    case ("shared", nil): .shared
                    case _: throw StoreError.damaged("somebody who is neither a grown-up, a child nor a shared user")
                    }
                }),
            // The person's Unix user.
            Column(
                \.person.user, blank: GatePerson.UnixUser(name: "", uid: 0),
                Column("user_name", .line(1...GatePerson.maximumUserNameByteCount), \.name),
                Column("uid", .uid, \.uid, "UNIQUE"), mayBeNull: true, part: { $0 }, value: { $0 }),
            // NULL: the person can't sign in.
            Column("password_hash", .optional(.hash), \.passwordHash),
            // Whether an administrator vouches for the person.
            Column("is_confirmed", .flag, \.person.isConfirmed, "CHECK (is_confirmed IN (0, 1))")),
        of: \.people, by: \.person.name, atMost: 100_000)

    /// The newest list of devices and guardians, the newest policy for all devices, and this device's key.
    static let household = RowTable(
        table: Table(
            "household", step: 13, isOneRow: true, blank: .empty,
            constraints: [
                "CHECK ((list IS NULL) = (list_key IS NULL))", "CHECK ((device_key IS NULL) = (public_key IS NULL))",
            ],
            signed("list", \.household.list, part: { ($0.signed, $0.verifiedBy) }) {
                SignedHouseholdList(try HouseholdList(signed: $0, by: $1), signed: $0, verifiedBy: $1)
            },
            // The private and the public half of an Ed25519 key.
            Column(
                \.household.deviceKey, blank: DeviceKey(publicKey: [], secret: GateSecret([])),
                Column("device_key", .secret(32...32), \.secret), Column("public_key", .bytes(32...32), \.publicKey),
                mayBeNull: true, part: { $0 }, value: { $0 }),
            // The newest time at which a guardian opened something.
            Column("seen_at", .optional(.time), \.household.seenAt),
            signed(
                "policy", \.household.policy, "CHECK ((policy IS NULL) = (policy_key IS NULL))", step: 14,
                part: { ($0.signed, $0.verifiedBy) }
            ) {
                SignedHouseholdPolicy(try HouseholdPolicy(signed: $0, by: $1), signed: $0, verifiedBy: $1)
            }),
        records: \DurableRecords.self)

    /// The answers of this device's guardian to asks of other devices, which the broker keeps for those.
    static let householdAnswers = EntryTable(
        Table(
            "household_answer", step: 21, keyCount: 2,
            blank: (
                RequestName(.blank, 1),
                AnswerToAsk(command: .blank, nonce: [], isAllowed: false, expires: .zero, end: .zero)
            ),
            // The device that asks, and the number of the ask there.
            Column("device", .householdID, \.key.device), Column("number", .bits, \.key.number),
            // The command in which the answer travels.
            Column("command", .householdID, \.value.command),
            Column("nonce", .bytes(HouseholdAsk.nonceByteCount...HouseholdAsk.nonceByteCount), \.value.nonce),
            Column("is_allowed", .flag, \.value.isAllowed, "CHECK (is_allowed IN (0, 1))"),
            // How much a yes allows, or what kind of no it is.
            Column("word", .line(1...AskEcho.maximumChoiceByteCount), \.value.word),
            // When the answer expires, by the clock of the device that asks, and by the clock of this device.
            Column("expires", .time, \.value.expires), Column("end_at", .time, \.value.end)),
        of: \.household.answers, atMost: 10_000)

    /// A JWS, and the key that it was verified with. It is verified again when it is read.
    private static func signed<Value>(
        _ name: String, _ path: any WritableKeyPath<DurableRecords, Value?> & Sendable, _ constraint: String = "",
        step: Int = 0, part: @escaping @Sendable (Value) -> (signed: [UInt8], key: [UInt8]),
        value: @escaping @Sendable ([UInt8], [UInt8]) throws -> Value
    ) -> Column<DurableRecords> {
        Column(
            path, blank: (signed: [], key: []), Column(name, .bytes(0...(.max)), \.signed, step: step),
            Column("\(name)_key", .bytes(32...32), \.key, constraint, step: step), mayBeNull: true,
            part: { $0.map(part) }, value: { try $0.map { try value($0.signed, $0.key) } })
    }
}

extension Format<HouseholdID> {
    static let householdID = Format(
        .text, "an id of a household's device or command", value: { HouseholdID($0) }, base: \.description)
}

extension HouseholdID {
    /// Any id, which is overwritten when a row is read.
    static let blank = {
        var random = SystemRandomNumberGenerator()
        return HouseholdID(using: &random)
    }()
}

extension Format<CivilDate> {
    /// Years have four digits.
    fileprivate static let date = Format(
        .text, "a date of a year with four digits", value: { CivilDate($0) },
        base: { CivilDate($0.description) == nil ? nil : $0.description })
}
