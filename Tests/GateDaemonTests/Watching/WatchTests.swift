import GateCore
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Which watcher is told of what", .timeLimit(.minutes(10)))
struct WatchTests {
    private func watch(
        _ peer: Connected, _ topics: Set<WatchTopic> = [.mode, .presentations]
    ) async throws -> OpenStream<WatchResponse> {
        try await peer.open(Methods.Watch.watch, WatchRequest(topics: topics, after: nil))
    }

    @Test("a snapshot has all topics that were named, and no other")
    func snapshot() async throws {
        try await LiveGate.with { gate, _ in
            let anna = try await gate.connect("anna")
            var (both, mode, presentations) = (
                try await watch(anna), try await watch(anna, [.mode]), try await watch(anna, [.presentations])
            )
            let told = [try await both.next(), try await mode.next(), try await presentations.next()]
            #expect(told.map { $0?.mode != nil } == [true, true, false])
            #expect(told.map { $0?.presentations == nil } == [false, true, false])
        }
    }

    @Test("a watcher that knows another store's revision gets everything, even if the number is as high or higher")
    func otherEpoch() async throws {
        try await LiveGate.with { gate, _ in
            let root = try await gate.connect("root")
            for _ in 0..<3 { try await root.lockAfterOverride() }
            for offset in [-2, 0, 7] {
                let now = await gate.authority.durable.revision
                let known = Revision(epoch: now.epoch + 1, number: UInt64(Int(now.number) + offset))
                var stream = try await root.open(Methods.Watch.watch, WatchRequest(topics: [.mode], after: known))
                // A watcher that was told nothing at first would be told this.
                try await root.lockAfterOverride()
                let told = try #require(try await stream.next())
                #expect(told.revision == now)
                #expect(told.isSnapshot && told.mode != nil)
                // Everything from the first transition on is new to it.
                #expect(told.firstNumber == 1)
            }
        }
    }

    @Test("a watcher that knows this store's revision gets what it missed, or a confirmation at once")
    func resumed() async throws {
        try await LiveGate.with { gate, _ in
            let root = try await gate.connect("root")
            for _ in 0..<3 { try await root.lockAfterOverride() }
            let now = await gate.authority.durable.revision
            let before = Revision(epoch: now.epoch, number: now.number - 2)
            var (behind, current) = (
                try await root.open(Methods.Watch.watch, WatchRequest(topics: [.mode], after: before)),
                try await root.open(Methods.Watch.watch, WatchRequest(topics: [.mode], after: now))
            )
            let missed = try #require(try await behind.next())
            #expect(missed.revision == now)
            #expect(missed.firstNumber == before.number + 1)
            #expect(try await current.next() == WatchResponse(current: now))
            _ = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "test"))
            let told = try #require(try await current.next())
            #expect(told.firstNumber == now.number + 1)
            #expect(told.mode?.mode == .parent)
        }
    }

    @Test("presenters are told of every presentation, a requester of its own, and others of none")
    func audiences() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, ben) = (try await gate.connect("anna"), try await gate.connect("ben"))
            let screen = try await gate.connect("screen")
            var (hers, his, all) = (try await watch(anna), try await watch(ben), try await watch(screen))
            let began = try #require(try await hers.next()).revision
            _ = (try await his.next(), try await all.next())
            let opened = try await anna.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            for stream in [try await hers.next(), try await all.next()] {
                let told = try #require(stream)
                #expect(told.presentations?.map(\.id) == opened.presentation.map { [$0.id] })
                #expect(told.mode == nil)
                #expect(told.firstNumber == began.number + 1)
            }
            // Ben is told of the next change that concerns him, and its range covers those that did not.
            let root = try await gate.connect("root")
            let overridden = try await root.call(
                Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "test"))
            let told = try #require(try await his.next())
            #expect(told.mode?.mode == .parent)
            #expect(told.presentations == nil)
            #expect(told.firstNumber == began.number + 1)
            #expect(told.revision == overridden.revision)
        }
    }

    @Test("changes that become durable together are told in one message, even if they undo each other")
    func group() async throws {
        try await LiveGate.with { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            var (two, one) = (try await watch(anna, [.mode]), try await watch(root, [.mode, .signIn]))
            var second = try await watch(anna, [.mode])
            let began = try #require(try await two.next()).revision.number
            _ = (try await one.next(), try await second.next())
            let parent = OverrideModeRequest(mode: .parent, duration: nil, reason: "test")
            store.hold()
            let first = Task { try await root.call(Methods.Mode.override, parent) }
            try await PresenterTests.until { await gate.authority.isCommitting }
            let back = Task { try await root.call(Methods.Mode.lock, LockRequest()) }
            try await PresenterTests.until { await gate.authority.head.modeState.mode == .child }
            let again = Task { try await root.call(Methods.Mode.override, parent) }
            try await PresenterTests.until { await gate.authority.head.modeState.mode == .parent }
            store.release()
            let answers = [try await first.value.state, try await back.value.state, try await again.value.state]
            #expect(answers.map(\.mode) == [.parent, .child, .parent])
            // Two watchers of one connection, and one of another.
            for told in [
                [try await two.next(), try await two.next()], [try await second.next(), try await second.next()],
                [try await one.next(), try await one.next()],
            ] {
                #expect(told.map { $0?.firstNumber } == [began + 1, began + 2])
                #expect(told.map { $0?.revision.number } == [began + 1, began + 3])
                #expect(told.map { $0?.mode?.mode } == [.parent, .parent])
            }
        }
    }

    @Test("a second connection of the same user is not told of the first one's presentations")
    func otherConnection() async throws {
        try await LiveGate.with { gate, _ in
            let (first, second) = (try await gate.connect("anna"), try await gate.connect("anna"))
            var theirs = try await watch(second, [.presentations])
            _ = try await theirs.next()
            _ = try await first.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            let opened = try await second.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            #expect(try await theirs.next()?.presentations?.map(\.id) == opened.presentation.map { [$0.id] })
        }
    }

    /// Anna has a question open, and a presenter that watches has been told of it.
    private func watchQuestion(of anna: Connected, from screen: Connected) async throws -> OpenStream<WatchResponse> {
        _ = try await anna.call(
            Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
        var all = try await watch(screen, [.presentations])
        #expect(try await all.next()?.presentations?.count == 1)
        return all
    }

    @Test("a watcher that loses the right to see everything is told at once that nothing is open")
    func rolesChange() async throws {
        try await LiveGate.with { gate, _ in
            let (root, screen) = (try await gate.connect("root"), try await gate.connect("screen"))
            let anna = try await gate.connect("anna")
            var all = try await watchQuestion(of: anna, from: screen)
            var registered = try await screen.register()
            gate.policyText.value = LiveGate.policy.replacing("users: [screen]", with: "users: []")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(try await all.next()?.presentations == [])
            let error = await #expect(throws: GateError.self) { try await registered.next() }
            #expect(error?.code == .permissionDenied)
        }
    }

    @Test("the loss of that right is told even if a reload without changes becomes durable with it")
    func rolesChangeInGroup() async throws {
        try await LiveGate.with { gate, store in
            let (root, screen) = (try await gate.connect("root"), try await gate.connect("screen"))
            let anna = try await gate.connect("anna")
            var all = try await watchQuestion(of: anna, from: screen)
            store.hold()
            let override = Task {
                try await root.call(
                    Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "test"))
            }
            try await PresenterTests.until { await gate.authority.isCommitting }
            gate.policyText.value = LiveGate.policy.replacing("users: [screen]", with: "users: []")
            var reloads: [Task<ReloadResponse, any Error>] = []
            for _ in 0..<2 {
                let before = await gate.authority.head.revision.number
                reloads.append(Task { try await root.call(Methods.Control.reload, ReloadRequest()) })
                try await PresenterTests.until { await gate.authority.head.revision.number == before + 1 }
            }
            store.release()
            for reload in reloads { _ = try await reload.value }
            _ = try await override.value
            #expect(try await all.next()?.presentations == [])
        }
    }
}

extension Connected {
    /// Two changes of the mode.
    fileprivate func lockAfterOverride() async throws {
        _ = try await call(Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "test"))
        _ = try await call(Methods.Mode.lock, LockRequest())
    }
}
