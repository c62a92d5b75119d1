import GateCore
import GateGuardians
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Time that is used on one device counts on another, through gated (Z-02)", .timeLimit(.minutes(10)))
struct UsageElsewhereTests {
    private static let database = UserDatabase(
        uid: { LiveGate.users[$0] }, name: { uid in LiveGate.users.first { $0.value == uid }?.key },
        hasAccount: { _ in true })

    /// The tests begin on a Thursday, at midnight; the day of games is still Wednesday's.
    private static let policy =
        TwoDevices.policy + "  game.play: {title: Play, requires: {allowance: games}}\n"
        + "allowances: {games: {mon-sun: 10m, day-starts: 4:00}}\n"

    private struct Scene {
        let devices: TwoDevices
        let carrier: Carrier

        func told(by client: Connected, after change: UInt64 = 0) async throws -> OutgoingUsage {
            try await client.call(Methods.Household.collectUsage, CollectUsageRequest(afterChange: change)).usage
        }

        func hand(_ usage: OutgoingUsage, to client: Connected) async throws {
            _ = try await client.call(
                Methods.Household.submitUsage, SubmitUsageRequest(signedUsage: usage.signed))
        }

        /// Mia's program is used on a device for so long.
        func play(on gate: LiveGate, for seconds: Int) async throws {
            let mia = try await gate.connect("ben")
            var stream = try await mia.open(Methods.Usage.countUse, CountUseRequest(gatedAction: "game.play"))
            _ = try await stream.next()
            await gate.advance(by: .seconds(seconds))
            await mia.close()
            try await PresenterTests.until { await !gate.authority.durable.hasUses }
        }

        func miasGames(on gate: LiveGate) async throws -> UsedTime? {
            try await gate.connect("ben").call(Methods.Usage.listUsage, ListUsageRequest()).elements.first {
                $0.subject == .allowance("games")
            }
        }
    }

    /// Mia's user is `ben` on both devices.
    private static func with(
        more: (tablet: String, laptop: String) = ("usage: true\n", "usage: true\n"),
        _ body: (Scene) async throws -> Void
    ) async throws {
        try await TwoDevices.with(policy: policy, users: database, more: more) { devices, carrier in
            for gate in [devices.tablet, devices.laptop] {
                let root = try await gate.connect("root")
                let mia = GatePerson(name: "mia", kind: .child(born: nil), user: .init(name: "ben", uid: 0))
                _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(mia)))
                await gate.authority.settled()
            }
            try await body(Scene(devices: devices, carrier: carrier))
        }
    }

    private func refusal(of signed: [UInt8], at client: Connected) async -> GateError? {
        await client.refusal(of: Methods.Household.submitUsage, SubmitUsageRequest(signedUsage: signed))
    }

    @Test("six minutes on the tablet leave four on the laptop, and together they are used up on both")
    func thereAndBack() async throws {
        try await Self.with { scene in
            let (tablet, laptop) = (scene.devices.tablet, scene.devices.laptop)
            let first = try await scene.told(by: scene.carrier.atTablet)
            async let waiting = scene.told(by: scene.carrier.atTablet, after: first.change)
            try await scene.play(on: tablet, for: 360)
            // The use is stored before its end, too, so this may be an earlier report than the next one.
            let earlier = try await waiting
            try await scene.hand(earlier, to: scene.carrier.atLaptop)
            try await scene.hand(try await scene.told(by: scene.carrier.atTablet), to: scene.carrier.atLaptop)
            let games = try #require(try await scene.miasGames(on: laptop))
            #expect(games.used == .seconds(360) && games.left == .seconds(240))
            #expect(games.elsewhere == [UsedElsewhere(device: "Tablet", used: .seconds(360))])

            try await scene.play(on: laptop, for: 240)
            try await scene.hand(try await scene.told(by: scene.carrier.atLaptop), to: scene.carrier.atTablet)
            for (gate, name) in [(tablet, "4m of it on Laptop"), (laptop, "6m of it on Tablet")] {
                let mia = try await gate.connect("ben")
                var stream = try await mia.open(Methods.Usage.countUse, CountUseRequest(gatedAction: "game.play"))
                do throws(GateError) {
                    _ = try await stream.next()
                    Issue.record("there is still time")
                } catch {
                    #expect(error.reason == .outOfHours)
                    #expect(error.message == "The time for this is used up, \(name). There is more today at 4:00.")
                }
            }
        }
    }

    @Test("a report with any byte changed, of another kind, or of a device that is no member is refused")
    func changed() async throws {
        try await Self.with { scene in
            try await scene.play(on: scene.devices.tablet, for: 120)
            let signed = try await scene.told(by: scene.carrier.atTablet).signed
            for place in stride(from: 0, to: signed.count, by: max(1, signed.count / 60)) {
                var other = signed
                other[place] ^= 1
                let reason = await refusal(of: other, at: scene.carrier.atLaptop)?.reason
                #expect(reason == .badCommand, "byte \(place)")
            }
            let key = SigningKey()
            let report = UsageReport(
                household: TwoDevices.household, device: TwoDevices.tablet,
                uses: [.init(person: "mia", allowance: "games", days: [1: 600_000])])
            let stranger = SignedText.sign(report.payload, as: .usage, with: key)
            #expect(await refusal(of: stranger, at: scene.carrier.atLaptop)?.parameters["check"] == "signature")
            let receipt = SignedText.sign(report.payload, as: .receipt, with: key)
            #expect(await refusal(of: receipt, at: scene.carrier.atLaptop)?.parameters["check"] == "algorithm")
            // Its own report comes back from the broker, or from a copy of its disk.
            #expect(await refusal(of: signed, at: scene.carrier.atTablet)?.parameters["check"] == "device")
            let mia = try await scene.devices.laptop.connect("ben")
            #expect(await refusal(of: signed, at: mia)?.reason == .notPermitted)
            #expect(
                await mia.refusal(of: Methods.Household.collectUsage, CollectUsageRequest())?.reason == .notPermitted)
            #expect(try await scene.miasGames(on: scene.devices.laptop)?.used == .zero)
            try await scene.hand(OutgoingUsage(change: 1, signed: signed), to: scene.carrier.atLaptop)
            #expect(try await scene.miasGames(on: scene.devices.laptop)?.used == .seconds(120))
        }
    }

    @Test("an earlier report that comes again gives nothing back, and a revoked device's is refused")
    func replayed() async throws {
        try await Self.with { scene in
            try await scene.play(on: scene.devices.tablet, for: 120)
            let early = try await scene.told(by: scene.carrier.atTablet)
            try await scene.play(on: scene.devices.tablet, for: 120)
            let late = try await scene.told(by: scene.carrier.atTablet)
            for usage in [late, early, late, early] { try await scene.hand(usage, to: scene.carrier.atLaptop) }
            #expect(try await scene.miasGames(on: scene.devices.laptop)?.left == .seconds(360))
            var members = scene.carrier.members
            members[1].isRevoked = true
            _ = try await scene.carrier.atLaptop.call(
                Methods.Household.submitGuardians,
                SubmitGuardiansRequest(signedGuardians: scene.devices.list(members, number: 2)))
            #expect(
                await refusal(of: late.signed, at: scene.carrier.atLaptop)?.parameters["check"] == "revoked")
            #expect(try await scene.miasGames(on: scene.devices.laptop)?.left == .seconds(360))
        }
    }

    @Test("a device without `usage: true` tells nothing and takes nothing")
    func notSummed() async throws {
        try await Self.with(more: ("usage: true\n", "")) { scene in
            try await scene.play(on: scene.devices.tablet, for: 120)
            let told = try await scene.told(by: scene.carrier.atTablet)
            #expect(await refusal(of: told.signed, at: scene.carrier.atLaptop)?.parameters["check"] == "refused")
            #expect(try await scene.told(by: scene.carrier.atLaptop).signed.isEmpty)
            #expect(try await scene.miasGames(on: scene.devices.laptop)?.left == .seconds(600))
        }
    }
}
