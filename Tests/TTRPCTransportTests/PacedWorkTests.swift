import Epoll
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPCTransport

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Notices when something could be read.
private final class Ear: EpollSource {
    private let heard: () -> Void

    init(_ heard: @escaping () -> Void) {
        self.heard = heard
    }

    func ready(_ readiness: Readiness) { heard() }
}

@Suite("Long work in pieces")
struct PacedWorkTests {
    /// Work that takes longer than the pause.
    private static func takeLong() {
        let end = ContinuousClock.now + .microseconds(100)
        while ContinuousClock.now < end {}
    }

    @Test("sockets are read while two kinds of long work go on, and both get on")
    func sockets() async throws {
        let (pieces, readAt) = (1000, NIOLockedValueBox<Int?>(nil))
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer {
            close(input)
            close(output)
        }
        let loop = try EpollLoop(name: "paced work")
        let done = NIOLockedValueBox(0)
        let ended = loop.makePromise(of: Void.self)
        let watch = try await loop.submit {
            let ear = Ear { readAt.withLockedValue { $0 = $0 ?? done.withLockedValue { $0 } } }
            let watch = try loop.watch(input, for: .readable, ear)
            let work = PacedWork(eventLoop: loop)
            func goOn() {
                Self.takeLong()
                loop.execute { Self.takeLong() }
                let count = done.withLockedValue { done in
                    done += 1
                    return done
                }
                if count == 1 { _ = write(output, "!", 1) }
                if count <= pieces { return work.later(goOn) }
                // The last piece of the other chain comes, and ends here too.
                if count == pieces + 2 { ended.succeed() }
            }
            work.later(goOn)
            work.later(goOn)
            return watch
        }.get()
        try await ended.futureResult.get()
        try await loop.submit { loop.forget(watch) }.get()
        await loop.end()
        let read = try #require(readAt.withLockedValue { $0 })
        #expect(read < 100, "read after \(read) pieces")
    }

    @Test("pieces are done in order, one after each pause")
    func order() {
        let loop = EmbeddedEventLoop()
        let work = PacedWork(eventLoop: loop)
        var done: [Int] = []
        for piece in 0..<3 { work.later { done.append(piece) } }
        #expect(done.isEmpty)
        for count in 1...3 {
            loop.advanceTime(by: PacedWork.pause)
            #expect(done == [Int](0..<count))
        }
    }
}
