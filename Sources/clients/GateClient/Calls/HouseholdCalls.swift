public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the other devices of the household.
    public struct HouseholdCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.HouseholdCalls {
    /// The devices of the household, each with its last report about itself.
    /// - Parameter change: the change number of the devices that the caller knows: waits until something differs from
    ///   them. `nil`: does not wait.
    /// - Throws: `FAILED_PRECONDITION` (`notSetUp`) if the device belongs to no household.
    public func devices(after change: UInt64? = nil) async throws(GateError) -> HouseholdDevices {
        try await client.call(
            Methods.Household.listDevices, ListDevicesRequest(afterChange: change ?? 0),
            timeout: change == nil ? client.options.callTimeout : nil
        ).devices
    }

    /// Sends a command to other devices, in the name of the guardian whose device this is.
    ///
    /// Locking requires parent mode here, or an administrator. Every other order requires an administrator, or a grant
    /// for the gated action `household.open` with the details `GuardianOrder.grantDetails(for:)` of the devices' names.
    /// - Parameters:
    ///   - devices: `nil`: all but this one, which is only allowed for a lock.
    ///   - grant: the proof of that grant.
    /// - Returns: the command, for `answers(to:waiting:)`.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`); `NOT_FOUND` (`unknown`) if a device is not on the household's
    ///   list; `FAILED_PRECONDITION` (`notSetUp`) if the other devices can't be reached.
    public func send(
        _ order: GuardianOrder, to devices: [HouseholdID]?, grant: Grant.Proof? = nil
    ) async throws(GateError) -> SentCommand {
        let response = try await client.call(
            Methods.Household.sendCommand, SendCommandRequest(devices: devices, order: order, grant: grant))
        return SentCommand(number: response.command, deviceCount: response.deviceCount)
    }

    /// The open questions of other devices, for the guardian of this device.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) if this is not a guardian's device, or if it is not in parent
    ///   mode and the user is not an administrator; `FAILED_PRECONDITION` (`notSetUp`) if it belongs to no household.
    public func requests() async throws(GateError) -> [HouseholdRequest] {
        try await client.call(Methods.Household.listRequests, ListRequestsRequest()).requests
    }

    /// Answers a question of another device, in the name of the guardian whose device this is.
    ///
    /// A no requires parent mode here, or an administrator. A yes requires an administrator, or a grant for the gated
    /// action `household.answer` with the question's `grantDetails`.
    /// - Parameter grant: the proof of that grant.
    /// - Returns: the command, for `answers(to:waiting:)`: the device says whether this answer was the first.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`); `NOT_FOUND` (`unknown`) if the question is not open any more;
    ///   `FAILED_PRECONDITION` (`notSetUp`) if the other devices can't be reached.
    public func answer(
        _ id: HouseholdRequest.ID, isApproved: Bool, grant: Grant.Proof? = nil
    ) async throws(GateError) -> SentCommand {
        let response = try await client.call(
            Methods.Household.answerRequest,
            AnswerRequestRequest(number: id, isApproved: isApproved, grant: grant))
        return SentCommand(number: response.command, deviceCount: 1)
    }

    /// The devices' answers to a command that was sent over this connection.
    /// - Parameter waiting: how long to wait until all devices have answered; `nil`: returns the answers so far.
    /// - Throws: `NOT_FOUND` (`unknown`) if there is no such command.
    public func answers(to command: SentCommand, waiting: Duration? = nil) async throws(GateError) -> CommandAnswers {
        if let waiting {
            do {
                return try await results(of: command, waitsForAll: true, timeout: waiting)
            } catch {
                guard error.code == .deadlineExceeded else { throw error }
            }
        }
        return try await results(of: command, waitsForAll: false, timeout: client.options.callTimeout)
    }

    private func results(
        of command: SentCommand, waitsForAll: Bool, timeout: Duration?
    ) async throws(GateError) -> CommandAnswers {
        try await client.call(
            Methods.Household.getResults, GetResultsRequest(command: command.number, waitsForAll: waitsForAll),
            timeout: timeout
        ).results
    }

    /// The household, with the members on its list. For administrators and for gate-household.
    /// - Throws: `FAILED_PRECONDITION` (`notSetUp`) if the device belongs to no household.
    package func state() async throws(GateError) -> HouseholdState {
        try await client.call(Methods.Household.get, GetHouseholdRequest()).state
    }

    /// Creates this device's key, or returns the existing one unless it `replaces` that: other devices then don't trust
    /// this one until it has joined the household again. Returns the public half of the signing key, and of the sealing
    /// key that is derived from it. For administrators.
    package func createDeviceKey(replaces: Bool = false) async throws(GateError) -> DevicePublicKeys {
        let response = try await client.call(
            Methods.Household.createDeviceKey, CreateDeviceKeyRequest(replaces: replaces))
        return DevicePublicKeys(signing: response.publicKey, sealing: response.sealingKey)
    }

    /// Submits a new list of the household's devices, a JWS in compact form, signed with the household's key.
    /// - Throws: `INVALID_ARGUMENT` (`badCommand`) if a check fails; `FAILED_PRECONDITION` (`outdated`).
    package func submitList(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitGuardians, SubmitGuardiansRequest(signedGuardians: signed))
    }

    /// Submits the household's policy, a JWS in compact form, signed with the household's key.
    /// - Throws: `INVALID_ARGUMENT` (`badCommand`) if a check fails; `FAILED_PRECONDITION` with `outdated`, with
    ///   `badPolicy` if it has mistakes, or with `notSetUp` if this device accepts no household's policy.
    package func submitPolicy(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitPolicy, SubmitPolicyRequest(signedPolicy: signed))
    }
}

// MARK: - For what carries the household's words

extension GateClient.HouseholdCalls {
    /// Returns this device's signed result, and the challenge that the next command has to repeat.
    /// - Throws: `INVALID_ARGUMENT` (`badCommand`) if it is not a guardian's command for this device.
    package func submitCommand(
        _ signed: [UInt8]
    ) async throws(GateError) -> (signedResult: [UInt8], challenge: [UInt8]) {
        let response = try await client.call(
            Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: signed))
        return (response.signedResult, response.challenge)
    }

    /// Waits until there are commands to carry to other devices, and takes them.
    package func collectCommands() async throws(GateError) -> [OutgoingCommand] {
        try await client.call(Methods.Household.collectCommands, CollectCommandsRequest(), timeout: nil).commands
    }

    /// Waits until this device's open questions for guardians differ from those of this change, and returns all.
    package func collectRequests(after change: UInt64) async throws(GateError) -> OutgoingRequests {
        try await client.call(
            Methods.Household.collectRequests, CollectRequestsRequest(afterChange: change), timeout: nil
        ).requests
    }

    /// At most 64 at a time. `isAll`: no other questions are open.
    package func submitRequests(_ requests: [ArrivedRequest], isAll: Bool) async throws(GateError) {
        _ = try await client.call(
            Methods.Household.submitRequests, SubmitRequestsRequest(requests: requests, isAll: isAll))
    }

    /// Waits until this device's receipts for other devices differ from those of this change, and returns all.
    package func collectReceipts(after change: UInt64) async throws(GateError) -> OutgoingReceipts {
        try await client.call(
            Methods.Household.collectReceipts, CollectReceiptsRequest(afterChange: change), timeout: nil
        ).receipts
    }

    /// Waits until the answers of this device's guardian to asks of other devices differ from those of this change, and
    /// returns all that the broker has to keep.
    package func collectAnswers(after change: UInt64) async throws(GateError) -> OutgoingAnswers {
        try await client.call(
            Methods.Household.collectAnswers, CollectAnswersRequest(afterChange: change), timeout: nil
        ).answers
    }

    /// Waits until this device's report of use for other devices differs from that of this change, and returns it.
    package func collectUsage(after change: UInt64) async throws(GateError) -> OutgoingUsage {
        try await client.call(
            Methods.Household.collectUsage, CollectUsageRequest(afterChange: change), timeout: nil
        ).usage
    }

    /// Submits another device's report of use, a JWS in compact form.
    /// - Throws: `INVALID_ARGUMENT` with `badCommand` if no device of the household has signed it, or this device sums
    ///   no use.
    package func submitUsage(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitUsage, SubmitUsageRequest(signedUsage: signed))
    }

    /// Submits the receipt of a purchase on another device, a JWS in compact form.
    /// - Throws: `INVALID_ARGUMENT` with `badCommand` if no device of the household shares it, or with `badReceipt` if
    ///   the store's signature or statement does not count here; `FAILED_PRECONDITION` with `notSetUp` if this device
    ///   accepts no receipts of others, or with `outdated`.
    package func submitReceipt(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitReceipt, SubmitReceiptRequest(signedReceipt: signed))
    }

    /// Submits devices' reports about themselves, at most 256 at a time. `isAll`: earlier reports are dropped.
    package func report(
        _ devices: [DeviceReport], isAll: Bool, hasBroker: Bool
    ) async throws(GateError) {
        _ = try await client.call(
            Methods.Household.reportDevices,
            ReportDevicesRequest(devices: devices, isAll: isAll, hasBroker: hasBroker))
    }

    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) if household.yaml does not allow it; `FAILED_PRECONDITION`
    ///   (`notParent`) outside parent mode; `ABORTED` (`closed`) if no guardian is asked that question.
    package func obeyHomeAssistant(_ order: HomeAssistantOrder) async throws(GateError) {
        _ = try await client.call(Methods.Household.obeyHomeAssistant, ObeyHomeAssistantRequest(order: order))
    }

    package func submitResult(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitResult, SubmitResultRequest(signedResult: signed))
    }
}

/// A command that was sent to other devices.
public struct SentCommand: Hashable, Sendable {
    /// The command's number on the connection that sent it.
    package var number: UInt64
    /// How many devices have to answer.
    public var deviceCount: Int
}
