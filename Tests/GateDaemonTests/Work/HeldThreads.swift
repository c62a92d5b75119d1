import Synchronization

@testable import GateDaemon

/// Threads whose work is done when the test says so.
final class HeldThreads: BlockingThreads {
    private let works = Mutex<[@Sendable () -> Void]>([])

    func submit(_ work: @escaping @Sendable () -> Void) { works.withLock { $0.append(work) } }

    func end() async {}

    func finishAll() {
        let all = works.withLock { works in
            defer { works = [] }
            return works
        }
        for work in all { work() }
    }

    var count: Int { works.withLock { $0.count } }
}
