import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// Guardians' commands on Anna's laptop in a random walk, and what must hold for them.
extension RandomWalk {
    static let annasKey = DeviceKey(publicKey: SignedHouseholdList.keyBytes(.laptop), secret: GateSecret([3]))

    mutating func householdCommand(by peer: Peer) -> (Command, Peer) {
        let carrier = Int.random(in: 0..<4, using: &chance) > 0 ? Peer.carrier : peer
        switch Int.random(in: 0..<15, using: &chance) {
        case 0: return (.openHousehold, carrier)
        case 1:
            let number = (device.state.householdList?.number ?? 0) + UInt64.random(in: 0...1, using: &chance)
            let isTomRevoked = Int.random(in: 0..<4, using: &chance) == 0
            return (.applyList(.millers(number, expires: .max, isTomRevoked: isTomRevoked)), carrier)
        case 2: return (.takeDeviceKey(Self.annasKey), .root)
        case 3:
            return (
                .sendCommand(
                    order(), to: [nil, [.tablet], [.others]].randomElement(using: &chance) ?? nil, grant: nil), peer
            )
        case 4:
            let asked = device.state.requestsForGuardians.randomElement(using: &chance)?.words.number ?? 1
            let orders = [
                HomeAssistantOrder.lock, .extend(nil), .extend(.seconds(60)),
                .answer(asked, isApproved: Bool.random(using: &chance)),
            ]
            return (.obeyHomeAssistant(orders.randomElement(using: &chance) ?? .lock), carrier)
        case 5: return (.reachBroker(Bool.random(using: &chance)), carrier)
        case 6: return (.receiveRequests(news()), carrier)
        case 7:
            let number = UInt64.random(in: 0...9, using: &chance)
            return (.answerRequest(number, isApproved: Bool.random(using: &chance), grant: nil), peer)
        case 8:
            let ask = device.state.asks(visibleTo: .root).randomElement(using: &chance)
            return (.answerAsk(ask?.id ?? 1, isAllowed: Bool.random(using: &chance)), peer)
        case 9:
            let given = device.state.records.household.answers.sorted { $0.key < $1.key }.randomElement(using: &chance)
            return (
                .endAnswer(
                    given?.key ?? RequestName(.tablet, 1), command: given?.value.command ?? .command(1),
                    isDone: Bool.random(using: &chance)), carrier
            )
        default: return (.execute(guardianCommand(over: carrier)), carrier)
        }
    }

    private mutating func order() -> GuardianOrder {
        [
            .lock, .extend(.seconds(60)), .override(.parent, .seconds(60), reason: "r"),
            .override(.child, nil, reason: "r"),
            .override(.parent, .seconds(-1), reason: "r"),
            .answer(
                RequestAnswer(
                    number: device.state.requestsForGuardians.randomElement(using: &chance)?.words.number ?? 1,
                    shown: [Bool.random(using: &chance) ? 1 : 2], isApproved: Bool.random(using: &chance))),
            answerToAsk(),
        ].randomElement(using: &chance) ?? .lock
    }

    /// An answer to an ask of this device, most often with its nonce.
    private mutating func answerToAsk() -> GuardianOrder {
        let ask = device.state.records.asks.inOrder.randomElement(using: &chance)
        let nonce = Int.random(in: 0..<4, using: &chance) == 0 ? [0] : ask?.ask.nonce ?? []
        return .answer(
            RequestAnswer(
                number: ask?.number ?? 1, ask: AskEcho(nonce: nonce), isApproved: Bool.random(using: &chance)))
    }

    /// The tablet and the television ask for something, or close what they asked.
    private mutating func news() -> RequestNews {
        func name() -> RequestName {
            RequestName(
                [.tablet, .television, .others].randomElement(using: &chance) ?? .tablet,
                UInt64.random(in: 1...5, using: &chance))
        }
        let heard = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
            let left = Duration.seconds(Int64.random(in: -1...900, using: &chance))
            return Bool.random(using: &chance)
                ? HeardRequest.of(name(), left: left)
                : HeardRequest.ask(name(), isAllowed: Bool.random(using: &chance), left: left)
        }
        let closed = (0..<Int.random(in: 0...2, using: &chance)).map { _ in name() }
        return RequestNews(heard: heard, closed: closed, isAll: Bool.random(using: &chance))
    }

    private mutating func guardianCommand(over peer: Peer) -> SignedGuardianCommand {
        var book = device.state.householdBook
        let right = book.challenge(of: peer.connection, at: device.now, using: &chance)
        let isForThis = Int.random(in: 0..<6, using: &chance) > 0
        let command = GuardianCommand(
            id: .command(Int.random(in: 0..<50, using: &chance)), household: .millers,
            device: isForThis ? .laptop : nil,
            guardian: [.phone, .laptop, .television].randomElement(using: &chance) ?? .phone,
            order: order(), challenge: Bool.random(using: &chance) ? right : [],
            expires: WallTime(unixMilliseconds: Bool.random(using: &chance) ? .max : .min))
        return SignedGuardianCommand(
            command, verifiedBy: SignedHouseholdList.keyBytes(command.guardian), shown: [1])
    }

    /// Checks that every command that opened the device carried the challenge of its connection, and that the challenge
    /// has changed since.
    func checkHousehold(_ transition: Transition, of command: Command, by peer: Peer, since before: Device) {
        guard case .household(.execute(let signed)) = command, case .obeyed(let obeyed) = transition.reply else {
            #expect(transition.audit.allSatisfy { $0.actor?.guardian == nil }, "a guardian without a command")
            return
        }
        var (book, random) = (before.state.householdBook, chance)
        let member = before.state.householdList?.member(signed.command.guardian)
        #expect(member?.isGuardians == true)
        #expect(obeyed.result.mode == device.mode)
        let isDone = obeyed.result.refusal == nil
        if isDone, signed.command.order.isAnswerToAsk {
            #expect(signed.command.device == .laptop)
            #expect(before.state.records.asks.inOrder.contains { !$0.ask.nonce.isEmpty })
        } else if isDone, signed.command.order.opens {
            let echo = book.use(signed.command.challenge, of: peer.connection, at: device.now)
            let next = book.challenge(of: peer.connection, at: device.now, using: &random)
            #expect(echo == .opens && next != signed.command.challenge)
            #expect(signed.command.device == .laptop)
        }
        if !isDone { #expect(transition.records.isEmpty || before.state.nextDeadline.map { $0 <= device.now } == true) }
    }
}
