import GateCore
import GateModel
import GatePolicy
import GateProtocol
import GateStore
import TTRPCTransport

/// The methods of `gate.v1.Control`: the daemon itself.
struct ControlRouter: ServiceRouter {
    let sessions: Sessions
    let publisher: Publisher
    let policy: PolicyReload
    private var pipeline: CommandPipeline { sessions.pipeline }

    func addMethods(to router: inout Router) {
        router.on(Methods.Control.ping) { request, call in
            let limit = pipeline.limits.echoBytes
            guard request.echo.count <= limit else {
                return call.fail(
                    .invalid("echo", "'echo' has \(request.echo.count) bytes. At most \(limit) are allowed."))
            }
            call.answer(PingResponse(echo: request.echo, revision: pipeline.durable.revision))
        }
        router.on(Methods.Control.cancel) { request, call in
            if call.session.connection.isOpen(request.streamID), request.streamID != call.stream {
                let cancelled = GateError(.cancelled, .endedByPeer, "Cancelled by the peer.")
                sessions.end(request.streamID, of: call.session, cancelled)
            }
            call.answer(CancelResponse())
        }
        router.on(Methods.Control.version) { _, call in
            call.answer(
                GetVersionResponse(
                    version: GateRelease.version, protocol: "ttrpc 1.2", sqlite: GateStore.sqliteVersion,
                    capabilities: Capability.built))
        }
        router.on(Methods.Control.statistics) { _, call in
            if let refusal = call.refusalToNonAdministrator(to: "read the statistics") { return call.fail(refusal) }
            call.answer(statistics())
        }
        router.on(Methods.Control.reload) { _, call in
            if let refusal = call.refusalToNonAdministrator(to: "reload the configuration") {
                return call.fail(refusal)
            }
            policy.reload(as: call.peer) { result in
                switch result {
                case .success(let inForce):
                    call.answer(ReloadResponse(inForce: inForce.description, policy: inForce.wireSummary))
                case .failure(let error): call.fail(error)
                }
            }
        }
        router.on(Methods.Control.policy) { _, call in
            let inForce = policy.inForce
            call.answer(GetPolicyResponse(inForce: inForce.description, policy: inForce.wireSummary))
        }
        router.on(Methods.Control.setGate) { request, call in
            change(call) {
                GateChanging(request, $0, maximumConditions: pipeline.context.limits.pageSize)
            }
        }
        router.on(Methods.Control.setTimeRule) { request, call in
            change(call) { TimeRuleChanging(request, $0) }
        }
        router.onCommand(Methods.Control.recover) { _ in
            .control(.recover)
        } answer: {
            guard case .recovered(let quarantinedFile) = $0.reply else { return nil }
            // The choices are lost for good now, so apps that only a choice has guarded are not guarded any more.
            policy.showApps()
            return RecoverResponse(revision: $0.revision, quarantinedFile: quarantinedFile)
        }
        router.on(Methods.Control.describe) { _, call in
            call.answer(DescribeResponse(fileDescriptorSet: ServiceCatalog.fileDescriptorSet))
        }
    }
}

extension ControlRouter {
    private func change<Changing: PolicyChanging>(
        _ call: Call<Changing.Response>, _ make: @escaping (PolicyBasis) -> Changing
    ) {
        // The core checks a grown-up's grant later. All other peers are refused here, before the policy is read, so
        // that they learn nothing of its mistakes.
        guard
            call.peer.roles.contains(.administrator) || pipeline.durable.kind(ofUser: call.peer.uid) == .grownUp
        else { return call.fail(.onlyGrownUpsChange) }
        let answer = { (result: Result<Changing.Response, GateError>) in
            switch result {
            case .success(let response): call.answer(response)
            case .failure(let error): call.fail(error)
            }
        }
        policy.change(as: call.peer, answer: answer, make)
    }
}

extension PolicyInForce {
    /// The summary for programs. The text is for people.
    fileprivate var wireSummary: PolicySummary {
        func holders(_ role: RoleHolders.Role, _ principals: Principals) -> RoleHolders {
            let limit = PolicySummary.maximumHolders
            return RoleHolders(
                role: role, users: Array(principals.users.prefix(limit)),
                groups: Array(principals.groups.prefix(limit)), userCount: principals.users.count,
                groupCount: principals.groups.count)
        }
        return PolicySummary(
            policy.configuration, files: policy.files,
            roles: [
                holders(.administrator, policy.roles.administrators), holders(.presenter, policy.roles.presenters),
                holders(.grownUpPresenter, policy.roles.grownUpPresenters),
                holders(.provider, policy.roles.providers), holders(.broker, policy.roles.brokers),
                holders(.household, policy.roles.households),
                holders(.timekeeper, policy.roles.timekeepers),
            ], browser: policy.browser, origins: settingOrigins,
            mistakes: Array(policy.broken.flatMap(\.lines).prefix(Self.maximumMistakes)), timeRules: policy.timeRules)
    }

    private static let maximumMistakes = 200

    /// In which file each setting of the summary was written. Gated actions and entitlements have lists of their own.
    private var settingOrigins: [PolicySettingOrigin] {
        let sections = ["mode.", "lockout.", "sign-in.", "roles."]
        return policy.origins.filter { setting, _ in setting == "browser" || sections.contains(where: setting.hasPrefix)
        }
        .map { PolicySettingOrigin(setting: $0.key, origin: $0.value) }.sorted { $0.setting < $1.setting }
    }
}

extension ControlRouter {
    private func statistics() -> DaemonStatistics {
        let (context, statistics) = (pipeline.context, pipeline.context.statistics)
        return DaemonStatistics(
            uptime: context.startTime.duration(to: context.clock.bootTime()), connections: sessions.sessions.count,
            watchers: publisher.watches.count, transitions: statistics.transitions,
            commits: statistics.commits, conflated: statistics.conflated, refused: statistics.refused,
            anonymousBytes: Statistics.anonymousBytes(), presenters: publisher.presenters.count,
            callsOfMethods: zip(ServiceCatalog.methods, statistics.callsOfMethod).filter { $0.1 > 0 }
                .map { StatisticsCount(label: "\($0.0.service)/\($0.0.name)", count: $0.1) },
            closed: zip(CloseReason.kindNames, statistics.closes.counts)
                .map { StatisticsCount(label: $0.0, count: $0.1) },
            commitMicroseconds: statistics.commitMicroseconds.onWire,
            pushMicroseconds: statistics.pushMicroseconds.onWire,
            commandsPerCommit: statistics.commandsPerCommit.onWire, commandsWaiting: pipeline.bill.ofAll.commands)
    }
}

extension Histogram {
    fileprivate var onWire: StatisticsHistogram { StatisticsHistogram(counts: counts, sum: sum) }
}
