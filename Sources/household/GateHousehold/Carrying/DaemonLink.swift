package import GateModel

/// The calls to gated that gate-household makes. They are closures, so that tests can replace them.
package struct DaemonLink: Sendable {
    package enum Event: Hashable, Sendable {
        /// gated can be reached, for the first time or again. It may have lost everything that it had only in memory.
        case present(ModeState)
        case changed(ModeState)
        /// The time that people have used today, if Home Assistant gets it.
        case used([UsedTime])
        case away
    }

    /// gated's answer to a command.
    package struct Answer: Hashable, Sendable {
        /// The signed result for the guardian; empty if no guardian sent the command.
        package var result: [UInt8]
        /// The challenge that the next command has to echo.
        package var challenge: [UInt8]

        package init(result: [UInt8], challenge: [UInt8]) {
            self.result = result
            self.challenge = challenge
        }
    }

    package struct Household: Hashable, Sendable {
        /// The challenge that the next command over this connection to gated has to echo.
        package var challenge: [UInt8]
        /// Whether this device commands others.
        package var isGuardians: Bool
        /// The name of this device on the list; `nil` if it is on none.
        package var name: String?
        /// The number of the household policy that is in force; `nil` if none is.
        package var policyNumber: UInt64?
        /// The number of the list of devices and guardians; 0 if gated has none yet.
        package var listNumber: UInt64

        package init(
            challenge: [UInt8], isGuardians: Bool, name: String? = nil, policyNumber: UInt64? = nil,
            listNumber: UInt64 = 0
        ) {
            self.challenge = challenge
            self.isGuardians = isGuardians
            self.name = name
            self.policyNumber = policyNumber
            self.listNumber = listNumber
        }
    }

    /// The questions of this device that guardians may answer.
    package struct Asked: Hashable, Sendable {
        package var requests: OutgoingRequests
        /// The words of the questions that Home Assistant may read, by number.
        package var words: [UInt64: String]

        package init(_ requests: OutgoingRequests, words: [UInt64: String] = [:]) {
            self.requests = requests
            self.words = words
        }
    }

    package var events: @Sendable () -> AsyncStream<Event>
    package var household: @Sendable () async throws(GateError) -> Household
    package var submitCommand: @Sendable ([UInt8]) async throws(GateError) -> Answer
    package var submitResult: @Sendable ([UInt8]) async throws(GateError) -> Void
    package var submitGuardians: @Sendable ([UInt8]) async throws(GateError) -> Void
    package var submitPolicy: @Sendable ([UInt8]) async throws(GateError) -> Void
    package var report: @Sendable (DeviceNews) async throws(GateError) -> Void
    package var obeyHomeAssistant: @Sendable (HomeAssistantOrder) async throws(GateError) -> Void
    package var submitRequests: @Sendable (ArrivedRequests) async throws(GateError) -> Void
    /// Waits until the questions of this device that are open for guardians differ from those of change `after`.
    package var collectRequests: @Sendable (_ after: UInt64) async throws(GateError) -> Asked
    package var submitReceipt: @Sendable ([UInt8]) async throws(GateError) -> Void
    /// Waits until the receipts that this device shares differ from those of change `after`.
    package var collectReceipts: @Sendable (_ after: UInt64) async throws(GateError) -> OutgoingReceipts
    /// Waits until the answers of this device's guardian to asks of other devices differ from those of change `after`.
    package var collectAnswers: @Sendable (_ after: UInt64) async throws(GateError) -> OutgoingAnswers
    /// Waits until this device's report about used time differs from that of change `after`.
    package var collectUsage: @Sendable (_ after: UInt64) async throws(GateError) -> OutgoingUsage
    package var submitUsage: @Sendable ([UInt8]) async throws(GateError) -> Void
    /// Waits until there are commands to carry.
    package var collect: @Sendable () async throws(GateError) -> [OutgoingCommand]

    package init(
        events: @escaping @Sendable () -> AsyncStream<Event>,
        household: @escaping @Sendable () async throws(GateError) -> Household,
        submitCommand: @escaping @Sendable ([UInt8]) async throws(GateError) -> Answer,
        submitResult: @escaping @Sendable ([UInt8]) async throws(GateError) -> Void,
        submitGuardians: @escaping @Sendable ([UInt8]) async throws(GateError) -> Void,
        submitPolicy: @escaping @Sendable ([UInt8]) async throws(GateError) -> Void,
        report: @escaping @Sendable (DeviceNews) async throws(GateError) -> Void,
        obeyHomeAssistant: @escaping @Sendable (HomeAssistantOrder) async throws(GateError) -> Void,
        submitRequests: @escaping @Sendable (ArrivedRequests) async throws(GateError) -> Void,
        collectRequests: @escaping @Sendable (UInt64) async throws(GateError) -> Asked,
        submitReceipt: @escaping @Sendable ([UInt8]) async throws(GateError) -> Void,
        collectReceipts: @escaping @Sendable (UInt64) async throws(GateError) -> OutgoingReceipts,
        collectAnswers: @escaping @Sendable (UInt64) async throws(GateError) -> OutgoingAnswers,
        collectUsage: @escaping @Sendable (UInt64) async throws(GateError) -> OutgoingUsage,
        submitUsage: @escaping @Sendable ([UInt8]) async throws(GateError) -> Void,
        collect: @escaping @Sendable () async throws(GateError) -> [OutgoingCommand]
    ) {
        self.events = events
        self.household = household
        self.submitCommand = submitCommand
        self.submitResult = submitResult
        self.submitGuardians = submitGuardians
        self.submitPolicy = submitPolicy
        self.report = report
        self.obeyHomeAssistant = obeyHomeAssistant
        self.submitRequests = submitRequests
        self.collectRequests = collectRequests
        self.submitReceipt = submitReceipt
        self.collectReceipts = collectReceipts
        self.collectAnswers = collectAnswers
        self.collectUsage = collectUsage
        self.submitUsage = submitUsage
        self.collect = collect
    }
}
