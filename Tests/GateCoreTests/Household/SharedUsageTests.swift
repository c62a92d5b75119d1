import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension Configuration {
    /// The games and films of `usage`, on a device of the household that sums use.
    static func summing(_ device: HouseholdID = .tablet) -> Configuration {
        var configuration = usage
        configuration.household = .ofTablet
        configuration.household?.device = device
        configuration.household?.sumsUsage = true
        return configuration
    }
}

extension UsageReport {
    /// What another device tells of Mia, in seconds by day, from that Monday.
    static func of(
        _ device: HouseholdID, _ seconds: [Int64: Int64], _ allowance: String = "games", person: String = "mia"
    ) -> UsageReport {
        let days = seconds.map { (Device.monday + $0.key, $0.value * 1000) }
        return UsageReport(
            household: .millers, device: device,
            uses: [Use(person: person, allowance: allowance, days: Dictionary(uniqueKeysWithValues: days))])
    }

    /// What the laptop tells.
    static func of(
        _ seconds: [Int64: Int64], _ allowance: String = "games", person: String = "mia"
    ) -> UsageReport { of(.laptop, seconds, allowance, person: person) }
}

extension Device {
    static func summing(_ device: HouseholdID = .tablet) throws -> Device {
        var summing = try withUsage(.summing(device))
        try summing.apply(.applyList(.millers(expires: .max)), as: .carrier)
        return summing
    }

    mutating func hear(_ report: UsageReport) throws(GateError) {
        try apply(.takeUsage(report, verifiedBy: SignedHouseholdList.keyBytes(report.device)), as: .carrier)
    }

    /// Seconds that other devices have told of Mia's games, by day, from that Monday.
    func heard(from device: HouseholdID = .laptop) -> [Int64: Int64] {
        let days = stored.usageElsewhere.times(of: "mia", "games")?[device] ?? [:]
        return Dictionary(uniqueKeysWithValues: days.map { ($0.key - Self.monday, $0.value / 1000) })
    }
}

@Suite("An hour is an hour over all devices of a household (Z-02)")
struct SharedUsageTests {
    private var tablet: Device

    init() throws {
        tablet = try Device.summing()
    }

    private func refusal(
        _ report: UsageReport, verifiedBy key: [UInt8]? = nil, as peer: Peer = .carrier
    ) -> GateError? {
        tablet.refusal(
            .takeUsage(report, verifiedBy: key ?? SignedHouseholdList.keyBytes(report.device)), as: peer)
    }

    @Test("what was used on other devices counts here, and a refusal says how much of it and where")
    mutating func sum() throws {
        try tablet.hear(.of([0: 1200]))
        #expect(tablet.left == .seconds(2400))
        try tablet.hear(.of(.television, [0: 1230]))
        #expect(tablet.left == .seconds(1170))
        try tablet.use(1)
        try tablet.live(.seconds(1170))
        #expect(tablet.left == .zero && tablet.state.timeLeft(ofUse: 1, at: tablet.now)?.isOver == true)
        let refusal = try #require(tablet.refusal())
        #expect(
            refusal.message
                == "The time for this is used up, 40m of it on Kitchen laptop, Television. There is more tomorrow at 4:00."
        )
        #expect(refusal.parameters["elsewhere"] == "2400000")
        #expect(refusal.parameters["devices"] == "Kitchen laptop, Television")
        // Tomorrow has an hour of its own.
        try tablet.stop(1)
        try tablet.live(.seconds(24 * 3600))
        #expect(tablet.left == .seconds(3600))
    }

    @Test("what is used at the moment ends when the time is used up elsewhere, and watchers are told")
    mutating func whileUsed() throws {
        _ = try tablet.answerRight(try tablet.authorize("game.chat", as: .ben).presentation(), as: .ben).grant()
        try tablet.use(1)
        try tablet.pass(.seconds(30))
        var before = tablet.state
        try tablet.hear(.of([0: 3300]))
        #expect(tablet.state.timeLeft(ofUse: 1, at: tablet.now) == TimeLeft(left: .seconds(270), isOver: false))
        #expect(!tablet.state.hasSameTimeLeft(as: before) && !tablet.state.hasSameUsage(as: before))
        #expect(
            tablet.state.nextUsageChange == tablet.now.advanced(by: .seconds(30)), "nothing of this device is stored")
        #expect(tablet.stored() == [:])
        before = tablet.state
        try tablet.hear(.of([0: 3300]))
        #expect(tablet.state.hasSameTimeLeft(as: before) && tablet.state.hasSameUsage(as: before))
        #expect(!tablet.state.keptGrants(of: nil).isEmpty)
        try tablet.hear(.of([0: 3600]))
        #expect(tablet.state.timeLeft(ofUse: 1, at: tablet.now)?.isOver == true)
        #expect(tablet.state.keptGrants(of: nil).isEmpty)
    }

    @Test("the week's time is summed, too, also of days on which nothing was used here")
    mutating func week() throws {
        try tablet.hear(.of([-1: 9000, 0: 3600], "films"))
        try tablet.live(.seconds(2 * 24 * 3600))
        let films = UsageMeter(uid: Peer.ben.uid, .allowance("films"))
        #expect(tablet.state.timeLeft(of: films, at: tablet.now) == .seconds(7200), "Sunday was last week")
        try tablet.hear(.of(.phone, [2: 7200], "films"))
        #expect(tablet.refusal(of: "film.watch")?.parameters["day"] == "monday")
    }

    @Test("the time of a day never shrinks: not by a smaller, a repeated, a late or a reordered report")
    mutating func neverLess() throws {
        let reports = [UsageReport.of([0: 600]), .of([0: 1200]), .of([0: 1200, 1: 60]), .of([0: 60]), .of([:])]
        for (first, second) in reports.flatMap({ first in reports.map { (first, $0) } }) {
            var device = try Device.summing()
            try device.hear(first)
            let before = device.stored.usageElsewhere
            try device.hear(second)
            for (key, milliseconds) in before.entries {
                #expect(device.stored.usageElsewhere[key] ?? 0 >= milliseconds)
            }
            for (key, milliseconds) in device.stored.usageElsewhere.entries {
                #expect(milliseconds >= before[key] ?? 0)
            }
        }
        // The same person and allowance twice in one report: the larger time counts.
        var twice = UsageReport.of([0: 1200])
        twice.uses += UsageReport.of([0: 60]).uses
        try tablet.hear(twice)
        #expect(tablet.heard() == [0: 1200])
    }

    @Test("no device can say more than 24 hours of a day")
    mutating func bounded() throws {
        try tablet.hear(.of([0: 90_000]))
        #expect(tablet.heard() == [0: 86_400] && tablet.left == .zero)
        #expect(tablet.refusal()?.parameters["elsewhere"] == "86400000")
    }

    @Test("reports of no member, of a revoked one, of this device and of another household are refused")
    mutating func refused() throws {
        let report = UsageReport.of([0: 60])
        func check(_ error: GateError?) -> String? { error?.reason == .badCommand ? error?.parameters["check"] : nil }
        #expect(check(refusal(report, verifiedBy: [1])) == "device")
        #expect(check(refusal(.of(.others, [0: 60]))) == "device")
        #expect(check(refusal(.of(.tablet, [0: 60]))) == "device")
        var foreign = report
        foreign.household = .others
        #expect(check(refusal(foreign)) == "household")
        for peer in [Peer.ben, .anna, .olga, .shop] {
            #expect(refusal(report, as: peer)?.reason == .notPermitted)
        }
        try tablet.apply(.applyList(.millers(2, expires: .max, isTomRevoked: true)), as: .carrier)
        #expect(check(refusal(.of(.phone, [0: 60]))) == "revoked")
        #expect(refusal(report) == nil)
        var silent = Configuration.summing()
        silent.household?.sumsUsage = false
        try tablet.hear(report)
        try tablet.apply(.daemon(.configure(silent, detail: "")), as: .root)
        #expect(check(refusal(report)) == "refused")
        #expect(tablet.left == .seconds(3600) && tablet.state.usageToShare == nil)
        try tablet.apply(.daemon(.configure(.summing(), detail: "")), as: .root)
        #expect(tablet.left == .seconds(3540))
    }

    @Test("people are those of the same name; others, and allowances that are not in the policy, are not kept")
    mutating func names() throws {
        let user = GatePerson.UnixUser(name: "zoe", uid: Peer.theo.uid)
        try tablet.apply(.setPerson(GatePerson(name: "zo\u{EB}", kind: .child(born: nil), user: user)), as: .root)
        try tablet.recognizeAll()
        let zoesGames = UsageMeter(uid: Peer.theo.uid, .allowance("games"))
        // Another spelling of the same letters, as other keyboards and systems have it.
        try tablet.hear(.of([0: 600], person: "zoe\u{308}"))
        #expect(tablet.state.timeLeft(of: zoesGames, at: tablet.now) == .seconds(3000))
        try tablet.hear(.of([0: 600], person: "Mia"))
        try tablet.hear(.of([0: 600], "music"))
        #expect(tablet.stored.usageElsewhere.entries.map(\.key.person.utf8.count) == [4])
        #expect(tablet.left == .seconds(3600))
    }

    @Test("what a device told before it was revoked counts today, and nothing of tomorrow does")
    mutating func revoked() throws {
        try tablet.hear(.of(.phone, [0: 3000, 1: 3600, 2: 3600]))
        try tablet.hear(.of(.laptop, [1: 600]))
        try tablet.apply(.applyList(.millers(2, expires: .max, isTomRevoked: true)), as: .carrier)
        #expect(tablet.left == .seconds(600))
        #expect(tablet.heard(from: .phone) == [0: 3000] && tablet.heard() == [1: 600])
        try tablet.live(.seconds(24 * 3600))
        #expect(tablet.left == .seconds(3000))
        // The same for a device that is not on the list any more.
        var list = SignedHouseholdList.millers(3, expires: .max)
        list.list.members.removeAll { $0.id == .laptop }
        try tablet.apply(.applyList(list), as: .carrier)
        #expect(tablet.left == .seconds(3000))
        #expect(
            tablet.state.usage(visibleTo: .ben, days: 1, at: tablet.now).flatMap(\.elsewhere)
                == [UsedElsewhere(device: HouseholdID.laptop.description, used: .seconds(600))])
    }

    @Test("it is kept over a restart and a reboot")
    mutating func restarted() throws {
        try tablet.hear(.of([0: 1200]))
        for rebooted in [false, true] {
            let again = try tablet.restarted(rebooted: rebooted, .summing())
            #expect(again.left == .seconds(2400) && again.heard() == [0: 1200])
        }
    }

    @Test("32 devices are summed, and 1,024 times are kept of each; what is known stays")
    mutating func limits() throws {
        var list = SignedHouseholdList.millers(2, expires: .max)
        for number in 1...40 {
            list.list.members.append(
                HouseholdMember(
                    id: .command(number), name: "Device \(number)",
                    publicKey: SignedHouseholdList.keyBytes(.command(number)), sealingKey: [], guardian: nil,
                    isRevoked: false))
        }
        try tablet.apply(.applyList(list), as: .carrier)
        for number in 1...32 { try tablet.hear(.of(.command(number), [0: 1])) }
        #expect(refusal(.of(.command(33), [0: 1]))?.parameters["check"] == "refused")
        try tablet.hear(.of(.command(32), [0: 2]))
        #expect(tablet.left == .seconds(3600 - 33))
        var days = Dictionary(uniqueKeysWithValues: (0..<2000).map { (Int64($0), Int64(1)) })
        try tablet.hear(.of(.command(1), days))
        #expect(tablet.heard(from: .command(1)).count == 1024 && tablet.heard(from: .command(1))[0] == 1)
        days[0] = 5
        try tablet.hear(.of(.command(1), days))
        #expect(tablet.heard(from: .command(1))[0] == 5)
    }

    @Test("old days are forgotten, but not the newest week that a member has told")
    func old() throws {
        var ledger = UsageElsewhere()
        let told: [HouseholdID: [Int64]] = [.laptop: [0, 80, 94, 100], .phone: [10, 16, 17]]
        for (device, days) in told {
            for day in days {
                ledger[UsageElsewhere.Key(device: device, person: "mia", allowance: "games", day: day)] = 1
            }
        }
        func old(on day: Int64, _ members: Set<HouseholdID> = [.laptop, .phone]) -> [String] {
            ledger.old(on: day, members: members).map { key in
                "\(key.device == .laptop ? "laptop" : "phone") \(key.day)"
            }.sorted()
        }
        #expect(old(on: 100) == ["laptop 0", "laptop 80", "phone 10"])
        // A clock that is wrong by years takes nothing that still counts.
        #expect(old(on: 40_000) == ["laptop 0", "laptop 80", "phone 10"])
        #expect(old(on: 18) == ["laptop 0"])
        #expect(old(on: 100, [.laptop]) == ["laptop 0", "laptop 80", "phone 10", "phone 16", "phone 17"])
    }

    @Test("lists say how much was used elsewhere: each person their own, grown-ups and administrators all")
    mutating func lists() throws {
        try tablet.use(1)
        try tablet.live(.seconds(60))
        try tablet.hear(.of([-1: 300, 0: 600]))
        try tablet.hear(.of(.television, [0: 60]))
        let mine = tablet.state.usage(visibleTo: .ben, days: 2, at: tablet.now).filter { !$0.elsewhere.isEmpty }
        #expect(mine.map(\.used) == [.seconds(300), .seconds(720)] && mine.map(\.isToday) == [false, true])
        #expect(
            mine.last?.elsewhere == [
                UsedElsewhere(device: "Kitchen laptop", used: .seconds(600)),
                UsedElsewhere(device: "Television", used: .seconds(60)),
            ])
        #expect(mine.last?.left == .seconds(2880))
        #expect(tablet.state.usage(visibleTo: .anna, days: 2, at: tablet.now).allSatisfy { $0.elsewhere.isEmpty })
        #expect(tablet.state.usage(visibleTo: .root, days: 1, at: tablet.now).contains { !$0.elsewhere.isEmpty })
        #expect(tablet.state.usageToday(visibleTo: .ben).contains { $0.used == .seconds(720) })
    }

    @Test("this device tells the week of each of its people and allowances, and nothing of other devices")
    mutating func told() throws {
        try tablet.hear(.of([0: 600]))
        #expect(tablet.state.usageToShare == UsageReport(household: .millers, device: .tablet, uses: []))
        try tablet.use(1)
        try tablet.use(2, "film.watch")
        try tablet.use(3, "link.open")
        try tablet.use(4, as: .anna)
        let before = tablet.state
        try tablet.live(.seconds(60))
        #expect(!tablet.state.tellsSameUsage(as: before))
        for number in 1...3 as ClosedRange<UInt64> { try tablet.stop(number) }
        try tablet.stop(4, as: .anna)
        let today = [Device.monday: Int64(60_000)]
        let report = try #require(tablet.state.usageToShare)
        #expect(
            report.uses == [
                .init(person: "mia", allowance: "films", days: today),
                .init(person: "mia", allowance: "games", days: today),
                .init(person: "otto", allowance: "games", days: today),
            ])
        for day in -10...0 as ClosedRange<Int64> { tablet.state.records.usage[.miasGames, Device.monday + day] = .max }
        let games = tablet.state.usageToShare?.uses.first { $0.person == "mia" && $0.allowance == "games" }
        #expect(games?.days.count == 7 && games?.days.values.allSatisfy { $0 == UsageReport.millisecondsOfDay } == true)
        for number in 0..<100 {
            let meter = UsageMeter(uid: Peer.ben.uid, .allowance("a\(number)"))
            tablet.state.records.usage[meter, Device.monday - Int64(number)] = 1
        }
        #expect(tablet.state.usageToShare?.uses.count == UsageReport.maximumUses)
        #expect(tablet.state.usageToShare?.uses.contains { $0.allowance == "a99" } == false)
    }
}
