public import GateClient
import GateDaemon

extension TestingDevice {
    /// The device's wall clock. It begins on 1 January 2026 and stands until it is turned.
    public var now: WallTime { clock.wallTime() }

    /// Turns the clock on. What comes due meanwhile is done, each at its time, before this returns: leases and sessions end,
    /// questions close, entitlements run out. Watchers are told; the app hears it as soon as it looks.
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

    /// Turns the clock on until the session of the person who is signed in is over. Where nobody is, nothing happens.
    public func expireSession() async throws(GateError) {
        let session = try await asAdministrator { client throws(GateError) in try await client.signIn.state().session }
        guard let session else { return }
        await advance(by: clock.bootTime().duration(to: session.deadline))
    }
}
