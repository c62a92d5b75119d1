import GateModel
import Logging
import Synchronization
import Testing

@testable import GateHousehold

/// A gated that a test plays: its calls, and its answers.
final class FakeDaemon: Sendable {
    struct Heard: Hashable, Sendable {
        var commands: [String] = []
        var results: [String] = []
        var guardians: [String] = []
        var policies: [String] = []
        var homeAssistant: [HomeAssistantOrder] = []
        var requests: [ArrivedRequests] = []
        var receipts: [String] = []
        var usage: [String] = []
        var news: [DeviceNews] = []
        /// The other devices as gated knows them, put together from the reports.
        var devices: [HouseholdID: DeviceReport] = [:]
        var hasBroker = false
        var challengeNumber: UInt8 = 0
    }

    private let heard = Mutex(Heard())
    private let isGuardians: Bool
    private let events: AsyncStream<DaemonLink.Event>
    private let feed: AsyncStream<DaemonLink.Event>.Continuation
    private let outgoing: AsyncStream<[OutgoingCommand]>
    private let outgoingRequests: AsyncStream<OutgoingRequests>
    private let outgoingReceipts: AsyncStream<OutgoingReceipts>
    private let outgoingAnswers: AsyncStream<OutgoingAnswers>
    private let outgoingUsage: AsyncStream<OutgoingUsage>
    /// Tells the others of this device's use.
    let tellUsage: AsyncStream<OutgoingUsage>.Continuation
    /// Hands out answers of this device's guardian to asks of other devices.
    let answer: AsyncStream<OutgoingAnswers>.Continuation
    /// Shares receipts of purchases on this device.
    let share: AsyncStream<OutgoingReceipts>.Continuation
    /// Sends this device's questions to its guardians.
    let ask: AsyncStream<OutgoingRequests>.Continuation
    /// The details that Home Assistant may read, by the question's number.
    var words: [UInt64: String] { [6: "Share photos: 12 photos"] }
    private let send: AsyncStream<[OutgoingCommand]>.Continuation

    init(isGuardians: Bool = true) {
        self.isGuardians = isGuardians
        (events, feed) = AsyncStream.makeStream()
        (outgoing, send) = AsyncStream.makeStream()
        (outgoingRequests, ask) = AsyncStream.makeStream()
        (outgoingReceipts, share) = AsyncStream.makeStream()
        (outgoingAnswers, answer) = AsyncStream.makeStream()
        (outgoingUsage, tellUsage) = AsyncStream.makeStream()
    }

    var now: Heard { heard.withLock { $0 } }

    func say(_ event: DaemonLink.Event) { feed.yield(event) }

    func hand(out commands: [OutgoingCommand]) { send.yield(commands) }

    var link: DaemonLink {
        DaemonLink(
            events: { self.events },
            household: { () async throws(GateError) in
                DaemonLink.Household(
                    challenge: self.nextChallenge(), isGuardians: self.isGuardians,
                    policyNumber: self.now.policies.isEmpty ? nil : UInt64(self.now.policies.count))
            },
            submitCommand: { signed async throws(GateError) in
                let text = String(decoding: signed, as: UTF8.self)
                self.heard.withLock { $0.commands.append(text) }
                guard !text.hasPrefix("bad") else {
                    throw GateError(.invalidArgument, .badCommand, "Nobody has signed it.")
                }
                return DaemonLink.Answer(result: Array("done: \(text)".utf8), challenge: self.nextChallenge())
            },
            submitResult: { signed async throws(GateError) in
                self.heard.withLock { $0.results.append(String(decoding: signed, as: UTF8.self)) }
            },
            submitGuardians: { signed async throws(GateError) in
                self.heard.withLock { $0.guardians.append(String(decoding: signed, as: UTF8.self)) }
            },
            submitPolicy: { signed async throws(GateError) in
                self.heard.withLock { $0.policies.append(String(decoding: signed, as: UTF8.self)) }
            },
            report: { news async throws(GateError) in
                self.heard.withLock { heard in
                    heard.news.append(news)
                    if news.isAll { heard.devices = [:] }
                    for report in news.devices { heard.devices[report.id] = report }
                    heard.hasBroker = news.hasBroker
                }
            },
            obeyHomeAssistant: { order async throws(GateError) in
                self.heard.withLock { $0.homeAssistant.append(order) }
            },
            submitRequests: { news async throws(GateError) in self.heard.withLock { $0.requests.append(news) } },
            collectRequests: { change async throws(GateError) in
                for await requests in self.outgoingRequests where requests.change != change {
                    return DaemonLink.Asked(requests, words: self.words)
                }
                throw GateError(.unavailable, .unspecified, "It is over.")
            },
            submitReceipt: { signed async throws(GateError) in
                self.heard.withLock { $0.receipts.append(String(decoding: signed, as: UTF8.self)) }
            },
            collectReceipts: { change async throws(GateError) in
                for await receipts in self.outgoingReceipts where receipts.change != change { return receipts }
                throw GateError(.unavailable, .unspecified, "It is over.")
            },
            collectAnswers: { change async throws(GateError) in
                for await answers in self.outgoingAnswers where answers.change != change { return answers }
                throw GateError(.unavailable, .unspecified, "It is over.")
            },
            collectUsage: { change async throws(GateError) in
                for await usage in self.outgoingUsage where usage.change != change { return usage }
                throw GateError(.unavailable, .unspecified, "It is over.")
            },
            submitUsage: { signed async throws(GateError) in
                self.heard.withLock { $0.usage.append(String(decoding: signed, as: UTF8.self)) }
            },
            collect: { () async throws(GateError) in
                for await commands in self.outgoing { return commands }
                throw GateError(.unavailable, .unspecified, "It is over.")
            })
    }

    /// 32 times the number of the challenge.
    private func nextChallenge() -> [UInt8] {
        heard.withLock { heard in
            heard.challengeNumber &+= 1
            return Array(repeating: heard.challengeNumber, count: 32)
        }
    }
}

/// A broker that a test plays.
final class FakeBroker: Sendable {
    struct Opened: Sendable {
        var hear: @Sendable (BrokerEvent) -> Void
        var published: [Publication] = []
        var waiting: [BrokerMessage] = []
        var isClosed = false
        var isListening = false
        var hearings = 0
    }

    let opened = Mutex<[Opened]>([])
    /// Whether publications are acknowledged at once.
    let acknowledges = Mutex(true)
    /// How often it was told to use a name of its own.
    let ownNames = Mutex(0)

    var count: Int { opened.withLock { $0.count } }

    func connection(_ index: Int) -> Opened { opened.withLock { $0[index] } }

    func say(_ event: BrokerEvent, on index: Int) { connection(index).hear(event) }

    func deliver(_ message: BrokerMessage, on index: Int) {
        let hear = opened.withLock { opened in
            opened[index].waiting.append(message)
            return opened[index].hear
        }
        hear(.messagesWaiting)
    }

    var link: BrokerLink {
        BrokerLink(takeOwnName: { self.ownNames.withLock { $0 += 1 } }) { hear in
            let index = self.opened.withLock { opened in
                opened.append(Opened(hear: hear))
                return opened.count - 1
            }
            return BrokerConnection(
                takeMessages: { count in
                    self.opened.withLock { opened in
                        let taken = Array(opened[index].waiting.prefix(count))
                        opened[index].waiting.removeFirst(taken.count)
                        return taken
                    }
                },
                publish: { publication, hear in
                    self.opened.withLock { $0[index].published.append(publication) }
                    if self.acknowledges.withLock({ $0 }) { hear(.acknowledged) }
                },
                listen: { isListening in self.opened.withLock { $0[index].isListening = isListening } },
                hearReceipts: { self.opened.withLock { $0[index].hearings += 1 } },
                close: { self.opened.withLock { $0[index].isClosed = true } }, waitForEnd: {},
                oversizedCount: { 0 })
        }
    }
}

/// A carrier that runs in a task.
final class RunningCarrier: Sendable {
    let daemon: FakeDaemon
    private let task: Task<Void, Never>
    /// The status that systemd was given.
    let status = StatusBox()
    /// The lines of its log.
    let log = StatusBox()

    init(
        _ settings: HouseholdSettings, broker: BrokerLink, isGuardians: Bool = true,
        watchdog: (Duration, @Sendable () -> Void)? = nil
    ) {
        daemon = FakeDaemon(isGuardians: isGuardians)
        let (status, log) = (status, log)
        let environment = HouseholdCarrier.Environment(
            broker: broker, daemon: daemon.link, now: Self.now,
            sleep: { time in
                try? await Task.sleep(for: max(Duration.zero, Self.now().boot.duration(to: time)), clock: .continuous)
            },
            jitter: { 0 }, tell: { status.append($0) }, watchdog: watchdog)
        task = Task {
            var carrier = HouseholdCarrier(
                settings, names: SampleHomeAssistant.names, environment: environment,
                logger: Logger(label: "test") { _ in CollectingLog(lines: log) })
            await carrier.run()
        }
    }

    func stop() async {
        task.cancel()
        await task.value
    }

    deinit { task.cancel() }

    private static let start = ContinuousClock.now

    @Sendable static func now() -> HouseholdStateMachine.Moment {
        let passed = (ContinuousClock.now - start).clampedNanoseconds
        return .init(
            boot: BootTime(nanoseconds: passed),
            wall: WallTime(unixMilliseconds: 1_800_000_000_000 + passed / 1_000_000))
    }
}

/// Collects the messages of a log, from notices on.
private struct CollectingLog: LogHandler {
    let lines: StatusBox
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.append("\(event.message)") }
}

/// The lines for systemd, or of a log.
final class StatusBox: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Waits until this is true, without blocking others.
func eventually(_ what: String, within limit: Duration = .seconds(300), _ isSo: () throws -> Bool) async throws {
    let patience = ContinuousClock.now + limit
    while try !isSo() {
        try #require(ContinuousClock.now < patience, "It never happens that \(what).")
        try await Task.sleep(for: .milliseconds(2))
    }
}
