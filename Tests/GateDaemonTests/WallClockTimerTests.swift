import CTimerFD
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import GateDaemon

@Suite("Noticing that the wall clock was set", .timeLimit(.minutes(10)))
struct WallClockTimerTests {
    /// Descriptors that can be read to their end when a test says so, as a timer's that is cancelled.
    private final class Timers: Sendable {
        private struct State {
            var writing: CInt?
            var made = 0
            var told = 0
            var isExhausted = false
        }

        private let state = NIOLockedValueBox(State())

        var made: Int { state.withLockedValue { $0.made } }
        var told: Int { state.withLockedValue { $0.told } }

        func make() -> CInt {
            state.withLockedValue { state in
                var ends: [CInt] = [0, 0]
                guard !state.isExhausted, pipe(&ends) == 0 else {
                    errno = EMFILE
                    return -1
                }
                state.writing = ends[1]
                state.made += 1
                return ends[0]
            }
        }

        func cancel() {
            state.withLockedValue { state in
                if let writing = state.writing { close(writing) }
                state.writing = nil
            }
        }

        func watch() async throws -> WallClockTimer {
            try await LiveGate.eventLoop.submit {
                WallClockTimer(on: LiveGate.eventLoop, makeTimer: self.make, wasSet: self.tell)
            }.get()
        }

        func exhaust() { state.withLockedValue { $0.isExhausted = true } }

        func tell() { state.withLockedValue { $0.told += 1 } }
    }

    @Test("every change of the clock is reported, and the timer is armed again")
    func toldEachTime() async throws {
        let timers = Timers()
        let watch = try await timers.watch()
        for count in 1...3 {
            #expect(timers.made == count)
            #expect(timers.told == count - 1)
            timers.cancel()
            try await PresenterTests.until { timers.told == count }
        }
        try await LiveGate.eventLoop.submit { watch.end() }.get()
        timers.cancel()
        try await LiveGate.eventLoop.submit {}.get()
        #expect(timers.told == 3)
        #expect(timers.made == 4)
    }

    @Test("a change of the clock is reported even if no new timer can be made")
    func noTimer() async throws {
        let timers = Timers()
        let watch = try await timers.watch()
        timers.exhaust()
        timers.cancel()
        try await PresenterTests.until { timers.told == 1 }
        try await LiveGate.eventLoop.submit { watch.end() }.get()
    }

    @Test("the daemon starts even if no timer can be made")
    func noneAtTheStart() async throws {
        let timers = Timers()
        timers.exhaust()
        let watch = try await timers.watch()
        #expect(timers.told == 0)
        try await LiveGate.eventLoop.submit { watch.end() }.get()
    }

    @Test("the kernel's timer exists, and reports nothing while the clock is not set")
    func kernelTimer() {
        let descriptor = clock_watch_create()
        #expect(descriptor >= 0)
        defer { close(descriptor) }
        var value: UInt64 = 0
        #expect(read(descriptor, &value, 8) == -1)
        #expect(errno == EAGAIN)
    }
}
