import GateCore
import GateModel
import GateProtocol
import GateStore
import NIOCore
import TTRPCTransport

/// The peers that read the journal. Confined to the event loop.
final class AuditHub {
    private struct Reader {
        /// The number of its call. An earlier reader with this stream id, whose page may be on its way, had another.
        let number: UInt64
        let session: PeerSession
        /// Only this many of the newest entries are sent at first; `nil`: all.
        var last: Int?
        /// True while it reads the oldest part of the journal, where a full journal has pruned entries. Gaps are
        /// expected only there and only for a reader that began with the oldest entry kept.
        var isBeforeWhole: Bool
        var machine: AuditStateMachine
    }

    private let store: any StateStore
    private let thread: SharedThread
    private let pageSize: Int
    private var readers: [StreamKey: Reader] = [:]

    init(store: any StateStore, thread: SharedThread, pageSize: Int) {
        (self.store, self.thread, self.pageSize) = (store, thread, pageSize)
    }

    func open(
        _ number: UInt64, _ request: AuditRequest, as key: StreamKey, of session: PeerSession, in sessions: Sessions
    ) {
        let after = request.after?.number
        readers[key] = Reader(
            number: number, session: session, last: request.last, isBeforeWhole: after == nil,
            machine: AuditStateMachine(after: after ?? 0, follows: request.follow))
        readPage(key, after: after, sessions)
    }

    func remove(_ key: StreamKey) {
        readers[key] = nil
    }

    func drained(_ key: StreamKey, in sessions: Sessions) {
        next(readers[key]?.machine.drained() ?? .wait, for: key, sessions)
    }

    func publish(_ transition: Transition) {
        guard !readers.isEmpty, !transition.audit.isEmpty else { return }
        let shared = SharedMessage(AuditResponse(revision: transition.revision, entries: transition.audit).encoded())
        for key in readers.keys {
            guard let connection = readers[key]?.session.connection else { continue }
            switch readers[key]?.machine
                .changed(number: transition.revision.number, isBacklogged: connection.isBacklogged)
            {
            case .send: connection.send(key.stream, shared: shared)
            case .leave, nil: break
            }
        }
    }

    private func next(_ next: AuditStateMachine.Next, for key: StreamKey, _ sessions: Sessions) {
        switch next {
        case .wait:
            break
        case .read(let number):
            readPage(key, after: number, sessions)
        case .end:
            guard let reader = readers[key] else { return }
            sessions.forget(key.stream, of: reader.session)
            reader.session.connection.finish(key.stream)
        }
    }

    /// - Parameter number: read the entries after this revision; `nil`: from the oldest entry kept.
    private func readPage(_ key: StreamKey, after number: UInt64?, _ sessions: Sessions) {
        guard let reader = readers[key] else { return }
        let (call, last, isBeforeWhole) = (reader.number, reader.last, reader.isBeforeWhole)
        // When the page is read, the store holds at least everything up to this revision.
        let stored = sessions.pipeline.durable.revision.number
        thread.urgently { [store, pageSize] in
            Result { () throws(GateError) in
                let read: AuditPage
                do throws(StoreError) {
                    read = try store.audit(after: number, last: last, limit: pageSize)
                } catch {
                    throw .storeFailed(error)
                }
                guard isBeforeWhole || number.map({ $0 + 1 >= read.oldestNumber }) ?? true else {
                    throw .compacted(oldest: read.oldestNumber)
                }
                return read
            }
        } then: { [self] in
            pageRead($0, for: key, call, after: number, stored: stored, sessions)
        }
    }

    private func pageRead(
        _ result: Result<AuditPage, GateError>, for key: StreamKey, _ call: UInt64, after number: UInt64?,
        stored: UInt64, _ sessions: Sessions
    ) {
        // Dropped if the reader is gone, or another reader has its stream id.
        guard let reader = readers[key], reader.number == call else { return }
        switch result {
        case .failure(let error):
            sessions.end(key.stream, of: reader.session, error)
        case .success(let page):
            readers[key]?.last = nil
            let durable = sessions.pipeline.durable.revision
            var sent = number ?? 0
            for entries in page.entries.byRevision {
                sent = entries[0].number
                let revision = Revision(epoch: durable.epoch, number: sent)
                reader.session.connection.send(
                    key.stream, message: AuditResponse(revision: revision, entries: entries).encoded())
            }
            let through = page.isComplete ? max(sent, stored) : sent
            if through + 1 >= page.oldestNumber { readers[key]?.isBeforeWhole = false }
            next(
                readers[key]?.machine.pageSent(
                    through: through, isComplete: page.isComplete, durable: durable.number,
                    isBacklogged: reader.session.connection.isBacklogged) ?? .wait,
                for: key, sessions)
        }
    }
}

extension GateError {
    /// - Parameter oldest: the first revision from which on the journal is complete.
    fileprivate static func compacted(oldest: UInt64) -> GateError {
        GateError(
            .outOfRange, .compacted,
            "The journal no longer reaches back that far. The oldest revision to resume from is \(oldest - 1).",
            parameters: ["oldest": "\(oldest - 1)"])
    }
}

extension [AuditEntry] {
    /// The entries grouped by revision, since a reader is always sent whole revisions.
    fileprivate var byRevision: [[AuditEntry]] {
        var groups: [[AuditEntry]] = []
        for entry in self {
            if groups.last?.first?.number == entry.number {
                groups[groups.count - 1].append(entry)
            } else {
                groups.append([entry])
            }
        }
        return groups
    }
}
