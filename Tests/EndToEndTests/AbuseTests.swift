import Foundation
import ProcessSupport
import Testing

/// A hostile or broken peer harms neither the daemon nor other peers.
@Suite("Misbehaving peers", .serialized, .waitsForProcesses)
struct AbuseTests {
    @Test("random bytes cost that connection alone")
    func randomBytes() throws {
        let gate = try RunningGate()
        let bystander = try RawPeer(gate.socket)
        for seed in 1...40 {
            var random = SystemRandomNumberGenerator()
            let peer = try RawPeer(gate.socket)
            peer.write((0..<(seed * 100)).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            #expect(bystander.isServed(stream: UInt32(seed * 2 + 1)))
        }
        #expect(try gate.gatectl("ping").status == 0)
    }

    /// SO_PASSRIGHTS, which kernels have since Linux 6.16.
    private static let kernelRefusesDescriptors: Bool = {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var isAllowed: CInt = 0
        return setsockopt(descriptor, SOL_SOCKET, 83, &isAllowed, socklen_t(MemoryLayout<CInt>.size)) == 0
    }()

    @Test(
        "a peer that sends a descriptor is refused, since closing the descriptor could block the daemon",
        .enabled(if: kernelRefusesDescriptors, "the kernel is older than Linux 6.16"))
    func descriptors() throws {
        let gate = try RunningGate()
        let program = """
            import array, os, socket, sys
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(sys.argv[1])
            sent = array.array("i", [os.open("/dev/null", os.O_RDONLY)])
            try:
                peer.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])
                print("sent")
            except PermissionError:
                print("refused")
            """
        let sender = try ChildProcess("/usr/bin/env", ["python3", "-c", program, gate.socket], hasInput: false)
        #expect(try sender.ended().output == "refused\n")
    }

    @Test(
        "a peer with more groups than anybody has is not let in",
        .enabled(if: geteuid() == 0, "only root has that many"))
    func groups() throws {
        let gate = try RunningGate(isOpenToOthers: true)
        let program = """
            import os, socket, sys
            os.setgroups(range(int(sys.argv[2])))
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(sys.argv[1])
            peer.settimeout(60)
            try:
                peer.sendall(bytes.fromhex("%s"))
                print(len(peer.recv(10)))
            except (ConnectionResetError, BrokenPipeError):
                print(0)
            """
        let request = RawPeer.request(stream: 1, "gate.v1.Mode", "GetMode").map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        for (count, answer) in [(1000, "10\n"), (2000, "0\n")] {
            let text = program.replacingOccurrences(of: "%s", with: request.joined())
            let peer = try ChildProcess(
                "/usr/bin/env", ["python3", "-c", text, gate.socket, "\(count)"], hasInput: false)
            #expect(try peer.ended().output == answer)
        }
    }

    @Test("an incomplete frame is waited for, and dropped when its sender leaves")
    func halfFrames() throws {
        let gate = try RunningGate()
        let whole = RawPeer.request(stream: 1, "gate.v1.Mode", "GetMode")
        for cut in stride(from: 1, to: whole.count, by: 5) {
            let peer = try RawPeer(gate.socket)
            peer.write(Array(whole[..<cut]))
        }
        let slow = try RawPeer(gate.socket)
        for byte in whole { slow.write([byte]) }
        let answer = try #require(slow.read())
        #expect(answer.stream == 1 && answer.type == 2 && RawPeer.code(answer) == nil)
    }

    @Test("a frame of 5 MiB is refused on its stream, and the connection lives")
    func tooLarge() throws {
        let gate = try RunningGate()
        let peer = try RawPeer(gate.socket)
        let size = 5 << 20
        #expect(peer.write(RawPeer.frame(stream: 1, type: 1, flags: 0, data: [UInt8](repeating: 0, count: size))))
        let refusal = try #require(peer.read())
        #expect(refusal.stream == 1 && RawPeer.code(refusal) == 8)
        #expect(peer.isServed(stream: 3))
    }

    @Test("a frame that announces 4 GiB takes no memory")
    func claimedLength() throws {
        let gate = try RunningGate()
        let before = try gate.anonymousBytes()
        var peers: [RawPeer] = []
        for _ in 0..<50 {
            let peer = try RawPeer(gate.socket)
            peer.write(RawPeer.frame(stream: 1, type: 1, flags: 0, data: [1, 2, 3], length: Int(UInt32.max)))
            peers.append(peer)
        }
        #expect(try gate.gatectl("ping").status == 0)
        #expect(try gate.anonymousBytes() < before + (32 << 20))
    }

    @Test("bad ids, data on closed streams and malformed payloads are refused on their own streams alone")
    func badStreams() throws {
        let gate = try RunningGate()
        let peer = try RawPeer(gate.socket)
        func refused(_ bytes: [UInt8], _ stream: UInt32, _ code: UInt8) throws {
            peer.write(bytes)
            let answer = try #require(peer.read())
            #expect(answer.stream == stream)
            #expect(RawPeer.code(answer) == code)
        }
        try refused(RawPeer.request(stream: 2, "gate.v1.Mode", "GetMode"), 2, 3)
        try refused(RawPeer.frame(stream: 77, type: 3, flags: 0, data: [1]), 77, 3)
        try refused(RawPeer.frame(stream: 5, type: 1, flags: 0, data: [0xff, 0xff]), 5, 3)
        try refused(RawPeer.request(stream: 7, "gate.v1.Mode", "Toggle", payload: [0xff]), 7, 3)
        try refused(RawPeer.request(stream: 9, "gate.v1.Mode", "Nope"), 9, 12)
        try refused(RawPeer.request(stream: 11, "gate.v1.Nope", "Get"), 11, 12)
        peer.write(RawPeer.frame(stream: 13, type: 9, flags: 0, data: []))
        #expect(peer.isServed(stream: 15))
    }

    @Test(
        "a peer that asks much faster than it reads gets its answers when it reads, and takes little memory meanwhile")
    func neverTakesItsAnswers() throws {
        let gate = try RunningGate()
        let before = try gate.anonymousBytes()
        let describe = RawPeer.request(stream: 1, "gate.v1.Control", "Describe")
        var greedy: [RawPeer] = []
        var asked = 0
        for _ in 0..<50 {
            let peer = try RawPeer(gate.socket)
            // Makes the server's reads large.
            peer.write(RawPeer.frame(stream: 1, type: 9, flags: 0, data: [UInt8](repeating: 0, count: 1 << 20)))
            asked = peer.flood(with: describe)
            greedy.append(peer)
        }
        #expect(try gate.gatectl("ping").status == 0)
        #expect(try gate.anonymousBytes() < before + (64 << 20))
        // Every request is answered in the end. (The last frame may have been cut.)
        let last = try #require(greedy.last)
        for _ in 0..<asked { #expect(try #require(last.read()).type == 2) }
    }

    @Test("an incomplete frame that is too large for any request is not kept")
    func almostWhole() throws {
        let gate = try RunningGate()
        let before = try gate.anonymousBytes()
        var peers: [RawPeer] = []
        for _ in 0..<50 {
            let peer = try RawPeer(gate.socket)
            let size = 4 << 20
            peer.write(
                RawPeer.frame(
                    stream: 1, type: 1, flags: 0, data: [UInt8](repeating: 0, count: size - 100), length: size))
            peers.append(peer)
        }
        #expect(try gate.gatectl("ping").status == 0)
        #expect(try gate.anonymousBytes() < before + (32 << 20))
    }

    @Test("a reused stream id gets no page of the journal that was for its first use")
    func reusedStream() throws {
        let gate = try RunningGate()
        let peer = try RawPeer(gate.socket)
        let audit = RawPeer.request(stream: 1, "gate.v1.Watch", "Audit", payload: [0x10, 0x01], flags: 1)
        let cancel = RawPeer.request(stream: 3, "gate.v1.Control", "Cancel", payload: [0x08, 0x01])
        for _ in 0..<20 { peer.write(audit + cancel + audit + audit + audit) }
        #expect(peer.isServed(stream: 5))
        #expect(try gate.gatectl("ping").status == 0)
    }

    @Test("a call that ended before its answer was durable does not affect the next call with its id")
    func reusedCall() throws {
        let gate = try RunningGate()
        let toggle = RawPeer.request(stream: 1, "gate.v1.Mode", "Toggle", payload: [0x08, 0x01])
        let cancel = RawPeer.request(stream: 3, "gate.v1.Control", "Cancel", payload: [0x08, 0x01])
        let watch = RawPeer.request(stream: 1, "gate.v1.Watch", "Watch", payload: [0x0a, 0x01, 0x01], flags: 1)
        let get = RawPeer.request(stream: 1, "gate.v1.Mode", "GetMode")
        // The first call was cancelled, so its question reaches nobody, and the second call gets an answer of its own.
        // On a busy machine the disk may be faster than the cancellation; then the first call has its answer, and the
        // next round tries again.
        var wasGivenUp = false
        for _ in 0..<50 where !wasGivenUp {
            let first = try RawPeer(gate.socket)
            first.write(toggle + cancel + RawPeer.request(stream: 1, "gate.v1.Control", "GetVersion"))
            var answers: [RawPeer.Frame] = []
            while answers.count < 3 { answers.append(try #require(first.read())) }
            let ofFirst = answers.filter { $0.stream == 1 }
            wasGivenUp = RawPeer.code(ofFirst[0]) == 1
            #expect(String(decoding: ofFirst[1].data, as: UTF8.self).contains("ttrpc 1.2"))
        }
        #expect(wasGivenUp)
        // Whatever is sent on that id next, the daemon goes on.
        for between in [get, cancel] {
            for next in [watch, RawPeer.request(stream: 1, "gate.v1.Mode", "Lock")] {
                let peer = try RawPeer(gate.socket)
                peer.write(toggle + between + next)
                #expect(peer.isServed(stream: 5))
            }
        }
        #expect(try gate.gatectl("ping").status == 0)
    }

    @Test("an orderly stop does not wait for a peer that never reads")
    func stopWithDeafPeers() throws {
        let gate = try RunningGate()
        let peer = try RawPeer(gate.socket)
        peer.flood(with: RawPeer.request(stream: 1, "gate.v1.Control", "Describe"))
        #expect(try gate.stop() == 0)
    }

    @Test("there is room for all descriptors from the start, so the kernel never has to make any while others wait")
    func roomForDescriptors() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let gate = try RunningGate()
        try eventually("there is room for 4,096 connections") {
            try gate.roomForDescriptors() >= Int(min(limit.rlim_max, 4096))
        }
    }

    @Test("2,000 connections of one user: those past the limit are told so, others are served, and memory comes back")
    func manyConnections() throws {
        // The limit is raised and never lowered: other tests of this process may have higher descriptors open, and with
        // one of those above the limit no process can be started.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let gate = try RunningGate()
        var before = 0
        for round in 1...3 {
            var peers: [RawPeer] = []
            for _ in 0..<2000 { if let peer = try? RawPeer(gate.socket) { peers.append(peer) } }
            #expect(peers[0].isServed())
            let served = peers[..<1000].filter { $0.isServed(stream: 103) }.count
            #expect(served == 1000)
            let last = try #require(peers.last)
            last.write(RawPeer.request(stream: 1, "gate.v1.Mode", "GetMode"))
            // The peer gets the reason, or can't connect at all.
            if let answer = last.read() { #expect(RawPeer.code(answer) == 8) }
            peers = []
            try eventually("the connections are gone") {
                try gate.gatectl("status").status == 0
            }
            // The first round leaves behind memory that the allocator keeps; later rounds may not add to it.
            let after = try gate.anonymousBytes()
            if round == 1 { before = after }
            #expect(after < before + (8 << 20))
        }
    }

    @Test("a watcher that never reads delays nobody, and takes no memory for what it misses")
    func neverReads() throws {
        let gate = try RunningGate()
        let watch = RawPeer.request(stream: 1, "gate.v1.Watch", "Watch", payload: [0x0a, 0x01, 0x01], flags: 1)
        let deaf = try RawPeer(gate.socket)
        deaf.write(watch)
        #expect(try #require(deaf.read()).type == 3)
        let attentive = try RawPeer(gate.socket)
        attentive.write(watch)
        #expect(try #require(attentive.read()).type == 3)
        // An administrator's override and a lock in turn: each is a change that every watcher hears.
        let administrator = try RawPeer(gate.socket)
        let override: [UInt8] = [0x08, 0x03, 0x1a, 0x01, 0x78]
        let before = try gate.anonymousBytes()
        for round in 0..<2000 {
            let stream = UInt32(round * 4 + 1)
            administrator.write(RawPeer.request(stream: stream, "gate.v1.Mode", "OverrideMode", payload: override))
            administrator.write(RawPeer.request(stream: stream + 2, "gate.v1.Mode", "Lock"))
            for _ in 0..<2 {
                let answer = try #require(administrator.read())
                #expect(RawPeer.code(answer) == nil)
                #expect(try #require(attentive.read()).type == 3)
            }
        }
        #expect(try gate.anonymousBytes() < before + (16 << 20))
    }
}
