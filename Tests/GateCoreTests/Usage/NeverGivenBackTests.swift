import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Time that was used is never given back (Z-02)")
struct NeverGivenBackTests {
    private static let hour = Duration.seconds(3600)

    private func played() throws -> Device {
        var device = try Device.withUsage()
        try device.use(1)
        try device.live(Self.hour)
        return device
    }

    @Test("neither a clock that is set back by hours, days or years, nor one that comes back from the future")
    func clocks() throws {
        for days in [-1, -7, -400, -20_000, 400] as [Int64] {
            var device = try played()
            try device.stop(1)
            device.wallTime.unixMilliseconds += days * 86_400_000
            try device.apply(.deadlineReached, as: .daemon)
            if days < 0 {
                #expect(device.refusal()?.reason == .outOfHours && device.left == .zero)
            } else {
                // Another day has its own time. Who uses it up has none left until that day has passed.
                #expect(device.left == Self.hour)
                try device.use(2)
                try device.live(.seconds(60))
                try device.stop(2)
                device.wallTime = Device.mondayNoon
                try device.apply(.deadlineReached, as: .daemon)
                #expect(device.left == .seconds(3540))
                #expect(device.stored()[0] == 3600)
            }
        }
    }

    @Test("nor a clock that is set back while something is used, or a zone further to the west")
    func whileUsed() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.pass(.seconds(30))
        device.wallTime.unixMilliseconds -= 3 * 86_400_000
        try device.apply(.deadlineReached, as: .daemon)
        try device.live(.seconds(3569))
        #expect(device.left == .seconds(1))
        try device.live(.seconds(1))
        #expect(device.left == .zero && device.stored() == [0: 3600])
        device.zone = ZoneOffsets(minutesEastOfUTC: -12 * 60)
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.left == .zero)
    }

    @Test("the refusal after a clock was set back says when the day after the counted one begins")
    func opening() throws {
        var device = try played()
        device.wallTime.unixMilliseconds -= 3 * 86_400_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.refusal()?.message == "The time for this is used up. There is more Tuesday at 4:00.")
        device.wallTime.unixMilliseconds -= 30 * 86_400_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.refusal()?.message == "The time for this is used up. There is more 2026-06-02 at 4:00.")
    }

    @Test("nor the hour that comes twice when summer time ends, nor a day that begins in it")
    func repeatedHour() throws {
        var configuration = Configuration.usage
        configuration.gatedActions["game.play"]?.requirement = .allowance(
            Allowance("games", secondsOfDays: Array(repeating: 3600, count: 7), dayStart: 150))
        for name in ["game.race", "game.chat"] { configuration.gatedActions[name] = nil }
        var device = try Device.withUsage(configuration)
        // In Berlin, on 25 October, it is 2:30 at half past midnight UTC and an hour later.
        let change = WallTime(unixMilliseconds: 1_792_890_000_000)
        device.zone = ZoneOffsets(minutesEastOfUTC: 120, changes: [.init(at: change, minutesEastOfUTC: 60)])
        device.wallTime = WallTime(unixMilliseconds: change.unixMilliseconds - 3600 * 1000)
        try device.use(1)
        try device.live(.seconds(1800))
        #expect(device.left == Self.hour, "a new day has begun at the first 2:30")
        try device.live(.seconds(1800))
        #expect(device.left == .seconds(1800))
        try device.live(.seconds(1800))
        #expect(device.left == .zero, "the second 2:30 begins none")
        try device.live(.seconds(1800))
        #expect(device.left == .zero)
    }

    @Test("nor sleep: time stands still while the device sleeps, and goes on where it was")
    func asleep() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.live(.seconds(600))
        device.suspended = Self.hour * 5
        try device.pass(Self.hour * 5)
        #expect(device.left == .seconds(3000) && device.stored() == [0: 600])
        try device.live(.seconds(3000))
        #expect(device.left == .zero)
        // Even if the kernel's two clocks were to differ by less than before.
        device.suspended = .zero
        try device.live(.seconds(60))
        #expect(device.left == .zero)
    }

    @Test("nor a new name, nor leaving the list of people and coming back")
    func people() throws {
        var device = try played()
        try device.stop(1)
        try device.apply(.removePerson(name: "mia"), as: .root)
        let user = GatePerson.UnixUser(name: "mia", uid: Peer.ben.uid)
        try device.apply(.setPerson(GatePerson(name: "maria", kind: .child(born: nil), user: user)), as: .root)
        try device.recognizeAll()
        #expect(device.left == .zero && device.refusal()?.reason == .outOfHours)
        #expect(device.state.usage(visibleTo: .ben, days: 1, at: device.now).map(\.person) == ["maria", "maria"])
    }

    @Test("a program that is used while the list of people is changed goes on")
    func listChanges() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.apply(.usersChecked(recognized: []), as: .daemon)
        #expect(device.state.timeLeft(ofUse: 1, at: device.now)?.isOver == false)
        try device.live(.seconds(60))
        #expect(device.stored() == [0: 60])
    }

    @Test("nor a restored backup: of each day the larger time counts")
    func restored() throws {
        var device = try played()
        try device.stop(1)
        var backup = DurableRecords(revision: Revision(epoch: 9, number: 1))
        backup.people = device.stored.people
        backup.usage[.miasGames, Device.monday] = 1000
        backup.usage[.miasGames, Device.monday - 1] = 7_200_000
        backup.usage[UsageMeter(uid: 1, .gatedAction("x")), 5] = 6
        let merged = RestoreRules(current: device.stored, now: device.wallTime).merged(with: backup)
        #expect(merged.usage[.miasGames, Device.monday] == 3_600_000)
        #expect(merged.usage[.miasGames, Device.monday - 1] == 7_200_000)
        #expect(merged.usage[UsageMeter(uid: 1, .gatedAction("x")), 5] == 6)
        #expect(merged.usage == backup.usage.joined(with: device.stored.usage))
    }

    @Test("days are kept for ten weeks, and the newest week of each meter that has a limit for longer")
    func old() throws {
        func days(_ ledger: UsageLedger, on today: Int64) -> [(meter: UsageMeter, day: Int64)] {
            ledger.old(on: today, isLimited: { _ in true })
        }
        var ledger = UsageLedger()
        let other = UsageMeter(uid: 7, .allowance("games"))
        for day in [0, 1, 5, 30, 95, 100] as [Int64] { ledger[.miasGames, day] = 1 }
        for day in [0, 4, 10] as [Int64] { ledger[other, day] = 1 }
        #expect(days(ledger, on: 100).map(\.day) == [0, 0, 1, 5])
        #expect(days(ledger, on: 71).map(\.day) == [0, 0])
        // A clock that is wrong by years takes nothing that still counts.
        #expect(days(ledger, on: 40_000).map(\.day) == [0, 0, 1, 5, 30])
        for (meter, day) in days(ledger, on: 40_000) { ledger[meter, day] = nil }
        #expect(ledger.day(of: .miasGames, today: 100) == 100 && ledger.used(.miasGames, on: 95) == .milliseconds(1))
        #expect(ledger.day(of: other, today: 5) == 10 && ledger.used(other, on: 4) == .milliseconds(1))
        for day in [4, 10] as [Int64] { ledger[other, day] = nil }
        #expect(ledger.meters == [.miasGames] && ledger.day(of: other, today: 5) == 5)
    }

    @Test(
        "whatever clocks, people and programs do, no day's time shrinks, and less than a minute is lost with the daemon"
    )
    func walks() throws {
        let games = ["game.play", "game.race", "film.watch"]
        for seed in 1...10 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var device = try Device.withUsage()
            var (open, last) = (Set<UInt64>(), device.stored.usage)
            var lastDay = Int64.min
            for number in 1...150 as ClosedRange<UInt64> {
                switch Int.random(in: 0..<9, using: &random) {
                case 0, 1:
                    let game = games[Int.random(in: 0..<3, using: &random)]
                    if (try? device.use(number, game)) != nil { open.insert(number) }
                case 2:
                    if let ended = open.randomElement(using: &random) {
                        open.remove(ended)
                        try device.stop(ended)
                    }
                case 3: device.wallTime.unixMilliseconds += Int64.random(in: -40...40, using: &random) * 7_200_000
                case 4: device.zone = ZoneOffsets(minutesEastOfUTC: Int.random(in: -720...840, using: &random))
                case 5:
                    let slept = Duration.seconds(Int.random(in: 1...90_000, using: &random))
                    device.suspended += slept
                    try device.pass(slept)
                case 6:
                    device = try device.restarted(rebooted: Bool.random(using: &random), .usage)
                    device.suspended = .zero
                    open = []
                default: try device.live(.seconds(Int.random(in: 1...4000, using: &random)))
                }
                try device.apply(.deadlineReached, as: .daemon)
                let stored = device.stored.usage
                for (meter, days) in last.days {
                    for (day, used) in days {
                        // Only days before the newest week may be forgotten.
                        let isKept = stored[meter, day].map { $0 >= used }
                        #expect(isKept ?? (day + 6 < stored.day(of: meter, today: .min)))
                    }
                }
                #expect(device.stored.usage == device.state.records.usage)
                let day = device.state.records.usage.day(of: .miasGames, today: .min)
                #expect(day >= lastDay)
                (last, lastDay) = (device.stored.usage, day)
                #expect(device.state.nextDeadline.map { $0 > device.now } ?? true)
            }
        }
    }
}
