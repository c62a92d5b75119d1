import Synchronization

/// Runs asynchronous code on the thread that waits for it, one job after the other: an input takes the same way every
/// time, and what it traps in is on the stack of the fuzzer.
final class CallingThreadExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// - Parameter body: waits for nothing but its own computations.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let executor = CallingThreadExecutor()
        let result = Result<Value>()
        Task(executorPreference: executor) {
            let value = await body()
            result.value.withLock { $0 = value }
        }
        while true {
            if let value = result.value.withLock({ $0 }) { return value }
            guard let job = executor.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                preconditionFailure("it waits for something else")
            }
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
        }
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
