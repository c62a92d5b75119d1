import GateCore
import GateModel
import Glibc
import Synchronization
import Testing

@testable import GateStore

@Suite("What was confirmed before kill -9 is there afterwards")
struct CrashTests {
    @Test("a daemon killed in the middle of commits has lost nothing that it confirmed", arguments: [1, 10, 300, 2000])
    func killed(confirmations: Int) async throws {
        let scene = try Scene()
        let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
            [directory = scene.directory as String, confirmations] in
            try commitUntilKilled(directory: directory, confirmations: confirmations)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        // A line that the kill cut off was not confirmed.
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let confirmed = lines.compactMap { $0.hasPrefix("confirmed ") ? UInt64($0.dropFirst(10)) : nil }
        #expect(confirmed.count >= confirmations)

        let (store, records, outcome) = try scene.open()
        #expect(outcome == .opened)
        let last = try #require(confirmed.last)
        #expect(records.revision.number >= last)
        #expect(records.revision.number <= last + 3)
        #expect(records.nextPresentation == records.revision.number + 1)
        var numbers: [UInt64] = []
        var page = try store.audit(after: nil, last: nil, limit: 5000)
        while true {
            numbers += page.entries.map(\.number)
            guard !page.isComplete else { break }
            page = try store.audit(after: numbers.last, last: nil, limit: 5000)
        }
        // Each revision has two entries, and none is missing or incomplete.
        #expect(numbers == (1...records.revision.number).flatMap { [$0, $0] })
    }
}

/// Commits batches of three, prints each, and is killed by a second thread at a random point.
private func commitUntilKilled(directory: String, confirmations: Int) throws {
    var (store, records, _) = try GateStore.open(directory: directory, bootID: Scene.boot, now: Scene.now)
    let confirmed = Confirmations()
    let killer = Unmanaged.passRetained(confirmed)
    confirmed.target = confirmations
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let confirmed = Unmanaged<Confirmations>.fromOpaque(argument).takeRetainedValue()
            while confirmed.count.load(ordering: .acquiring) < confirmed.target { sched_yield() }
            kill(getpid(), SIGKILL)
            return nil
        }, killer.toOpaque())
    while true {
        let batch = (0..<3).map { _ in
            let transition = records.next([.nextPresentationSet(records.nextPresentation + 1)], entries: 2)
            records.apply(transition)
            return transition
        }
        try store.commit(batch)
        let line = Array("confirmed \(records.revision.number)\n".utf8)
        guard write(STDOUT_FILENO, line, line.count) == line.count else { return }
        confirmed.count.add(1, ordering: .releasing)
    }
}

/// Shared by the two threads of the child; `target` is set before the second one starts.
private final class Confirmations: @unchecked Sendable {
    let count = Atomic(0)
    var target = 0
}
