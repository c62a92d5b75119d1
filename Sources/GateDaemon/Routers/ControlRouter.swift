import GateCore
import GateModel
import GatePolicy
import GateProtocol
import GateStore
import NIOCore
import TTRPCTransport

/// `gate.v1.Control`.
extension Router {
    mutating func addControl() {
        on(Methods.Control.ping) { authority, request, call in
            guard request.echo.count <= authority.limits.echoBytes else {
                let text = "'echo' has \(request.echo.count) bytes. At most \(authority.limits.echoBytes) are allowed."
                return call.fail(GateError(.invalidArgument, .invalidRequest, text))
            }
            call.answer(PingResponse(echo: request.echo, revision: authority.durable.revision))
        }
        on(Methods.Control.cancel) { authority, request, call in
            if call.session.connection.isOpen(request.streamID), request.streamID != call.stream {
                let cancelled = GateError(.cancelled, .endedByPeer, "Cancelled by the peer.")
                authority.end(request.streamID, of: call.session, cancelled)
            }
            call.answer(CancelResponse())
        }
        on(Methods.Control.version) { _, _, call in
            call.answer(
                VersionResponse(
                    version: Release.version, protocol: "ttrpc 1.2", sqlite: GateStore.sqliteVersion,
                    capabilities: Capability.built))
        }
        on(Methods.Control.statistics) { authority, _, call in
            if let refusal = call.refusalToNonAdministrator(to: "read the statistics") { return call.fail(refusal) }
            call.answer(authority.statisticsNow())
        }
        on(Methods.Control.reload) { authority, _, call in
            if let refusal = call.refusalToNonAdministrator(to: "reload the configuration") {
                return call.fail(refusal)
            }
            let bound = NIOLoopBound(call, eventLoop: authority.eventLoop)
            authority.reload(as: call.peer) { result in
                switch result {
                case .success(let inForce):
                    bound.value.answer(ReloadResponse(inForce: inForce.description, policy: inForce.wireSummary))
                case .failure(let error): bound.value.fail(error)
                }
            }
        }
        on(Methods.Control.policy) { authority, _, call in
            let inForce = authority.inForce
            call.answer(PolicyResponse(inForce: inForce.description, policy: inForce.wireSummary))
        }
        onCommand(Methods.Control.recover) { _ in
            .recover
        } answer: {
            guard case .recovered(let setAside) = $0.reply else { return nil }
            return RecoverResponse(revision: $0.revision, setAside: setAside)
        }
        on(Methods.Control.describe) { _, _, call in
            call.answer(DescribeResponse(fileDescriptorSet: ServiceCatalog.fileDescriptorSet))
        }
    }
}

extension PolicyInForce {
    /// For programs.
    fileprivate var wireSummary: PolicySummary {
        func holders(_ role: RoleHolders.Role, _ principals: Principals) -> RoleHolders {
            let limit = PolicySummary.maximumHolders
            return RoleHolders(
                role: role, users: Array(principals.users.prefix(limit)),
                groups: Array(principals.groups.prefix(limit)))
        }
        return PolicySummary(
            policy.configuration, files: policy.files,
            roles: [
                holders(.administrator, policy.roles.administrators), holders(.presenter, policy.roles.presenters),
                holders(.grownUpPresenter, policy.roles.grownUpPresenters),
                holders(.provider, policy.roles.providers),
            ], browser: policy.browser)
    }
}

extension Authority {
    func statisticsNow() -> StatisticsResponse {
        StatisticsResponse(
            uptime: startTime.duration(to: clock.bootTime()), connections: sessions.count, watchers: watches.count,
            calls: statistics.calls, transitions: statistics.transitions, commits: statistics.commits,
            conflated: statistics.conflated, refused: statistics.refused,
            anonymousBytes: Statistics.anonymousBytes(), presenters: presenters.presenters.count,
            callsOfMethods: zip(Router.shared.methods, statistics.callsOfMethod).filter { $0.1 > 0 }
                .map { LabelledCount(label: "\($0.0.service)/\($0.0.method)", count: $0.1) },
            closed: zip(CloseReason.kindNames, statistics.closes.counts)
                .map { LabelledCount(label: $0.0, count: $0.1) },
            commitMicroseconds: statistics.commitMicroseconds.onWire,
            pushMicroseconds: statistics.pushMicroseconds.onWire,
            commandsPerCommit: statistics.commandsPerCommit.onWire, commandsWaiting: commandBill.ofAll.commands)
    }
}

extension Histogram {
    fileprivate var onWire: HistogramCounts { HistogramCounts(counts: counts, sum: sum) }
}
