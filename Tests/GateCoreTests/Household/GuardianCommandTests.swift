import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("What guardians of the household may do on a device (H-03)")
struct GuardianCommandTests {
    private let play = GuardianOrder.override(.parent, .seconds(900), reason: "homework is done")

    @Test("a guardian opens, extends and locks a device, and the journal names them")
    func obeys() throws {
        var tablet = try HouseholdDevice()
        #expect(try tablet.obey(play) == nil && tablet.device.mode == .parent)
        #expect(try tablet.obey(.extend(.seconds(1800))) == nil)
        #expect(tablet.device.state.modeState.deadline == tablet.device.now.advanced(by: .seconds(1800)))
        #expect(try tablet.obey(.lock) == nil && tablet.device.mode == .child)
        let entries = tablet.device.journal.suffix(3)
        #expect(entries.map(\.kind) == [.overridden, .extended, .locked])
        #expect(entries.allSatisfy { $0.actor?.guardian == GuardianName(device: .laptop, name: "Anna") })
        #expect(entries.allSatisfy { $0.actor?.uid == Peer.carrier.uid })
        #expect(tablet.device.stored == tablet.device.state.records)
    }

    @Test("only the household's service can deliver commands, and doing so gives it no other right")
    func permission() throws {
        var tablet = try HouseholdDevice()
        let command = try tablet.command(play)
        for peer in [Peer.anna, .mara, .olga, .shop] {
            for command in [Command.openHousehold, .execute(command), .applyList(.millers(2))] {
                #expect(tablet.device.refusal(command, as: peer)?.parameters["what"] == "household")
            }
        }
        #expect(tablet.device.refusal(.override(.parent, nil, reason: "me"), as: .carrier)?.code == .permissionDenied)
        #expect(tablet.device.refusal(.extend(nil, presenting: .elsewhere), as: .carrier) != nil)
        #expect(tablet.device.mode == .child)
        // Its override is refused also after it brought a guardian's command.
        try tablet.obey(command)
        #expect(tablet.device.refusal(.override(.parent, nil, reason: "me"), as: .carrier)?.code == .permissionDenied)
    }

    @Test("a command with any field tampered with is not a guardian's word, or is refused")
    func tampered() throws {
        var tablet = try HouseholdDevice()
        let tampered: [(GuardianCheck, (inout GuardianCommand) -> Void)] = [
            (.household, { $0.household = .others }), (.device, { $0.device = .television }),
            (.guardian, { $0.guardian = .television }), (.guardian, { $0.guardian = .others }),
        ]
        for (check, change) in tampered {
            let command = try tablet.command(play, change)
            let refusal = tablet.device.refusal(.execute(command), as: .carrier)
            #expect(refusal?.reason == .badCommand && refusal?.parameters["check"] == check.rawValue)
        }
        #expect(try tablet.obey(play) { $0.challenge[0] ^= 1 }?.check == .challenge)
        #expect(try tablet.obey(play) { $0.challenge = [] }?.check == .challenge)
        #expect(try tablet.obey(play) { $0.device = nil }?.check == .all)
        let wall = tablet.device.wallTime
        #expect(try tablet.obey(play) { $0.expires = wall }?.check == .expired)
        #expect(tablet.device.mode == .child)
        #expect(try tablet.obey(play) == nil, "or else none of it shows anything")
    }

    @Test("a command works once: it can't be repeated, moved to another connection, or used after a restart")
    func replayed() throws {
        var tablet = try HouseholdDevice()
        let command = try tablet.command(play)
        #expect(try tablet.obey(command)?.result.refusal == nil)
        try tablet.device.apply(.lock, as: .root)
        #expect(try tablet.obey(command)?.result.refusal?.check == .challenge)

        let other = try tablet.command(play)
        _ = try tablet.challenge(of: .carrierAgain)
        #expect(try tablet.obey(other, as: .carrierAgain)?.result.refusal?.check == .challenge)

        tablet.device.state = GateState(restoring: tablet.device.stored, configuration: .ofTablet)
        try tablet.device.apply(.start, as: .daemon)
        #expect(try tablet.obey(other)?.result.refusal?.check == .challenge)
        #expect(tablet.device.mode == .child)
    }

    @Test("a challenge is new with each connection and after each use, whatever came of it")
    func challenges() throws {
        var tablet = try HouseholdDevice()
        let first = try tablet.challenge()
        #expect(try first.count == 32 && tablet.challenge() == first)
        #expect(try tablet.challenge(of: .carrierAgain) != first)
        // The command is refused because the mode is child, but its challenge is used up all the same.
        let command = try tablet.command(.extend(nil))
        let obeyed = try #require(try tablet.obey(command))
        #expect(obeyed.result.refusal?.check == .refused && obeyed.challenge != first)
        #expect(try tablet.challenge() == obeyed.challenge)
        try tablet.device.apply(.peerDisconnected, as: .carrier)
        #expect(try tablet.challenge() != obeyed.challenge)
    }

    @Test("an opening command withheld for over an hour is refused, whatever the clock says; a lock is obeyed")
    func withheld() throws {
        for (order, isDone) in [(play, false), (GuardianOrder.extend(.seconds(60)), false), (.lock, true)] {
            for minutes in [60, 61, 100_000] as [Int64] {
                var tablet = try HouseholdDevice()
                // The clock on the wall stands still: a child has set it back.
                let command = try tablet.command(order)
                tablet.device.now = tablet.device.now.advanced(by: .seconds(minutes * 60))
                let isLate = minutes > 60
                if order != .lock, order != play {
                    try tablet.device.apply(.override(.parent, nil, reason: "at home"), as: .root)
                }
                let check = try tablet.obey(command)?.result.refusal?.check
                #expect(check == (isLate && !isDone ? .challenge : nil), "\(order) after \(minutes) minutes")
                if isLate, order == play { #expect(tablet.device.mode == .child) }
            }
        }
    }

    @Test(
        "a challenge is renewed every half hour; the former one stays good for five minutes, and using one ends both"
    )
    func renewed() throws {
        for (seconds, second, isGood) in [(5 * 60, 0, true), (5 * 60 + 1, 0, false), (60, 1, true)]
            as [(Int64, Int, Bool)]
        {
            var tablet = try HouseholdDevice()
            let former = try tablet.command(play)
            tablet.device.now = tablet.device.now.advanced(by: .seconds(20 * 60))
            #expect(try tablet.challenge() == former.command.challenge)
            tablet.device.now = tablet.device.now.advanced(by: .seconds(10 * 60))
            let newest = try tablet.command(play)
            #expect(newest.command.challenge != former.command.challenge)
            tablet.device.now = tablet.device.now.advanced(by: .seconds(seconds))
            let (one, other) = second == 0 ? (former, newest) : (newest, former)
            #expect(try tablet.obey(one)?.result.refusal?.check == (isGood ? nil : .challenge))
            try tablet.device.apply(.lock, as: .root)
            #expect(try tablet.obey(other)?.result.refusal?.check == .challenge)
            #expect(tablet.device.mode == .child)
        }
    }

    @Test("of two commands with the same challenge, only the first is obeyed")
    func twoAtOnce() throws {
        var tablet = try HouseholdDevice()
        let anna = try tablet.command(.override(.parent, .seconds(60), reason: "a minute"))
        let tom = try tablet.command(.override(.parent, .seconds(6000), reason: "all evening")) { $0.guardian = .phone }
        #expect(try tablet.obey(anna)?.result.refusal == nil)
        #expect(try tablet.obey(tom)?.result.refusal?.check == .challenge)
        #expect(tablet.device.state.modeState.deadline == tablet.device.now.advanced(by: .seconds(60)))
    }

    @Test("somebody else's signature with a guardian's name is nobody's word")
    func otherKey() throws {
        var tablet = try HouseholdDevice()
        var command = try tablet.command(play)
        command.verifiedBy = SignedHouseholdList.keyBytes(.television)
        #expect(tablet.device.refusal(.execute(command), as: .carrier)?.parameters["check"] == "guardian")
    }

    @Test("a revoked guardian does nothing, not even a lock; the others go on")
    func revoked() throws {
        var tablet = try HouseholdDevice()
        #expect(try tablet.obey(play) { $0.guardian = .phone } == nil)
        try tablet.device.apply(.applyList(.millers(2, isTomRevoked: true)), as: .carrier)
        for order in [play, .lock] {
            let command = try tablet.command(order) { $0.guardian = .phone }
            #expect(tablet.device.refusal(.execute(command), as: .carrier)?.parameters["check"] == "revoked")
        }
        #expect(tablet.device.mode == .parent)
        #expect(try tablet.obey(.lock) == nil && tablet.device.mode == .child)
    }

    @Test("once the list has run out nobody opens anything, and everybody on it locks")
    func listOver() throws {
        var tablet = try HouseholdDevice()
        try tablet.obey(play)
        tablet.device.wallTime = WallTime(unixMilliseconds: 1_000_000)
        #expect(try tablet.obey(.extend(nil))?.check == .listOver)
        #expect(try tablet.obey(.lock) == nil && tablet.device.mode == .child)
        #expect(try tablet.obey(play)?.check == .listOver)
        try tablet.device.apply(.applyList(.millers(2, expires: 2_000_000)), as: .carrier)
        #expect(try tablet.obey(play) == nil)
    }

    @Test("the latest time seen in one household does not count in the next one")
    func otherHousehold() throws {
        var tablet = try HouseholdDevice()
        tablet.device.wallTime = WallTime(unixMilliseconds: 900_000)
        #expect(try tablet.obey(.override(.parent, .seconds(60), reason: "r")) == nil)
        #expect(tablet.device.stored.household.seenAt != nil)
        tablet.device.wallTime = WallTime(unixMilliseconds: 5)
        #expect(try tablet.obey(play)?.check == .expired)
        // The household's next list does not change that.
        try tablet.device.apply(.applyList(.millers(2)), as: .carrier)
        #expect(try tablet.obey(play)?.check == .expired)
        let key = [UInt8](repeating: 8, count: 32)
        tablet.device.state.configuration.household?.publicKey = key
        try tablet.device.apply(.applyList(.millers(1, verifiedBy: key)), as: .carrier)
        #expect(tablet.device.stored.household.seenAt == nil)
        #expect(try tablet.obey(play) == nil && tablet.device.mode == .parent)
        #expect(tablet.device.stored == tablet.device.state.records)
    }

    @Test("setting the clock back does not make expired commands and lists valid again")
    func clockBack() throws {
        var tablet = try HouseholdDevice(list: .millers(expires: 900_000))
        tablet.device.wallTime = WallTime(unixMilliseconds: 800_000)
        #expect(try tablet.obey(play) == nil)
        tablet.device.wallTime = WallTime(unixMilliseconds: 5)
        #expect(try tablet.obey(play) { $0.expires = WallTime(unixMilliseconds: 700_000) }?.check == .expired)
        // The latest time that was seen survives the daemon.
        tablet.device.state = GateState(restoring: tablet.device.stored, configuration: .ofTablet)
        try tablet.device.apply(.start, as: .daemon)
        #expect(try tablet.obey(play) { $0.expires = WallTime(unixMilliseconds: 700_000) }?.check == .expired)
        #expect(tablet.device.mode == .child)
    }

    @Test("a device whose clock is at 1970 is opened by a challenge that is its own, and locked")
    func noClock() throws {
        var tablet = try HouseholdDevice()
        #expect(try tablet.obey(play) { $0.expires = WallTime(unixMilliseconds: 900_000) } == nil)
        #expect(try tablet.obey(.lock) { $0.challenge = [] } == nil && tablet.device.mode == .child)
    }

    @Test("a lock for all devices needs no challenge; it is obeyed once, and only before it expires")
    func lockForAll() throws {
        var tablet = try HouseholdDevice()
        try tablet.obey(play)
        let lock = try tablet.command(.lock) {
            $0.device = nil
            $0.challenge = []
        }
        #expect(try tablet.obey(lock)?.result.refusal == nil && tablet.device.mode == .child)
        try tablet.obey(play)
        #expect(try tablet.obey(lock)?.result.refusal?.check == .repeated && tablet.device.mode == .parent)
        let late = try tablet.command(.lock) {
            $0.device = nil
            $0.challenge = []
            $0.expires = WallTime(unixMilliseconds: 4)
        }
        #expect(try tablet.obey(late)?.result.refusal?.check == .expired && tablet.device.mode == .parent)
        // A lock by name, with its challenge, does not depend on a clock.
        #expect(try tablet.obey(.lock) { $0.expires = WallTime(unixMilliseconds: 4) } == nil)
        #expect(tablet.device.mode == .child)
        // A command by name, too, is obeyed only once.
        let named = try tablet.command(.lock)
        #expect(try tablet.obey(named)?.result.refusal == nil)
        try tablet.obey(play)
        #expect(try tablet.obey(named)?.result.refusal?.check == .repeated && tablet.device.mode == .parent)
    }

    @Test(
        "a guardian's order that is not allowed changes nothing, and its answer says why",
        arguments: [
            GuardianOrder.override(.parent, .seconds(90_000_000), reason: "for years"),
            .override(.child, nil, reason: ""),
            .override(.verifying, nil, reason: "no such"), .extend(.seconds(60)),
        ])
    func refusedOrder(order: GuardianOrder) throws {
        var tablet = try HouseholdDevice()
        let records = tablet.device.state.records
        let refusal = try #require(try tablet.obey(order))
        #expect(refusal.check == .refused && !refusal.message.isEmpty)
        #expect(tablet.device.state.records == records && tablet.device.mode == .child)
    }

    @Test("without a household, or a list, nobody commands anything")
    func nothing() throws {
        var tablet = try HouseholdDevice()
        let command = try tablet.command(play)
        let alone = Device(configuration: .gates)
        #expect(alone.refusal(.execute(command), as: .carrier)?.parameters["what"] == "household")
        #expect(alone.refusal(.openHousehold, as: .carrier)?.reason == .notSetUp)
        var unlisted = try HouseholdDevice(list: nil)
        #expect(
            unlisted.device.refusal(.execute(try unlisted.command(play)), as: .carrier)?.parameters["check"]
                == "guardian")
    }
}
