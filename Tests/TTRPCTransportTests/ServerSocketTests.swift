import Dispatch
import Epoll
import Glibc
import NIOCore
import ProcessSupport
import TTRPC
import Testing

@testable import TTRPCTransport

/// These tests block at sockets, which would keep all others from going on.
@Suite("A server on a socket", .serialized, .waitsForProcesses)
struct ServerSocketTests {
    private func start(
        on socket: ListeningSocket, _ service: ScriptedService = ScriptedService()
    ) async throws -> TTRPCServer {
        try await TTRPCServer.start(
            on: socket, loop: .ofTests, work: PacedWork(eventLoop: EpollLoop.ofTests),
            limits: ConnectionLimits(),
            writeDeadline: .seconds(60), closingDeadline: .seconds(60), service: service)
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    @Test("the kernel says who connects")
    func credentials() async throws {
        try await LiveServer.run { live in
            let peer = try RawPeer(to: live.path)
            try peer.write(.request("Echo", 1))
            #expect(try peer.readFrame() == .response(1, []))
            let credentials = try #require(live.service.credentials)
            #expect(credentials.uid == getuid())
            #expect(credentials.gid == getgid())
            #expect(credentials.pid == getpid())
            var groups = [gid_t](repeating: 0, count: Int(getgroups(0, nil)))
            _ = getgroups(Int32(groups.count), &groups)
            #expect(Set(credentials.groups) == Set(groups))
        }
    }

    @Test("a socket without a peer has no credentials")
    func noCredentials() {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(PeerCredentials(ofPeerAt: descriptor) == nil)
        #expect(PeerCredentials(ofPeerAt: -1) == nil)
    }

    @Test("a frame of 5 MiB is discarded, refused on its stream, and the connection lives")
    func tooLarge() async throws {
        try await LiveServer.run { live in
            let peer = try RawPeer(to: live.path)
            try peer.write(Frame(type: .request, streamID: 1, data: [UInt8](repeating: 0, count: 5 << 20)).bytes)
            try peer.write(.request("Echo", 3, [3]))
            #expect(try peer.readFrame()?.status?.code == .resourceExhausted)
            #expect(try peer.readFrame() == .response(3, [3]))
        }
    }

    @Test("the largest frame there may be comes through")
    func largest() async throws {
        try await LiveServer.run { live in
            let peer = try RawPeer(to: live.path)
            let names = RequestEnvelope(service: "test.Script", method: "Echo", payload: [1]).encoded().count - 3
            let payload = [UInt8](repeating: 5, count: (4 << 20) - names - 5)
            try peer.write(.request("Echo", 1, payload))
            #expect(try peer.readFrame() == .response(1, payload))
        }
    }

    @Test("a connection that ends within a frame is closed, and others live")
    func halfFrame() async throws {
        try await LiveServer.run { live in
            let other = try RawPeer(to: live.path)
            try other.write(.request("Echo", 1))
            _ = try other.readFrame()
            let peer = try RawPeer(to: live.path)
            try peer.write(Array(Frame.request("Echo", 1).bytes.dropLast()))
            peer.finishWriting()
            #expect(peer.readsEnd())
            await live.service.events.wait(for: .closed(.truncatedFrame))
            try other.write(.request("Echo", 3))
            #expect(try other.readFrame() == .response(3, []))
        }
    }

    @Test("random bytes do no harm")
    func randomBytes() async throws {
        try await LiveServer.run { live in
            for _ in 0..<50 {
                let peer = try RawPeer(to: live.path)
                let noise = (0..<Int.random(in: 1...400)).map { _ in UInt8.random(in: 0...255) }
                try peer.write(noise)
            }
            let peer = try RawPeer(to: live.path)
            try peer.write(.request("Echo", 1))
            #expect(try peer.readFrame() == .response(1, []))
        }
    }

    @Test("requests of clients that hang up at once are served, even after their user's turn is over")
    func hangsUp() async throws {
        try await LiveServer.run { live in
            let count = 300
            var peers = try (0..<count).map { _ in try RawPeer(to: live.path) }
            await live.service.events.wait(for: .opened(connection: UInt64(count)))
            // The server does not look at its sockets before all have hung up.
            let gate = DispatchSemaphore(value: 0)
            live.eventLoop.execute { gate.wait() }
            for (number, peer) in peers.enumerated() { try peer.write(.request("Echo", UInt32(2 * number + 1))) }
            peers = []
            gate.signal()
            func happened(_ isCounted: (ScriptedService.Event) -> Bool) -> Int {
                live.service.events.all.count(where: isCounted)
            }
            while happened({ if case .closed = $0 { true } else { false } }) < count { await Task.yield() }
            #expect(happened { if case .requested = $0 { true } else { false } } == count)
        }
    }

    @Test("a refused client gets the reason, and is disconnected")
    func refusal() async throws {
        try await LiveServer.run(refusal: Status(.resourceExhausted, "too many of you")) { live in
            let peer = try RawPeer(to: live.path)
            try peer.write(.request("Echo", 1))
            #expect(try peer.readFrame()?.status == Status(.resourceExhausted, "too many of you"))
            #expect(peer.readsEnd())
        }
    }

    @Test("a client that never reads is disconnected after the write deadline, and its queue stays limited")
    func writeDeadline() async throws {
        try await LiveServer.run(writeDeadline: .milliseconds(200)) { live in
            let peer = try RawPeer(to: live.path)
            try peer.write(.request("Flood", 1, [255]))
            await live.service.events.wait(for: .closed(.writeDeadline))
            #expect(live.service.events.all.contains(.ended(streamID: 1)))
            _ = peer
        }
    }

    @Test("a client that asks without reading is no longer read from")
    func backPressure() async throws {
        try await LiveServer.run(writeDeadline: .milliseconds(300)) { live in
            let peer = try RawPeer(to: live.path)
            let payload = [UInt8](repeating: 1, count: 50_000)
            // Far more than the socket's buffers and the backlog hold: the write ends because the server closes.
            #expect(throws: (any Error).self) {
                for number in 0..<100_000 as Range<UInt32> { try peer.write(.request("Echo", number * 2 + 1, payload)) }
            }
            await live.service.events.wait(for: .closed(.writeDeadline))
            let requests = live.service.events.all.count
            #expect(requests < 200)
        }
    }

    @Test("the service is told of a slow client, which gets everything once it reads, and is served on")
    func drained() async throws {
        try await LiveServer.run { live in
            let peer = try RawPeer(to: live.path)
            try peer.write(.request("Flood", 1, [128]))
            await live.service.events.wait(for: .requested(method: "Flood", streamID: 1))
            try peer.write(.request("Echo", 3, [3]))
            let wave = Frame.message(1, [UInt8](repeating: 7, count: 4096))
            var waves = 0
            var others: [Frame?] = []
            while others.count < 2 {
                let frame = try peer.readFrame()
                if frame == wave { waves += 1 } else { others.append(frame) }
            }
            #expect(waves == 128 * 16)
            #expect(Set(others) == [.response(3, [3]), .endOfData(1)])
            #expect(live.service.events.all.contains(.drained))
        }
    }

    @Test("closing the server sends what is queued, closes every connection, and removes the file")
    func closing() async throws {
        try await withTemporaryDirectory { directory in
            let service = ScriptedService()
            let server = try await start(on: .path(directory + "/s", mode: 0o600), service)
            let peer = try RawPeer(to: directory + "/s")
            let payload = [UInt8](repeating: 9, count: 3 << 20)
            try peer.write(.request("Echo", 1, payload))
            await service.events.wait(for: .requested(method: "Echo", streamID: 1))
            #expect(server.connectionCount == 1)
            async let closed: Void = server.close()
            #expect(try peer.readFrame() == .response(1, payload))
            #expect(peer.readsEnd())
            try await closed
            #expect(service.events.all.last == .closed(.closedHere))
            #expect(server.connectionCount == 0)
            #expect(mode(of: directory + "/s") == nil)
        }
    }

    @Test("after listening has stopped, connections live on")
    func stopListening() async throws {
        try await LiveServer.run { live in
            let peer = try RawPeer(to: live.path)
            try peer.write(.request("Echo", 1))
            #expect(try peer.readFrame() == .response(1, []))
            try await live.server.stopListening()
            try await live.server.stopListening()
            #expect(throws: (any Error).self) { try RawPeer(to: live.path) }
            try peer.write(.request("Echo", 3))
            #expect(try peer.readFrame() == .response(3, []))
        }
    }

    // MARK: The socket file

    @Test("the file has the mode that was asked for, whatever the umask", arguments: [0o600, 0o660, 0o666] as [UInt16])
    func mode(mode: UInt16) async throws {
        try await withTemporaryDirectory { directory in
            let server = try await start(on: .path(directory + "/s", mode: mode))
            #expect(self.mode(of: directory + "/s") == S_IFSOCK | mode_t(mode))
            try await server.close()
        }
    }

    @Test("a stale socket file is replaced")
    func stale() async throws {
        try await withTemporaryDirectory { directory in
            let (_, descriptor) = try SocketFile.bind(to: directory + "/s", mode: 0o600)
            close(descriptor)  // as if its process had died
            let server = try await start(on: .path(directory + "/s", mode: 0o600))
            _ = try RawPeer(to: directory + "/s")
            try await server.close()
        }
    }

    @Test("a socket somebody listens on is left alone")
    func inUse() async throws {
        try await LiveServer.run { live in
            await #expect(throws: ListeningError.inUse(path: live.path)) {
                _ = try await start(on: .path(live.path, mode: 0o600))
            }
            _ = try RawPeer(to: live.path)
        }
    }

    @Test("a file that is no socket is left alone")
    func notASocket() async throws {
        try await withTemporaryDirectory { directory in
            close(open(directory + "/s", O_CREAT | O_WRONLY, 0o600))
            await #expect(throws: ListeningError.notASocket(path: directory + "/s")) {
                _ = try await start(on: .path(directory + "/s", mode: 0o600))
            }
            #expect(mode(of: directory + "/s") == S_IFREG | 0o600)
        }
    }

    @Test("a path that is too long and one without a directory give different errors")
    func badPaths() async throws {
        let long = "/tmp/" + String(repeating: "x", count: 103)
        await #expect(throws: ListeningError.pathTooLong(path: long, limit: 107)) {
            _ = try await start(on: .path(long, mode: 0o600))
        }
        await #expect(throws: ListeningError.failed(path: "/nowhere/s", call: "bind", errno: ENOENT)) {
            _ = try await start(on: .path("/nowhere/s", mode: 0o600))
        }
    }

    @Test("another server's socket file in the same place is not removed")
    func replacedFile() async throws {
        try await withTemporaryDirectory { directory in
            let first = try await start(on: .path(directory + "/s", mode: 0o600))
            rename(directory + "/s", directory + "/t")
            let second = try await start(on: .path(directory + "/s", mode: 0o600))
            try await first.close()
            _ = try RawPeer(to: directory + "/s")
            try await second.close()
            #expect(mode(of: directory + "/s") == nil)
        }
    }

    @Test("an inherited socket is served, and its file left to its owner")
    func inherited() async throws {
        try await withTemporaryDirectory { directory in
            let (_, descriptor) = try SocketFile.bind(to: directory + "/s", mode: 0o600)
            listen(descriptor, 16)
            let early = try RawPeer(to: directory + "/s")  // before the server is up, as with socket activation
            try early.write(.request("Echo", 1, [1]))
            let server = try await start(on: .inherited(descriptor))
            #expect(try early.readFrame() == .response(1, [1]))
            try await server.close()
            #expect(mode(of: directory + "/s") != nil)
        }
    }

    @Test("two thousand connections are served, and all are gone after")
    func manyConnections() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let count = min(2000, Int(limit.rlim_cur) / 2 - 100)
        try await LiveServer.run { live in
            var peers: [RawPeer] = []
            for _ in 0..<count { peers.append(try RawPeer(to: live.path)) }
            for peer in peers { try peer.write(.request("Echo", 1, [1])) }
            for peer in peers { #expect(try peer.readFrame() == .response(1, [1])) }
            #expect(live.server.connectionCount == count)
        }
    }

    @Test("running out of descriptors does not end the listener")
    func outOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            try await LiveServer.run { live in
                let served = try RawPeer(to: live.path)
                try served.write(.request("Echo", 1))
                _ = try served.readFrame()
                let waiting = try RawPeer(to: live.path)
                // No descriptor is left for the server to accept this one: it waits, and nothing breaks.
                var old = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &old)
                let another = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
                var low = old
                low.rlim_cur = rlim_t(another)
                close(another)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
                try served.write(.request("Echo", 3))
                guard try served.readFrame() == .response(3, []) else { exit(1) }
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &old)
                try waiting.write(.request("Echo", 1))
                guard try waiting.readFrame() == .response(1, []) else { exit(2) }
                let late = try RawPeer(to: live.path)
                try late.write(.request("Echo", 1))
                guard try late.readFrame() == .response(1, []) else { exit(3) }
            }
        }
    }

    @Test("a client that falls behind within messages sent together is reported once the kernel has taken them")
    func backlogWithinTogether() async throws {
        try await LiveServer.run(limits: ConnectionLimits(backlogBytes: 64)) { live in
            let client = try await live.connect()
            let streams = [try await client.stream("Open"), try await client.stream("Open")]
            await live.service.events.wait(for: .requested(method: "Open", streamID: 3))
            let wasBacklogged = try await live.eventLoop.submit { [service = live.service] in
                guard let connection = service.connection() else { return false }
                var wasBacklogged = false
                connection.together {
                    connection.send(1, shared: SharedMessage([UInt8](repeating: 7, count: 1000)))
                    wasBacklogged = connection.isBacklogged
                }
                return wasBacklogged
            }.get()
            #expect(wasBacklogged)
            await live.service.events.wait(for: .drained)
            await client.close()
            withExtendedLifetime(streams) {}
        }
    }
}
