import GateClient
import GateModel

/// Waits by the boot clock, which goes on while the device sleeps: what became due meanwhile is done on waking.
enum BootClock {
    /// Returns early if its task is cancelled.
    static func sleep(until time: BootTime) async {
        try? await Task.sleep(for: max(Duration.zero, BootTime.now().duration(to: time)), clock: .continuous)
    }
}
