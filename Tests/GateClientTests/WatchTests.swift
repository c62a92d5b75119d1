import GateClient
import GateProtocol
import TTRPCTransport
import Testing

private func revision(_ number: UInt64) -> Revision {
    Revision(epoch: 7, number: number)
}

private let later = BootTime.now().advanced(by: .seconds(3600))
private let parent = ModeState(mode: .parent, deadline: later)
private let verifying = ModeState(mode: .verifying, deadline: later)

private func snapshot(_ number: UInt64, _ mode: ModeState) -> WatchResponse {
    WatchResponse(firstNumber: number, revision: revision(number), isSnapshot: true, mode: mode, presentations: nil)
}

private func change(_ number: UInt64, _ mode: ModeState?) -> WatchResponse {
    WatchResponse(firstNumber: number, revision: revision(number), isSnapshot: false, mode: mode, presentations: nil)
}

private let watchMethod = "gate.v1.Watch/Watch"
private let pingMethod = "gate.v1.Control/Ping"

@Suite("Watching")
struct WatchTests {
    @Test("a watcher gets the mode at once and at each change; a longer lease is not a change")
    func modes() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let seen = gate.first(4)
            let watch = try await server.expect(watchMethod)
            #expect(try WatchRequest(decoding: watch.request.payload) == WatchRequest(topics: [.mode]))
            await watch.send(snapshot(5, .closed))
            await watch.send(change(6, verifying))
            await watch.send(change(7, parent))
            await watch.send(change(8, ModeState(mode: .parent, deadline: later.advanced(by: .seconds(60)))))
            await watch.send(change(9, nil))
            await watch.send(change(10, .closed))
            #expect(await seen == [.child, .verifying, .parent, .child])
            try await server.stop()
        }
    }

    @Test("without a daemon the mode is child")
    func nobodyThere() async throws {
        try await withSocketPath { path in
            #expect(await client(of: path).first(1) == [.child])
        }
    }

    @Test("a daemon that dies leaves child mode at once, and a resume with nothing new brings the mode back")
    func resumes() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let (events, told) = AsyncStream.makeStream(of: WatchEvent.self)
            let watcher = Task {
                for await event in gate.events(of: [.mode]) { told.yield(event) }
            }
            var seen = events.makeAsyncIterator()
            let first = try await server.expect(watchMethod)
            await first.send(snapshot(5, parent))
            #expect(await seen.next() == .snapshot(StateUpdate(snapshot(5, parent))))
            await first.closeConnection()
            #expect(await seen.next()?.mode == .closed)

            let second = try await server.expect(watchMethod)
            #expect(try WatchRequest(decoding: second.request.payload).after == revision(5))
            await second.send(WatchResponse(current: revision(5)))
            #expect(await seen.next() == .resumed(StateUpdate(snapshot(5, parent))))
            await second.send(change(6, .closed))
            #expect(await seen.next() == .change(StateUpdate(change(6, .closed))))
            watcher.cancel()
            try await server.stop()
        }
    }

    @Test("after a resume with news the mode stays child until the snapshot arrives")
    func resumesWithASnapshot() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let events = gate.firstEvents(3)
            let first = try await server.expect(watchMethod)
            await first.send(snapshot(5, parent))
            await first.closeConnection()

            let second = try await server.expect(watchMethod)
            await second.send(snapshot(9, verifying))

            let seen = await events
            #expect(seen.map(\.mode) == [parent, .closed, verifying])
            #expect(seen[2] == .snapshot(StateUpdate(snapshot(9, verifying))))
            try await server.stop()
        }
    }

    @Test("a whole restart of the daemon loses nothing")
    func restart() async throws {
        try await withSocketPath { path in
            let gate = client(of: path)
            let server = try await ScriptedServer.start(at: path)
            async let seen = gate.first(3)
            try await server.expect(watchMethod).send(snapshot(5, parent))
            try await server.stop()

            let restarted = try await ScriptedServer.start(at: path)
            let watch = try await restarted.expect(watchMethod)
            #expect(try WatchRequest(decoding: watch.request.payload).after == revision(5))
            await watch.send(snapshot(6, verifying))
            #expect(await seen == [.parent, .child, .verifying])
            try await restarted.stop()
        }
    }

    @Test("a daemon that says it stops is lost, with its own words")
    func stopping() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let stopping = GateError(.unavailable, .stopping, "The daemon is stopping.")
            async let events = gate.firstEvents(2)
            let watch = try await server.expect(watchMethod)
            await watch.send(snapshot(5, parent))
            await watch.fail(stopping)
            #expect(await events == [.snapshot(StateUpdate(snapshot(5, parent))), .lost(stopping)])
            try await server.stop()
        }
    }

    @Test("a stream that ends without a word is a loss")
    func endOfData() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let seen = gate.first(2)
            let watch = try await server.expect(watchMethod)
            await watch.send(snapshot(5, parent))
            await watch.finish()
            #expect(await seen == [.parent, .child])
            try await server.stop()
        }
    }

    @Test("cancelling a watch ends it at the daemon, and other watchers keep the connection")
    func givingUp() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let watcher = Task { await gate.first(.max) }
            let watch = try await server.expect(watchMethod)
            await watch.send(snapshot(5, parent))
            watcher.cancel()
            let cancel = try await server.expect("gate.v1.Control/Cancel")
            #expect(try CancelRequest(decoding: cancel.request.payload).streamID == watch.request.streamID)
            _ = await watcher.value

            async let pong = gate.control.ping()
            let ping = try await server.expect(pingMethod)
            #expect(ping.connection === watch.connection)
            await ping.respond(PingResponse(echo: [], revision: revision(5)))
            #expect(try await pong.revision == revision(5))
            try await server.stop()
        }
    }

    @Test("a watch that waits for a daemon can be cancelled")
    func cancellingWhileAway() async throws {
        try await withSocketPath { path in
            let gate = client(of: path)
            let (told, tell) = AsyncStream.makeStream(of: Mode.self)
            let watcher = Task {
                for await mode in gate.modeUpdates { tell.yield(mode) }
                tell.finish()
            }
            var iterator = told.makeAsyncIterator()
            #expect(await iterator.next() == .child)
            watcher.cancel()
            #expect(await iterator.next() == nil)
        }
    }

    @Test("closing the client ends its watches, without telling of a loss")
    func closing() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let seen = gate.first(.max)
            try await server.expect(watchMethod).send(snapshot(5, parent))
            await gate.close()
            #expect(await seen.allSatisfy { $0 == .parent })
            try await server.stop()
        }
    }

    @Test("closing the client while the daemon is away ends its watches too")
    func closingWhileAway() async throws {
        try await withSocketPath { path in
            let gate = client(of: path)
            var iterator = gate.modeUpdates.makeAsyncIterator()
            #expect(await iterator.next() == .child)
            await gate.close()
            #expect(await iterator.next() == nil)
        }
    }

    @Test("several watchers share one connection")
    func severalWatchers() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let one = gate.first(1)
            async let other = gate.first(1)
            let first = try await server.expect(watchMethod)
            let second = try await server.expect(watchMethod)
            #expect(first.connection === second.connection)
            await first.send(snapshot(5, parent))
            await second.send(snapshot(5, parent))
            #expect(await one == [.parent])
            #expect(await other == [.parent])
            try await server.stop()
        }
    }

    @Test("verifying blocks apps, the other modes do not (F-05)")
    func isBlockedByMode() {
        #expect(Mode.allCases.filter(\.isBlocked) == [.verifying])
    }

    @Test("apps are blocked while a question is open, and free as soon as the daemon is lost (F-05)")
    func isBlocked() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let seen = gate.firstOfBlocked(6)
            let watch = try await server.expect(watchMethod)
            await watch.send(snapshot(5, .closed))
            await watch.send(change(6, verifying))
            await watch.send(change(7, parent))
            await watch.send(change(8, .closed))
            await watch.send(change(9, verifying))
            await watch.closeConnection()
            try await server.expect(watchMethod).send(snapshot(10, verifying))
            #expect(await seen == [false, true, false, true, false, true])
            try await server.stop()
        }
    }

    @Test("apps are blocked while somebody has to sign in, whatever the mode, and free when the daemon is lost (F-64)")
    func isBlockedByCover() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let seen = gate.firstOfBlocked(4)
            let watch = try await server.expect(watchMethod)
            #expect(try WatchRequest(decoding: watch.request.payload).topics == [.mode, .signIn])
            var cover = snapshot(5, .closed)
            cover.signIn = SignInState(session: nil, isAuthenticating: false, needsAuthentication: true)
            await watch.send(cover)
            // Blocked already: no other thing to tell.
            await watch.send(change(6, verifying))
            await watch.send(change(7, .closed))
            var signedIn = change(8, nil)
            signedIn.signIn = .closed
            await watch.send(signedIn)
            var signedOut = change(9, nil)
            signedOut.signIn = cover.signIn
            await watch.send(signedOut)
            await watch.closeConnection()
            #expect(await seen == [true, false, true, false])
            try await server.stop()
        }
    }

    @Test("each event has the whole list of open presentations (F-55)")
    func presentations() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let (events, told) = AsyncStream.makeStream(of: WatchEvent.self)
            let watcher = Task {
                for await event in gate.events(of: [.mode, .presentations]) { told.yield(event) }
            }
            var seen = events.makeAsyncIterator()
            let one = question(1).summary(.offered)
            let watch = try await server.expect(watchMethod)
            #expect(
                try WatchRequest(decoding: watch.request.payload) == WatchRequest(topics: [.mode, .presentations]))
            await watch.send(snapshot(5, .closed))
            #expect(await seen.next()?.presentations == [])
            var message = change(6, nil)
            message.presentations = [one, question(2).summary(.waiting)]
            await watch.send(message)
            #expect(await seen.next()?.presentations == message.presentations)
            await watch.send(change(7, parent))
            #expect(await seen.next()?.presentations == nil)
            await watch.closeConnection()
            #expect(await seen.next()?.presentations == [])

            // On another connection this peer may see other things, so nothing is resumed.
            let again = try await server.expect(watchMethod)
            #expect(try WatchRequest(decoding: again.request.payload).after == nil)
            await again.send(openNow([one], number: 7))
            #expect(await seen.next()?.presentations == [one])
            watcher.cancel()
            try await server.stop()
        }
    }
}

extension GateClient {
    fileprivate func first(_ count: Int) async -> [Mode] {
        var seen: [Mode] = []
        for await mode in modeUpdates {
            seen.append(mode)
            if seen.count == count { break }
        }
        return seen
    }

    fileprivate func firstOfBlocked(_ count: Int) async -> [Bool] {
        var seen: [Bool] = []
        for await isBlocked in isBlockedUpdates {
            seen.append(isBlocked)
            if seen.count == count { break }
        }
        return seen
    }

    fileprivate func firstEvents(_ count: Int) async -> [WatchEvent] {
        var seen: [WatchEvent] = []
        for await event in events(of: [.mode]) {
            seen.append(event)
            if seen.count == count { break }
        }
        return seen
    }
}
