import GateCore
import GateModel
import GateProtocol
import TTRPC
import Testing

@testable import GateDaemon

/// One connection is told in a slice here, and no time passes: what is told when is exact.
@Suite("Watchers are told in slices")
struct TellingTests {
    private let device: SimulatedDevice
    private var connections: [SimulatedConnection] = []

    init() throws {
        device = try SimulatedDevice(seed: 1, configuration: .builtIn)
    }

    /// Connects and watches the mode, on stream 1.
    /// - Parameter isAlone: the snapshots are taken, before anything else happens.
    private mutating func watch(_ uid: UInt32, times count: Int, isAlone: Bool = true) throws {
        for _ in 0..<count {
            let roles: Roles = uid == 0 ? [.app, .administrator] : .app
            let peer = try #require(try device.connect(uid: uid, roles: roles))
            let connection = try #require(device.connections[peer.connection])
            let stream = connection.nextStream()
            connection.send(Methods.Watch.watch, WatchRequest(topics: [.mode], after: nil), stream: stream)
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

    @Test("a connection is told before it is answered, though its turn comes last")
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

    @Test("users take turns: one with many watches is not told before one who has one")
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

    @Test("who leaves while others are told keeps nobody from being told")
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

    @Test("changes that come meanwhile are told together, and who begins to watch meanwhile knows of them")
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
            try connection.receive().map { frame in
                let message = try frame.data.withUnsafeBytes { try WatchResponse(decoding: $0) }
                return message.firstNumber...message.revision.number
            }
        }
        let (first, rest) = (before...before, before + 1...newest)
        #expect(told.prefix(4) == [[first, rest], [first, rest], [first, rest], [rest]])
        #expect(told.last?.map(\.upperBound) == [newest])
    }
}
