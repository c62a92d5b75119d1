import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The household's list of devices and guardians, and what its guardians send (H-03, H-08)")
struct HouseholdListTests {
    @Test("a list is accepted only if it is newer and signed with the household's key")
    func newer() throws {
        var tablet = try HouseholdDevice(list: .millers(3))
        for number: UInt64 in [1, 2, 3] {
            #expect(tablet.device.refusal(.applyList(.millers(number)), as: .carrier)?.reason == .outdated)
        }
        #expect(
            tablet.device.refusal(.applyList(.millers(4, household: .others)), as: .carrier)?.parameters["check"]
                == "household")
        let forged = SignedHouseholdList.millers(4, verifiedBy: [UInt8](repeating: 8, count: 32))
        #expect(tablet.device.refusal(.applyList(forged), as: .carrier)?.parameters["check"] == "signature")
        try tablet.device.apply(.applyList(.millers(4)), as: .carrier)
        #expect(tablet.device.state.householdList?.number == 4)
        #expect(tablet.device.journal.last?.kind == .householdListed)
        #expect(tablet.device.journal.last?.detail == "list 4: 4 devices; guardians: Anna, Tom")
        #expect(tablet.device.stored == tablet.device.state.records)
        var alone = SignedHouseholdList.millers(5)
        alone.list.members.removeAll { $0.id != .tablet }
        try tablet.device.apply(.applyList(alone), as: .carrier)
        #expect(tablet.device.journal.last?.detail == "list 5: 1 device; guardians: nobody")
    }

    @Test("the list of a household whose key is another one now counts for nothing")
    func otherKey() throws {
        var tablet = try HouseholdDevice()
        let command = try tablet.command(.override(.parent, nil, reason: "yes"))
        var other = Configuration.ofTablet
        other.household?.publicKey = [UInt8](repeating: 9, count: 32)
        try tablet.device.apply(.configure(other, detail: ""), as: .root)
        #expect(tablet.device.state.householdList == nil)
        #expect(tablet.device.refusal(.execute(command), as: .carrier)?.parameters["check"] == "guardian")
        // It accepts any list of the new key.
        try tablet.device.apply(.applyList(.millers(1, verifiedBy: other.household!.publicKey)), as: .carrier)
        #expect(tablet.device.state.householdList?.number == 1)
    }

    @Test("a backup brings no older list back, and no key of another device")
    func restored() throws {
        var tablet = try HouseholdDevice(list: .millers(3, isTomRevoked: true))
        try tablet.device.apply(.takeDeviceKey(.one), as: .root)
        var backup = DurableRecords(revision: Revision(epoch: 9, number: 3))
        backup.household = HouseholdRecord(list: .millers(2), deviceKey: .other)
        try tablet.device.apply(.restore(backup, detail: ""), as: .root)
        #expect(tablet.device.state.householdList?.number == 3)
        #expect(tablet.device.state.records.household.deviceKey == .one)
    }

    @Test("a device gets its key once, from an administrator")
    func deviceKey() throws {
        var tablet = try HouseholdDevice()
        #expect(tablet.device.refusal(.takeDeviceKey(.one), as: .carrier)?.code == .permissionDenied)
        try tablet.device.apply(.takeDeviceKey(.one), as: .root)
        #expect(try !tablet.device.apply(.takeDeviceKey(.other), as: .root).isChange)
        #expect(tablet.device.state.records.household.deviceKey == .one)
    }

    @Test("a copy of a device gets a new key, and then its list has no member with that key")
    func anotherKey() throws {
        var laptop = try laptop()
        #expect(laptop.state.householdMember != nil)
        #expect(laptop.refusal(.takeDeviceKey(.other, replaces: true), as: .carrier)?.code == .permissionDenied)
        try laptop.apply(.takeDeviceKey(.other, replaces: true), as: .root)
        #expect(laptop.state.records.household.deviceKey == .other && laptop.state.householdMember == nil)
    }

    // MARK: Sending

    /// Anna's laptop.
    private func laptop(isAnnaListed: Bool = true) throws -> Device {
        var laptop = Device(configuration: .ofLaptop)
        try laptop.apply(.takeDeviceKey(isAnnaListed ? .annas : .other), as: .root)
        try laptop.apply(.applyList(.millers()), as: .carrier)
        return laptop
    }

    private let play = GuardianOrder.override(.parent, .seconds(900), reason: "homework is done")

    @Test("a lock is sent in parent mode, or by an administrator")
    func locks() throws {
        var laptop = try laptop()
        #expect(laptop.refusal(.sendCommand(.lock, to: nil, grant: nil), as: .anna)?.parameters["what"] == "grown-up")
        try laptop.enterParentMode(as: .anna)
        try laptop.apply(.sendCommand(.lock, to: nil, grant: nil), as: .anna)
        #expect(laptop.journal.last?.kind == .commandSent && laptop.journal.last?.detail == "lock (all devices)")
        try laptop.apply(.lock, as: .anna)
        guard case .sending = try laptop.apply(.sendCommand(.lock, to: [.tablet], grant: nil), as: .root).reply else {
            Issue.record("not sent")
            return
        }
    }

    @Test("sending a command that opens takes an administrator, or a single-use grant for exactly that")
    func opens() throws {
        var laptop = try laptop()
        try laptop.enterParentMode(as: .anna)
        #expect(
            laptop.refusal(.sendCommand(play, to: [.tablet], grant: nil), as: .anna)?.parameters["what"]
                == "household-grant")
        let details = play.grantDetails(for: ["Mia's tablet"])
        let question = try laptop.authorize("household.open", details, as: .anna).presentation()
        let grant = try laptop.answerRight(question, as: .anna).grant()
        for (order, devices) in [
            (play, [HouseholdID.television]), (play, [.tablet, .television]), (.extend(.seconds(900)), [.tablet]),
            (.override(.parent, .seconds(9000), reason: "homework is done"), [.tablet]),
        ] {
            #expect(
                laptop.refusal(.sendCommand(order, to: devices, grant: grant.proof), as: .anna)?.reason
                    == .notPermitted)
        }
        #expect(laptop.refusal(.sendCommand(play, to: [.tablet], grant: grant.proof), as: .ben) != nil)
        try laptop.apply(.sendCommand(play, to: [.tablet], grant: grant.proof), as: .anna)
        #expect(laptop.refusal(.sendCommand(play, to: [.tablet], grant: grant.proof), as: .anna) != nil)
        try laptop.apply(.sendCommand(play, to: [.tablet], grant: nil), as: .root)
    }

    @Test(
        "a command that no device could obey is not sent",
        arguments: [
            GuardianOrder.override(.child, .seconds(5), reason: "bed"), .override(.verifying, nil, reason: "no such"),
            .override(.parent, nil, reason: ""), .override(.child, nil, reason: "a\nb"),
            .override(.parent, nil, reason: String(repeating: "a", count: 201)),
        ])
    func notSent(order: GuardianOrder) throws {
        let laptop = try laptop()
        #expect(laptop.refusal(.sendCommand(order, to: [.tablet], grant: nil), as: .root)?.reason == .invalidRequest)
    }

    @Test("a command that opens is not sent to all devices, and no command to a device off the list")
    func targets() throws {
        let laptop = try laptop()
        #expect(laptop.refusal(.sendCommand(play, to: nil, grant: nil), as: .root)?.reason == .invalidRequest)
        #expect(
            laptop.refusal(.sendCommand(.lock, to: [.others], grant: nil), as: .root)?.parameters["what"] == "device")
    }

    @Test("a device without a guardian on the list, or with another key, can command nobody")
    func noGuardian() throws {
        var tablet = try HouseholdDevice()
        try tablet.device.apply(.takeDeviceKey(.tablets), as: .root)
        #expect(
            tablet.device.refusal(.sendCommand(.lock, to: nil, grant: nil), as: .root)?.parameters["what"]
                == "guardian")
        let stranger = try laptop(isAnnaListed: false)
        #expect(
            stranger.refusal(.sendCommand(.lock, to: nil, grant: nil), as: .root)?.parameters["what"] == "guardian")
    }
}

extension DeviceKey {
    fileprivate static let one = DeviceKey(publicKey: [UInt8](repeating: 1, count: 32), secret: GateSecret([1]))
    fileprivate static let other = DeviceKey(publicKey: [UInt8](repeating: 2, count: 32), secret: GateSecret([2]))
    fileprivate static let annas = DeviceKey(
        publicKey: SignedHouseholdList.keyBytes(.laptop), secret: GateSecret([3]))
    fileprivate static let tablets = DeviceKey(
        publicKey: SignedHouseholdList.keyBytes(.tablet), secret: GateSecret([4]))
}
