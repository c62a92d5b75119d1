import Testing

@Suite("A household with a lossy, lying broker (H-08)")
struct HouseholdSimulationTests {
    @Test(
        "a device opens only by a guardian or its own grown-up, and a confirmed lock was obeyed",
        arguments: SimulationTests.seeds)
    func promises(seed: UInt64) throws {
        var household = SimulatedHousehold(seed: seed)
        try household.run(steps: 1000)
        let tally = household.tally
        #expect(tally.opened > 0 && tally.locked > 0 && tally.confirmed > 0, "\(tally)")
        #expect(tally.refused > 0 && tally.lies > 0 && tally.restarts > 0, "\(tally)")
    }
}
