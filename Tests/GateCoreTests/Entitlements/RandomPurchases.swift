import CommandSupport
import GateModel
import GateScripting

@testable import GateCore

// Reports of providers and gifts of administrators in a random walk.
extension RandomWalk {
    mutating func time() -> WallTime? {
        let now = device.wallTime.unixMilliseconds
        let near = [now &- 10_000, now, now &+ 1000, now &+ 60_000].randomElement(using: &chance)
        return [nil, near, near, Int64.random(in: .min ... .max, using: &chance)].randomElement(using: &chance)?
            .map { WallTime(unixMilliseconds: $0) }
    }

    mutating func statement() -> ProviderStatement {
        let purchase = ClaimedPurchase(
            item: ["monthly", "pro", "unknown"].randomElement(using: &chance) ?? "", product: "p",
            purchasedAt: device.wallTime, expiresAt: time(), revokedAt: Bool.random(using: &chance) ? time() : nil,
            saidAt: time() ?? device.wallTime)
        let renewal = SubscriptionRenewal(
            isInBillingRetry: Bool.random(using: &chance), gracePeriodEndsAt: time(), saidAt: time() ?? device.wallTime)
        let id = Bool.random(using: &chance) ? "\(Int.random(in: 0...30, using: &chance))" : nil
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: return .storeKitNothing(notificationID: id ?? "x")
        case 1: return .storeKit(originalTransaction: "1", purchase: nil, renewal: renewal, notificationID: id)
        case 2...3:
            return .storeKit(
                originalTransaction: "\(Int.random(in: 1...3, using: &chance))", purchase: purchase,
                renewal: Bool.random(using: &chance) ? renewal : nil, notificationID: id)
        default:
            return .revenueCat(
                appUser: ["anna-17", "tablet", "x"].randomElement(using: &chance) ?? "",
                Bool.random(using: &chance)
                    ? [] : [ProviderStatement.CustomerEntitlement(purchase: purchase, renewal: renewal)],
                saidAt: time() ?? device.wallTime)
        }
    }

    mutating func holder() -> Claim.Holder? {
        [nil, .device, .account("anna"), .account("nobody")].randomElement(using: &chance) ?? nil
    }

    mutating func claimCommand() -> Command {
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: return .addClaim(entitlement: "premium", holder() ?? .device, until: time())
        case 1:
            let id = device.state.claims(at: device.wallTime).map(\.claim.id).randomElement(using: &chance)
            return .revokeClaim(id ?? Claim.ID(.manual, "1"))
        default: return .reportProvider(.revenueCat, isReachable: Bool.random(using: &chance), detail: "r")
        }
    }
}
