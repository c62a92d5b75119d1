import CommandSupport
import Testing

@Suite("Asks on a disk that fails")
struct AskFaultTests {
    @Test(
        "no ask and no yes is lost, comes back or counts twice, whatever the disk does (W-01, W-07)",
        arguments: SimulationTests.seeds)
    func promises(seed: UInt64) throws {
        var faults = try AskFaults(seed: seed)
        try faults.run(steps: 400)
    }

    @Test("the faults meet crashes, commits that fail, and a yes of every choice that is used")
    func coverage() throws {
        var (crashes, failures) = (0, 0)
        var unused = Set(RandomAsks.choices)
        for seed in 1...40 as ClosedRange<UInt64> where crashes == 0 || failures == 0 || !unused.isEmpty {
            var faults = try AskFaults(seed: seed)
            try faults.run(steps: 400)
            crashes += faults.crashes
            failures += faults.failures
            unused.subtract(faults.choicesUsed)
        }
        #expect(crashes > 0 && failures > 0 && unused.isEmpty)
    }
}
