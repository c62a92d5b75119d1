import GateCore
import GateModel
import GatePolicy
import GateProtocol

/// `gate.v1.Authorization`.
extension Router {
    mutating func addAuthorization() {
        on(Methods.Authorization.check) { authority, request, call in
            guard !authority.isOverdue() else { return call.fail(.recordingHangs) }
            let forecast = authority.durable.outlook(
                of: request.gatedAction, for: call.peer, at: authority.clock.bootTime())
            call.answer(
                CheckResponse(
                    revision: authority.durable.revision, outlook: forecast.outlook,
                    explanation: forecast.explanation, need: forecast.need,
                    refusal: forecast.refusal.map(ErrorDetail.init)))
        }
        onCommand(Methods.Authorization.authorize) {
            .authorize($0.request, presentsItself: $0.presentsItself)
        } answer: { settled in
            settled.authorization.map { AuthorizeResponse(revision: settled.revision, result: $0) }
        }
        onCommand(Methods.Authorization.redeem) {
            .redeem($0.proof, gatedAction: $0.gatedAction, details: $0.details)
        } answer: {
            guard case .redeemed(let uid, let pid) = $0.reply else { return nil }
            return RedeemResponse(revision: $0.revision, requesterUID: uid, requesterPID: pid)
        }
        onCommand(Methods.Authorization.revoke) {
            .revoke(uid: $0.uid, gatedAction: $0.gatedAction.isEmpty ? nil : $0.gatedAction)
        } answer: { settled in
            settled.count.map { RevokeResponse(revision: settled.revision, count: $0) }
        }
        onCommand(Methods.Authorization.clearLockout) {
            .clearLockouts(uid: $0.uid, gate: $0.gate?.text)
        } answer: { settled in
            settled.count.map { ClearLockoutResponse(revision: settled.revision, count: $0) }
        }
        addAuthorizationLists()
    }

    private mutating func addAuthorizationLists() {
        onList(Methods.Authorization.listGrants) { authority, request, call throws(GateError) in
            let isAdministrator = call.peer.roles.contains(.administrator)
            let now = authority.clock.bootTime()
            let grants = authority.durable.keptGrants(of: isAdministrator ? nil : call.peer.uid)
                .filter { $0.grant.deadline > now }
            let page = try Page(
                of: grants, size: request.pageSize, after: request.pageToken, limit: authority.limits.pageSize,
                hasGroups: true
            ) { PageKey(group: $0.key.uid, name: $0.key.gatedAction) }
            return ListGrantsResponse(
                grants: page.elements.map {
                    ListedGrant(uid: $0.key.uid, gatedAction: $0.key.gatedAction, deadline: $0.grant.deadline)
                }, nextPageToken: page.nextToken)
        }
        onList(Methods.Authorization.listGatedActions) { authority, request, _ throws(GateError) in
            let actions = authority.durable.configuration.gatedActions.sorted { $0.key < $1.key }
            let page = try Page(
                of: actions, size: request.pageSize, after: request.pageToken, limit: authority.limits.pageSize,
                hasGroups: false
            ) { PageKey(name: $0.key) }
            return ListGatedActionsResponse(
                gatedActions: page.elements.map { ListedGatedAction(name: $0.key, $0.value) },
                nextPageToken: page.nextToken)
        }
        onList(Methods.Authorization.getGatedAction) { authority, request, _ throws(GateError) in
            guard let action = authority.durable.configuration.gatedActions[request.name] else {
                throw .noGatedAction(request.name)
            }
            let conditions = ListedCondition.list(of: action.requirement)
            guard conditions.reduce(0, { $0 + $1.weight }) <= authority.limits.pageSize else {
                throw .tooManyConditions(limit: authority.limits.pageSize)
            }
            return GetGatedActionResponse(
                gatedAction: ListedGatedAction(name: request.name, action), conditions: conditions)
        }
        onList(Methods.Authorization.listLockouts) { authority, request, call throws(GateError) in
            if let refusal = call.refusalToNonAdministrator(to: "list lockouts") { throw refusal }
            let now = authority.clock.bootTime()
            let lockouts = authority.durable.namedLockouts
            let page = try Page(
                of: lockouts.sorted { ($0.key.owner, $0.key.gate) < ($1.key.owner, $1.key.gate) },
                size: request.pageSize,
                after: request.pageToken,
                limit: authority.limits.pageSize, hasGroups: true
            ) { PageKey(group: $0.key.owner.number, name: $0.key.gate) }
            return ListLockoutsResponse(
                lockouts: page.elements.map { key, lockout in
                    let remaining = lockout.lockedUntil.flatMap { $0 > now ? now.duration(to: $0) : nil }
                    return ListedLockout(
                        owner: key.owner, gate: Lockout.Gate(text: key.gate), wrongAnswers: lockout.wrongAnswers,
                        limit: SecretBudget.limit(of: key), remaining: remaining)
                }, nextPageToken: page.nextToken)
        }
    }
}

extension ListedGatedAction {
    fileprivate init(name: String, _ action: GatedAction) {
        self.init(name: name, title: action.title, requirement: action.requirement.text, keep: action.keep)
    }
}

extension ListedCondition {
    /// How many elements it takes in an answer: itself, and each age of its question.
    fileprivate var weight: Int {
        switch kind {
        case .challenge(let challenges): 1 + challenges.count
        case .all, .any, .parentMode, .signedIn, .entitlement, .form, .unrecognized: 1
        }
    }
}

extension GateError {
    fileprivate static func noGatedAction(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown, "The policy names no gated action '\(name)'. `gatectl gates` lists them.",
            parameters: ["what": "gated-action", "name": name])
    }

    fileprivate static func tooManyConditions(limit: Int) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "This gated action takes more than \(limit) conditions, which is more than an answer holds.",
            parameters: ["what": "conditions", "maximum": "\(limit)"])
    }
}

extension Authority.Settled {
    fileprivate var authorization: AuthorizeResponse.Result? {
        switch reply {
        case .granted(let grant): .grant(grant)
        case .presentation(let presentation): .presentation(presentation)
        case .done, .waiting, .entitled, .claimed, .form, .responded, .whatsNew, .redeemed, .count, .refused,
            .recovered:
            nil
        }
    }
}
