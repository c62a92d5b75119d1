public import GateModel

/// Until when the subscription stays active if nothing happens but time. A period of grace, or another claim that lasts
/// longer, does not end it; the end of the session does, where only an account has paid.
extension GateState {
    /// The end; `.never`: none. `nil`: it is not active. May be past: then `deadlineReached` is due.
    public var subscriptionEnd: BootTime? {
        guard entitlements.isSubscriptionActive else { return nil }
        let ends = resolved.subscriptionEnds
        let sessionEnd = signIn.session?.deadline ?? .never
        return [ends.ofDevice.map { bootTime(at: $0) }, ends.ofAccount.map { min(bootTime(at: $0), sessionEnd) }]
            .compactMap { $0 }.max()
    }
}

/// When the last of the claims that are active now ends, by whose they are.
struct SubscriptionEnds: Hashable, Sendable {
    /// `nil`: the device has none.
    var ofDevice: WallTime?
    /// `nil`: the person who is signed in has none.
    var ofAccount: WallTime?
}

extension EntitlementRules {
    func subscriptionEnds(of claims: some Collection<Claim>, after time: WallTime) -> SubscriptionEnds {
        guard let subscription = configuration.subscription else { return SubscriptionEnds() }
        var ends = SubscriptionEnds()
        for claim in claims where counts(claim) && entitlementName(of: claim) == subscription {
            guard let end = Self.activityEnd(of: claim, after: time) else { continue }
            switch claim.holder {
            case .device: ends.ofDevice = max(ends.ofDevice ?? end, end)
            case .account: ends.ofAccount = max(ends.ofAccount ?? end, end)
            }
        }
        return ends
    }

    /// Until when it is active, whatever its status is called meanwhile; `nil`: it is not active at `time`.
    static func activityEnd(of claim: Claim, after time: WallTime) -> WallTime? {
        var moment = time
        guard status(of: claim, at: moment).isActive else { return nil }
        while let change = end(of: claim, after: moment) {
            guard status(of: claim, at: change).isActive else { return change }
            moment = change
        }
        return .never
    }
}

extension WallTime {
    fileprivate static let never = WallTime(unixMilliseconds: .max)
}
