import CommandSupport
import GateCore
import GateModel
import GateProtocol
import TTRPC
import Testing

@testable import GateDaemon

/// One connection is told in a slice here, and no time passes: what is told when is exact.
@Suite("Telling watchers in slices")
struct TellingTests {
    private let device: SimulatedDevice
    private var connections: [SimulatedConnection] = []

    init() throws {
        var configuration = Configuration.builtIn
        configuration.modeChallenge = ChallengeRule(.arithmeticChoice)
        device = try SimulatedDevice(seed: 1, configuration: configuration)
    }

    /// Connects and watches, on stream 1.
    /// - Parameter isAlone: the snapshots are taken, before anything else happens.
    private mutating func watch(
        _ uid: UInt32, times count: Int, topics: Set<WatchTopic> = [.mode], isAlone: Bool = true
    ) throws {
        for _ in 0..<count {
            let roles: Roles = uid == 0 ? [.app, .administrator] : .app
            let peer = try #require(try device.connect(uid: uid, roles: roles))
            let connection = try #require(device.connections[peer.connection])
            let stream = connection.nextStream()
            connection.send(Methods.Watch.watch, WatchRequest(topics: topics, after: nil), stream: stream)
            connections.append(connection)
        }
        guard isAlone else { return }
        device.daemon.loop.run()
        _ = received()
    }

    /// The streams of what has come since, for each connection.
    private func received() -> [[UInt32]] {
        connections.map { $0.receive().map(\.header.streamID) }
    }

    /// Begins to change the mode, for this connection. Returns the stream of the call.
    private func override(by connection: SimulatedConnection) -> UInt32 {
        let call = connection.nextStream()
        connection.send(
            Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "test"), stream: call)
        device.daemon.loop.run(pieces: 0)
        return call
    }

    @Test("a connection whose turn comes last is still told of a change before its call is answered")
    mutating func beforeAnswer() throws {
        try watch(0, times: 6)
        let call = override(by: connections[0])
        device.endCommit(pieces: 0)
        // The end of the list is told first.
        #expect(received() == [[1, call], [], [], [], [], [1]])
        let read = connections[1].nextStream()
        connections[1].send(Methods.Mode.get, GetModeRequest(), stream: read)
        device.daemon.loop.run(pieces: 0)
        #expect(received() == [[], [1, read], [], [], [], []])
        device.daemon.loop.run()
        // Nobody is told twice.
        #expect(received() == [[], [], [1], [1], [1], []])
    }

    @Test("users take turns, so that many watches of one user don't delay another's")
    mutating func turns() throws {
        try watch(1001, times: 5)
        try watch(1002, times: 1)
        let root = try #require(try device.connect(uid: 0, roles: [.app, .administrator]))
        _ = override(by: try #require(device.connections[root.connection]))
        device.endCommit(pieces: 1)
        #expect(received() == [[], [], [], [], [1], [1]])
        device.daemon.loop.run(pieces: 2)
        #expect(received() == [[], [], [1], [1], [], []])
    }

    @Test("a watcher that leaves during a round does not keep others from being told")
    mutating func leaving() throws {
        try watch(1001, times: 6)
        let root = try #require(try device.connect(uid: 0, roles: [.app, .administrator]))
        _ = override(by: try #require(device.connections[root.connection]))
        device.endCommit(pieces: 1)
        #expect(received() == [[], [], [], [], [1], [1]])
        // The last of the list, which was told, takes the place of one that was not; then it leaves itself.
        connections[1].close()
        connections[5].close()
        device.daemon.loop.run()
        #expect(received() == [[1], [], [1], [1], [], []])
    }

    @Test("changes during a round are told together, and a watcher that begins meanwhile knows them")
    mutating func meanwhile() throws {
        try watch(1001, times: 4)
        let peer = try #require(try device.connect(uid: 0, roles: [.app, .administrator]))
        let root = try #require(device.connections[peer.connection])
        _ = override(by: root)
        device.endCommit(pieces: 0)
        #expect(received() == [[], [], [], [1]])
        let before = device.durable.revision.number
        for _ in 0..<2 {
            root.send(Methods.Mode.lock, LockRequest(), stream: root.nextStream())
            device.endCommit(pieces: 0)
            _ = override(by: root)
            device.endCommit(pieces: 0)
        }
        let newest = device.durable.revision.number
        #expect(newest == before + 4)
        try watch(1001, times: 1, isAlone: false)
        device.daemon.loop.run()
        let told = try connections.map { connection in
            try messages(to: connection, on: 1).map { $0.firstNumber...$0.revision.number }
        }
        let (first, rest) = (before...before, before + 1...newest)
        #expect(told.prefix(4) == [[first, rest], [first, rest], [first, rest], [rest]])
        #expect(told.last?.map(\.upperBound) == [newest])
    }

    /// Somebody tries to sign in, and the outcome is not known yet.
    private func tryToSignIn() throws {
        let peer = try #require(try device.connect(uid: 1004, roles: .app))
        let connection = try #require(device.connections[peer.connection])
        connection.send(
            Methods.SignIn.logIn, LogInRequest(name: "anna", password: GateSecret("hunter1".utf8)),
            stream: connection.nextStream())
        device.daemon.loop.run(pieces: 0)
        device.endCommit(pieces: 0)
    }

    private func registerAnna() {
        device.submitAsDaemon(
            .register(GatePerson(name: "anna", kind: .grownUp), passwordHash: SimulatedDevice.passcodeHash))
        device.comeToRest()
    }

    private func messages(to connection: SimulatedConnection, on stream: UInt32) throws -> [WatchResponse] {
        try connection.receive().filter { $0.header.streamID == stream && $0.header.type == .data }.map { frame in
            try frame.data.withUnsafeBytes { try WatchResponse(decoding: $0) }
        }
    }

    @Test("a watcher that reads again before its turn is told of that change too")
    mutating func readingAgain() throws {
        registerAnna()
        try watch(0, times: 4, topics: [.mode, .signIn])
        let slow = connections[0]
        slow.isReading = false
        // This goes on until the watcher is behind.
        for _ in 0..<6 {
            device.submitAsDaemon(.override(.parent, nil, reason: "test"))
            device.submitAsDaemon(.override(.child, nil, reason: "test"))
            device.comeToRest()
        }
        _ = connections.dropFirst().map { $0.receive() }
        try tryToSignIn()
        #expect(try messages(to: connections[3], on: 1).last?.signIn?.isAuthenticating == true)
        slow.isReading = true
        device.daemon.loop.run()
        let told = try messages(to: slow, on: 1)
        #expect(told.last { $0.signIn != nil }?.signIn?.isAuthenticating == true)
        #expect(told.last?.revision == device.durable.revision)
    }

    @Test("what opens before a watcher begins and closes before its turn is closed for it")
    mutating func closedMeanwhile() throws {
        registerAnna()
        try watch(1001, times: 4, topics: [.signIn])
        let peer = try #require(try device.connect(uid: 1001, roles: .app))
        let asking = try #require(device.connections[peer.connection])
        try tryToSignIn()
        asking.send(Methods.Mode.toggle, ToggleRequest(presenting: .here), stream: asking.nextStream())
        device.endCommit(pieces: 0)
        let stream = asking.nextStream()
        asking.send(Methods.Watch.watch, WatchRequest(topics: [.presentations], after: nil), stream: stream)
        device.daemon.loop.run(pieces: 0)
        #expect(try messages(to: asking, on: stream).last?.presentations?.count == 1)
        asking.send(Methods.Mode.cancel, CancelVerifyingRequest(), stream: asking.nextStream())
        device.endCommit(pieces: 0)
        device.daemon.loop.run()
        #expect(try messages(to: asking, on: stream).last?.presentations?.isEmpty == true)
    }
}
