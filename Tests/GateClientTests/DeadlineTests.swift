import GateProtocol
import Synchronization
import TTRPCTransport
import Testing

@testable import GateClient

private let watchMethod = "gate.v1.Watch/Watch"
private let start = BootTime(nanoseconds: 1_000_000_000)
private let end = start.advanced(by: .seconds(60))
private let parent = ModeState(mode: .parent, deadline: end)

private func told(_ number: UInt64, isSnapshot: Bool = false, _ mode: ModeState?) -> WatchResponse {
    WatchResponse(
        firstNumber: number, revision: Revision(epoch: 7, number: number), isSnapshot: isSnapshot, mode: mode,
        presentations: nil)
}

/// A clock that stands until it is turned.
private final class TurnedClock: Sendable {
    private let moment = Mutex(start)

    func turn(to moment: BootTime) { self.moment.withLock { $0 = moment } }

    /// - Parameter grace: of the daemon.
    func ofClient(grace: Duration) -> ClientClock {
        ClientClock(
            grace: grace,
            read: {
                let boot = self.moment.withLock { $0 }
                return ClientClock.Reading(
                    boot: boot, wall: WallTime(unixMilliseconds: boot.nanoseconds / 1_000_000))
            },
            sleep: { moment in
                while self.moment.withLock({ $0 }) < moment { try await Task.sleep(for: .milliseconds(1)) }
            })
    }
}

private func client(of path: String, _ clock: ClientClock) -> GateClient {
    var options = patientOptions(path)
    options.clock = clock
    return GateClient(options)
}

@Suite("Deadlines with a daemon that hangs", .timeLimit(.minutes(10)))
struct DeadlineTests {
    @Test("a watcher is told of child mode when the lease ends, even if the daemon hangs (F-71, G-02)")
    func waiting() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let clock = TurnedClock()
            let gate = client(of: path, clock.ofClient(grace: .milliseconds(1)))
            let (modes, hear) = AsyncStream.makeStream(of: Mode.self)
            let watcher = Task { for await mode in gate.modeUpdates { hear.yield(mode) } }
            var seen = modes.makeAsyncIterator()
            let hanging = try await server.expect(watchMethod)
            await hanging.send(told(5, isSnapshot: true, parent))
            #expect(await seen.next() == .parent)
            clock.turn(to: end)
            #expect(await seen.next() == .child)

            // The watch is cancelled and opened again; a daemon that says the old state is current does not bring
            // parent mode back.
            let cancel = try await server.expect("gate.v1.Control/Cancel")
            #expect(try CancelRequest(decoding: cancel.request.payload).streamID == hanging.request.streamID)
            let again = try await server.expect(watchMethod)
            #expect(try WatchRequest(decoding: again.request.payload).after == Revision(epoch: 7, number: 5))
            await again.send(WatchResponse(current: Revision(epoch: 7, number: 5)))
            _ = try await server.expect("gate.v1.Control/Cancel")
            let last = try await server.expect(watchMethod)
            let longer = ModeState(mode: .parent, deadline: end.advanced(by: .seconds(60)))
            await last.send(told(6, isSnapshot: true, longer))
            #expect(await seen.next() == .parent)
            watcher.cancel()
            try await server.stop()
        }
    }

    @Test("the deadline also holds by the kernel's clock")
    func kernel() async throws {
        // A machine that is too busy to notice it in five seconds gets a minute.
        for seconds in [5, 60] {
            let isHeard = try await withSocketPath { path in
                let server = try await ScriptedServer.start(at: path)
                let gate = client(of: path, .kernel)
                var modes = gate.modeUpdates.makeAsyncIterator()
                let deadline = BootTime.now().advanced(by: .seconds(seconds))
                async let watch = server.expect(watchMethod)
                async let first = modes.next()
                try await watch.send(told(5, isSnapshot: true, ModeState(mode: .parent, deadline: deadline)))
                let isHeard = await first == .parent
                #expect(isHeard || BootTime.now() >= deadline)
                if isHeard { #expect(await modes.next() == .child) }
                #expect(BootTime.now() >= deadline)
                try await server.stop()
                return isHeard
            }
            if isHeard { return }
        }
        Issue.record("It was not heard in a minute.")
    }

    @Test(
        "sessions, entitlements and schedules end at their deadlines like the mode",
        arguments: [WatchTopic.signIn, .entitlements, .schedules])
    func otherTopics(topic: WatchTopic) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let clock = TurnedClock()
            let gate = client(of: path, clock.ofClient(grace: .milliseconds(1)))
            let (events, hear) = AsyncStream.makeStream(of: WatchEvent.self)
            let watcher = Task { for await event in gate.events(of: [topic]) { hear.yield(event) } }
            var seen = events.makeAsyncIterator()
            var message = told(5, isSnapshot: true, nil)
            message.signIn = SignInState(
                session: SignInState.Session(name: "anna", isChild: true, deadline: end), isAuthenticating: false,
                needsAuthentication: false)
            let source = Entitlement.Source(
                provider: .storeKit, saidAt: WallTime(unixMilliseconds: 0), status: .subscribed, product: "monthly",
                holder: .device, until: WallTime(unixMilliseconds: end.nanoseconds / 1_000_000))
            message.entitlements = EntitlementsState(
                entitlements: [Entitlement(id: "premium", title: "Premium", source: source)],
                isSubscriptionActive: true)
            message.schedules = [
                ScheduleState(
                    name: "after-school", isOpen: true,
                    until: WallTime(unixMilliseconds: end.nanoseconds / 1_000_000))
            ]
            if topic != .entitlements { message.entitlements = nil }
            if topic != .signIn { message.signIn = nil }
            if topic != .schedules { message.schedules = nil }
            try await server.expect(watchMethod).send(message)
            #expect(await seen.next() == .snapshot(StateUpdate(message)))
            clock.turn(to: end)
            guard case .lost(let error) = await seen.next() else {
                Issue.record("it is believed past its end")
                return
            }
            #expect(error.code == .unavailable)
            watcher.cancel()
            try await server.stop()
        }
    }

    @Test("a daemon that reports the next state in time after a deadline does not count as lost")
    func healthy() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let clock = TurnedClock()
            let gate = client(of: path, clock.ofClient(grace: .seconds(300)))
            let (events, hear) = AsyncStream.makeStream(of: WatchEvent.self)
            let watcher = Task { for await event in gate.events(of: [.mode]) { hear.yield(event) } }
            var seen = events.makeAsyncIterator()
            let watch = try await server.expect(watchMethod)
            await watch.send(told(5, isSnapshot: true, parent))
            #expect(await seen.next()?.mode == parent)
            clock.turn(to: end.advanced(by: .seconds(3600)))
            await watch.send(told(6, .closed))
            #expect(await seen.next() == .change(StateUpdate(told(6, .closed))))
            watcher.cancel()
            try await server.stop()
        }
    }

    @Test("a watcher that reads late is not told of a lease that has ended meanwhile", arguments: [true, false])
    func late(isEndToldToo: Bool) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let clock = TurnedClock()
            let gate = client(of: path, clock.ofClient(grace: .milliseconds(1)))
            var events = gate.events(of: [.mode]).makeAsyncIterator()
            async let watching = server.expect(watchMethod)
            async let first = events.next()
            let watch = try await watching
            await watch.send(told(5, isSnapshot: true, .closed))
            #expect(await first?.mode == .closed)
            await watch.send(told(6, parent))
            if isEndToldToo { await watch.send(told(7, .closed)) }
            // All of that is here before the answer to a call.
            async let pong = gate.control.ping()
            try await server.expect("gate.v1.Control/Ping").respond(
                PingResponse(echo: [], revision: Revision(epoch: 7, number: 6)))
            _ = try await pong
            clock.turn(to: end)
            let event = await events.next()
            #expect(event?.mode == .closed)
            if isEndToldToo { #expect(event == .snapshot(StateUpdate(told(7, isSnapshot: true, .closed)))) }
            try await server.stop()
        }
    }

    @Test("if a clock was set back, a deadline that is no longer over is waited for again")
    func setBack() async throws {
        let left = Mutex<[Duration]>([.zero, .seconds(5), .zero, .zero])
        let slept = Mutex<[BootTime]>([])
        let clock = ClientClock(
            grace: .milliseconds(1),
            read: { ClientClock.Reading(boot: start, wall: WallTime(unixMilliseconds: 0)) },
            sleep: { moment in slept.withLock { $0.append(moment) } })
        try await clock.sleepPast(pausing: { try await Task.sleep(for: $0) }) { _ in left.withLock { $0.removeFirst() }
        }
        #expect(left.withLock(\.self).isEmpty)
        #expect(slept.withLock(\.self) == [start.advanced(by: .seconds(5))])
    }
}
