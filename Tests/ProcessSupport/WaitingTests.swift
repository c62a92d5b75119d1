import Foundation
public import Testing

/// For tests that wait for processes, or block at a socket: they do so on threads of their own. On those that all tests share they would keep
/// the others from going on, and some of these have only so much time.
public struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
    }
}

extension Trait where Self == WaitingTests {
    /// Runs the tests where they may wait.
    public static var waitsForProcesses: Self { WaitingTests() }
}

/// A few threads, so that not too many processes run at once, but more than there are tests that wait for a task of
/// their own.
private final class WaitingThreads: TaskExecutor {
    static let shared = WaitingThreads()

    private let queue = OperationQueue()

    private init() {
        queue.maxConcurrentOperationCount = 4 * ProcessInfo.processInfo.activeProcessorCount
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
