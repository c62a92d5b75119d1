import GateCore
import GateModel

extension RecordTables {
    /// The claims: what providers say was paid for.
    static let claims = EntryTable(
        Table(
            "claim", keyCount: 2,
            blank: Claim(
                id: Claim.ID(.manual, ""), holder: .device,
                purchase: ClaimedPurchase(item: "", product: "", purchasedAt: .zero, expiresAt: nil, saidAt: .zero)),
            constraints: [
                "CHECK ((is_in_billing_retry IS NULL) = (renewal_said_at IS NULL))",
                "CHECK (grace_period_ends_at IS NULL OR renewal_said_at IS NOT NULL)",
            ],
            Column("provider", .word(ClaimProvider.self, "a provider"), \.id.provider),
            Column("name", .name, \.id.name),
            // The account that it belongs to; NULL: the device.
            Column("account", .holder, \.holder), Column("item", .name, \.purchase.item),
            Column("product", .words, \.purchase.product), Column("purchased_at", .time, \.purchase.purchasedAt),
            // NULL: it never expires.
            Column("expires_at", .optional(.time), \.purchase.expiresAt),
            Column("revoked_at", .optional(.time), \.purchase.revokedAt),
            Column("is_for_testing", .flag, \.purchase.isForTesting, "CHECK (is_for_testing IN (0, 1))"),
            Column("said_at", .time, \.purchase.saidAt),
            Column(
                \.renewal, blank: SubscriptionRenewal(isInBillingRetry: false, gracePeriodEndsAt: nil, saidAt: .zero),
                Column("is_in_billing_retry", .flag, \.isInBillingRetry, "CHECK (is_in_billing_retry IN (0, 1))"),
                Column("grace_period_ends_at", .optional(.time), \.gracePeriodEndsAt),
                Column("renewal_said_at", .time, \.saidAt), mayBeNull: true, part: { $0 }, value: { $0 }),
            // When an administrator revoked it on this device.
            Column("revoked_here", .optional(.time), \.revokedHere)),
        of: \.claims, by: \.id, atMost: 100_000, hasSpellings: true)

    /// When RevenueCat last said something of each of its users, so that nothing older is accepted.
    static let customers = EntryTable(
        Table(
            "customer", blank: ("", .zero), Column("app_user", .name, \.key, "PRIMARY KEY"),
            Column("heard_at", .time, \.value)),
        of: \.customers, atMost: 100_000, hasSpellings: true)

    /// The App Store's notifications that were accepted, so that each is accepted once.
    static let notifications = EntryTable(
        Table(
            "notification", blank: ("", 1), Column("id", .name, \.key, "PRIMARY KEY"),
            // The order in which they were accepted, from 1.
            Column("place", .number(1...maximumNumber), \.value, "CHECK (place >= 1)")),
        of: \.notifications, atMost: 100_000, hasSpellings: true)

    /// The texts signed by the App Store that this device shares with others of the household.
    static let receipts = EntryTable(
        Table(
            "receipt", step: 15, hasRowID: true,
            blank: KeptReceipt(
                number: 1, claim: "", part: .purchase, saidAt: .zero, receipt: StoreReceipt(.transaction, "")),
            Column("number", .rowID(1...maximumNumber), \.number, "PRIMARY KEY"),
            // The original transaction, and which part of its claim the text states.
            Column("claim", .name, \.claim), Column("part", .word(KeptReceipt.Part.self, "a part of a claim"), \.part),
            // When the App Store signed it.
            Column("said_at", .time, \.saidAt),
            Column("kind", .word(StoreReceipt.Kind.self, "a kind of receipt"), \.receipt.kind),
            Column("signed", .text(0...StoreReceipt.maximumByteCount), \.receipt.text)),
        of: \.receipts, by: \.number, atMost: 10_000)
}

extension Format<Claim.Holder> {
    fileprivate static let holder = Format(
        Format<String?>.optional(.name), "an account", value: { $0.map { .account($0) } ?? .device },
        base: { holder in
            switch holder {
            case .device: .some(nil)
            case .account(let name): name
            }
        })
}
