import CommandSupport
import GateModel

@testable import GateCore

extension HouseholdID {
    static let millers = HouseholdID(String(repeating: "1", count: 32))!
    static let others = HouseholdID(String(repeating: "2", count: 32))!
    static let tablet = HouseholdID(String(repeating: "a", count: 32))!
    static let laptop = HouseholdID(String(repeating: "b", count: 32))!
    static let phone = HouseholdID(String(repeating: "c", count: 32))!
    static let television = HouseholdID(String(repeating: "d", count: 32))!

    static func command(_ number: Int) -> HouseholdID {
        let digits = String(number, radix: 16)
        return HouseholdID(String(repeating: "0", count: 32 - digits.count) + digits)!
    }
}

extension HouseholdSettings {
    static let key = [UInt8](repeating: 7, count: 32)

    static let ofTablet = HouseholdSettings(
        household: .millers, device: .tablet, name: "Mia's tablet", publicKey: key,
        broker: Broker(host: "gate.example", authority: "ca", certificate: "certificate", key: "key"))
}

extension Peer {
    /// The program that carries messages between the household's devices.
    static let carrier = Peer(connection: 10, uid: 1012, pid: 110, roles: [.app, .household])
    /// The same program, connected anew.
    static let carrierAgain = Peer(connection: 11, uid: 1012, pid: 111, roles: [.app, .household])
}

extension SignedHouseholdList {
    static func keyBytes(_ id: HouseholdID) -> [UInt8] { Array(id.description.utf8.prefix(32)) }

    /// Anna commands from the laptop, and Tom from the phone.
    static func millers(
        _ number: UInt64 = 1, household: HouseholdID = .millers, verifiedBy key: [UInt8] = HouseholdSettings.key,
        expires: Int64 = 1_000_000, isTomRevoked: Bool = false
    ) -> SignedHouseholdList {
        func member(_ id: HouseholdID, _ name: String, _ guardian: String? = nil, isRevoked: Bool = false)
            -> HouseholdMember
        {
            HouseholdMember(
                id: id, name: name, publicKey: keyBytes(id), sealingKey: keyBytes(id), guardian: guardian,
                isRevoked: isRevoked)
        }
        return SignedHouseholdList(
            HouseholdList(
                household: household, number: number, issued: WallTime(unixMilliseconds: 0),
                expires: WallTime(unixMilliseconds: expires),
                members: [
                    member(.tablet, "Mia's tablet"), member(.laptop, "Kitchen laptop", "Anna"),
                    member(.phone, "Tom's phone", "Tom", isRevoked: isTomRevoked), member(.television, "Television"),
                ]),
            signed: Array("signed \(number)".utf8), verifiedBy: key)
    }
}

/// A device of the household with a list, and the commands that guardians send it.
struct HouseholdDevice {
    var device = Device(configuration: .ofTablet)
    private var commands = 0

    /// Mia's tablet.
    init(list: SignedHouseholdList? = .millers()) throws {
        if let list { try device.apply(.applyList(list), as: .carrier) }
    }

    /// The challenge of this connection.
    mutating func challenge(of peer: Peer = .carrier) throws -> [UInt8] {
        guard case .challenge(let challenge) = try device.apply(.openHousehold, as: peer).reply else { return [] }
        return challenge
    }

    /// A valid command of Anna's, with what the test changes.
    mutating func command(
        _ order: GuardianOrder, _ change: (inout GuardianCommand) -> Void = { _ in }
    ) throws -> SignedGuardianCommand {
        commands += 1
        var command = GuardianCommand(
            id: .command(commands), household: .millers, device: .tablet, guardian: .laptop, order: order,
            challenge: try challenge(), expires: device.wallTime.plus(300_000))
        change(&command)
        return SignedGuardianCommand(command, verifiedBy: SignedHouseholdList.keyBytes(command.guardian))
    }

    /// The outcome of a command; `nil` if it was refused as no guardian's command.
    @discardableResult
    mutating func obey(_ command: SignedGuardianCommand, as peer: Peer = .carrier) throws -> ObeyedCommand? {
        guard case .obeyed(let obeyed) = try device.apply(.execute(command), as: peer).reply else { return nil }
        return obeyed
    }

    @discardableResult
    mutating func obey(
        _ order: GuardianOrder, _ change: (inout GuardianCommand) -> Void = { _ in }
    ) throws -> CommandResult.Refusal? {
        let command = try command(order, change)
        return try obey(command)?.result.refusal
    }
}

extension WallTime {
    func plus(_ milliseconds: Int64) -> WallTime {
        WallTime(unixMilliseconds: unixMilliseconds + milliseconds)
    }
}

extension Configuration {
    /// The policy of Mia's tablet, with gated actions.
    static let ofTablet = {
        var configuration = gates
        configuration.household = .ofTablet
        return configuration
    }()

    /// The policy of Anna's laptop, where a sum stands before opening other devices.
    static let ofLaptop = {
        var configuration = gates
        configuration.household = .ofTablet
        configuration.household?.device = .laptop
        configuration.gatedActions["household.open"] = GatedAction(
            title: "Open another device", requirement: .challenge(ChallengeRule(.arithmeticEntry)))
        return configuration
    }()
}
