public import GateClient
import GateDaemon

extension TestingDevice {
    /// The device's wall clock. It starts at 2026-01-01T00:00:00Z, and stands still until it is turned.
    public var now: WallTime { clock.wallTime() }

    /// Advances the clock. Before this returns, everything that becomes due is done at its time: leases and sessions
    /// end, questions close, entitlements expire. The changes are sent to watchers; the app gets them when it reads.
    public func advance(by duration: Duration) async {
        let target = clock.bootTime().advanced(by: duration)
        await daemon.settled()
        while let due = alarm.deadline, due <= target {
            clock.turn(to: due)
            let (clock, alarm) = (clock, alarm)
            await daemon.ring { alarm.ring(at: clock.bootTime()) }
            await daemon.settled()
        }
        clock.turn(to: target)
    }

    /// Advances the clock until the session has ended. If nobody is signed in, nothing happens.
    public func expireSession() async throws(GateError) {
        let session = try await asAdministrator { client throws(GateError) in try await client.signIn.state().session }
        guard let session else { return }
        await advance(by: clock.bootTime().duration(to: session.deadline))
    }
}
