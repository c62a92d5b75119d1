import CommandSupport
import GateCore
import GateGuardians
import GateHousehold
import GateModel
import GateScripting

/// A device of a household: gate-household's machine and gated's, with a call between them for each step. What is on its disk is what a
/// restart begins with.
struct SimulatedMember {
    /// A command that this device has done.
    struct Deed: Hashable {
        var command: HouseholdID
        var order: GuardianOrder
        /// The mode right after the command.
        var mode: Mode
    }

    let settings: HouseholdSettings
    let key: SigningKey
    var machine: HouseholdStateMachine
    var state: GateState
    /// The error of the wall clock.
    var wallError = Duration.zero
    /// The connection of gate-household to gated.
    var connection: UInt64 = 1
    private(set) var deeds: [Deed] = []
    /// Publications that are still to be sent, in order.
    var outgoing: [Publication] = []
    /// Results that came here, unread.
    var results: [[UInt8]] = []

    var id: HouseholdID { settings.device }
    var isOpen: Bool { state.modeState.mode == .parent }

    init(_ settings: HouseholdSettings, key: SigningKey, list: SignedHouseholdList) {
        (self.settings, self.key) = (settings, key)
        var records = DurableRecords(revision: Revision(epoch: 1, number: 0))
        records.household = HouseholdRecord(
            list: list, deviceKey: DeviceKey(publicKey: key.publicKey, secret: key.secret))
        machine = Self.newMachine(settings)
        state = GateState(restoring: records, configuration: Self.configuration(settings))
    }

    private static func newMachine(_ settings: HouseholdSettings) -> HouseholdStateMachine {
        HouseholdStateMachine(
            household: settings.household, device: settings.device, name: settings.name, version: "1")
    }

    private static func configuration(_ settings: HouseholdSettings) -> Configuration {
        var configuration = Configuration.builtIn
        configuration.household = settings
        return configuration
    }

    // MARK: - What happens to it

    mutating func start(_ world: inout World) {
        _ = apply(.start, roles: .administrator, over: 0, &world)
        machine = Self.newMachine(settings)
        perform(machine.daemonReturned(state.modeState, at: moment(world)), &world)
    }

    /// Kills gated and starts it again.
    mutating func restart(_ world: inout World) {
        state = GateState(restoring: state.records, configuration: Self.configuration(settings))
        connection += 1
        _ = apply(.start, roles: .administrator, over: 0, &world)
        perform(machine.daemonLost(at: moment(world)), &world)
        perform(machine.daemonReturned(state.modeState, at: moment(world)), &world)
    }

    /// Breaks the connection to the broker and makes a new one.
    mutating func reconnect(_ world: inout World) {
        outgoing = []
        perform(machine.brokerLost(at: moment(world)), &world)
        perform(machine.brokerConnected(at: moment(world)), &world)
    }

    mutating func hear(_ message: BrokerMessage, _ world: inout World) {
        perform(machine.messageArrived(message, at: moment(world)), &world)
    }

    mutating func published(_ publication: Publication, _ world: inout World) {
        perform(machine.published(publication.id, at: moment(world)), &world)
    }

    mutating func timePassed(_ world: inout World) {
        _ = apply(.deadlineReached, roles: .administrator, over: 0, &world)
        perform(machine.modeChanged(state.modeState, at: moment(world)), &world)
        perform(machine.timePassed(at: moment(world)), &world)
    }

    /// The device's own grown-up sets the mode.
    mutating func set(_ mode: Mode, _ world: inout World) {
        _ = apply(.override(mode, nil, reason: "at home"), roles: .administrator, &world)
        perform(machine.modeChanged(state.modeState, at: moment(world)), &world)
    }

    // MARK: - Carrying

    /// The time, and what the machines need of it.
    struct World {
        var now = BootTime(nanoseconds: 1_000_000_000)
        var wall = WallTime(unixMilliseconds: 1_800_000_000_000)
        var random: SeededGenerator
    }

    private func wall(_ world: World) -> WallTime { world.wall.advanced(by: wallError) }

    private func moment(_ world: World) -> HouseholdStateMachine.Moment { .init(boot: world.now, wall: wall(world)) }

    private mutating func perform(_ actions: [HouseholdAction], _ world: inout World) {
        var rest = actions[...]
        while let action = rest.popFirst() { rest += done(action, &world) }
    }

    private mutating func done(_ action: HouseholdAction, _ world: inout World) -> [HouseholdAction] {
        switch action {
        case .publish(let publication):
            outgoing.append(publication)
            return []
        case .askHousehold:
            guard case .challenge(let challenge) = apply(.openHousehold, roles: .household, &world) else { return [] }
            return machine.householdTold(
                challenge: challenge, isGuardians: state.householdMember?.isGuardians ?? false, at: moment(world))
        // The world delivers everything, and the machine passes over what it does not listen to.
        case .listen, .hearReceipts: return []
        case .submitCommand(let signed): return obey(signed, &world)
        case .submitResult(let signed):
            results.append(signed)
            return machine.taken(.result, at: moment(world))
        case .submitGuardians(let signed):
            takeList(signed, &world)
            return machine.taken(.guardians, at: moment(world))
        case .report: return machine.taken(.report, at: moment(world))
        // Guardians hand their commands to the broker themselves, and Home Assistant knows none of these devices.
        // There is no policy for all devices, and nobody asks, buys or uses anything.
        case .collect, .obeyHomeAssistant, .submitPolicy, .collectRequests, .submitRequests, .collectReceipts,
            .submitReceipt, .submitAnswer, .collectAnswers, .collectUsage, .submitUsage:
            return []
        }
    }

    private mutating func takeList(_ signed: [UInt8], _ world: inout World) {
        guard let list = try? HouseholdList(signed: signed, by: settings.publicKey) else { return }
        _ = apply(
            .applyList(SignedHouseholdList(list, signed: signed, verifiedBy: settings.publicKey)), roles: .household,
            &world)
    }

    private mutating func obey(_ signed: [UInt8], _ world: inout World) -> [HouseholdAction] {
        guard let text = try? SignedText(signed, as: .command),
            let command = try? GuardianCommand(payload: text.payload),
            let member = state.householdList?.member(command.guardian), member.guardian != nil,
            (try? text.verify(with: member.publicKey)) != nil,
            case .obeyed(let obeyed) = apply(
                .execute(SignedGuardianCommand(command, verifiedBy: member.publicKey)), roles: .household, &world)
        else { return machine.callFailed(.command, .never, jitter: 0, at: moment(world)) }
        if obeyed.result.refusal == nil {
            deeds.append(Deed(command: command.id, order: command.order, mode: state.modeState.mode))
        }
        let result = SignedText.sign(obeyed.result.payload, as: .result, with: key)
        let answered = machine.commandAnswered(result: result, challenge: obeyed.challenge, at: moment(world))
        return answered + machine.modeChanged(state.modeState, at: moment(world))
    }

    /// - Parameter other: the connection, where it is not gate-household's; 0: the daemon's own doing.
    private mutating func apply(
        _ command: Command, roles: Roles, over other: UInt64? = nil, _ world: inout World
    ) -> Reply? {
        let peer = Peer(connection: other ?? connection, uid: 0, pid: 1, roles: roles.union(.app))
        var context = Context(now: world.now, localTime: LocalTime(wall(world)), peer: peer, random: world.random)
        let reply = try? state.apply(command, &context).reply
        if let random = context.random as? SeededGenerator { world.random = random }
        return reply
    }
}
