import Epoll
import Glibc
import NIOCore
import Synchronization
import Testing

@testable import TTRPCTransport

/// An actor on the loop.
private actor Resident {
    private nonisolated let loop: EpollLoop
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ loop: EpollLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Waits until the loop has gone on.
    func wait() async {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            loop.execute { self.assumeIsolated { $0.resume() } }
        }
    }

    func pass() {}

    private func resume() {
        let resumed = waiting
        waiting = []
        for continuation in resumed { continuation.resume() }
    }
}

/// One end of a pipe, and the work for when it is ready.
private final class PipeEnd: EpollSource {
    let descriptor: CInt
    let writing: CInt
    var heard: () -> Void = {}

    init() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    func ready(_ readiness: Readiness) { heard() }
}

@Suite("The event loop", .timeLimit(.minutes(10)))
struct EpollLoopTests {
    @Test("tasks that call an actor on the loop come back, whether they run on the loop or not")
    func actors() async throws {
        let loop = try EpollLoop(name: "actors")
        let resident = Resident(loop)
        for _ in 0..<2000 {
            await resident.wait()
            await resident.pass()
        }
        let onLoop = Task(executorPreference: loop.tasks) {
            for _ in 0..<2000 {
                guard loop.inEventLoop else { return false }
                await resident.wait()
                await resident.pass()
            }
            return loop.inEventLoop
        }
        #expect(await onLoop.value)
        await loop.end()
    }

    @Test("timers fire in order, those of one moment in the order they were set, and cancelled ones never")
    func timers() async throws {
        let loop = try EpollLoop(name: "timers")
        let rung = Mutex<[Int]>([])
        let last = try await loop.submit {
            let now = NIODeadline.now()
            var timers: [(number: Int, timer: Scheduled<Void>)] = []
            for number in 0..<1000 {
                let deadline = now + .microseconds(Int64(number / 10 * 7 % 100) * 100)
                timers.append(
                    (number, loop.scheduleTask(deadline: deadline) { rung.withLock { $0.append(number) } }))
            }
            for (number, timer) in timers where number % 3 != 0 { timer.cancel() }
            return loop.scheduleTask(deadline: now + .milliseconds(20)) {}.futureResult
        }.get()
        try await last.get()
        func moment(_ number: Int) -> Int { number / 10 * 7 % 100 }
        let expected = (0..<1000).filter { $0 % 3 == 0 }.sorted { (moment($0), $0) < (moment($1), $1) }
        #expect(rung.withLock { $0 } == expected)
        await loop.end()
    }

    @Test("a forgotten descriptor gets no event, and a new one with its number none of the old")
    func forgotten() async throws {
        let loop = try EpollLoop(name: "forgotten")
        let heard = try await loop.submit {
            let heard = NIOLoopBoundBox<[String]>([], eventLoop: loop)
            let (first, second, third) = (try PipeEnd(), try PipeEnd(), try PipeEnd())
            let watches = [
                try loop.watch(first.descriptor, for: .readable, first),
                try loop.watch(second.descriptor, for: .readable, second),
            ]
            // Both are ready at once, and whichever is handled first forgets the other.
            for (end, other, name) in [(first, 1, "first"), (second, 0, "second")] {
                end.heard = {
                    heard.value.append(name)
                    loop.forget(watches[other])
                    loop.forget(watches[1 - other])
                    third.heard = { heard.value.append("third") }
                    _ = try? loop.watch(third.descriptor, for: .readable, third)
                }
                _ = write(end.writing, "!", 1)
            }
            return heard
        }.get()
        try await loop.scheduleTask(in: .milliseconds(50)) {}.futureResult.get()
        #expect(try await loop.submit { heard.value.count }.get() == 1)
        await loop.end()
    }

    @Test("at its end the loop does all earlier work, and later work fails")
    func end() async throws {
        let loop = try EpollLoop(name: "end")
        let done = Mutex(0)
        let timer = loop.scheduleTask(in: .hours(1)) {}
        let hasFailed = Mutex(false)
        timer.futureResult.whenFailure { error in
            hasFailed.withLock { $0 = error as? EventLoopError == .shutdown }
        }
        for _ in 0..<100 { loop.execute { done.withLock { $0 += 1 } } }
        await loop.end()
        #expect(done.withLock { $0 } == 100)
        #expect(hasFailed.withLock { $0 })
        loop.execute { done.withLock { $0 += 1 } }
        #expect(done.withLock { $0 } == 100)
    }
}
