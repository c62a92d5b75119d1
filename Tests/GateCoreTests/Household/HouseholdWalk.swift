import GateModel
import Testing

@testable import GateCore

/// What guardians do in a random walk, on Anna's laptop, and what has to hold then.
extension RandomWalk {
    static let annasKey = DeviceKey(publicKey: SignedHouseholdList.keyBytes(.laptop), secret: GateSecret([3]))

    mutating func householdCommand(by peer: Peer) -> (Command, Peer) {
        let carrier = Int.random(in: 0..<4, using: &chance) > 0 ? Peer.carrier : peer
        switch Int.random(in: 0..<10, using: &chance) {
        case 0: return (.openHousehold, carrier)
        case 1:
            let number = (device.state.householdList?.number ?? 0) + UInt64.random(in: 0...1, using: &chance)
            let isTomRevoked = Int.random(in: 0..<4, using: &chance) == 0
            return (.takeList(.millers(number, expires: .max, isTomRevoked: isTomRevoked)), carrier)
        case 2: return (.takeDeviceKey(Self.annasKey), .root)
        case 3:
            return (
                .sendCommand(
                    order(), to: [nil, [.tablet], [.others]].randomElement(using: &chance) ?? nil, grant: nil), peer
            )
        case 4:
            let orders = [HomeAssistantOrder.lock, .extend(nil), .extend(.seconds(60))]
            return (.obeyHomeAssistant(orders.randomElement(using: &chance) ?? .lock), carrier)
        default: return (.obey(guardianCommand(over: carrier)), carrier)
        }
    }

    private mutating func order() -> GuardianOrder {
        [
            .lock, .extend(.seconds(60)), .override(.parent, .seconds(60), reason: "r"),
            .override(.child, nil, reason: "r"),
            .override(.parent, .seconds(-1), reason: "r"),
        ].randomElement(using: &chance) ?? .lock
    }

    private mutating func guardianCommand(over peer: Peer) -> SignedGuardianCommand {
        var desk = device.state.householdDesk
        let right = desk.challenge(of: peer.connection, at: device.now, using: &chance)
        let isForThis = Int.random(in: 0..<6, using: &chance) > 0
        let command = GuardianCommand(
            id: .command(Int.random(in: 0..<50, using: &chance)), household: .millers,
            device: isForThis ? .laptop : nil,
            guardian: [.phone, .laptop, .television].randomElement(using: &chance) ?? .phone,
            order: order(), challenge: Bool.random(using: &chance) ? right : [],
            expires: WallTime(unixMilliseconds: Bool.random(using: &chance) ? .max : .min))
        return SignedGuardianCommand(command, verifiedBy: SignedHouseholdList.keyBytes(command.guardian))
    }

    /// Whatever a guardian's command opens was echoed with the challenge of its connection, which is another one afterwards.
    func checkHousehold(_ transition: Transition, of command: Command, by peer: Peer, since before: Device) {
        guard case .obey(let signed) = command, case .obeyed(let obeyed) = transition.reply else {
            #expect(transition.audit.allSatisfy { $0.actor?.guardian == nil }, "a guardian without a command")
            return
        }
        var (desk, random) = (before.state.householdDesk, chance)
        let member = before.state.householdList?.member(signed.command.guardian)
        #expect(member?.isGuardians == true)
        #expect(obeyed.result.mode == device.mode)
        let isDone = obeyed.result.refusal == nil
        if isDone, signed.command.order.opens {
            let echo = desk.use(signed.command.challenge, of: peer.connection, at: device.now)
            let next = desk.challenge(of: peer.connection, at: device.now, using: &random)
            #expect(echo == .opens && next != signed.command.challenge)
            #expect(signed.command.device == .laptop)
        }
        if !isDone { #expect(transition.records.isEmpty || before.state.nextDeadline.map { $0 <= device.now } == true) }
    }
}
