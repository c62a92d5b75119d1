import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Gates with hours (Z-01)")
struct ScheduleTests {
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 60 * minute
    /// 2026-06-01, a Monday, at midnight UTC.
    private static let monday = WallTime(unixMilliseconds: 1_780_272_000_000)

    private static let afternoon = Schedule(
        "afternoon", days: Array(repeating: [Schedule.Span(15 * 60, 19 * 60)], count: 7))

    private static let gates = {
        var configuration = Configuration.gates
        configuration.gatedActions["play"] = GatedAction(title: "Play", requirement: .during(afternoon))
        configuration.gatedActions["online"] = GatedAction(
            title: "Play online",
            requirement: .all([.during(afternoon), .challenge(ChallengeRule(.arithmeticChoice))]),
            keep: .seconds(24 * 3600))
        configuration.gatedActions["film"] = GatedAction(
            title: "Watch a film",
            requirement: .any([.during(afternoon), .challenge(ChallengeRule(.arithmeticChoice))]),
            keep: .seconds(3 * 3600))
        return configuration
    }()

    /// A device so many hours after that midnight.
    private func device(at hours: Int64, _ configuration: Configuration = gates) throws -> Device {
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: Self.monday.unixMilliseconds + hours * Self.hour)
        try device.apply(.deadlineReached, as: .daemon)
        return device
    }

    private func outlook(_ gatedAction: String, _ device: Device) -> AuthorizationOutlook {
        device.state.outlook(of: gatedAction, for: .anna, at: device.now)
    }

    @Test("a closed gate is refused with the time at which it opens, and an open one is granted")
    func hours() throws {
        var device = try device(at: 9)
        let refusal = try #require(throws: GateError.self) { try device.authorize("play", as: .anna) }
        #expect(refusal.code == .failedPrecondition && refusal.reason == .outOfHours)
        #expect(refusal.message == "This is closed now. It opens today at 15:00.")
        #expect(refusal.retryAfter == .seconds(6 * 3600))
        #expect(
            refusal.parameters == [
                "schedule": "afternoon", "day": "today", "time": "15:00",
                "opens": "\(Self.monday.unixMilliseconds + 15 * Self.hour)",
            ])
        let closed = outlook("play", device)
        #expect(closed.outcome == .denied && closed.refusal == refusal)
        try device.pass(.seconds(6 * 3600))
        #expect(outlook("play", device).outcome == .granted)
        _ = try device.authorize("play", as: .anna).grant()
        #expect(outlook("online", device).need == .challenge(.arithmeticChoice))
        try device.pass(.seconds(4 * 3600))
        #expect(outlook("online", device).explanation == "This is closed now. It opens tomorrow at 15:00.")
        #expect(outlook("film", device).need == .challenge(.arithmeticChoice))
    }

    @Test("a refusal names a day that is further away by its weekday, and a schedule without hours as closed")
    func words() throws {
        var configuration = Configuration.gates
        let weekend = Schedule("weekend", days: [[], [], [], [], [], [.init(9 * 60, 20 * 60)], []])
        configuration.gatedActions["play"] = GatedAction(title: "Play", requirement: .during(weekend))
        configuration.gatedActions["never"] = GatedAction(title: "Never", requirement: .during(Schedule("never")))
        let device = try device(at: 9, configuration)
        #expect(outlook("play", device).explanation == "This is closed now. It opens Saturday at 9:00.")
        #expect(outlook("play", device).refusal?.parameters["day"] == "saturday")
        #expect(outlook("never", device).explanation == "This is closed, and does not open within two weeks.")
        #expect(outlook("never", device).refusal?.retryAfter == nil)
        #expect(try self.device(at: 5 * 24 + 20, configuration).state.nextDeadline != nil)
        let sunday = try self.device(at: 6 * 24, configuration)
        #expect(outlook("play", sunday).explanation == "This is closed now. It opens Saturday at 9:00.")
    }

    @Test("watchers hear of each opening and closing at its moment, and the device wakes for nothing else")
    func moments() throws {
        var device = try device(at: 0)
        var heard: [Int64] = []
        for _ in 0..<14 {
            let due = try #require(device.state.nextDeadline)
            let wait = device.now.duration(to: due)
            device.wallTime.unixMilliseconds += wait.millisecondsRoundedUp
            let before = device.state.scheduleStates
            device.now = due
            let transition = try device.apply(.deadlineReached, as: .daemon)
            #expect(transition.isChange && transition.records.isEmpty && transition.audit.isEmpty)
            #expect(device.state.scheduleStates.map(\.isOpen) != before.map(\.isOpen))
            heard.append((device.wallTime.unixMilliseconds - Self.monday.unixMilliseconds) / Self.hour)
        }
        let expected: [Int64] = (0..<7).flatMap { (day: Int64) -> [Int64] in [day * 24 + 15, day * 24 + 19] }
        #expect(heard == expected)
        let until = WallTime(unixMilliseconds: Self.monday.unixMilliseconds + (7 * 24 + 15) * Self.hour)
        #expect(device.state.scheduleStates == [ScheduleState(name: "afternoon", isOpen: false, until: until)])
    }

    @Test("a device whose gates have no hours does not wake for schedules")
    func unused() throws {
        let device = try device(at: 9, .gates)
        #expect(device.state.nextDeadline == nil && device.state.scheduleStates.isEmpty)
    }

    @Test("a question that is open when the schedule closes is withdrawn, and costs nothing")
    func openQuestion() throws {
        var device = try device(at: 18)
        try device.apply(.register(.everything), as: .mara)
        try device.pass(.seconds(3570))
        let wait = try device.waitFor("online", as: .anna)
        let question = try #require(device.state.queue.open.first)
        _ = try device.claim(question.id, as: .mara)
        try device.pass(.seconds(30))
        #expect(device.refusal(of: wait)?.reason == .outOfHours)
        #expect(device.state.queue.open.isEmpty && device.lockout(of: .anna, at: "online") == nil)
    }

    @Test("a kept answer ends when the schedule closes, also over a restart, and does not come back the next day")
    func kept() throws {
        var device = try device(at: 18)
        let question = try device.authorize("online", as: .anna).presentation()
        _ = try device.answerRight(question, as: .anna).grant()
        #expect(outlook("online", device).outcome == .granted)
        let kept = try #require(device.state.keptGrants(of: nil).first)
        #expect(kept.grant.deadline == device.now.advanced(by: .seconds(3600)))
        var restarted = Device(device.stored, configuration: Self.gates)
        (restarted.now, restarted.wallTime) = (device.now, device.wallTime)
        try restarted.apply(.start, as: .daemon)
        for var device in [device, restarted] {
            #expect(outlook("online", device).outcome == .granted)
            // On the next day the schedule has closed once, and is open again.
            try device.pass(.seconds(22 * 3600))
            #expect(outlook("online", device).need == .challenge(.arithmeticChoice))
            #expect(device.state.keptGrants(of: nil).isEmpty)
        }
    }

    @Test("an answer that was given while the schedule was closed is kept as long as the policy says")
    func keptWithoutSchedule() throws {
        var device = try device(at: 20)
        let question = try device.authorize("film", as: .anna).presentation()
        _ = try device.answerRight(question, as: .anna).grant()
        #expect(device.state.keptGrants(of: nil).first?.grant.deadline == device.now.advanced(by: .seconds(3 * 3600)))
    }

    @Test("setting the clock back opens a schedule again, but gives no kept answer back")
    func clockSetBack() throws {
        var device = try device(at: 18)
        _ = try device.answerRight(try device.authorize("online", as: .anna).presentation(), as: .anna).grant()
        try device.pass(.seconds(3600))
        #expect(outlook("play", device).outcome == .denied)
        device.wallTime.unixMilliseconds -= Self.hour
        let transition = try device.apply(.deadlineReached, as: .daemon)
        #expect(transition.isChange && device.state.scheduleStates.map(\.isOpen) == [true])
        #expect(outlook("play", device).outcome == .granted)
        #expect(outlook("online", device).need == .challenge(.arithmeticChoice))
        // A kept answer that has not ended yet ends at the same moment as before.
        _ = try device.answerRight(try device.authorize("online", as: .anna).presentation(), as: .anna).grant()
        let end = try #require(device.state.keptGrants(of: nil).first).grant.deadline
        device.wallTime.unixMilliseconds -= Self.hour
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.keptGrants(of: nil).first?.grant.deadline == end)
        device.now = end
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.keptGrants(of: nil).isEmpty)
    }

    @Test("a clock that jumps by sixty years, or far beyond any calendar, is one step")
    func clockJumps() throws {
        let sixtyYears: Int64 = 60 * 365 * 24 * Self.hour
        let now: Int64 = Self.monday.unixMilliseconds
        for milliseconds: Int64 in [now + sixtyYears, now - sixtyYears, .max, .min] {
            var device = try device(at: 16)
            #expect(outlook("play", device).outcome == .granted)
            device.wallTime = WallTime(unixMilliseconds: milliseconds)
            try device.apply(.deadlineReached, as: .daemon)
            let state = try #require(device.state.scheduleStates.first)
            #expect(state.until != nil && (outlook("play", device).outcome == .granted) == state.isOpen)
            let next = try #require(device.state.nextDeadline)
            #expect(next > device.now && next <= device.now.advanced(by: .seconds(24 * 3600)))
        }
    }

    @Test("another time zone counts from the next command, and its change of the clock, too")
    func zones() throws {
        var device = try device(at: 14)
        #expect(outlook("play", device).outcome == .denied)
        device.zone = ZoneOffsets(minutesEastOfUTC: 120)
        let transition = try device.apply(.deadlineReached, as: .daemon)
        #expect(transition.isChange && outlook("play", device).outcome == .granted)
        let end = { (hours: Int64) in WallTime(unixMilliseconds: Self.monday.unixMilliseconds + hours * Self.hour) }
        #expect(device.state.scheduleStates.first?.until == end(17))
        // The clock goes back by an hour at 16:30.
        let change = WallTime(unixMilliseconds: end(14).unixMilliseconds + 30 * Self.minute)
        device.zone = ZoneOffsets(minutesEastOfUTC: 120, changes: [.init(at: change, minutesEastOfUTC: 60)])
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.scheduleStates.first?.until == end(18))
        // Another table, by which the schedule closes at the same moment, is no change for watchers.
        device.zone = ZoneOffsets(
            minutesEastOfUTC: 60,
            changes: [.init(at: Self.monday, minutesEastOfUTC: 120), .init(at: change, minutesEastOfUTC: 60)])
        #expect(try !device.apply(.deadlineReached, as: .daemon).isChange)
    }

    @Test("a policy with other hours counts at once, and ends kept answers")
    func otherPolicy() throws {
        var device = try device(at: 16)
        _ = try device.answerRight(try device.authorize("online", as: .anna).presentation(), as: .anna).grant()
        var configuration = Self.gates
        let morning = Schedule("afternoon", days: Array(repeating: [Schedule.Span(8 * 60, 12 * 60)], count: 7))
        configuration.gatedActions["online"]?.requirement = .all([
            .during(morning), .challenge(ChallengeRule(.arithmeticChoice)),
        ])
        configuration.gatedActions["play"]?.requirement = .during(morning)
        configuration.gatedActions["film"] = nil
        try device.apply(.daemon(.configure(configuration, detail: "")), as: .root)
        #expect(device.state.keptGrants(of: nil).isEmpty)
        #expect(device.state.scheduleStates.map(\.isOpen) == [false])
        #expect(outlook("play", device).explanation == "This is closed now. It opens tomorrow at 8:00.")
    }

    @Test("a state that was not told of a closing yet does not grant by it")
    func late() throws {
        let device = try device(at: 18)
        let later = device.now.advanced(by: .seconds(3600))
        #expect(device.state.outlook(of: "play", for: .anna, at: later).outcome == .denied)
        #expect(device.state.scheduleStates.map(\.isOpen) == [true], "the daemon has not reported it")
    }

    @Test("a choice in a backup asks as much as this device's gate with the schedule of that name")
    func comparison() {
        let chosen = GatedAction(title: "", requirement: .during(Schedule("afternoon")))
        let present = GatedAction(title: "", requirement: .during(Self.afternoon))
        #expect(GateComparison.asks(chosen, atLeast: present))
        let other = GatedAction(title: "", requirement: .during(Schedule("other")))
        #expect(!GateComparison.asks(other, atLeast: present))
        let both = GatedAction(title: "", requirement: .all([.parentMode, .during(Schedule("afternoon"))]))
        #expect(GateComparison.asks(both, atLeast: present) && !GateComparison.asks(present, atLeast: both))
    }

    @Test("coming at the right time is nothing to guess, and does not make a question easier")
    func odds() {
        let passcode = Requirement.challenge(ChallengeRule(.passcode))
        #expect(!GuessingOdds(of: .during(Self.afternoon), in: .gates, forAge: nil).isGuessed)
        #expect(
            GuessingOdds(of: .all([.during(Self.afternoon), passcode]), in: .gates, forAge: nil).probability()
                == GuessingOdds(of: passcode, in: .gates, forAge: nil).probability())
    }
}
