import FaultyDisk
import Foundation
import GateModel
import TestRounds
import Testing

/// The real daemon, but for the kernel, among random people, on a disk that fails; whatever happens, the promises hold.
/// `GATE_SIMULATION_SEEDS=1..500`, `=17,23` or `=fresh` chooses other seeds, `GATE_SIMULATION_STEPS` other lengths, and
/// `GATE_SIMULATION_SECONDS` goes on with fresh seeds for so long.
@Suite("Simulation with faults")
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment

    static var seeds: [UInt64] {
        let text = environment["GATE_SIMULATION_SEEDS"] ?? (TestRounds.areAll ? "1..40" : "1..16")
        if text == "fresh" { return [freshSeed()] }
        if let range = text.range(of: "..") {
            guard let first = UInt64(text[..<range.lowerBound]), let last = UInt64(text[range.upperBound...]),
                first <= last
            else { return [] }
            return Array(first...last)
        }
        return text.split(separator: ",").compactMap { UInt64($0) }
    }

    private static func freshSeed() -> UInt64 { UInt64.random(in: 1_000_000...999_999_999) }

    private static var steps: Int { environment["GATE_SIMULATION_STEPS"].flatMap { Int($0) } ?? 400 }
    private static var seconds: Double? { environment["GATE_SIMULATION_SECONDS"].flatMap { Double($0) } }

    @Test("in a simulation every notification stays true, and nobody gets in without an answer", arguments: seeds)
    func promises(seed: UInt64) throws {
        _ = try SimulationRun(seed: seed, steps: Self.steps)
    }

    @Test(
        "with fresh seeds all promises hold too, for as long as make simulate runs",
        .enabled(if: seconds != nil, "make simulate FOR=3600 runs it"))
    func endurance() throws {
        let end = Date(timeIntervalSinceNow: Self.seconds ?? 0)
        var total = SimulationRun.Total()
        while Date() < end { total.add(try SimulationRun(seed: Self.freshSeed(), steps: Self.steps)) }
        print("simulated: \(total)")
        #expect(total.runs > 0)
    }

    @Test("what a clock ended while the disk failed is recorded once the disk works again")
    func clockOnFailingDisk() throws {
        _ = try SimulationRun(seed: 419, steps: 400, hasBackups: false, hasChildren: false)
    }

    @Test("an app's form that a backup holds for an open question is gone after the restore")
    func askedFormInBackup() throws {
        _ = try SimulationRun(seed: 99, steps: 400, hasChildren: false)
    }

    @Test("there is at least one seed")
    func thereAreSeeds() {
        #expect(!Self.seeds.isEmpty)
    }

    @Test("two simulations with the same seed are equal")
    func replay() throws {
        let (first, second) = (try SimulationRun(seed: 5, steps: 200), try SimulationRun(seed: 5, steps: 200))
        #expect(first.journal == second.journal)
        #expect(first.disk.writes == second.disk.writes)
    }

    @Test("a simulation includes every kind of event: answers, presenters, waits, redemptions and all failures")
    func coverage() throws {
        var missing: Set<AuditEntry.Kind> = [
            .answeredRight, .answeredWrong, .claimed, .presenterLost, .requesterLost, .granted, .redeemed, .refused,
            .dismissed, .expired, .lockedOut, .parentEntered, .withdrawn, .revoked, .cancelled, .lockoutCleared,
            .signedIn,
            .signInFailed, .signedOut, .sessionExpired, .passwordChanged, .paid, .paywallOpened, .entitlementClaimed,
            .entitlementChanged, .formAsked, .formOpened, .formSaved, .formCompleted, .formDiscarded,
            .responseWithdrawn, .whatsNewOpened, .whatsNewSeen, .whatsNewReset, .reloaded, .backedUp, .restored, .used,
        ]
        var total = SimulationRun.Total()
        for seed in 1...120 where TestRounds.areAll || !(missing.isEmpty && total.hasEverything) {
            let run = try SimulationRun(seed: UInt64(seed), steps: 600)
            missing.subtract(run.journal.map(\.kind))
            total.add(run)
        }
        #expect(missing.isEmpty)
        #expect(total.hasEverything, "\(total)")
    }
}
