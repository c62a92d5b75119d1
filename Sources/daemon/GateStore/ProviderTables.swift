import GateCore
import GateModel
import SQLite

extension RecordTables {
    /// The claims: what providers say was paid for.
    static let claims = EntryTable(
        Table(
            "claim", keyCount: 2,
            constraints: [
                "CHECK ((is_in_billing_retry IS NULL) = (renewal_said_at IS NULL))",
                "CHECK (grace_period_ends_at IS NULL OR renewal_said_at IS NOT NULL)",
            ],
            Column("provider", .word(ClaimProvider.self, "a provider")), Column("name", .name),
            // The account that it belongs to; NULL: the device.
            Column("account", .optional(.name)), Column("item", .name), Column("product", .words),
            Column("purchased_at", .time),
            // NULL: it never expires.
            Column("expires_at", .optional(.time)), Column("revoked_at", .optional(.time)),
            Column("is_for_testing", .flag, "CHECK (is_for_testing IN (0, 1))"), Column("said_at", .time),
            // All three are NULL if nothing was said of a renewal.
            Column("is_in_billing_retry", .optional(.flag), "CHECK (is_in_billing_retry IN (0, 1))"),
            Column("grace_period_ends_at", .optional(.time)), Column("renewal_said_at", .optional(.time)),
            // When an administrator revoked it on this device.
            Column("revoked_here", .optional(.time))),
        of: \.claims, atMost: 100_000, foundBy: .name { ([$0.provider.rawValue], $0.name) },
        row: { id, claim in
            let account: String? =
                switch claim.holder {
                case .device: nil
                case .account(let name): name
                }
            let (purchase, renewal) = (claim.purchase, claim.renewal)
            return (
                id.provider, id.name, account, purchase.item, purchase.product, purchase.purchasedAt,
                purchase.expiresAt, purchase.revokedAt, purchase.isForTesting, purchase.saidAt,
                renewal?.isInBillingRetry, renewal?.gracePeriodEndsAt, renewal?.saidAt, claim.revokedHere
            )
        },
        entry: {
            provider, name, account, item, product, purchasedAt, expiresAt, revokedAt, isForTesting, saidAt,
            isInBillingRetry, gracePeriodEndsAt, renewalSaidAt, revokedHere in
            let renewal: SubscriptionRenewal? =
                switch (isInBillingRetry, gracePeriodEndsAt, renewalSaidAt) {
                case (nil, nil, nil): nil
                case (let isRetrying?, let end, let saidAt?):
                    SubscriptionRenewal(isInBillingRetry: isRetrying, gracePeriodEndsAt: end, saidAt: saidAt)
                case _: throw StoreError.damaged("half a renewal")
                }
            let claim = Claim(
                id: Claim.ID(provider, name), holder: account.map { .account($0) } ?? .device,
                purchase: ClaimedPurchase(
                    item: item, product: product, purchasedAt: purchasedAt, expiresAt: expiresAt,
                    revokedAt: revokedAt, isForTesting: isForTesting, saidAt: saidAt),
                renewal: renewal, revokedHere: revokedHere)
            return (claim.id, claim)
        })

    /// When RevenueCat last said something of each of its users, so that nothing older is accepted.
    static let customers = EntryTable(
        Table("customer", Column("app_user", .name, "PRIMARY KEY"), Column("heard_at", .time)),
        of: \.customers, atMost: 100_000, foundBy: .name { ([], $0) }, row: { ($0, $1) }, entry: { ($0, $1) })

    /// The App Store's notifications that were accepted, so that each is accepted once.
    static let notifications = EntryTable(
        Table(
            "notification", Column("id", .name, "PRIMARY KEY"),
            // The order in which they were accepted, from 1.
            Column("place", .number(1...maximumNumber), "CHECK (place >= 1)")),
        of: \.notifications, atMost: 100_000, foundBy: .name { ([], $0) }, row: { ($0, $1) }, entry: { ($0, $1) })

    /// The texts signed by the App Store that this device shares with others of the household.
    static let receipts = EntryTable(
        Table(
            "receipt", step: 15, hasRowID: true, Column("number", .rowID(1...maximumNumber), "PRIMARY KEY"),
            // The original transaction, and which part of its claim the text states.
            Column("claim", .name), Column("part", .word(KeptReceipt.Part.self, "a part of a claim")),
            // When the App Store signed it.
            Column("said_at", .time), Column("kind", .word(StoreReceipt.Kind.self, "a kind of receipt")),
            Column("signed", .text(0...StoreReceipt.maximumByteCount))),
        of: \.receipts, atMost: 10_000, foundBy: .columns { [Int64(clamping: $0)] },
        row: { ($0, $1.claim, $1.part, $1.saidAt, $1.receipt.kind, $1.receipt.text) },
        entry: { ($0, KeptReceipt(number: $0, claim: $1, part: $2, saidAt: $3, receipt: StoreReceipt($4, $5))) })
}
