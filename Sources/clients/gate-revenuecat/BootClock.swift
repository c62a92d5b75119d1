import GateClient
import GateModel

/// Waiting by the device's boot clock, which goes on while the device sleeps: what was due meanwhile is due at once when it
/// wakes.
enum BootClock {
    /// Returns early where its task is cancelled.
    static func sleep(until time: BootTime) async {
        try? await Task.sleep(for: max(Duration.zero, BootTime.now().duration(to: time)), clock: .continuous)
    }
}
