import GateModel

/// The change that a provider's statement makes, or the reason why it is refused. The signature was checked before.
///
/// What was said before is out of date: of each purchase, of each renewal, and of each of RevenueCat's users the newest
/// word counts, in whatever order the words come.
struct ClaimRules {
    /// Claims that are kept in all.
    static let maximumClaims = 1024
    /// The most claims that one user of RevenueCat may have.
    static let maximumClaimsOfCustomer = 256
    /// Notifications of the App Store that are remembered. Older ones are out of date by their contents.
    static let maximumNotifications = 4096

    enum Result: Hashable {
        /// Empty: nothing new.
        case changes([RecordChange])
        case refused(GateError)
    }

    let records: DurableRecords
    let configuration: Configuration
    /// `nil`: nobody is signed in.
    let signedInAccount: String?
    /// An administrator says whose it is: a purchase that was taken back here may get another holder.
    var isAdministrator = false

    /// - Parameters:
    ///   - holder: `nil`: whose it is already; else the person who is signed in; else the device.
    ///   - isShared: it comes from another device of the household, whose word on the holder counts where nobody here has one, and which
    ///     may say the same again.
    func result(of statement: ProviderStatement, for holder: Claim.Holder?, isShared: Bool = false) -> Result {
        do throws(GateError) {
            try statement.checkLimits { configuration.items[ProviderItem(.revenueCat, $0)] != nil }
            switch statement {
            // That another device was told nothing changes nothing here, and costs no place among what was taken.
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

    /// The holder that the receipt names goes before the one that its bearer names, who may name the same.
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
            // A notification that came late is no mistake: the next one was here first.
            if isOutdated, notification == nil { throw .outdatedStatement }
            return []
        }
        return [.claimSet(claim)]
    }

    /// Each notification is taken once.
    private func taken(_ id: String) throws(GateError) -> [RecordChange] {
        guard records.notifications[id] == nil else { throw .notificationTaken }
        let order = (records.notifications.values.max() ?? 0) + 1
        let surplus = records.notifications.count + 1 - Self.maximumNotifications
        let forgotten = surplus > 0 ? records.notifications.sorted { $0.value < $1.value }.prefix(surplus) : []
        return forgotten.map { .notificationForgotten(id: $0.key) } + [.notificationTaken(id: id, order: order)]
    }

    private func holder(_ asked: Claim.Holder?) throws(GateError) -> Claim.Holder {
        let holder = asked ?? signedInAccount.map { .account($0) } ?? .device
        if case .account(let name) = holder, records.accounts[name] == nil { throw .noAccount(name) }
        return holder
    }

    // MARK: - RevenueCat

    /// The user's present claims take the place of the earlier ones.
    private func revenueCat(
        _ user: String, _ entitlements: [ProviderStatement.CustomerEntitlement], at saidAt: WallTime
    ) throws(GateError) -> [RecordChange] {
        guard let asked = configuration.customers[user] else { throw .noCustomer }
        let holder = try self.holder(asked)
        if let last = records.customers[user], saidAt < last { throw .outdatedStatement }
        let before = records.claims.values.filter { $0.id.isOf(customer: user) }
        var now: [Claim.ID: Claim] = [:]
        for entitlement in entitlements {
            // What nothing is configured for is the app's own business.
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
            // What an administrator took back stays so, should the provider speak of it again.
            if claim.revokedHere != nil { continue }
            changes.append(.claimRemoved(claim.id))
        }
        for claim in now.values.sorted(by: { $0.id < $1.id }) where !claim.saysTheSame(as: records.claims[claim.id]) {
            changes.append(.claimSet(claim))
        }
        // Even where it said the same again: or else what it said in between could be taken afterwards.
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

    /// RevenueCat's user. What comes after the last slash has none; a customer may.
    var customer: String? {
        provider == .revenueCat ? name.lastIndex(of: "/").map { String(name[..<$0]) } : nil
    }

    fileprivate func isOf(customer: String) -> Bool { self.customer == customer }
}

extension Claim {
    /// But for when it was said.
    fileprivate func saysTheSame(as other: Claim?) -> Bool {
        guard var other else { return false }
        other.purchase.saidAt = purchase.saidAt
        if let saidAt = renewal?.saidAt { other.renewal?.saidAt = saidAt }
        return self == other
    }
}

extension ClaimedPurchase {
    /// Each period of a subscription is a purchase of its own, under one original transaction. The store may sign an old
    /// period anew: that says nothing of the one that runs.
    func isOlder(than other: ClaimedPurchase) -> Bool {
        purchasedAt == other.purchasedAt ? saidAt < other.saidAt : purchasedAt < other.purchasedAt
    }
}
