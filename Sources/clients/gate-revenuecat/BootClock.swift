import GateClient
import GateModel

/// Waits by the device's boot clock, which goes on while the device sleeps. So anything that became due meanwhile is
/// done at once when the device wakes.
enum BootClock {
    /// Returns early if its task is cancelled.
    static func sleep(until time: BootTime) async {
        try? await Task.sleep(for: max(Duration.zero, BootTime.now().duration(to: time)), clock: .continuous)
    }
}
