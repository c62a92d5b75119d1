import GateModel

/// Decides which records a provider's statement changes, or why it is refused. Its signature was checked before.
///
/// Statements may arrive in any order. For each purchase, for each renewal, and for each RevenueCat user the statement
/// with the newest date counts; an older one changes nothing.
struct ClaimRules {
    static let maximumClaims = 1024
    static let maximumClaimsOfCustomer = 256
    /// A forgotten notification that is repeated changes nothing, since its contents are outdated.
    static let maximumNotifications = 4096

    enum Result: Hashable {
        /// Empty if the statement says nothing new.
        case changes([RecordChange])
        case refused(GateError)
    }

    let records: DurableRecords
    let configuration: Configuration
    let signedInAccount: String?
    /// Whether an administrator submits the statement. Only then can a purchase that was revoked here change holders.
    var isAdministrator = false

    /// If `holder` is `nil`, it is the one that the claim already has, or else the account that is signed in, or else
    /// the device. `isShared`: the statement comes from another device of the household. Then `holder` counts only for
    /// a new claim, and a repeated notification is no error.
    func result(of statement: ProviderStatement, for holder: Claim.Holder?, isShared: Bool = false) -> Result {
        do throws(GateError) {
            try statement.checkLimits { configuration.items[ProviderItem(.revenueCat, $0)] != nil }
            switch statement {
            // A notification without content that another device got changes nothing here, and takes no place among the
            // remembered notifications.
            case .storeKitNothing where isShared:
                return .changes([])
            case .storeKitNothing(let id):
                return .changes(try taken(id))
            case .storeKit(let transaction, let purchase, let renewal, _, let binding) where isShared:
                let isKnown = records.claims[Claim.ID(.storeKit, transaction)] != nil
                return .changes(
                    try storeKit(
                        transaction, purchase, renewal, for: binding.holder ?? (isKnown ? nil : holder),
                        mayBegin: binding.mayBegin, nil))
            case .storeKit(let transaction, let purchase, let renewal, let notification, let binding):
                let changes = try notification.map { id throws(GateError) in try taken(id) } ?? []
                return .changes(
                    changes
                        + (try storeKit(
                            transaction, purchase, renewal, for: try bound(holder, by: binding),
                            mayBegin: binding.mayBegin, notification)))
            case .revenueCat(let user, let entitlements, let saidAt):
                return .changes(try revenueCat(user, entitlements, at: saidAt))
            }
        } catch {
            return .refused(error)
        }
    }

    // MARK: - StoreKit

    /// The receipt's own holder takes precedence. The submitter may only name the same one.
    private func bound(_ asked: Claim.Holder?, by binding: PurchaseBinding) throws(GateError) -> Claim.Holder? {
        guard let holder = binding.holder else { return asked }
        guard asked == nil || asked == holder else { throw .boundPurchase }
        return holder
    }

    private func storeKit(
        _ transaction: String, _ purchase: ClaimedPurchase?, _ renewal: SubscriptionRenewal?, for holder: Claim.Holder?,
        mayBegin: Bool,
        _ notification: String?
    ) throws(GateError) -> [RecordChange] {
        let id = Claim.ID(.storeKit, transaction)
        let before = records.claims[id]
        var claim: Claim
        if let before {
            claim = before
            if let holder, isAdministrator, before.revokedHere != nil {
                claim.holder = try self.holder(holder)
                claim.revokedHere = nil
            } else if let holder, holder != before.holder {
                throw .othersPurchase
            }
        } else {
            guard let purchase, mayBegin else { throw .noTransaction }
            guard records.claims.count < Self.maximumClaims else { throw .tooManyClaims }
            claim = Claim(id: id, holder: try self.holder(holder), purchase: purchase)
        }
        var isOutdated = false
        if let purchase {
            guard configuration.items[ProviderItem(.storeKit, purchase.item)] != nil else {
                throw .noItem(purchase.item, of: .storeKit)
            }
            isOutdated = purchase.isOlder(than: claim.purchase)
            if claim.purchase.isOlder(than: purchase) { claim.purchase = purchase }
        }
        if let renewal {
            let last = claim.renewal?.saidAt
            if last.map({ renewal.saidAt > $0 }) ?? true { claim.renewal = renewal }
            isOutdated = isOutdated || last.map { renewal.saidAt < $0 } ?? false
        }
        if claim == before {
            // A late notification is not an error: a newer one arrived before it.
            if isOutdated, notification == nil { throw .outdatedStatement }
            return []
        }
        return [.claimSet(claim)]
    }

    /// The changes that record a notification as processed, and forget the oldest ones beyond the limit.
    ///
    /// - Throws: `notificationTaken` if the notification was recorded before.
    private func taken(_ id: String) throws(GateError) -> [RecordChange] {
        guard records.notifications[id] == nil else { throw .notificationTaken }
        let order = (records.notifications.values.max() ?? 0) + 1
        let surplus = records.notifications.count + 1 - Self.maximumNotifications
        let forgotten = surplus > 0 ? records.notifications.sorted { $0.value < $1.value }.prefix(surplus) : []
        return forgotten.map { .notificationForgotten(id: $0.key) } + [.notificationTaken(id: id, order: order)]
    }

    private func holder(_ asked: Claim.Holder?) throws(GateError) -> Claim.Holder {
        let holder = asked ?? signedInAccount.map { .account($0) } ?? .device
        if case .account(let name) = holder, records.people[name] == nil { throw .noPerson(name) }
        return holder
    }

    // MARK: - RevenueCat

    /// The user's entitlements in this statement replace those in earlier statements.
    private func revenueCat(
        _ user: String, _ entitlements: [ProviderStatement.CustomerEntitlement], at saidAt: WallTime
    ) throws(GateError) -> [RecordChange] {
        guard let asked = configuration.customers[user] else { throw .noCustomer }
        let holder = try self.holder(asked)
        if let last = records.customers[user], saidAt < last { throw .outdatedStatement }
        let before = records.claims.values.filter { $0.id.isOf(customer: user) }
        var now: [Claim.ID: Claim] = [:]
        for entitlement in entitlements {
            // An app may have entitlements of its own in RevenueCat. Gate skips those without a configured item.
            guard configuration.items[ProviderItem(.revenueCat, entitlement.purchase.item)] != nil else { continue }
            let id = Claim.ID(customer: user, item: entitlement.purchase.item)
            now[id] = Claim(
                id: id, holder: holder, purchase: entitlement.purchase, renewal: entitlement.renewal,
                revokedHere: records.claims[id]?.revokedHere)
        }
        guard now.count <= Self.maximumClaimsOfCustomer else { throw .tooManyClaimsOfCustomer }
        guard records.claims.count - before.count + now.count <= Self.maximumClaims else { throw .tooManyClaims }
        var changes: [RecordChange] = []
        for claim in before.sorted(by: { $0.id < $1.id }) where now[claim.id] == nil {
            // A claim that an administrator revoked is kept with its mark, in case the provider names it again.
            if claim.revokedHere != nil { continue }
            changes.append(.claimRemoved(claim.id))
        }
        for claim in now.values.sorted(by: { $0.id < $1.id }) where !claim.saysTheSame(as: records.claims[claim.id]) {
            changes.append(.claimSet(claim))
        }
        // The time is recorded even if the statement says nothing new. Otherwise an older statement with other content
        // could be accepted afterwards.
        if records.customers[user].map({ $0 < saidAt }) ?? true {
            changes.append(.customerHeard(appUser: user, at: saidAt))
        }
        return changes
    }
}

extension Claim.ID {
    fileprivate init(customer: String, item: String) {
        self.init(.revenueCat, "\(customer)/\(item.replacing("%", with: "%25").replacing("/", with: "%2F"))")
    }

    /// The RevenueCat user; `nil` for other providers. Everything before the last slash: a user's name may contain
    /// slashes, while the item's are escaped.
    var customer: String? {
        provider == .revenueCat ? name.lastIndex(of: "/").map { String(name[..<$0]) } : nil
    }

    fileprivate func isOf(customer: String) -> Bool { self.customer == customer }
}

extension Claim {
    /// Equality apart from the times of the statements.
    fileprivate func saysTheSame(as other: Claim?) -> Bool {
        guard var other else { return false }
        other.purchase.saidAt = purchase.saidAt
        if let saidAt = renewal?.saidAt { other.renewal?.saidAt = saidAt }
        return self == other
    }
}

extension ClaimedPurchase {
    /// Whether this purchase is outdated. Each period of a subscription is a purchase of its own under one original
    /// transaction, so the purchase date is compared first: the store may sign an old period again, which says nothing
    /// about the current one.
    func isOlder(than other: ClaimedPurchase) -> Bool {
        purchasedAt == other.purchasedAt ? saidAt < other.saidAt : purchasedAt < other.purchasedAt
    }
}
