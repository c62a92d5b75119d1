package import GateModel

/// Commands that the household gives this device, and those that this device's guardian gives others.
package enum HouseholdCommand: Hashable, Sendable {
    /// Gets the acting connection's challenge.
    case openHousehold
    case applyList(SignedHouseholdList)
    /// A new policy of the household. The configuration combines it with this device's own files.
    indirect case takeHouseholdPolicy(SignedHouseholdPolicy, Configuration, detail: String)
    /// Sets the device's key if there is none, or, with `replaces`, in any case.
    case takeDeviceKey(DeviceKey, replaces: Bool = false)
    case execute(SignedGuardianCommand)
    /// This device's guardian commands other devices; `to: nil`: all of them.
    case sendCommand(GuardianOrder, to: [HouseholdID]?, grant: Grant.Proof?)
    case obeyHomeAssistant(HomeAssistantOrder)
    /// Whether the acting connection reaches the other devices.
    case reachBroker(Bool)
    case receiveRequests(RequestNews)
    /// How much time people have used on another device. The key is the one that its signature was verified with.
    case takeUsage(UsageReport, verifiedBy: [UInt8])
    /// This device's guardian answers another device's question.
    case answerRequest(UInt64, isApproved: Bool, grant: Grant.Proof?)
    /// The asking device has done, or has refused, what this device's guardian answered to its ask.
    case endAnswer(RequestName, command: HouseholdID, CommandResult.Refusal?)

    var rules: CommandRules {
        switch self {
        case .openHousehold, .applyList, .takeHouseholdPolicy, .execute, .obeyHomeAssistant, .reachBroker,
            .receiveRequests, .takeUsage, .endAnswer:
            CommandRules(.household)
        case .takeDeviceKey: CommandRules(.administrator)
        // These check their conditions themselves: a "no" or a lock needs parent mode, opening needs a grant.
        case .sendCommand, .answerRequest: CommandRules(.everyone)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: HouseholdCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .openHousehold:
            _ = try household()
            return .challenge(
                householdBook.challenge(of: context.peer.connection, at: context.now, using: &context.random))
        case .applyList(let list): return try applyList(list, context, &draft)
        case .takeHouseholdPolicy(let policy, let configuration, let detail):
            return try takeHouseholdPolicy(policy, configuration, detail, context, &draft)
        case .takeDeviceKey(let key, let replaces):
            return try takeDeviceKey(key, replaces: replaces, context, &draft)
        case .execute(let command): return try execute(command, &context, &draft)
        case .sendCommand(let order, let devices, let grant):
            return try sendCommand(order, to: devices, grant: grant, &context, &draft)
        case .obeyHomeAssistant(let order): return try obeyHomeAssistant(order, &context, &draft)
        case .reachBroker(let isThere):
            householdBook.brokerReached(isThere, by: context.peer.connection)
            return .done
        case .takeUsage(let report, let key): return try takeUsage(report, verifiedBy: key, context, &draft)
        case .receiveRequests(let news): return try receiveRequests(news, &context, &draft)
        case .answerRequest(let number, let isApproved, let grant):
            return try answerRequest(number, isApproved: isApproved, grant: grant, context, &draft)
        case .endAnswer(let name, let command, let refusal):
            answerToAskEnded(name, command: command, refusal, context, &draft)
            return .done
        }
    }
}

/// The rules for guardians' commands to this device. The signatures were checked; everything else is checked here:
///
/// | what      | a lock, or child mode                                 | everything that opens                        |
/// |-----------|-------------------------------------------------------|----------------------------------------------|
/// | household | this one                                              | this one                                     |
/// | device    | this one, or all                                      | this one                                     |
/// | guardian  | on the newest list, not revoked                       | the same, and the list has not expired       |
/// | challenge | this connection's, or none                            | this connection's, once, of the last hour    |
/// | question  | of an answer: open, and as the guardian saw it        | the same                                     |
/// | ask       | of an answer to one: `AsksToGuardians.swift`          | the same, in place of the challenge          |
/// | time      | without a challenge: not over, and the command is new | not over, by the later of clock and evidence |
extension GateState {
    /// - Throws: `FAILED_PRECONDITION` if the device belongs to no household.
    func household() throws(GateError) -> HouseholdSettings {
        guard let household = configuration.household else { throw .noHousehold }
        return household
    }

    /// The list in force; `nil` if this device has got no list that this household's key signed.
    package var householdList: HouseholdList? {
        guard let settings = configuration.household, let signed = records.household.list,
            signed.verifiedBy == settings.publicKey, signed.list.household == settings.household
        else { return nil }
        return signed.list
    }

    /// This device's entry in the list; `nil` if it has none, or one with another key.
    package var householdMember: HouseholdMember? {
        guard let settings = configuration.household, let member = householdList?.member(settings.device),
            member.publicKey == records.household.deviceKey?.publicKey
        else { return nil }
        return member
    }

    /// The later of the wall clock and of times that have certainly passed. Setting the clock back does not make an
    /// expired command valid again.
    private func householdTime(_ context: Context) -> WallTime {
        [context.wallTime, householdList?.issued, records.household.seenAt]
            .compactMap(\.self).max() ?? context.wallTime
    }

    private mutating func applyList(
        _ new: SignedHouseholdList, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let settings = try household()
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard new.verifiedBy == settings.publicKey else {
            throw .badGuardian(.signature, "This list is not signed with the household's key.")
        }
        guard new.list.household == settings.household else {
            throw .badGuardian(.household, "This list is of another household.")
        }
        if let number = householdList?.number, new.list.number <= number { throw .outdatedList(number) }
        // Times that another household's guardians proved say nothing about this household.
        if records.household.seenAt != nil, records.household.list?.verifiedBy != new.verifiedBy {
            record(.householdSeen(at: nil), &draft)
        }
        record(.householdListSet(new), &draft)
        forgetUsageToCome(&draft)
        draft.journal(.householdListed, by: context.peer, new.list.summary)
        return .done
    }

    private mutating func takeDeviceKey(
        _ key: DeviceKey, replaces: Bool, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard replaces || records.household.deviceKey == nil else { return .done }
        record(.deviceKeySet(key), &draft)
        draft.journal(.secretSet, by: context.peer, "device key")
        return .done
    }

    /// Performs a guardian's command. Throws if the command is not a guardian's of this household or not for this
    /// device; a guardian's command gets a result even if it is refused.
    private mutating func execute(
        _ signed: SignedGuardianCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let settings = try household()
        let command = signed.command
        guard command.household == settings.household else {
            throw .badGuardian(.household, "This command is for another household.")
        }
        guard command.device == nil || command.device == settings.device else {
            throw .badGuardian(.device, "This command is for another device.")
        }
        guard let list = householdList, let member = list.member(command.guardian),
            member.publicKey == signed.verifiedBy, let name = member.guardian
        else { throw .badGuardian(.guardian, "This is not signed by a guardian that this device knows.") }
        guard !member.isRevoked else { throw .badGuardian(.revoked, "This guardian is revoked.") }

        let guardian = context.peer.commanded(by: GuardianName(device: member.id, name: name))
        let echo = householdBook.use(command.challenge, of: context.peer.connection, at: context.now)
        var refusal = isUntimely(command, echo, list, context)
        if refusal == nil, case .answer(let answer) = command.order {
            if let echo = answer.ask {
                refusal = self.refusal(of: answer, repeating: echo, by: name)
            } else {
                refusal = self.refusal(of: answer, shown: signed.shown)
            }
        }
        if refusal == nil {
            // A refused command changes nothing, so it works on copies.
            var (state, part) = (self, draft)
            var acting = context
            acting.peer = guardian
            do throws(GateError) {
                try state.perform(command.order, &acting, &part)
                (self, draft) = (state, part)
                context.random = acting.random
            } catch {
                refusal = CommandResult.Refusal(.refused, error.message)
            }
        }
        if refusal == nil, command.order.opens {
            record(.householdSeen(at: householdTime(context)), &draft)
        }
        let result = CommandResult(
            household: command.household, device: settings.device, command: command.id, refusal: refusal,
            mode: modeState.mode)
        let challenge = householdBook.challenge(of: context.peer.connection, at: context.now, using: &context.random)
        return .obeyed(ObeyedCommand(result: result, challenge: challenge))
    }

    private mutating func perform(
        _ order: GuardianOrder, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) {
        switch order {
        case .lock: _ = try lock(context, &draft)
        case .extend(let duration): _ = try extend(for: duration, presentsItself: false, &context, &draft)
        case .override(let asked):
            _ = try override(to: asked.mode, for: asked.duration, because: asked.reason, context, &draft)
        case .answer(let answer):
            guard let echo = answer.ask else { return take(answer, &context, &draft) }
            // A choice that this version does not know was refused before.
            guard let answerToAsk = AskAnswer(isAllowed: answer.isApproved, word: echo.choice) else { return }
            _ = try answerAsk(answer.number, answerToAsk, isFromElsewhere: true, &context, &draft)
        }
    }

    /// Why the command can't be performed now; `nil` if it can. `echo` is what the command's challenge permits; the
    /// challenge is used up now.
    private mutating func isUntimely(
        _ command: GuardianCommand, _ echo: HouseholdBook.Echo, _ list: HouseholdList, _ context: Context
    ) -> CommandResult.Refusal? {
        let now = householdTime(context)
        let isOver = command.expires <= now
        if command.device == nil, case .answer = command.order { return .onlyLocksForAll }
        if isOver, case .answer(let answer) = command.order, let echo = answer.ask {
            return echo.choice == AskChoice.today.text && answer.isApproved ? .dayIsOver : .askHasExpired
        }
        guard command.order.opens || command.order.isAnswerToAsk else {
            // A lock that echoes the challenge is remembered, too, because it may arrive a second time without it.
            guard echo == .none else {
                _ = householdBook.lockComes(command.id)
                return nil
            }
            guard !isOver else {
                return CommandResult.Refusal(
                    .expired,
                    "This command has expired, by the clock of the device. Send it to the device by name.")
            }
            return householdBook.lockComes(command.id)
                ? nil : CommandResult.Refusal(.repeated, "The device has carried out this command already.")
        }
        if command.device == nil { return .onlyLocksForAll }
        if echo != .opens, !command.order.isAnswerToAsk {
            return CommandResult.Refusal(
                .challenge, "The device has a new challenge by now. Send the command again.")
        }
        if isOver {
            return CommandResult.Refusal(
                .expired, "This command has expired, by the clock of the device. Are both clocks right?")
        }
        if command.order.opens, list.expires <= now {
            return CommandResult.Refusal(
                .listOver, "The list of guardians has expired on that device. Renew it: `gatectl household renew`.")
        }
        return nil
    }

    /// Checks whether this device may send its guardian's command. The daemon then signs and sends it.
    private mutating func sendCommand(
        _ order: GuardianOrder, to devices: [HouseholdID]?, grant: Grant.Proof?, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        _ = try household()
        guard quarantinedFile == nil else { throw .storeDamaged }
        if case .answer = order { throw .invalid("verb", "A question is answered with AnswerRequest.") }
        guard let list = householdList, let own = householdMember, own.isGuardians else { throw .noGuardiansDevice }
        if case .override(let asked) = order {
            try checkReason(asked.reason)
            guard asked.mode != .verifying, asked.mode != .child || asked.duration == nil else {
                throw .invalid("mode", "The mode can be set to parent, or to child without a duration.")
            }
        }
        let targets = try devices.map { ids throws(GateError) in
            let members = Dictionary(uniqueKeysWithValues: list.members.map { ($0.id, $0) })
            return try ids.map { id throws(GateError) in
                guard let member = members[id], !member.isRevoked else { throw .unknownDevice(id) }
                return member
            }
        }
        guard targets != nil || !order.opens else {
            throw .invalid("devices", "Only a lock can be for all devices. Name the devices that you mean.")
        }
        let names =
            targets.map { HouseholdMember.distinctNames(of: $0, among: list.members) } ?? ["all devices"]
        if order.opens, !context.peer.isAdministrator {
            guard let grant else { throw .guardiansGrantMissing }
            let redemption = grants.redeemed(
                grant, gatedAction: Self.openingAction, details: order.grantDetails(for: names), by: context.peer,
                at: context.now)
            guard case .taken = redemption else { throw .guardiansGrantMissing }
        } else if !order.opens {
            try context.peer.check(.grownUpInCharge, verifying: [], isParentMode: machine.isParent)
        }
        draft.journal(
            .commandSent, by: context.peer,
            order.grantDetails(for: names).cut(toByteCount: Limits.journalledDetailsByteCount))
        return .sending(HouseholdID(using: &context.random))
    }

    package static let openingAction = GuardianOrder.gatedAction
}

extension Peer {
    /// This peer, acting on what a guardian signed: with an administrator's roles, and in the guardian's name.
    fileprivate func commanded(by guardian: GuardianName) -> Peer {
        var peer = self
        peer.roles.formUnion([.app, .administrator])
        peer.guardian = guardian
        return peer
    }
}

extension CommandResult.Refusal {
    fileprivate static let onlyLocksForAll = CommandResult.Refusal(
        .all, "Only a lock can be for all devices. Name the device.")
    fileprivate static let askHasExpired = CommandResult.Refusal(
        .expired, "The question has expired, by the clock of the device.")
    fileprivate static let dayIsOver = CommandResult.Refusal(
        .expired, "The day for which this was allowed is over, or the question has expired, by the clock of the device."
    )
}

extension HouseholdList {
    fileprivate var summary: String {
        let guardians = members.filter(\.isGuardians).compactMap(\.guardian)
        return "list \(number): \(members.count { !$0.isRevoked }.times("device")); guardians: "
            + (guardians.isEmpty ? "nobody" : Set(guardians).sorted().joined(separator: ", ").cut(toByteCount: 200))
    }
}

extension GateError {
    package static let noHousehold = GateError(
        .failedPrecondition, .notSetUp,
        "This device belongs to no household. An administrator joins one: `gatectl household join`.",
        parameters: ["what": "household"])

    package static let onlyCarriers = GateError.notPermitted(
        "household",
        "Only a program with the role household may do that. An administrator names it in the policy.")

    package static func badGuardian(_ check: GuardianCheck, _ message: String) -> GateError {
        GateError(.invalidArgument, .badCommand, message, parameters: ["check": check.rawValue])
    }

    fileprivate static func outdatedList(_ number: UInt64) -> GateError {
        GateError(
            .failedPrecondition, .outdated, "This device has list \(number) already, or a newer one.",
            parameters: ["what": "household-list"])
    }

    static let noGuardiansDevice = GateError(
        .permissionDenied, .notPermitted,
        "This device can't command others: the household's list names no guardian for it. `gatectl household devices` shows which devices can.",
        parameters: ["what": "guardian"])

    fileprivate static func unknownDevice(_ id: HouseholdID) -> GateError {
        GateError(
            .notFound, .unknown, "The household has no device \(id). `gatectl household devices` lists them.",
            parameters: ["what": "device", "name": id.description])
    }

    fileprivate static let guardiansGrantMissing = GateError(
        .permissionDenied, .notPermitted,
        "Only an administrator may do that, or a program with a grant for 'household.open' and these details.",
        parameters: ["what": "household-grant"])
}
