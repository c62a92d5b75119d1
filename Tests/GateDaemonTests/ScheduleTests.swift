import Foundation
import GateModel
import GatePolicy
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Schedules over the wire (Z-01)", .timeLimit(.minutes(10)))
struct ScheduleTests {
    /// The tests begin on a Thursday, at midnight.
    private static let policy = """
        mode: {challenge: arithmetic-choice}
        schedules:
          after-school: {mon-fri: 15:00-19:00}
        gated-actions:
          game.play: {title: Play, requires: {during: after-school}}

        """
    private static let hour = Duration.seconds(3600)

    private func watch(_ peer: Connected) async throws -> OpenStream<WatchResponse> {
        var stream = try await peer.open(Methods.Watch.watch, WatchRequest(topics: [.schedules]))
        #expect(try await stream.next()?.schedules?.map(\.name) == ["after-school"])
        return stream
    }

    private func outcome(_ peer: Connected) async throws -> AuthorizationOutlook {
        try await peer.call(Methods.Authorization.check, CheckRequest(gatedAction: "game.play")).outlook
    }

    @Test("a watcher hears of the opening and the closing at that moment")
    func moments() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let anna = try await gate.connect("anna")
            var stream = try await watch(anna)
            #expect(try await outcome(anna).refusal?.reason == .outOfHours)
            await gate.advance(by: Self.hour * 15 - .milliseconds(1))
            #expect(try await outcome(anna).outcome == .denied)
            await gate.advance(by: .milliseconds(1))
            let open = try await stream.next()?.schedules?.first
            #expect(open?.isOpen == true && open?.until == gate.clock.wallTime().advanced(by: Self.hour * 4))
            #expect(try await outcome(anna).outcome == .granted)
            await gate.advance(by: Self.hour * 4)
            #expect(try await stream.next()?.schedules?.map(\.isOpen) == [false])
            #expect(
                try await outcome(anna).explanation == "This is closed now. It opens tomorrow at 15:00.")
        }
    }

    @Test("what stands before a gate is told with the hours of its schedule")
    func conditions() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let anna = try await gate.connect("anna")
            let told = try await anna.call(
                Methods.Authorization.getGatedAction, GetGatedActionRequest(name: "game.play"))
            #expect(told.gatedAction.requirement == "during after-school (Monday to Friday 15:00–19:00)")
            #expect(Requirement(told.conditions)?.text == told.gatedAction.requirement)
        }
    }

    @Test("setting the wall clock opens and closes at once")
    func clockIsSet() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let anna = try await gate.connect("anna")
            var stream = try await watch(anna)
            await gate.setWallClock(by: Self.hour * 16)
            #expect(try await stream.next()?.schedules?.map(\.isOpen) == [true])
            await gate.setWallClock(by: Self.hour * -16)
            #expect(try await stream.next()?.schedules?.map(\.isOpen) == [false])
        }
    }

    @Test("another time zone counts as soon as a file in /etc has changed")
    func zoneIsChosen() async throws {
        let folder = "/tmp/gate-zone-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await LiveGate.with(policy: Self.policy, userFile: "\(folder)/passwd") { gate, _ in
            let anna = try await gate.connect("anna")
            await gate.advance(by: Self.hour * 10)
            var stream = try await watch(anna)
            gate.clock.chooseZone(minutesEastOfUTC: 330)
            #expect(try await outcome(anna).outcome == .denied)
            try Data("TZif".utf8).write(to: URL(fileURLWithPath: "\(folder)/localtime"), options: .atomic)
            let open = try await stream.next()?.schedules?.first
            #expect(open?.isOpen == true)
            // 19:00 in that zone.
            #expect(open?.until?.utcText == "2026-01-01T13:30:00.000Z")
            #expect(try await outcome(anna).outcome == .granted)
        }
    }

    // MARK: - The zone as a value

    /// Clocks in a zone with these offsets.
    private final class ZonedClock: Clock {
        let bootID = "boot"
        let offsets: ZoneOffsets

        init(_ offsets: ZoneOffsets) { self.offsets = offsets }

        func bootTime() -> BootTime { BootTime(nanoseconds: 0) }
        func wallTime() -> WallTime { WallTime(unixMilliseconds: 0) }
        func minutesEastOfUTC(at time: WallTime) -> Int { offsets.minutesEastOfUTC(at: time) }
    }

    @Test("the changes of a zone are found to the second, half hours and changes before 1970, too")
    func changes() {
        let day: Int64 = 86_400_000
        for (moment, before, after) in [
            (Int64(1_774_746_000_000), 60, 120), (1_775_314_800_000, 660, 630), (-499_999_000, -300, -240),
            (0, -11 * 60, 13 * 60),
        ] {
            let change = ZoneOffsets.Change(at: WallTime(unixMilliseconds: moment), minutesEastOfUTC: after)
            let zone = ZoneOffsets(minutesEastOfUTC: before, changes: [change])
            for offset in [123, day / 2 + 7, 3 * day - 1] {
                let times = WallTime(unixMilliseconds: moment - offset)..<WallTime(unixMilliseconds: moment + 5 * day)
                #expect(ZonedClock(zone).zoneOffsets(in: times) == zone)
            }
        }
    }

    @Test("a zone is read once for a week, and again when its file may be another one")
    func readAgain() {
        let clock = StandingClock()
        let zone = DeviceZone(clock)
        let now = clock.wallTime()
        #expect(!zone.readAgain(), "nobody has asked for it")
        #expect(zone.offsets(at: now).minutesEastOfUTC(at: now) == 0)
        clock.chooseZone(minutesEastOfUTC: 120)
        #expect(zone.offsets(at: now).minutesEastOfUTC(at: now) == 0)
        #expect(zone.readAgain() && zone.offsets(at: now).minutesEastOfUTC(at: now) == 120)
        #expect(!zone.readAgain())
        for milliseconds in [Int64.min, 0, .max] {
            let time = WallTime(unixMilliseconds: milliseconds)
            #expect(zone.offsets(at: time).minutesEastOfUTC(at: time) == 120)
        }
    }
}

extension WallTime {
    fileprivate func advanced(by duration: Duration) -> WallTime {
        WallTime(unixMilliseconds: unixMilliseconds + duration.millisecondsRoundedUp)
    }
}
