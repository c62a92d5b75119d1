import Glibc
import NIOCore
import TTRPC
import Testing

@testable import TTRPCTransport

@Suite("The send queue of one peer")
struct SendQueueTests {
    private static func frame(_ count: Int, _ byte: UInt8) -> ByteBuffer {
        ByteBuffer(bytes: [UInt8](repeating: byte, count: count))
    }

    @Test("a frame with one byte left is not overtaken by the next, and its end is reported")
    func lastByte() {
        let socket = StandInSocket()
        var queue = SendQueue(to: socket, limits: ConnectionLimits())
        socket.room = 9
        #expect(queue.sendAtOnce(Self.frame(10, 1)) == .sentPart)
        #expect(queue.byteCount == 1 && queue.taken == 9 && socket.isAwaitingRoom)
        // There is room again, and the kernel has not said so yet.
        socket.room = nil
        #expect(queue.sendAtOnce(Self.frame(10, 2)) == .notSent)
        queue.flush()
        #expect(queue.settle() == .waiting)
        queue.roomCame()
        queue.flush()
        #expect(queue.settle() == .empty(owesDrained: false))
        #expect(queue.sendAtOnce(Self.frame(2, 2)) == .sent)
        #expect(socket.taken() == [[UInt8](repeating: 1, count: 9), [1], [2, 2]])
    }

    @Test("frames of any size, shared or not, are sent in order, wherever the kernel cuts them")
    func order() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let socket = StandInSocket()
            var queue = SendQueue(to: socket, limits: ConnectionLimits())
            var (expected, sent): ([UInt8], [UInt8]) = ([], [])
            for byte in 0..<UInt8(40) {
                let frame = Self.frame([1, 20, 1024, 1025, 9000].randomElement(using: &generator)!, byte)
                socket.room = [0, 1, 500, 1024, 20_000, nil].randomElement(using: &generator)!
                switch UInt8.random(in: 0..<4, using: &generator) {
                case 0: queue.append { $0.writeImmutableBuffer(frame) }
                case 1: queue.append(shared: frame)
                case 2: if queue.sendAtOnce(frame) == .notSent { queue.append(shared: frame) }
                default:
                    queue.append { $0.writeImmutableBuffer(frame) }
                    queue.roomCame()
                    queue.flush()
                }
                expected += frame.readableBytesView
                sent += socket.taken().flatMap(\.self)
                #expect(queue.byteCount == expected.count - sent.count && queue.taken == sent.count)
            }
            socket.room = nil
            queue.roomCame()
            queue.flush()
            #expect(sent + socket.taken().flatMap(\.self) == expected && queue.isEmpty)
        }
    }

    @Test("waiting frames are sent in one system call, a shared one among them")
    func together() {
        let socket = StandInSocket()
        var queue = SendQueue(to: socket, limits: ConnectionLimits())
        queue.append(shared: Self.frame(10, 1))
        queue.append { $0.writeBytes([2]) }
        queue.append(shared: Self.frame(10, 3))
        queue.flush()
        #expect(socket.taken().map(\.count) == [21])
    }

    @Test("a backlog and a queue over its limit are noticed, and the end is reported once when all is sent")
    func backlog() {
        let socket = StandInSocket()
        var queue = SendQueue(to: socket, limits: ConnectionLimits(backlogBytes: 10, maximumQueuedBytes: 20))
        socket.room = 0
        queue.append(shared: Self.frame(11, 1))
        #expect(queue.noteBacklog() && !queue.isOverLimit && !queue.isSettled)
        queue.append(shared: Self.frame(10, 1))
        #expect(queue.isOverLimit)
        queue.flush()
        socket.room = nil
        queue.roomCame()
        queue.flush()
        #expect(!queue.isSettled)
        #expect(queue.settle() == .empty(owesDrained: true) && queue.settle() == .empty(owesDrained: false))
    }

    @Test("after a failure nothing is sent any more")
    func failure() throws {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let socket = PeerSocket(ends[0], on: nil)
        var queue = SendQueue(to: socket, limits: ConnectionLimits())
        close(ends[1])
        #expect(queue.sendAtOnce(Self.frame(10, 1)) == .notSent)
        queue.append(shared: Self.frame(10, 1))
        queue.flush()
        #expect(queue.settle() == .failed(EPIPE))
        socket.close()
    }
}
