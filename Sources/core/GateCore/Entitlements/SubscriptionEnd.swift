public import GateModel

/// When the subscription ends if nothing changes except the time. A grace period or a longer claim prolongs it. If only
/// an account has paid, it ends with the session at the latest.
extension GateState {
    /// The moment of the end; `.never` if there is none; `nil` if the subscription is not active. May be in the past:
    /// then `deadlineReached` is due.
    public var subscriptionEnd: BootTime? {
        guard entitlements.isSubscriptionActive else { return nil }
        let ends = resolved.subscriptionEnds
        let sessionEnd = signIn.session?.deadline ?? .never
        return [ends.ofDevice.map { bootTime(at: $0) }, ends.ofAccount.map { min(bootTime(at: $0), sessionEnd) }]
            .compactMap { $0 }.max()
    }
}

/// When the last active claims to the subscription end: the device's, and those of the account that is signed in;
/// `nil`: there are none.
struct SubscriptionEnds: Hashable, Sendable {
    var ofDevice: WallTime?
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

    /// The end of the claim's active time, including a grace period; `nil` if the claim is not active at `time`.
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
