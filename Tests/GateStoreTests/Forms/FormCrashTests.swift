import GateCore
import GateModel
import Glibc
import Synchronization
import Testing

@testable import GateStore

@Suite("Drafts survive kill -9")
struct FormCrashTests {
    @Test(
        "after a kill a draft is as after its last confirmed change or a later one, and never between two",
        arguments: [1, 40, 200])
    func killed(confirmations: Int) async throws {
        let scene = try Scene()
        let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
            [directory = scene.directory as String, confirmations] in
            try changeFormsUntilKilled(directory: directory, confirmations: confirmations)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let confirmed = try #require(lines.last.flatMap { UInt64($0) })
        #expect(lines.count >= confirmations)

        let (store, records, outcome) = try scene.open()
        defer { store.close() }
        #expect(outcome == .opened)
        #expect(records.revision.number >= confirmed)
        var walk = FormWalk(DurableRecords(revision: Revision(epoch: records.revision.epoch, number: 0)))
        while walk.records.revision.number < records.revision.number { _ = walk.next() }
        #expect(walk.records == records)
        for (digest, byteCount) in records.attachments {
            #expect(try store.attachment(digest, offset: 0, count: .max)?.piece.count == byteCount)
        }
    }
}

/// The same changes in every process.
private struct FormWalk {
    var records: DurableRecords
    private var changes = RecordChanges(random: SplitMix(state: 4711))

    init(_ records: DurableRecords) {
        self.records = records
    }

    mutating func next() -> Transition {
        let transition = records.next((0..<8).map { _ in changes.nextOfForms() })
        records.apply(transition)
        return transition
    }
}

/// Commits batches, tells each, and is killed by a second thread at whatever point it has then reached.
private func changeFormsUntilKilled(directory: String, confirmations: Int) throws {
    let (store, records, _) = try GateStore.open(directory: directory, bootID: Scene.boot, now: Scene.now)
    var walk = FormWalk(records)
    let confirmed = ConfirmedChanges(target: confirmations)
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let confirmed = Unmanaged<ConfirmedChanges>.fromOpaque(argument).takeRetainedValue()
            while confirmed.count.load(ordering: .acquiring) < confirmed.target { sched_yield() }
            kill(getpid(), SIGKILL)
            return nil
        }, Unmanaged.passRetained(confirmed).toOpaque())
    while true {
        try store.commit((0..<2).map { _ in walk.next() })
        let line = Array("\(walk.records.revision.number)\n".utf8)
        guard write(STDOUT_FILENO, line, line.count) == line.count else { return }
        confirmed.count.add(1, ordering: .releasing)
    }
}

/// Shared by the two threads of the child.
private final class ConfirmedChanges: Sendable {
    let count = Atomic(0)
    let target: Int

    init(target: Int) {
        self.target = target
    }
}
