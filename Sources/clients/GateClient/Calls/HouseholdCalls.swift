public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about the other devices of the household (H-01 … H-03).
    public struct HouseholdCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.HouseholdCalls {
    /// The devices of the household, with what each last said of itself.
    ///
    /// - Parameter change: of the devices that are known already: waits until there is something else to tell. `nil`: does not wait.
    /// - Throws: `FAILED_PRECONDITION` (`notSetUp`) where the device belongs to no household.
    public func devices(after change: UInt64? = nil) async throws(GateError) -> HouseholdDevices {
        try await client.call(
            Methods.Household.listDevices, ListDevicesRequest(afterChange: change ?? 0),
            timeout: change == nil ? client.options.callTimeout : nil
        ).devices
    }

    /// Commands other devices, in the name of the guardian whose device this is.
    ///
    /// To lock takes parent mode here, or an administrator. Whatever opens takes an administrator, or a grant for the gated action
    /// `household.open` whose details are `GuardianOrder.grantDetails(for:)` of the devices' names.
    ///
    /// - Parameters:
    ///   - order: what they are to do.
    ///   - devices: the devices; `nil`: all but this one, which only a lock may.
    ///   - grant: the proof of that grant.
    /// - Returns: the command, for `answers(to:waiting:)`.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`), `NOT_FOUND` (`unknown`) for a device that is not on the list,
    ///   `FAILED_PRECONDITION` (`notSetUp`) where the others can't be reached.
    public func send(
        _ order: GuardianOrder, to devices: [HouseholdID]?, grant: Grant.Proof? = nil
    ) async throws(GateError) -> SentCommand {
        let response = try await client.call(
            Methods.Household.sendCommand, SendCommandRequest(devices: devices, order: order, grant: grant))
        return SentCommand(number: response.command, deviceCount: response.deviceCount)
    }

    /// The questions of other devices that are open, for this device's guardian.
    ///
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) outside parent mode, but for administrators, and where the device is no guardian's;
    ///   `FAILED_PRECONDITION` (`notSetUp`) where it belongs to no household.
    public func requests() async throws(GateError) -> [HouseholdRequest] {
        try await client.call(Methods.Household.listRequests, ListRequestsRequest()).requests
    }

    /// Answers one of them, in the name of the guardian whose device this is.
    ///
    /// A no takes parent mode here, or an administrator. A yes takes an administrator, or a grant for the gated action
    /// `household.answer` whose details are the request's `grantDetails`.
    ///
    /// - Parameters:
    ///   - id: of the request.
    ///   - isApproved: yes; else no.
    ///   - grant: the proof of that grant.
    /// - Returns: the command, for `answers(to:waiting:)`: the first answer counts, and the device says whether this one did.
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`), `NOT_FOUND` (`unknown`) where it is not open any more, `FAILED_PRECONDITION`
    ///   (`notSetUp`) where the others can't be reached.
    public func answer(
        _ id: HouseholdRequest.ID, isApproved: Bool, grant: Grant.Proof? = nil
    ) async throws(GateError) -> SentCommand {
        let response = try await client.call(
            Methods.Household.answerRequest,
            AnswerRequestRequest(number: id, isApproved: isApproved, grant: grant))
        return SentCommand(number: response.command, deviceCount: 1)
    }

    /// The answers to a command that was sent over this connection.
    ///
    /// - Parameter waiting: how long to wait for devices that have not answered; `nil`: not at all.
    /// - Throws: `NOT_FOUND` (`unknown`) where there is no such command.
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

    /// The household of this device, and the members on its list. For administrators, and for what carries the household's words.
    ///
    /// - Throws: `FAILED_PRECONDITION` (`notSetUp`) where the device belongs to none.
    package func state() async throws(GateError) -> HouseholdState {
        try await client.call(Methods.Household.get, GetHouseholdRequest()).state
    }

    /// Makes the key of this device, or gives the one that there is. For administrators.
    ///
    /// - Parameter replaces: one that there is gives way to a new one, and nobody believes this device until it has joined the household anew.
    /// - Returns: the public half, and that of the key that follows from it.
    package func createDeviceKey(replaces: Bool = false) async throws(GateError) -> DevicePublicKeys {
        let response = try await client.call(
            Methods.Household.createDeviceKey, CreateDeviceKeyRequest(replaces: replaces))
        return DevicePublicKeys(signing: response.publicKey, sealing: response.sealingKey)
    }

    /// Hands over a new list of devices and guardians, signed by the household's key.
    ///
    /// - Parameter signed: a JWS in compact form.
    /// - Throws: `INVALID_ARGUMENT` (`badCommand`) where a check fails, `FAILED_PRECONDITION` (`outdated`) where a newer one is known.
    package func submitList(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitGuardians, SubmitGuardiansRequest(signedGuardians: signed))
    }

    /// Hands over the policy that the household has for all of its devices, signed by the household's key.
    ///
    /// - Parameter signed: a JWS in compact form.
    /// - Throws: `INVALID_ARGUMENT` (`badCommand`) where a check fails; `FAILED_PRECONDITION`: `outdated` where one as new is known,
    ///   `badPolicy` for mistakes, `notSetUp` where this device does not take it.
    package func submitPolicy(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitPolicy, SubmitPolicyRequest(signedPolicy: signed))
    }
}

// MARK: - For what carries the household's words

extension GateClient.HouseholdCalls {
    /// Hands over a guardian's command.
    ///
    /// - Returns: this device's signed answer, and the challenge that the next command has to echo.
    /// - Throws: `INVALID_ARGUMENT` (`badCommand`) where it is no guardian's word for this device.
    package func submitCommand(
        _ signed: [UInt8]
    ) async throws(GateError) -> (signedResult: [UInt8], challenge: [UInt8]) {
        let response = try await client.call(
            Methods.Household.submitCommand, SubmitCommandRequest(signedCommand: signed))
        return (response.signedResult, response.challenge)
    }

    /// Waits until there is something to carry, and takes it.
    package func collectCommands() async throws(GateError) -> [OutgoingCommand] {
        try await client.call(Methods.Household.collectCommands, CollectCommandsRequest(), timeout: nil).commands
    }

    /// Waits until other questions of this device are open for guardians than those of this change, and takes all that are.
    package func collectRequests(after change: UInt64) async throws(GateError) -> OutgoingRequests {
        try await client.call(
            Methods.Household.collectRequests, CollectRequestsRequest(afterChange: change), timeout: nil
        ).requests
    }

    /// Hands over questions of other devices; at most 64 at a time.
    ///
    /// - Parameter isAll: no others are open.
    package func submitRequests(_ requests: [ArrivedRequest], isAll: Bool) async throws(GateError) {
        _ = try await client.call(
            Methods.Household.submitRequests, SubmitRequestsRequest(requests: requests, isAll: isAll))
    }

    /// Waits until other receipts of this device are for the others than those of this change, and takes all that are.
    package func collectReceipts(after change: UInt64) async throws(GateError) -> OutgoingReceipts {
        try await client.call(
            Methods.Household.collectReceipts, CollectReceiptsRequest(afterChange: change), timeout: nil
        ).receipts
    }

    /// Hands over what was bought on another device.
    ///
    /// - Parameter signed: a JWS in compact form.
    /// - Throws: `INVALID_ARGUMENT`: `badCommand` where no device of the household shares it, `badReceipt` where the store's signature, or
    ///   what it says, does not count here; `FAILED_PRECONDITION`: `notSetUp` where this device takes none, `outdated`.
    package func submitReceipt(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitReceipt, SubmitReceiptRequest(signedReceipt: signed))
    }

    /// Says what other devices say of themselves; at most 256 at a time.
    ///
    /// - Parameter isAll: what was reported before goes.
    package func report(
        _ devices: [DeviceReport], isAll: Bool, hasBroker: Bool
    ) async throws(GateError) {
        _ = try await client.call(
            Methods.Household.reportDevices,
            ReportDevicesRequest(devices: devices, isAll: isAll, hasBroker: hasBroker))
    }

    /// Hands over what Home Assistant asks for.
    ///
    /// - Throws: `PERMISSION_DENIED` (`notPermitted`) where household.yaml does not say that it may; `FAILED_PRECONDITION` (`notParent`)
    ///   where the device is not in parent mode; `ABORTED` (`closed`) for an answer to what no guardian is asked (any more).
    package func obeyHomeAssistant(_ order: HomeAssistantOrder) async throws(GateError) {
        _ = try await client.call(Methods.Household.obeyHomeAssistant, ObeyHomeAssistantRequest(order: order))
    }

    /// Hands over what a device answered to a command.
    package func submitResult(_ signed: [UInt8]) async throws(GateError) {
        _ = try await client.call(Methods.Household.submitResult, SubmitResultRequest(signedResult: signed))
    }
}

/// A command that went to other devices.
public struct SentCommand: Hashable, Sendable {
    /// Its number on the connection that sent it.
    package var number: UInt64
    /// How many devices are to answer.
    public var deviceCount: Int
}
