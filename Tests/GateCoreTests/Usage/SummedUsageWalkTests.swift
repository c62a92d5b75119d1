import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

/// Three devices of a household on which Mia plays, and a broker that loses, repeats and reorders what they tell.
private struct Household {
    static let ids: [HouseholdID] = [.tablet, .laptop, .television]

    var devices: [Device]
    var chance: SeededGenerator
    /// Everything that was ever told.
    private var told: [UsageReport] = []
    private var open: [Set<UInt64>] = [[], [], []]
    private var number: UInt64 = 0
    /// What each device had stored at some time, to be restored from.
    private var backups: [Device]
    /// The device whose daemon was killed in the last step; less than a minute is lost with it.
    private(set) var killed: Int?
    /// The device whose disk was put back in the last step.
    private(set) var restored: Int?

    init(seed: UInt64) throws {
        chance = SeededGenerator(seed: seed)
        devices = try Self.ids.map { try Device.summing($0) }
        backups = devices
    }

    mutating func step() throws {
        let index = Int.random(in: 0..<3, using: &chance)
        number += 1
        (killed, restored) = (nil, nil)
        switch Int.random(in: 0..<12, using: &chance) {
        case 0, 1: if (try? devices[index].use(number)) != nil { open[index].insert(number) }
        case 2:
            if let ended = open[index].randomElement(using: &chance) {
                open[index].remove(ended)
                try devices[index].stop(ended)
            }
        case 3:
            let rebooted = Bool.random(using: &chance)
            devices[index] = try devices[index].restarted(rebooted: rebooted, .summing(Self.ids[index]))
            (open[index], killed) = ([], index)
        case 4: backups[index] = devices[index]
        case 5:
            // Somebody puts back the whole disk of an earlier day.
            var backup = backups[index]
            (backup.now, backup.wallTime) = (devices[index].now, devices[index].wallTime)
            devices[index] = try backup.restarted(.summing(Self.ids[index]))
            (open[index], restored) = ([], index)
        case 6: devices[index].wallTime.unixMilliseconds += Int64.random(in: -30...30, using: &chance) * 7_200_000
        case 7: devices[index].wallTime = devices[(index + 1) % 3].wallTime
        case 8, 9: try deliver(to: index)
        default:
            let passed = Duration.seconds(Int.random(in: 1...2000, using: &chance))
            for index in devices.indices { try devices[index].live(passed) }
        }
        for index in devices.indices { try devices[index].apply(.deadlineReached, as: .daemon) }
        tell()
    }

    /// Each device may tell its report now; what was told is never forgotten, and may come at any time.
    private mutating func tell() {
        for device in devices {
            guard Int.random(in: 0..<3, using: &chance) == 0, let report = device.state.usageToShare else { continue }
            told.append(report)
        }
    }

    private mutating func deliver(to index: Int) throws {
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            // The newest report half of the time, otherwise any.
            guard
                let report = Bool.random(using: &chance) ? told.last : told.randomElement(using: &chance),
                report.device != Self.ids[index]
            else { continue }
            try devices[index].hear(report)
            for use in report.uses where use.person == "mia" && use.allowance == "games" {
                let counted = devices[index].stored.usageElsewhere.times(of: "mia", "games")?[report.device] ?? [:]
                for (day, milliseconds) in use.days {
                    // What is older than the newest week may be forgotten already.
                    #expect(counted[day].map { $0 >= milliseconds } ?? (day + 6 < counted.keys.max() ?? .min))
                }
            }
        }
    }
}

@Suite("Time is never given back, whatever devices tell each other (Z-02)")
struct SummedUsageWalkTests {
    @Test("clocks, kills, restored disks and a broker that repeats and reorders: no day's sum shrinks on any device")
    func walks() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            var household = try Household(seed: seed)
            for _ in 0..<150 {
                let before = household.devices
                try household.step()
                for (index, (old, new)) in zip(before, household.devices).enumerated() {
                    #expect(new.stored.usageElsewhere == new.state.records.usageElsewhere)
                    guard index != household.restored else { continue }
                    checkNothingShrinks(old.stored.usageElsewhere, new.stored.usageElsewhere)
                    // As long as the same day is counted, no time comes back.
                    guard day(of: old) == day(of: new) else { continue }
                    let (leftBefore, left) = (try #require(old.left), try #require(new.left))
                    #expect(left <= leftBefore + (index == household.killed ? .seconds(60) : .zero))
                }
            }
        }
    }

    /// The day on which Mia's games count now.
    private func day(of device: Device) -> CivilDate? {
        device.state.usage(visibleTo: .ben, days: 1, at: device.now).first { $0.subject == .allowance("games") }?.day
    }

    private func checkNothingShrinks(_ old: UsageElsewhere, _ new: UsageElsewhere) {
        for (key, milliseconds) in old.entries {
            let newest = new.times(of: key.person, key.allowance)?[key.device]?.keys.max()
            // Only days before the newest week may be forgotten.
            #expect(new[key].map { $0 >= milliseconds } ?? (key.day + 6 < newest ?? .min))
        }
    }

    @Test("devices that hear each other allow one hour together; one that hears nothing, its own hour and no more")
    func together() throws {
        var devices = try Household.ids.map { try Device.summing($0) }
        // The tablet and the laptop are used in turns, a minute each; the television is cut off.
        for minute in 0..<60 {
            let (one, other) = minute % 2 == 0 ? (0, 1) : (1, 0)
            try devices[one].use(UInt64(minute + 1))
            for index in devices.indices { try devices[index].live(.seconds(60)) }
            try devices[one].stop(UInt64(minute + 1))
            try devices[other].hear(try #require(devices[one].state.usageToShare))
        }
        #expect(devices[0].left == .zero && devices[1].left == .zero)
        #expect(devices[0].refusal()?.parameters["elsewhere"] == "1800000")
        #expect(throws: GateError.self) { try devices[0].use(100) }
        #expect(throws: GateError.self) { try devices[1].use(100) }
        try devices[2].use(100)
        try devices[2].live(.seconds(3600))
        #expect(devices[2].left == .zero && devices[2].state.timeLeft(ofUse: 100, at: devices[2].now)?.isOver == true)
        try devices[2].stop(100)
        // When it is back, the others hear of it, and it of them; nothing more opens.
        for index in 0..<2 {
            try devices[index].hear(try #require(devices[2].state.usageToShare))
            try devices[2].hear(try #require(devices[index].state.usageToShare))
        }
        #expect(devices.allSatisfy { $0.left == .zero })
    }
}
