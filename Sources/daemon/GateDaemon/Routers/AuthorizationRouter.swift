import GateCore
import GateModel
import GateProtocol
import NIOCore

/// The methods of `gate.v1.Authorization`: permissions, grants and lockouts.
struct AuthorizationRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let subjects: Subjects
    let policy: PolicyReload

    func addMethods(to router: inout Router) {
        let checked = KeptAnswer<CheckResponse>()
        router.on(Methods.Authorization.check) { [pipeline, subjects] request, call in
            func answer(for peer: Peer) {
                let (state, clock) = (pipeline.durable, pipeline.clock)
                guard !state.isOverdue(clock) else { return call.fail(.recordingHangs) }
                let outlook = state.outlook(
                    of: request.gatedAction, details: request.details, for: peer, at: clock.bootTime())
                call.answer(CheckResponse(revision: state.revision, outlook: outlook), kept: checked)
            }
            // Most programs ask for themselves. Then no closure is made that would wait for the subject's owner.
            guard let subject = request.subject else { return answer(for: call.peer) }
            subjects.find(subject, for: call, then: answer)
        }
        router.on(Methods.Authorization.authorize) { request, call in
            subjects.find(request.request.subject, for: call) { peer in
                let command = Command.authorization(.authorize(request.request, presenting: request.presenting))
                pipeline.submit(command, as: peer, for: call) { settled in
                    // The process may have ended while a person took time to answer.
                    if let gone = subjects.gone(peer.subject) { return call.fail(gone) }
                    call.answer(
                        settled.authorization.map { AuthorizeResponse(revision: settled.revision, result: $0) })
                }
            }
        }
        router.on(Methods.Authorization.redeem) { request, call in
            let command = Command.authorization(
                .redeem(request.proof, gatedAction: request.gatedAction, details: request.details))
            pipeline.submit(command, for: call) { settled in
                guard case .redeemed(let uid, let pid, let subject) = settled.reply else { return call.answer(nil) }
                guard subjects.gone(subject) == nil else { return call.fail(.noGrant) }
                call.answer(RedeemResponse(revision: settled.revision, requesterUID: uid, requesterPID: pid))
            }
        }
        router.onCommand(Methods.Authorization.revoke) {
            .authorization(.revoke(uid: $0.uid, gatedAction: $0.gatedAction.isEmpty ? nil : $0.gatedAction))
        } answer: { settled in
            settled.count.map { RevokeResponse(revision: settled.revision, count: $0) }
        }
        router.onCommand(Methods.Authorization.clearLockout) {
            .authorization(.clearLockouts(uid: $0.uid, gate: $0.gate?.text))
        } answer: { settled in
            settled.count.map { ClearLockoutResponse(revision: settled.revision, count: $0) }
        }
        router.onCommand(Methods.Authorization.answerAsk) {
            .authorization(.answerAsk($0.number, $0.answer))
        } answer: {
            AnswerAskResponse(revision: $0.revision)
        }
        router.onCommand(Methods.Authorization.withdrawAsk) {
            .authorization(.withdrawAsk($0.number))
        } answer: {
            WithdrawAskResponse(revision: $0.revision)
        }
        router.on(Methods.Authorization.askMoreTime) { request, call in
            pipeline.submit(
                .authorization(.askMoreTime(gatedAction: request.gatedAction, wish: request.choice)), for: call
            ) { settled in
                pipeline.durable.askForMoreTime(before: request.gatedAction, of: call.peer)
                    .map { AskMoreTimeResponse(revision: settled.revision, ask: $0) }
            }
        }
        addAuthorizationLists(to: &router)
    }

    private func addAuthorizationLists(to router: inout Router) {
        router.onRead(Methods.Authorization.listGrants) { request, call throws(GateError) in
            let isAdministrator = call.peer.roles.contains(.administrator)
            let now = pipeline.clock.bootTime()
            let grants = pipeline.durable.keptGrants(of: isAdministrator ? nil : call.peer.uid)
                .filter { $0.grant.deadline > now && $0.key.ask == nil }
            let page = try Page(of: grants, for: request, pipeline.limits, hasGroups: true) {
                PageKey(group: $0.key.uid, name: $0.key.gatedAction)
            }
            return ListGrantsResponse(
                page.elements.map {
                    KeptGrantSummary(uid: $0.key.uid, gatedAction: $0.key.gatedAction, deadline: $0.grant.deadline)
                }, nextPageToken: page.nextToken)
        }
        router.onRead(Methods.Authorization.listAsks) { request, call throws(GateError) in
            let page = try Page(
                of: pipeline.durable.asks(visibleTo: call.peer), for: request, pipeline.limits, weight: \.fieldCount
            ) { PageKey(number: $0.id) }
            return ListAsksResponse(page.elements, nextPageToken: page.nextToken)
        }
        router.onRead(Methods.Authorization.listGatedActions) { request, _ throws(GateError) in
            let actions = pipeline.durable.configuration.gatedActions.sorted { $0.key < $1.key }
            let page = try Page(
                of: actions, for: request, pipeline.limits,
                weight: { 9 + $0.value.titles.fieldCount + $0.value.moreTime.count }
            ) { PageKey(name: $0.key) }
            return ListGatedActionsResponse(
                page.elements.map { GatedActionSummary(name: $0.key, $0.value, in: policy.inForce.policy) },
                nextPageToken: page.nextToken)
        }
        router.onRead(Methods.Authorization.getGatedAction) { request, _ throws(GateError) in
            guard let action = pipeline.durable.configuration.gatedActions.named(request.name) else {
                throw .noGatedAction(request.name)
            }
            let conditions = ListedCondition.list(of: action.requirement)
            guard conditions.reduce(0, { $0 + $1.weight }) <= pipeline.limits.pageSize else {
                throw .tooManyConditions(limit: pipeline.limits.pageSize)
            }
            let odds = OddsByAge(
                of: action.requirement, before: request.name, in: pipeline.durable.configuration)
            return GetGatedActionResponse(
                gatedAction: GatedActionSummary(name: request.name, action, in: policy.inForce.policy),
                conditions: conditions, strength: GateStrength(odds))
        }
        router.onRead(Methods.Authorization.listLockouts) { request, call throws(GateError) in
            if let refusal = call.refusalToNonAdministrator(to: "list lockouts") { throw refusal }
            let now = pipeline.clock.bootTime()
            let lockouts = pipeline.durable.namedLockouts
            let page = try Page(
                of: lockouts.sorted { ($0.key.owner, $0.key.gate) < ($1.key.owner, $1.key.gate) }, for: request,
                pipeline.limits, hasGroups: true
            ) { PageKey(group: $0.key.owner.number, name: $0.key.gate) }
            return ListLockoutsResponse(
                page.elements.map { key, lockout in
                    let remaining = lockout.lockedUntil.flatMap { $0 > now ? now.duration(to: $0) : nil }
                    return LockoutSummary(
                        owner: LockoutSummary.Owner(key.owner), gate: Lockout.Gate(text: key.gate),
                        wrongAnswers: lockout.wrongAnswers, limit: SecretBudget.limit(of: key, lockout),
                        remaining: remaining)
                }, nextPageToken: page.nextToken)
        }
    }
}

extension ListedCondition {
    /// How many elements it takes in an answer: one for itself, and one for each band of ages with its own question, or
    /// for each span of its schedule.
    var weight: Int {
        switch kind {
        case .challenge(let challenges): 1 + challenges.count
        case .during(let schedule): 1 + schedule.days.reduce(0) { $0 + $1.count }
        case .all, .any, .parentMode, .signedIn, .entitlement, .form, .allowance, .unrecognized: 1
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
            "This gated action has more than \(limit) conditions, which is more than an answer can list. Ask an administrator to simplify its policy.",
            parameters: ["what": "conditions", "maximum": "\(limit)"])
    }
}

extension CommittedReply {
    fileprivate var authorization: AuthorizeResponse.Result? {
        switch reply {
        case .granted(let grant): .grant(grant)
        case .presentation(let presentation): .presentation(presentation)
        case .done, .waiting, .entitled, .claimed, .form, .responded, .keptPart, .whatsNew, .redeemed, .count, .refused,
            .challenge, .obeyed, .sending, .answering,
            .recovered:
            nil
        }
    }
}

/// Finds out which peer acts in a call: the caller, or the process that a broker names. Confined to the event loop.
struct Subjects {
    let context: LoopContext
    let owners: OwnerLookup?
    let processes: any ProcessDirectory

    func find<Response>(
        _ subject: Subject?, for call: Call<Response>, then body: @escaping (Peer) -> Void
    ) {
        guard let subject else { return body(call.peer) }
        guard call.peer.roles.contains(.broker) else { return call.fail(.noBroker) }
        guard let owners else { return found(.user(subject.uid), of: subject, for: call, then: body) }
        owners.owner(of: subject.uid).assumeIsolated().whenComplete { [self] in
            switch $0 {
            case .success(let owner): found(owner, of: subject, for: call, then: body)
            case .failure: call.fail(context.refused(.tooManyOwnersAreLookedUp))
            }
        }
    }

    private func found<Response>(
        _ owner: Owner, of subject: Subject, for call: Call<Response>, then body: (Peer) -> Void
    ) {
        // The call may have ended while the owner was looked up.
        guard call.caller.isWaiting else { return }
        guard let program = processes.program(of: subject) else {
            return call.fail(refusal(of: subject))
        }
        let name = ProgramName.cleaned(program, byteLimit: context.limits.programNameBytes)
        body(call.peer.asking(for: subject, owner: owner, program: name))
    }

    /// The refusal if the process that a broker named has ended meanwhile; `nil` if it runs, or none was named.
    func gone(_ subject: Subject?) -> GateError? {
        guard let subject, processes.program(of: subject) == nil else { return nil }
        return refusal(of: subject)
    }

    private func refusal(of subject: Subject) -> GateError {
        processes.seesOthers ? .noProcess(subject) : .seesNoProcesses
    }
}

extension GateError {
    fileprivate static let noBroker = GateError(
        .permissionDenied, .notPermitted,
        "Only brokers may ask for other processes. An administrator names them in the policy.",
        parameters: ["what": "broker"])

    fileprivate static let seesNoProcesses = GateError(
        .failedPrecondition, .notSetUp,
        "gated does not see the processes of other users, so it can't check for whom a broker asks. What to do: docs/security.md, \"Who may do what\".",
        parameters: ["what": "processes"])

    fileprivate static let tooManyOwnersAreLookedUp = GateError(
        .resourceExhausted, .limit, "Too many users are being looked up. Try again in a moment.",
        parameters: ["what": "look-ups"])

    fileprivate static func noProcess(_ subject: Subject) -> GateError {
        GateError(
            .notFound, .unknown,
            "User \(subject.uid) has no process \(subject.pid) that started then. It has ended, or its number belongs to another one now.",
            parameters: ["what": "process", "name": "\(subject.pid)"])
    }
}
