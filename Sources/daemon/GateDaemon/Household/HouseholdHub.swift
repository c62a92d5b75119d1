import GateCore
import GateGuardians
import GateModel
import GateProtocol

/// What this device exchanges with the household's other devices, through the carrier, a program that brings messages:
/// reports, commands on their way, and results. All of it is only in memory, and none of it decides what opens here.
/// Confined to the event loop.
final class HouseholdHub {
    /// The most commands that may wait for the carrier. Further ones are refused.
    static let waitingCommands = 4096
    /// For how many commands of one connection the answers are kept, and how many calls may wait for the answers to the
    /// same command.
    static let keptCommandsOfConnection = 16
    /// How many calls may wait at a time for a change of the list, and how many answers of this device's guardian are
    /// kept to be sent again.
    static let waitingCalls = 256
    /// The most waiting list calls of one user who is no administrator. A long list costs the loop some 20 ms for each.
    static let waitingListsPerUser = 16
    /// How much of a device's message is kept, in bytes: the answers of 10,000 devices have to fit into one frame.
    static let keptMessageBytes = 200

    private struct Sent {
        let number: UInt64
        let connection: UInt64
        var awaited: [HouseholdID: HouseholdMember]
        /// Devices that seemed to be offline, but were sent the command anyway. The call does not wait for their
        /// answers, which count if they arrive.
        var offline: [HouseholdID: HouseholdMember] = [:]
        var answers: [DeviceAnswer] = []
        var waiting: [Call<GetResultsResponse>] = []

        var results: CommandAnswers {
            CommandAnswers(
                answers: answers.sorted { ($0.member.name, $0.id.description) < ($1.member.name, $1.id.description) },
                unanswered: awaited.values.sorted { ($0.name, $0.id.description) < ($1.name, $1.id.description) })
        }
    }

    private let context: LoopContext
    private let durable: () -> GateState
    private var reports: [HouseholdID: DeviceReport] = [:]
    /// Whether another device uses this device's key.
    private var hasTwin = false
    /// The connection of the carrier; `nil` if there is none.
    private var carrier: UInt64?
    private var hasBroker = false
    private var change: UInt64 = 1
    private var outbox: [OutgoingCommand] = []
    private var collecting: Call<CollectCommandsResponse>?
    /// By the id of the command, which the signature covers.
    private var sent: [HouseholdID: Sent] = [:]
    private var lastNumber: UInt64 = 0
    private var requests = RequestOutbox()
    private var receipts = ReceiptOutbox()
    private var answersToAsks = AnswerOutbox()
    private var usage = UsageOutbox()
    /// The answers of this device's guardian that may have to be sent again, by the id of the command.
    private var answers: [HouseholdID: SentAnswer] = [:]
    private var listing: [(call: Call<ListDevicesResponse>, after: UInt64)] = []

    init(_ context: LoopContext, durable: @escaping () -> GateState) {
        self.context = context
        self.durable = durable
    }

    var refusalToSend: GateError? {
        guard carrier != nil, hasBroker else { return .brokerNotReached }
        return outbox.count < Self.waitingCommands ? nil : context.refused(.tooManyCommands)
    }

    func connectionClosed(_ connection: UInt64) {
        sent = sent.filter { $0.value.connection != connection }
        guard carrier == connection else { return }
        carrier = nil
        hasTwin = false
        if collecting?.peer.connection == connection { collecting = nil }
        outbox = []
        brokerChanged(to: false)
    }

    func stateChanged(from before: GateState, to state: GateState) {
        let settings = state.householdSettings
        // Changes of this device's mode and settings, and of the list, come in no report, so they are noticed here.
        if state.modeState != before.modeState || settings != before.householdSettings
            || state.householdList?.number != before.householdList?.number
        {
            listChanged()
        }
        guard
            settings != nil || requests.isCollected || receipts.isCollected || answersToAsks.isCollected
                || usage.isCollected
        else { return }
        requests.stateChanged(to: state, context.clock)
        receipts.stateChanged(to: state)
        answersToAsks.stateChanged(to: state, context.clock)
        if !state.tellsSameUsage(as: before) { usage.stateChanged(to: state) }
    }

    // MARK: Carrying

    func collect(_ call: Call<CollectCommandsResponse>) {
        if let other = collecting, other.caller.isWaiting { other.fail(.collectedElsewhere) }
        carrier = call.peer.connection
        collecting = call
        handOut()
    }

    private func handOut() {
        guard let call = collecting, call.caller.isWaiting, !outbox.isEmpty else { return }
        collecting = nil
        call.answer(CollectCommandsResponse(commands: outbox))
        outbox = []
    }

    func report(_ request: ReportDevicesRequest, from connection: UInt64) throws(GateError) {
        for report in request.devices { try report.check() }
        if request.isAll { reports = [:] }
        let own = durable().configuration.household?.device
        for report in request.devices {
            guard report.id != own else {
                hasTwin = report.hasTwin
                continue
            }
            guard reports[report.id] != nil || reports.count < HouseholdList.maximumMembers else {
                throw context.refused(.tooManyDevices)
            }
            reports[report.id] = report
        }
        for id in answers.keys { sendIfDue(id) }
        if collecting == nil || carrier == nil { carrier = connection }
        brokerChanged(to: request.hasBroker)
    }

    /// Records whether there is a broker. Without one, no device is online.
    private func brokerChanged(to isThere: Bool) {
        hasBroker = isThere
        if !isThere {
            for id in Array(reports.keys) { reports[id]?.isOnline = false }
        }
        listChanged()
    }

    func listChanged() {
        change += 1
        let waiting = listing
        listing = []
        for (call, after) in waiting { list(call, after: after) }
    }

    // MARK: Questions and receipts

    /// Answers the carrier with the open questions as soon as they differ from those of `change`, which it has.
    func collectRequests(_ call: Call<CollectRequestsResponse>, after change: UInt64) {
        requests.collect(call, after: change, by: durable(), context.clock)
    }

    func collectReceipts(_ call: Call<CollectReceiptsResponse>, after change: UInt64) {
        receipts.collect(call, after: change, by: durable())
    }

    func collectAnswers(_ call: Call<CollectAnswersResponse>, after change: UInt64) {
        answersToAsks.collect(call, after: change, by: durable(), context.clock)
    }

    func collectUsage(_ call: Call<CollectUsageResponse>, after change: UInt64) {
        usage.collect(call, after: change, by: durable())
    }

    /// An answer of this device's guardian for which no call waits. Each try echoes the other device's newest
    /// challenge. If another command has used that up, the answer is sent again with the next one; if the device was
    /// offline, as soon as it is back.
    private struct SentAnswer {
        let answer: AnswerToSend
        /// No question is open for longer than this.
        let deadline: BootTime
        var triesLeft = 4
        /// The challenge that was echoed last; empty before the first try.
        var echoed: [UInt8] = []
        /// Whether it must be sent with the next challenge.
        var isDue = true
    }

    /// Signs the answer and hands it to the carrier. Returns the number for `results`; `nil` without a household.
    func send(
        _ answer: AnswerToSend, as id: HouseholdID, from connection: UInt64, by state: GateState
    ) -> UInt64? {
        send(.answer(answer.answer), to: [answer.device], as: id, from: connection, by: state)?.number
    }

    /// Signs the yes or no and hands it to the carrier, again if necessary. No call waits for the result.
    func send(_ answer: AnswerToSend, as id: HouseholdID) {
        if answers.count >= Self.waitingCalls { answers = [:] }
        let deadline = context.clock.bootTime().advanced(by: HouseholdRequest.longestLife)
        answers[id] = SentAnswer(answer: answer, deadline: deadline)
        sendIfDue(id)
    }

    private func sendIfDue(_ id: HouseholdID) {
        guard var sent = answers[id], sent.isDue, sent.triesLeft > 0, let report = reports[sent.answer.device],
            report.isOnline, !report.challenge.isEmpty, report.challenge != sent.echoed,
            context.clock.bootTime() < sent.deadline
        else { return }
        (sent.isDue, sent.echoed, sent.triesLeft) = (false, report.challenge, sent.triesLeft - 1)
        answers[id] = sent
        _ = send(.answer(sent.answer.answer), to: [report.id], as: id, from: 0, by: durable())
    }

    private func answerEnded(_ result: CommandResult) {
        guard answers[result.command] != nil else { return }
        guard result.refusal?.check == .challenge else {
            answers[result.command] = nil
            return
        }
        answers[result.command]?.isDue = true
        sendIfDue(result.command)
    }

    // MARK: Listing

    /// Answers with the devices: at once if the list has changed since `after`, otherwise when it changes.
    func list(_ call: Call<ListDevicesResponse>, after: UInt64) {
        guard call.caller.isWaiting else { return }
        let state = durable()
        guard let settings = state.configuration.household else { return call.fail(.noHousehold) }
        if after == change {
            listing.removeAll { !$0.call.caller.isWaiting }
            let ofUser =
                call.peer.roles.contains(.administrator) ? 0 : listing.count { $0.call.peer.uid == call.peer.uid }
            guard listing.count < Self.waitingCalls, ofUser < Self.waitingListsPerUser else {
                return call.fail(context.refused(.tooManyCalls))
            }
            listing.append((call, after))
            return
        }
        let own = settings.device
        let devices = (state.householdList?.members ?? []).sorted {
            ($0.name, $0.id.description) < ($1.name, $1.id.description)
        }
        call.answer(
            ListDevicesResponse(
                devices: HouseholdDevices(
                    change: change,
                    devices: devices.map {
                        HouseholdDevice(
                            member: $0, report: $0.id == own ? ownReport(as: $0, state) : reports[$0.id],
                            isThisDevice: $0.id == own)
                    }, hasBroker: hasBroker)))
    }

    private func ownReport(as member: HouseholdMember, _ state: GateState) -> DeviceReport {
        let (mode, now) = (state.modeState, context.clock.wallTime())
        let left = mode.deadline.map { context.clock.bootTime().duration(to: $0) }
        return DeviceReport(
            id: member.id, name: member.name, mode: mode.mode,
            parentUntil: mode.mode == .parent ? left.map(now.advanced(by:)) : nil, isOnline: hasBroker, updated: now,
            version: GateRelease.version, policyNumber: state.configuration.householdPolicy, hasTwin: hasTwin)
    }

    // MARK: Sending

    /// Signs one command for each device, or one for all but this one if `devices` is `nil`, and hands it to the
    /// carrier. A command that opens nothing is also sent to devices that seem to be offline: the broker may still
    /// report an old connection that was lost, and a lock has to reach every device that can be reached. Returns the
    /// number for `results`, and how many devices the command is for; `nil` if this device has no household.
    func send(
        _ order: GuardianOrder, to devices: [HouseholdID]?, as id: HouseholdID, from connection: UInt64,
        by state: GateState
    ) -> (number: UInt64, deviceCount: Int)? {
        guard let settings = state.configuration.household, let list = state.householdList,
            let key = state.records.household.deviceKey.flatMap({ SigningKey($0.secret) })
        else { return nil }
        let named = devices.map { Set($0) }
        let members = list.members.filter { member in
            !member.isRevoked && (named?.contains(member.id) ?? (member.id != settings.device))
        }
        var command = GuardianCommand(
            id: id, household: settings.household, device: nil, guardian: settings.device, order: order, challenge: [],
            expires: context.clock.wallTime().advanced(by: GuardianCommand.life))
        lastNumber += 1
        var sending = Sent(number: lastNumber, connection: connection, awaited: [:])
        for member in members {
            let report = reports[member.id].flatMap { $0.isOnline ? $0 : nil }
            if report != nil {
                sending.awaited[member.id] = member
            } else {
                sending.answers.append(.offline(member))
                guard !order.opens else { continue }
                sending.offline[member.id] = member
            }
            guard devices != nil else { continue }
            command.device = member.id
            // The challenge in an offline device's last report may be outdated. That does no harm: only a lock is sent
            // to such a device, and it needs no challenge.
            command.challenge = report?.challenge ?? []
            outbox.append(OutgoingCommand(device: member.id, signed: command.signed(with: key)))
        }
        if devices == nil, !sending.awaited.isEmpty || !sending.offline.isEmpty {
            outbox.append(OutgoingCommand(device: nil, signed: command.signed(with: key)))
        }
        keep(sending, as: id)
        handOut()
        return (lastNumber, members.count)
    }

    private func keep(_ new: Sent, as id: HouseholdID) {
        let ofConnection = sent.filter { $0.value.connection == new.connection }.sorted {
            $0.value.number < $1.value.number
        }
        for (old, _) in ofConnection.dropLast(Self.keptCommandsOfConnection - 1) { sent[old] = nil }
        sent[id] = new
    }

    /// Answers with the devices' results, at once or when all have answered.
    func results(_ request: GetResultsRequest, _ call: Call<GetResultsResponse>) {
        guard
            let (id, found) = sent.first(where: {
                $0.value.number == request.command && $0.value.connection == call.peer.connection
            })
        else { return call.fail(.noSuchCommand) }
        guard request.waitsForAll, !found.awaited.isEmpty else {
            return call.answer(GetResultsResponse(results: found.results))
        }
        let waiting = found.waiting.filter(\.caller.isWaiting)
        guard waiting.count < Self.keptCommandsOfConnection else { return call.fail(context.refused(.tooManyCalls)) }
        sent[id]?.waiting = waiting + [call]
    }

    /// Takes the result of a device. Results of commands that are no longer kept, and repeated ones, are ignored.
    /// - Returns: the result, and the ask, if the command answered an ask; else `nil`.
    /// - Throws: `INVALID_ARGUMENT` (`badCommand`) if it is malformed, or not by a listed device of the household.
    func answered(
        _ signed: [UInt8], by state: GateState
    ) throws(GateError) -> (result: CommandResult, ask: RequestName)? {
        do throws(GuardianError) {
            let text = try SignedText(signed, as: .result)
            let result = try CommandResult(payload: text.payload)
            guard result.household == state.configuration.household?.household else {
                throw GuardianError(.household, "This result is of another household.")
            }
            guard let member = state.householdList?.member(result.device) else {
                throw GuardianError(.device, "The device that answers is not on the household's list.")
            }
            guard !member.isRevoked else { throw GuardianError(.revoked, "The device that answers is revoked.") }
            if let ask = state.answerToAsk(of: result.device, command: result.command) {
                try text.verify(with: member.publicKey)
                return (result, ask)
            }
            guard let sent = sent[result.command],
                sent.awaited[result.device] != nil || sent.offline[result.device] != nil
            else { return nil }
            try text.verify(with: member.publicKey)
            take(result, of: member)
            return nil
        } catch {
            throw .badGuardian(error.check, error.message)
        }
    }

    private func take(_ result: CommandResult, of member: HouseholdMember) {
        answerEnded(result)
        sent[result.command]?.awaited[member.id] = nil
        if sent[result.command]?.offline.removeValue(forKey: member.id) != nil {
            sent[result.command]?.answers.removeAll { $0.member.id == member.id }
        }
        // If two devices share a key, one of them has answered for both.
        let refusal = result.refusal ?? (reports[member.id]?.hasTwin == true ? .doneByOneOfTwo : nil)
        sent[result.command]?.answers.append(
            DeviceAnswer(
                member: member, isDone: refusal == nil, check: refusal?.check.rawValue ?? "",
                message: (refusal?.message ?? "").cut(toByteCount: Self.keptMessageBytes), mode: result.mode))
        guard let now = sent[result.command], now.awaited.isEmpty else { return }
        sent[result.command]?.waiting = []
        for call in now.waiting { call.answer(GetResultsResponse(results: now.results)) }
    }
}

extension GuardianCommand {
    fileprivate func signed(with key: SigningKey) -> [UInt8] {
        SignedText.sign(payload, as: .command, with: key)
    }
}

extension DeviceAnswer {
    fileprivate static func offline(_ member: HouseholdMember) -> DeviceAnswer {
        DeviceAnswer(
            member: member, isDone: false, check: GuardianCheck.offline.rawValue,
            message: "The device does not seem to be connected, and has not confirmed it.", mode: .child)
    }
}
