package import GateModel
package import Logging

/// Runs the state machines: passes them the events of the broker, of gated and of the clock, one after the other, and
/// does what they ask for.
package struct HouseholdCarrier {
    /// Everything outside of the carrier. Tests replace it.
    package struct Environment: Sendable {
        package var broker: BrokerLink
        package var daemon: DaemonLink
        /// Reads the household's newest list; `nil` if this device does not have the household's key.
        package var keptList: @Sendable () -> [UInt8]?
        /// The newest household policy; `nil` if this device does not have the household's key, or takes no policy.
        package var keptPolicy: @Sendable () -> [UInt8]?
        package var now: @Sendable () -> HouseholdStateMachine.Moment
        /// Returns early if its task is cancelled.
        package var sleep: @Sendable (_ until: BootTime) async -> Void
        /// A random number from 0 to 1.
        package var jitter: @Sendable () -> Double
        /// Gets the status in a few words, for systemd.
        package var tell: @Sendable (_ status: String) -> Void
        /// `feed` is called at least once in each interval while the carrier works; `nil` if there is no watchdog.
        package var watchdog: (interval: Duration, feed: @Sendable () -> Void)?

        package init(
            broker: BrokerLink, daemon: DaemonLink, keptList: @escaping @Sendable () -> [UInt8]? = { nil },
            keptPolicy: @escaping @Sendable () -> [UInt8]? = { nil },
            now: @escaping @Sendable () -> HouseholdStateMachine.Moment,
            sleep: @escaping @Sendable (BootTime) async -> Void, jitter: @escaping @Sendable () -> Double,
            tell: @escaping @Sendable (String) -> Void,
            watchdog: (interval: Duration, feed: @Sendable () -> Void)? = nil
        ) {
            self.broker = broker
            self.daemon = daemon
            self.keptList = keptList
            self.keptPolicy = keptPolicy
            self.now = now
            self.sleep = sleep
            self.jitter = jitter
            self.tell = tell
            self.watchdog = watchdog
        }
    }

    fileprivate enum Event: Sendable {
        case timePassed
        case broker(connection: Int, BrokerEvent)
        case published(connection: Int, Publication, PublishOutcome)
        case daemon(DaemonLink.Event)
        case householdTold(DaemonLink.Household)
        case commandAnswered(DaemonLink.Answer)
        case taken(DaemonCall)
        case collected([OutgoingCommand])
        case askedTold(DaemonLink.Asked)
        case sharedTold(OutgoingReceipts)
        case answerTaken(DaemonLink.Answer)
        case answersTold(OutgoingAnswers)
        case usageTold(OutgoingUsage)
        case callFailed(DaemonCall, GateError)
    }

    /// How many messages are processed before another event gets its turn.
    private static let messagesAtATime = 256
    /// The shortest time between two lines about dropped messages.
    private static let dropInterval = Duration.seconds(60)

    private let environment: Environment
    private let logger: Logger
    private let place: String
    private var machine: HouseholdStateMachine
    private var reconnect: BrokerReconnectStateMachine
    private var connection: BrokerConnection?
    private var connectionNumber = 0
    /// Why the broker was lost the last time. The same reason is not logged again.
    private var lastLoss: String?
    private var oversizedCount = 0
    private var toldDrops = ""
    private var lines = RepeatedLines()
    private var toldTwin = false
    private var dropsToldAt: BootTime
    private var watchdogDeadline: BootTime?

    package init(
        _ settings: HouseholdSettings, names: HomeAssistantNames, environment: Environment, logger: Logger,
        instance: String = String(UInt64.random(in: .min ... .max), radix: 16)
    ) {
        self.environment = environment
        self.logger = logger
        place = "\(settings.broker.host), port \(settings.broker.port)"
        let description = HomeAssistantDescription(
            household: settings.household, device: settings.device, name: settings.name, version: GateRelease.version,
            names: names)
        machine = HouseholdStateMachine(
            household: settings.household, device: settings.device, name: settings.name, version: GateRelease.version,
            instance: instance, sharesReceipts: settings.sharesReceipts, sumsUsage: settings.sumsUsage,
            homeAssistant: settings.homeAssistant.map { HomeAssistantStateMachine(description, settings: $0) })
        let now = environment.now().boot
        reconnect = BrokerReconnectStateMachine(at: now)
        dropsToldAt = now
        watchdogDeadline = environment.watchdog.map { _ in now }
    }

    /// Carries until its task is cancelled. Then it closes the connection, and the broker publishes the will.
    package mutating func run() async {
        let (events, feed) = AsyncStream.makeStream(of: Event.self)
        await withDiscardingTaskGroup { group in
            group.addTask { [stream = environment.daemon.events()] in
                for await event in stream { feed.yield(.daemon(event)) }
            }
            var alarm: (at: BootTime, task: Task<Void, Never>)?
            feed.yield(.timePassed)
            for await event in events {
                let actions = happened(event, feed)
                for action in actions { perform(action, &group, feed) }
                tellDrops()
                for line in lines.timePassed(at: environment.now().boot) { logger.notice("\(line)") }
                tellTwin()
                feedWatchdog()
                let deadline = [reconnect.deadline, machine.deadline, watchdogDeadline, lines.deadline].compactMap(
                    \.self
                ).min()
                if alarm?.at != deadline || event.isTime {
                    alarm?.task.cancel()
                    alarm = deadline.map { deadline in
                        let task = Task { [environment] in
                            await environment.sleep(deadline)
                            if !Task.isCancelled { feed.yield(.timePassed) }
                        }
                        return (deadline, task)
                    }
                }
            }
            alarm?.task.cancel()
            connection?.close()
            connection?.waitForEnd()
            group.cancelAll()
        }
    }

    // MARK: - What happens

    private mutating func happened(_ event: Event, _ feed: AsyncStream<Event>.Continuation) -> [HouseholdAction] {
        let now = environment.now()
        switch event {
        case .timePassed:
            var actions: [HouseholdAction] = []
            switch reconnect.timePassed(at: now.boot, jitter: environment.jitter()) {
            case .open: open(feed)
            case .giveUp: actions = lost("The broker at \(place) has not answered for 30 s.", at: now)
            case nil: break
            }
            return actions + machine.timePassed(at: now)
        case .broker(connectionNumber, let event):
            return happened(event, feed, at: now)
        case .published(connectionNumber, let publication, let outcome):
            switch outcome {
            case .acknowledged: return machine.published(publication.id, at: now)
            case .unheard: return machine.publicationUnheard(publication.id, at: now)
            case .refused(let reason):
                if lines.mayWrite(.publication, at: now.boot) {
                    logger.warning("The broker refuses what this device publishes on \(publication.topic): \(reason)")
                }
                return machine.publicationRefused(publication.id, at: now)
            case .lost: return []
            }
        // From a connection that was given up.
        case .broker, .published: return []
        case .daemon(.present(let mode)):
            logger.info("connected to gated")
            return machine.daemonReturned(mode, at: now)
        case .daemon(.changed(let mode)):
            return machine.modeChanged(mode, at: now)
        case .daemon(.used(let times)):
            return machine.usageTold(times, at: now)
        case .daemon(.away):
            logger.warning("gated can't be reached. Until it is back, the mode is child, and commands wait.")
            return machine.daemonLost(at: now)
        case .householdTold(let told):
            return machine.householdTold(
                challenge: told.challenge, isGuardians: told.isGuardians, name: told.name, policy: told.policyNumber,
                list: told.listNumber, at: now)
        case .commandAnswered(let answer):
            return machine.commandAnswered(result: answer.result, challenge: answer.challenge, at: now)
        case .taken(let call):
            return machine.taken(call, at: now)
        case .collected(let commands):
            return machine.collected(commands, at: now)
        case .askedTold(let asked):
            return machine.askedTold(asked.requests, words: asked.words, at: now)
        case .sharedTold(let receipts):
            return machine.sharedTold(receipts, at: now)
        case .answerTaken(let answer):
            return machine.answerTaken(result: answer.result, at: now)
        case .answersTold(let answers):
            return machine.answersTold(answers, at: now)
        case .usageTold(let usage):
            return machine.usageTold(usage, at: now)
        case .callFailed(let call, let error):
            let failure = error.daemonFailure
            switch failure {
            case .later where lines.mayWrite(.unavailable(call), at: now.boot):
                logger.info("gated can't take this now (\(call)): \(error)")
            case .later: break
            // The broker sends the list and the policy again with each connection.
            case .never where error.reason == .outdated: logger.debug("gated knows it (\(call)): \(error)")
            // This device sells nothing, and each receipt of the others comes once an hour.
            case .never where call == .receipt && error.reason == .notSetUp: logger.debug("not sold here: \(error)")
            case .never where lines.mayWrite(.refused(call), at: now.boot):
                logger.notice("gated refuses this (\(call)): \(error)")
            case .never: break
            }
            return machine.callFailed(call, failure, jitter: environment.jitter(), at: now)
        }
    }

    private mutating func happened(
        _ event: BrokerEvent, _ feed: AsyncStream<Event>.Continuation, at now: HouseholdStateMachine.Moment
    ) -> [HouseholdAction] {
        switch event {
        case .connected:
            reconnect.connected(at: now.boot)
            lastLoss = nil
            logger.notice("Connected to the broker at \(place)")
            environment.tell("connected to \(place)")
            return machine.brokerConnected(
                keptList: environment.keptList(), keptPolicy: environment.keptPolicy(), at: now)
        case .messagesWaiting:
            guard let connection else { return [] }
            let messages = connection.takeMessages(Self.messagesAtATime)
            // There may be more, and `messagesWaiting` comes by itself only after the inbox was empty.
            if !messages.isEmpty { feed.yield(.broker(connection: connectionNumber, .messagesWaiting)) }
            return messages.flatMap { machine.messageArrived($0, at: now) }
        case .lost(let reason):
            return lost(reason, at: now)
        }
    }

    private mutating func open(_ feed: AsyncStream<Event>.Continuation) {
        connectionNumber += 1
        let number = connectionNumber
        connection = environment.broker.open { feed.yield(.broker(connection: number, $0)) }
    }

    private mutating func lost(_ reason: String, at now: HouseholdStateMachine.Moment) -> [HouseholdAction] {
        if let connection {
            connection.close()
            oversizedCount += connection.oversizedCount()
        }
        connection = nil
        connectionNumber += 1
        reconnect.lost(at: now.boot, jitter: environment.jitter())
        if reason != lastLoss {
            logger.warning("\(reason)")
            environment.tell("not connected: \(reason)")
            lastLoss = reason
        }
        return machine.brokerLost(at: now)
    }

    /// Called in the loop that does everything, so that systemd restarts the program if the loop hangs.
    private mutating func feedWatchdog() {
        let now = environment.now().boot
        guard let watchdog = environment.watchdog, let deadline = watchdogDeadline, deadline <= now else { return }
        watchdog.feed()
        watchdogDeadline = now.advanced(by: watchdog.interval / 2)
    }

    /// Logs, at most once in `dropInterval`, how many messages were dropped since the start, if that has changed.
    private mutating func tellDrops() {
        let now = environment.now().boot
        guard dropsToldAt.duration(to: now) >= Self.dropInterval else { return }
        dropsToldAt = now
        let oversized = oversizedCount + (connection?.oversizedCount() ?? 0)
        let parts = [oversized > 0 ? "\(oversized) too long" : "", machine.drops.text].filter { !$0.isEmpty }
        let text = parts.joined(separator: ", ")
        if text != toldDrops { logger.notice("Messages that were dropped since the start: \(text)") }
        toldDrops = text
    }

    private mutating func tellTwin() {
        guard machine.hasTwin != toldTwin else { return }
        toldTwin = machine.hasTwin
        if toldTwin {
            environment.broker.takeOwnName()
            logger.warning(
                "Another device has this one's key and certificate, as a copy of its disk does, so a command may reach only one of the two. Run on the copy: gatectl household join --replace --new-key"
            )
        } else {
            logger.notice("No other device uses this one's key any more.")
        }
    }

    // MARK: - What is done

    private func perform(
        _ action: HouseholdAction, _ group: inout DiscardingTaskGroup, _ feed: AsyncStream<Event>.Continuation
    ) {
        let daemon = environment.daemon
        switch action {
        case .publish(let publication):
            guard let connection else { return }
            let number = connectionNumber
            connection.publish(publication) { feed.yield(.published(connection: number, publication, $0)) }
        case .askHousehold:
            call(.household, &group, feed) { () async throws(GateError) in .householdTold(try await daemon.household())
            }
        case .listen(let isListening): connection?.listen(isListening)
        case .hearReceipts: connection?.hearReceipts()
        case .submitCommand(let signed):
            call(.command, &group, feed) { () async throws(GateError) in
                .commandAnswered(try await daemon.submitCommand(signed))
            }
        case .submitResult(let signed):
            call(.result, &group, feed) { () async throws(GateError) in
                try await daemon.submitResult(signed)
                return .taken(.result)
            }
        case .submitReceipt(let signed):
            call(.receipt, &group, feed) { () async throws(GateError) in
                try await daemon.submitReceipt(signed)
                return .taken(.receipt)
            }
        case .collectReceipts(let change):
            call(.shared, &group, feed) { () async throws(GateError) in
                .sharedTold(try await daemon.collectReceipts(change))
            }
        case .submitGuardians(let signed):
            call(.guardians, &group, feed) { () async throws(GateError) in
                try await daemon.submitGuardians(signed)
                return .taken(.guardians)
            }
        case .submitPolicy(let signed):
            call(.policy, &group, feed) { () async throws(GateError) in
                try await daemon.submitPolicy(signed)
                return .taken(.policy)
            }
        case .report(let news):
            call(.report, &group, feed) { () async throws(GateError) in
                try await daemon.report(news)
                return .taken(.report)
            }
        case .obeyHomeAssistant(let order):
            call(.homeAssistant, &group, feed) { () async throws(GateError) in
                try await daemon.obeyHomeAssistant(order)
                return .taken(.homeAssistant)
            }
        case .submitRequests(let news):
            call(.heard, &group, feed) { () async throws(GateError) in
                try await daemon.submitRequests(news)
                return .taken(.heard)
            }
        case .collectRequests(let change):
            call(.asked, &group, feed) { () async throws(GateError) in
                .askedTold(try await daemon.collectRequests(change))
            }
        case .submitAnswer(let signed):
            call(.answer, &group, feed) { () async throws(GateError) in
                .answerTaken(try await daemon.submitCommand(signed))
            }
        case .collectAnswers(let change):
            call(.answers, &group, feed) { () async throws(GateError) in
                .answersTold(try await daemon.collectAnswers(change))
            }
        case .collectUsage(let change):
            call(.usage, &group, feed) { () async throws(GateError) in
                .usageTold(try await daemon.collectUsage(change))
            }
        case .submitUsage(let signed):
            call(.usageElsewhere, &group, feed) { () async throws(GateError) in
                try await daemon.submitUsage(signed)
                return .taken(.usageElsewhere)
            }
        case .collect:
            call(.collect, &group, feed) { () async throws(GateError) in .collected(try await daemon.collect()) }
        }
    }

    private func call(
        _ call: DaemonCall, _ group: inout DiscardingTaskGroup, _ feed: AsyncStream<Event>.Continuation,
        _ make: @escaping @Sendable () async throws(GateError) -> Event
    ) {
        group.addTask {
            do throws(GateError) {
                feed.yield(try await make())
            } catch {
                feed.yield(.callFailed(call, error))
            }
        }
    }
}

extension HouseholdCarrier.Event {
    fileprivate var isTime: Bool { if case .timePassed = self { true } else { false } }
}
