package import GateModel

/// gated, as this program needs it.
package struct DaemonLink: Sendable {
    /// News of gated.
    package enum Event: Hashable, Sendable {
        /// It is there, or there again: what it had in memory may be gone.
        case present(ModeState)
        /// The mode has changed.
        case changed(ModeState)
        /// It is out of reach.
        case away
    }

    /// A command's answer.
    package struct Answer: Hashable, Sendable {
        /// For the guardian; empty: it was no guardian's word.
        package var result: [UInt8]
        /// The challenge of the next command.
        package var challenge: [UInt8]

        /// Makes an answer of these values.
        package init(result: [UInt8], challenge: [UInt8]) {
            self.result = result
            self.challenge = challenge
        }
    }

    /// The household, as gated knows it.
    package struct Household: Hashable, Sendable {
        /// The challenge of this connection.
        package var challenge: [UInt8]
        /// Whether this device commands others.
        package var isGuardians: Bool
        /// The name of this device on the list; `nil`: it is on none.
        package var name: String?
        /// The number of the policy for all devices that is in force; `nil`: none is.
        package var policyNumber: UInt64?
        /// The number of the list of devices and guardians; 0: there is none yet.
        package var listNumber: UInt64

        /// Makes a household of these values.
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
        /// All that are open.
        package var requests: OutgoingRequests
        /// The words of those that Home Assistant may read, by number.
        package var words: [UInt64: String]

        /// Makes a value of these.
        package init(_ requests: OutgoingRequests, words: [UInt64: String] = [:]) {
            self.requests = requests
            self.words = words
        }
    }

    /// The events, from now on.
    package var events: @Sendable () -> AsyncStream<Event>
    package var household: @Sendable () async throws(GateError) -> Household
    package var submitCommand: @Sendable ([UInt8]) async throws(GateError) -> Answer
    package var submitResult: @Sendable ([UInt8]) async throws(GateError) -> Void
    package var submitGuardians: @Sendable ([UInt8]) async throws(GateError) -> Void
    package var submitPolicy: @Sendable ([UInt8]) async throws(GateError) -> Void
    package var report: @Sendable (DeviceNews) async throws(GateError) -> Void
    package var obeyHomeAssistant: @Sendable (HomeAssistantOrder) async throws(GateError) -> Void
    package var submitRequests: @Sendable (ArrivedRequests) async throws(GateError) -> Void
    /// Waits until other questions of this device are open for guardians than those of this change.
    package var collectRequests: @Sendable (_ after: UInt64) async throws(GateError) -> Asked
    package var submitReceipt: @Sendable ([UInt8]) async throws(GateError) -> Void
    /// Waits until other receipts of this device are shared than those of this change.
    package var collectReceipts: @Sendable (_ after: UInt64) async throws(GateError) -> OutgoingReceipts
    /// Waits until there is something to carry.
    package var collect: @Sendable () async throws(GateError) -> [OutgoingCommand]

    /// Makes a link of these.
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
        self.collect = collect
    }
}
