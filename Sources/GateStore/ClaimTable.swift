import GateModel
import SQLite

/// The rows of `claim`: what providers say was paid for (F-50).
enum ClaimTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 100_000

    private static let columns = """
        provider, name, account, item, product, purchased_at, expires_at, revoked_at, is_for_testing, said_at, \
        is_in_billing_retry, grace_period_ends_at, renewal_said_at, revoked_here
        """

    static func load(from database: Database) throws -> [Claim.ID: Claim] {
        var claims: [Claim.ID: Claim] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT \(columns) FROM claim")
        while let row = try rows.next() {
            let claim = try claim(row)
            guard claims[claim.id] == nil, claims.count < maximumCount else {
                throw StoreError.damaged("a claim too many")
            }
            claims[claim.id] = claim
        }
        return claims
    }

    private static func claim(_ row: Row) throws -> Claim {
        let providerName = try RecordTables.value(0, of: row, as: String.self)
        guard let provider = ClaimProvider(rawValue: providerName) else {
            throw StoreError.damaged("a claim of a provider that there is not")
        }
        return Claim(
            id: Claim.ID(provider, try StoredText.name.read(1, of: row)),
            holder: try StoredText.name.readOptional(2, of: row).map { .account($0) } ?? .device,
            purchase: ClaimedPurchase(
                item: try StoredText.name.read(3, of: row), product: try StoredText.words.read(4, of: row),
                purchasedAt: try RecordTables.time(5, of: row), expiresAt: try RecordTables.optionalTime(6, of: row),
                revokedAt: try RecordTables.optionalTime(7, of: row), isForTesting: try RecordTables.flag(8, of: row),
                saidAt: try RecordTables.time(9, of: row)),
            renewal: try renewal(row), revokedHere: try RecordTables.optionalTime(13, of: row))
    }

    private static func renewal(_ row: Row) throws -> SubscriptionRenewal? {
        let gracePeriodEndsAt = try RecordTables.optionalTime(11, of: row)
        guard let saidAt = try RecordTables.optionalTime(12, of: row) else {
            let isInBillingRetry: DatabaseValue = row[10]
            guard isInBillingRetry.isNull, gracePeriodEndsAt == nil else {
                throw StoreError.damaged("half a renewal")
            }
            return nil
        }
        return SubscriptionRenewal(
            isInBillingRetry: try RecordTables.flag(10, of: row), gracePeriodEndsAt: gracePeriodEndsAt, saidAt: saidAt)
    }

    static func set(_ claim: Claim, in database: Database) throws {
        let account: String? =
            switch claim.holder {
            case .device: nil
            case .account(let name): try StoredText.name.checked(name)
            }
        let (purchase, renewal) = (claim.purchase, claim.renewal)
        try removeOtherSpellings(of: claim.id, in: database)
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO claim (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            claim.id.provider.rawValue, try StoredText.name.checked(claim.id.name), account,
            try StoredText.name.checked(purchase.item), try StoredText.words.checked(purchase.product),
            purchase.purchasedAt.unixMilliseconds, purchase.expiresAt?.unixMilliseconds,
            purchase.revokedAt?.unixMilliseconds, purchase.isForTesting, purchase.saidAt.unixMilliseconds,
            renewal?.isInBillingRetry, renewal?.gracePeriodEndsAt?.unixMilliseconds,
            renewal?.saidAt.unixMilliseconds, claim.revokedHere?.unixMilliseconds,
        ])
    }

    static func remove(_ id: Claim.ID, in database: Database) throws {
        try removeOtherSpellings(of: id, in: database)
        try removeRow(id.provider, id.name, in: database)
    }

    private static func removeOtherSpellings(of id: Claim.ID, in database: Database) throws {
        for name in try StoredText.otherSpellings(of: id.name, in: "name", of: "claim", database) {
            try removeRow(id.provider, name, in: database)
        }
    }

    private static func removeRow(_ provider: ClaimProvider, _ name: String, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM claim WHERE provider = ? AND name = ?")
            .execute(arguments: [provider.rawValue, name])
    }
}
