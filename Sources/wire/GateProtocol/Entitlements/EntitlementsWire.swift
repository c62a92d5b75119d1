package import CGateProtocol
package import GateModel

// entitlements.proto: which entitlements are active, and the health of the providers

extension Methods {
    package enum Entitlements {
        package static let get = Method<GetEntitlementsRequest, GetEntitlementsResponse>(service, "GetEntitlements")
        package static let reportProvider = Method<ReportProviderRequest, ReportProviderResponse>(
            service, "ReportProvider")
        static let service = "gate.v1.Entitlements"
    }
}

extension EntitlementsState: MessageMapping {
    init(reading message: Gate__V1__EntitlementsState) throws(GateError) {
        self.init(
            entitlements: try [Entitlement](reading: message.entitlements, count: message.n_entitlements),
            isSubscriptionActive: message.is_subscription_active != 0)
    }

    func write(to message: inout Gate__V1__EntitlementsState, in arena: inout MessageArena) {
        (message.entitlements, message.n_entitlements) = arena.messages(entitlements)
        message.is_subscription_active = isSubscriptionActive ? 1 : 0
    }

    /// An absent message reads as nothing paid for, so that a reader fails closed.
    init(reading message: UnsafeMutablePointer<Gate__V1__EntitlementsState>?) throws(GateError) {
        guard let message else {
            self = .closed
            return
        }
        try self.init(reading: message.pointee)
    }
}

extension Entitlement: MessageMapping {
    init(reading message: Gate__V1__Entitlement) throws(GateError) {
        self.init(
            id: String(reading: message.name),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles), source: nil)
        if let source = message.source {
            self.source = try Source(reading: source.pointee)
            // A status that this version does not know reads as expired; `is_active` says what it means.
            if Status(wire: source.pointee.status) == nil, message.is_active != 0 { self.source?.status = .subscribed }
        }
        // `isActive` follows from the status. If the two contradict each other, nobody can tell which one is right.
        guard isActive == (message.is_active != 0) else {
            throw .wrong("gate.v1.Entitlement.is_active", "is not what its status says")
        }
    }

    func write(to message: inout Gate__V1__Entitlement, in arena: inout MessageArena) {
        message.name = arena.string(id)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.is_active = isActive ? 1 : 0
        message.source = arena.message(optional: source)
    }
}

extension Entitlement.Source: MessageMapping {
    init(reading message: Gate__V1__EntitlementSource) throws(GateError) {
        self.init(
            provider: ClaimProvider(wire: message.provider, else: .unrecognized),
            saidAt: WallTime(unixMilliseconds: message.said_at_unix_milliseconds),
            status: Entitlement.Status(wire: message.status, else: .expired),
            product: String(reading: message.product),
            holder: try Claim.Holder(reading: message.holder, of: "gate.v1.EntitlementSource.holder"), until: nil)
        if message.ends_case == GATE__V1__ENTITLEMENT_SOURCE__ENDS_UNTIL_UNIX_MILLISECONDS {
            until = WallTime(unixMilliseconds: message.until_unix_milliseconds)
        }
    }

    func write(to message: inout Gate__V1__EntitlementSource, in arena: inout MessageArena) {
        message.provider = provider.wire
        message.said_at_unix_milliseconds = saidAt.unixMilliseconds
        message.status = status.wire
        message.product = arena.string(product)
        message.holder = arena.message(holder)
        if let until {
            message.ends_case = GATE__V1__ENTITLEMENT_SOURCE__ENDS_UNTIL_UNIX_MILLISECONDS
            message.until_unix_milliseconds = until.unixMilliseconds
        }
    }
}

extension Entitlement.Status: EnumMapping {
    var wire: Gate__V1__Entitlement__Status {
        switch self {
        case .subscribed: GATE__V1__ENTITLEMENT__STATUS__STATUS_SUBSCRIBED
        case .expired: GATE__V1__ENTITLEMENT__STATUS__STATUS_EXPIRED
        case .inGracePeriod: GATE__V1__ENTITLEMENT__STATUS__STATUS_IN_GRACE_PERIOD
        case .inBillingRetry: GATE__V1__ENTITLEMENT__STATUS__STATUS_IN_BILLING_RETRY
        case .revoked: GATE__V1__ENTITLEMENT__STATUS__STATUS_REVOKED
        }
    }
}

extension ProviderReport: MessageMapping {
    init(reading message: Gate__V1__ProviderReport) {
        self.init(
            provider: ClaimProvider(wire: message.provider, else: .unrecognized),
            health: ProviderHealth(
                isReachable: message.is_reachable != 0, detail: String(reading: message.detail),
                since: WallTime(unixMilliseconds: message.since_unix_milliseconds),
                lastReport: message.last_report_unix_milliseconds == 0
                    ? nil : WallTime(unixMilliseconds: message.last_report_unix_milliseconds)))
    }

    func write(to message: inout Gate__V1__ProviderReport, in arena: inout MessageArena) {
        message.provider = provider.wire
        message.is_reachable = health.isReachable ? 1 : 0
        message.detail = arena.string(health.detail)
        message.since_unix_milliseconds = health.since.unixMilliseconds
        message.last_report_unix_milliseconds =
            health.lastReport > health.since ? health.lastReport.unixMilliseconds : 0
    }
}

// MARK: Requests and responses

package typealias GetEntitlementsRequest = EmptyMessage<Gate__V1__GetEntitlementsRequest>

package struct GetEntitlementsResponse: MappedMessage {
    package var revision: Revision
    package var state: EntitlementsState
    package var providers: [ProviderReport]

    package init(revision: Revision, state: EntitlementsState, providers: [ProviderReport]) {
        self.revision = revision
        self.state = state
        self.providers = providers
    }

    init(reading message: Gate__V1__GetEntitlementsResponse) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision), state: try EntitlementsState(reading: message.state),
            providers: try [ProviderReport](reading: message.providers, count: message.n_providers))
    }

    func write(to message: inout Gate__V1__GetEntitlementsResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
        (message.providers, message.n_providers) = arena.messages(providers)
    }
}

package struct ReportProviderRequest: MappedMessage {
    /// Any provider except `manual`.
    package var provider: ClaimProvider
    package var isReachable: Bool
    package var detail: String

    package init(provider: ClaimProvider, isReachable: Bool, detail: String) {
        self.provider = provider
        self.isReachable = isReachable
        self.detail = detail
    }

    init(reading message: Gate__V1__ReportProviderRequest) throws(GateError) {
        self.init(
            provider: try ClaimProvider(wire: message.provider, of: "gate.v1.ReportProviderRequest.provider"),
            isReachable: message.is_reachable != 0, detail: String(reading: message.detail))
    }

    func write(to message: inout Gate__V1__ReportProviderRequest, in arena: inout MessageArena) {
        message.provider = provider.wire
        message.is_reachable = isReachable ? 1 : 0
        message.detail = arena.string(detail)
    }
}

package typealias ReportProviderResponse = RevisionReply<Gate__V1__ReportProviderResponse>
extension Gate__V1__ReportProviderResponse: CRevisionReply {}
