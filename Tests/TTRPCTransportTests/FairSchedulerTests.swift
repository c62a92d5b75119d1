import NIOCore
import NIOEmbedded
import TTRPC
import Testing

@testable import TTRPCTransport

/// Connections of several users to one server, without sockets and with a clock to turn.
private final class Users {
    private let loop = NIOAsyncTestingEventLoop()
    private let core: ServerCore
    private var peers: [StandInPeer] = []

    init() {
        core = ServerCore(
            work: PacedWork(eventLoop: loop), limits: ConnectionLimits(), writeDeadline: .seconds(5),
            closingDeadline: .seconds(5),
            service: ScriptedService())
    }

    func connect(_ uid: UInt32) async throws -> StandInPeer {
        let peer = try await loop.executeInContext { [core] in StandInPeer(of: core, uid: uid) }
        peers.append(peer)
        return peer
    }

    /// Sends this many calls in one read.
    func ask(_ peer: StandInPeer, _ count: Int) async throws {
        let streams = [UInt32](stride(from: 1, to: UInt32(count) * 2, by: 2))
        let frames = streams.map { Frame.request("Echo", $0, [1]) }
        try await write(peer, frames.flatMap(\.bytes)[...])
    }

    func write(_ peer: StandInPeer, _ bytes: ArraySlice<UInt8>) async throws {
        try await loop.executeInContext { peer.write(Array(bytes)) }
    }

    /// The peers with bytes that the server has not read.
    func unread(_ peers: [StandInPeer]) async throws -> Int {
        try await loop.executeInContext { peers.count { !$0.socket.unread.isEmpty } }
    }

    /// The calls that were answered since the last look.
    func answered(_ peer: StandInPeer) async throws -> [UInt32] {
        try await loop.executeInContext { peer.writes().flatMap { $0 }.map(\.streamID) }
    }

    func leave(_ peer: StandInPeer) async throws {
        try await loop.executeInContext { peer.leave() }
        await loop.run()
    }

    func pass(_ time: TimeAmount) async { await loop.advanceTime(by: time) }

    func nextTurn() async { await loop.advanceTime(by: PacedWork.pause) }

    func end() async throws {
        for peer in peers { try await leave(peer) }
        await loop.shutdownGracefully()
    }
}

@Suite("Users take turns")
struct FairSchedulerTests {
    private func withUsers(_ body: (Users) async throws -> Void) async throws {
        let users = Users()
        try await body(users)
        try await users.end()
    }

    @Test("a user who asks a thousand calls at once gets some answers, and others are served before the rest")
    func slices() async throws {
        try await withUsers { users in
            let (greedy, modest) = (try await users.connect(1000), try await users.connect(1001))
            try await users.ask(greedy, 1000)
            var answers = try await users.answered(greedy)
            #expect(answers.count > 100 && answers.count < 200)
            try await users.ask(modest, 1)
            #expect(try await users.answered(modest) == [1])
            // In the end everything is answered, in order.
            for _ in 0..<20 {
                await users.nextTurn()
                answers += try await users.answered(greedy)
            }
            #expect(answers == [UInt32](stride(from: 1, to: 2001, by: 2)))
        }
    }

    @Test("many connections give a user no more than one does")
    func manyConnections() async throws {
        try await withUsers { users in
            var greedy: [StandInPeer] = []
            for _ in 0..<50 { greedy.append(try await users.connect(1000)) }
            let modest = try await users.connect(1001)
            for channel in greedy { try await users.ask(channel, 20) }
            var answered = 0
            for channel in greedy { answered += try await users.answered(channel).count }
            #expect(answered > 100 && answered < 200)
            try await users.ask(modest, 1)
            #expect(try await users.answered(modest) == [1])
            for _ in 0..<20 { await users.nextTurn() }
            for channel in greedy { answered += try await users.answered(channel).count }
            #expect(answered == 1000)
        }
    }

    @Test("few connections are served per turn, however little each asks, because their next reads take time too")
    func connectionsPerTurn() async throws {
        try await withUsers { users in
            var greedy: [StandInPeer] = []
            for _ in 0..<100 { greedy.append(try await users.connect(1000)) }
            for channel in greedy { try await users.ask(channel, 4) }
            func newlyServed() async throws -> Int {
                var count = 0
                for channel in greedy where try await users.answered(channel).count == 4 { count += 1 }
                return count
            }
            var waiting = greedy.count
            waiting -= try await newlyServed()
            #expect(waiting > 3 * FairScheduler.connectionsPerTurn)
            for _ in 0..<3 {
                await users.nextTurn()
                #expect(try await newlyServed() == FairScheduler.connectionsPerTurn)
                waiting -= FairScheduler.connectionsPerTurn
            }
            for _ in 0..<waiting { await users.nextTurn() }
            #expect(try await newlyServed() == waiting)
        }
    }

    @Test(
        "reads without a whole frame take turns too, and the rest stays in the kernel until the next turn")
    func reads() async throws {
        try await withUsers { users in
            let modest = try await users.connect(1001)
            var greedy: [StandInPeer] = []
            for _ in 0..<300 { greedy.append(try await users.connect(1000)) }
            for peer in greedy { try await users.write(peer, Frame.request("Echo", 1).bytes.dropLast()) }
            func unread() async throws -> Int { try await users.unread(greedy) }
            // One more has read, and found its turn over.
            #expect(try await unread() == greedy.count - FairScheduler.stepsPerSlice - 1)
            try await users.ask(modest, 1)
            #expect(try await users.answered(modest) == [1])
            for _ in 0..<greedy.count / FairScheduler.connectionsPerTurn { await users.nextTurn() }
            #expect(try await unread() == 0)
        }
    }

    @Test("each waiting user has one turn before any has a second")
    func inTurn() async throws {
        try await withUsers { users in
            let first = try await users.connect(1000), second = try await users.connect(1001)
            try await users.ask(first, 1000)
            try await users.ask(second, 1000)
            let before = (try await users.answered(first).count, try await users.answered(second).count)
            #expect(before.0 > 0 && before.1 > 0)
            await users.nextTurn()
            let one = try await users.answered(first).count, none = try await users.answered(second).count
            #expect(one > 0 && none == 0)
            await users.nextTurn()
            #expect(try await users.answered(first).isEmpty)
            #expect(try await users.answered(second).count > 0)
        }
    }

    @Test("one call at a time never waits for a turn")
    func alone() async throws {
        try await withUsers { users in
            let channel = try await users.connect(1000)
            for _ in 0..<1000 {
                try await users.ask(channel, 1)
                #expect(try await users.answered(channel) == [1])
            }
        }
    }

    @Test("a connection that leaves while it waits is forgotten, and its user's others have their turns")
    func leaves() async throws {
        try await withUsers { users in
            let leaving = try await users.connect(1000), staying = try await users.connect(1000)
            try await users.ask(leaving, 1000)
            try await users.ask(staying, 10)
            try await users.leave(leaving)
            var answered = try await users.answered(staying).count
            for _ in 0..<3 {
                await users.nextTurn()
                answered += try await users.answered(staying).count
            }
            #expect(answered == 10)
        }
    }

    @Test("a connection that ends after a long silence costs its user no turn")
    func endsAfterSilence() async throws {
        try await withUsers { users in
            let (leaving, staying) = (try await users.connect(1000), try await users.connect(1000))
            let other = try await users.connect(1001)
            try await users.ask(leaving, 1)
            await users.pass(.seconds(10))
            try await users.leave(leaving)
            try await users.ask(other, 1)
            try await users.ask(staying, 1)
            #expect(try await users.answered(staying) == [1])
        }
    }

    @Test("a user who took too long waits while others are served, for as many slices or as long")
    func debt() {
        let loop = EmbeddedEventLoop()
        let turns = FairScheduler(PacedWork(eventLoop: loop))
        let (user, other) = (turns.joined(BillingAccount(number: 1000)), turns.joined(BillingAccount(number: 1001)))
        var lastPass: UInt64 = 0
        /// The event loop has gone through its sockets in hardly any time.
        func nextPass() -> Bool {
            lastPass = user.readBegan(after: lastPass)
            return user.mayStep()
        }
        // The user takes as long as five slices.
        #expect(nextPass())
        loop.advanceTime(by: .microseconds(1000))
        #expect(!user.mayStep())
        for _ in 0..<3 {
            #expect(other.mayStep())
            #expect(!nextPass())
        }
        #expect(other.mayStep())
        #expect(nextPass())
        // By time.
        loop.advanceTime(by: .milliseconds(50))
        #expect(!user.mayStep() && other.mayStep() && !nextPass())
        loop.advanceTime(by: .milliseconds(50))
        #expect(other.mayStep() && nextPass())
        // Nobody else asks, so that the user need not wait.
        loop.advanceTime(by: .milliseconds(50))
        #expect(!user.mayStep() && nextPass())
        for uid in [1000, 1001] as [UInt32] { turns.left(BillingAccount(number: uid)) }
    }

    @Test("time in which nobody asks is not counted, over however many connections a user asks")
    func idle() {
        let loop = EmbeddedEventLoop()
        let turns = FairScheduler(PacedWork(eventLoop: loop))
        let user = turns.joined(BillingAccount(number: 1000))
        // One read of each connection, so that all of them belong to one pass.
        for _ in 0..<5 {
            var lastPass: UInt64 = 0
            lastPass = user.readBegan(after: lastPass)
            user.resumed()
            #expect(user.mayStep())
            loop.advanceTime(by: .microseconds(10))
            user.look()
            loop.advanceTime(by: .seconds(2))
        }
        turns.left(BillingAccount(number: 1000))
    }

    @Test("work that exceeds a slice only in sum is not counted as debt")
    func noDebt() {
        let loop = EmbeddedEventLoop()
        let turns = FairScheduler(PacedWork(eventLoop: loop))
        let user = turns.joined(BillingAccount(number: 1000))
        var lastPass: UInt64 = 0
        for _ in 0..<10 {
            lastPass = user.readBegan(after: lastPass)
            for _ in 0..<4 {
                #expect(user.mayStep())
                loop.advanceTime(by: .microseconds(50))
            }
            #expect(!user.mayStep())
        }
        turns.left(BillingAccount(number: 1000))
    }
}
