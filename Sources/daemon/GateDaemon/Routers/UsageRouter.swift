import GateCore
import GateModel
import GateProtocol

/// The methods of `gate.v1.Usage`: how much time people use gated actions.
struct UsageRouter: ServiceRouter {
    let sessions: Sessions
    let publisher: Publisher
    private var pipeline: CommandPipeline { sessions.pipeline }

    func addMethods(to router: inout Router) {
        router.on(Methods.Usage.countUse) { request, call in
            if let refusal = sessions.addStream(call.stream, .use, of: call.session) { return call.fail(refusal) }
            publisher.uses.open(request, call, in: sessions)
        }
        router.onRead(Methods.Usage.listUsage) { request, call throws(GateError) in
            let days = max(1, request.days)
            guard days <= UsageRules.daysKept else {
                throw .invalid(
                    "days", "'days' is at most \(UsageRules.daysKept), since days are kept no longer.",
                    ["maximum": "\(UsageRules.daysKept)"])
            }
            let times = pipeline.durable.usage(
                visibleTo: call.peer, days: days, at: pipeline.clock.bootTime())
            let page = try Page(
                of: times, for: request, pipeline.limits, hasGroups: true, weight: { 11 + 3 * $0.elsewhere.count },
                key: \.pageKey)
            return ListUsageResponse(page.elements, nextPageToken: page.nextToken)
        }
    }
}

extension UsedTime {
    /// The order of `GateState.usage`: by user, allowances first, by name, then by day.
    fileprivate var pageKey: PageKey {
        switch subject {
        case .allowance(let name): PageKey(group: uid, name: "0 \(name) \(day)")
        case .gatedAction(let name): PageKey(group: uid, name: "1 \(name) \(day)")
        }
    }
}
