import FaultyDisk
import GateModel

/// One simulation from its beginning to its end. What breaks a promise is thrown with the seed and the step.
struct SimulationRun {
    let journal: [AuditEntry]
    let disk: disk_counts
    let steps: Int
    let crashes: Int
    /// Commits that nobody was told of, and that a start found.
    let adopted: Int
    /// Changes that watchers were told later, together with others.
    let conflated: Int
    /// Backups that were made, and restored.
    let backups, restores: Int

    /// - Parameters:
    ///   - hasBackups: whether somebody makes backups and brings them back.
    ///   - hasChildren: whether children ask for what may wait, and play.
    init(seed: UInt64, steps: Int, hasBackups: Bool = true, hasChildren: Bool = true) throws {
        var step = 0
        do {
            var simulation = try Simulation(seed: seed, hasBackups: hasBackups, hasChildren: hasChildren)
            while step < steps {
                step += 1
                try simulation.step()
            }
            try simulation.end()
            (journal, disk) = (simulation.journal, simulation.disk)
            (crashes, adopted, conflated) = (simulation.crashes, simulation.adopted, simulation.conflated)
            (backups, restores) = (simulation.backupsMade, simulation.backupsRestored)
            self.steps = steps
        } catch {
            throw Broken(
                description: "seed \(seed), step \(step) of \(steps): \(error)\n"
                    + "Again with: make simulate SEED=\(seed) STEPS=\(steps)")
        }
    }

    struct Total: CustomStringConvertible {
        private(set) var (runs, steps, crashes, adopted, conflated) = (0, 0, 0, 0, 0)
        private(set) var (backups, restores) = (0, 0)
        private(set) var (writes, syncs, powerCuts): (UInt64, UInt64, UInt64) = (0, 0, 0)
        private(set) var (lostWrites, tornWrites, failures): (UInt64, UInt64, UInt64) = (0, 0, 0)

        mutating func add(_ run: SimulationRun) {
            runs += 1
            steps += run.steps
            crashes += run.crashes
            adopted += run.adopted
            conflated += run.conflated
            backups += run.backups
            restores += run.restores
            writes += run.disk.writes
            syncs += run.disk.syncs
            powerCuts += run.disk.power_cuts
            lostWrites += run.disk.lost_writes
            tornWrites += run.disk.torn_writes
            failures += run.disk.failures
        }

        /// Whether each kind of fault came, and each thing that follows from one.
        var hasEverything: Bool {
            let faults = [powerCuts, lostWrites, tornWrites, failures]
            return faults.allSatisfy { $0 > 0 }
                && [crashes, adopted, conflated, backups, restores].allSatisfy { $0 > 0 }
        }

        var description: String {
            "\(runs) runs, \(steps) steps, \(crashes) deaths of the daemon, \(powerCuts) power cuts, \(failures) failures of the "
                + "disk, \(writes) writes (\(lostWrites) lost, \(tornWrites) torn), \(syncs) syncs, \(adopted) commits found "
                + "that nobody was told of, \(conflated) changes conflated, \(backups) backups made, \(restores) restored"
        }
    }
}
