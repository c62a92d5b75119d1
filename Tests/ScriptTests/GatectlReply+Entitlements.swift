import GateModel
import GateScripting

// What `gatectl --json` says of people, and of what is paid for.

extension GatectlReply {
    var provider: ClaimProvider? {
        switch text("provider") {
        case "PROVIDER_STORE_KIT": .storeKit
        case "PROVIDER_REVENUE_CAT": .revenueCat
        case "PROVIDER_MANUAL": .manual
        case _: nil
        }
    }

    var paywallOutcome: PaywallOutcome? {
        switch text("outcome") {
        case "PAYWALL_OUTCOME_ACTIVE_ALREADY": .activeAlready
        case "PAYWALL_OUTCOME_PAID": .paid
        case _: nil
        }
    }

    /// Of an EntitlementSource: "STATUS_IN_GRACE_PERIOD" is `inGracePeriod`.
    var status: Entitlement.Status? {
        let words = (text("status") ?? "").split(separator: "_").dropFirst().map { $0.lowercased() }
        return Entitlement.Status(rawValue: words.joined(separator: "-"))
    }

    var person: GatePerson? {
        guard let name = text("name") else { return nil }
        let isConfirmed = !isTrue("isUnconfirmed")
        let kind: GatePerson.Kind =
            self["shared"] != nil
            ? .shared : self["child"].map { .child(born: $0.text("born").flatMap(CivilDate.init)) } ?? .grownUp
        let user = self["user"].map { user in
            GatePerson.UnixUser(name: user.text("name") ?? "", uid: UInt32(user.number("uid") ?? 0))
        }
        return GatePerson(
            name: name, kind: kind, user: user, hasPassword: isTrue("hasPassword"), isConfirmed: isConfirmed)
    }

    /// Of a SignInState, at this time of the script's.
    func shownSignIn(at now: BootTime, _ elapsed: Duration) -> ShownSignIn {
        let session = self["session"]
        return ShownSignIn(
            name: session?.text("name"), until: session?.deadline.map { elapsed + now.duration(to: $0) },
            needsAuthentication: isTrue("needsAuthentication"))
    }

    /// Of an EntitlementsState.
    func shownEntitlements(at now: WallTime, _ elapsed: Duration) -> ShownEntitlements {
        let lines = objects("entitlements").map { entitlement in
            let source = entitlement["source"]
            return ShownEntitlements.Line(
                name: entitlement.text("name") ?? "", status: source?.status, provider: source?.provider,
                product: source?.text("product") ?? "",
                until: source?.number("untilUnixMilliseconds").map {
                    elapsed + .milliseconds($0 - now.unixMilliseconds)
                })
        }
        return ShownEntitlements(lines: lines, isSubscriptionActive: isTrue("isSubscriptionActive"))
    }
}
