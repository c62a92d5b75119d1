import Synchronization

/// Passes on the outcomes of publications. libmosquitto numbers them, and reports by number on another thread.
final class Acknowledgements: Sendable {
    typealias Hear = @Sendable (PublishOutcome) -> Void

    enum Sent {
        case number(CInt)
        case refused(String)
        case lost
    }

    private struct Content {
        var waiting: [CInt: Hear] = [:]
        /// Outcomes that came before `wait` knew the number: the broker can be quicker than this program.
        var early: [CInt: PublishOutcome] = [:]
        var sendingCount = 0
        var isLost = false
    }

    private let content = Mutex(Content())

    /// Sends a publication with `send`, and passes its outcome to `hear`, once and on any thread.
    func wait(_ hear: @escaping Hear, for send: () -> Sent) {
        content.withLock { $0.sendingCount += 1 }
        let sent = send()
        let outcome: PublishOutcome? = content.withLock { content in
            defer {
                content.sendingCount -= 1
                if content.sendingCount == 0 { content.early = [:] }
            }
            switch sent {
            case .number(let number):
                if let outcome = content.early.removeValue(forKey: number) { return outcome }
                if content.isLost { return .lost }
                content.waiting[number] = hear
                return nil
            case .refused(let reason): return .refused(reason)
            case .lost: return .lost
            }
        }
        if let outcome { hear(outcome) }
    }

    func arrived(_ number: CInt, _ outcome: PublishOutcome) {
        let hear = content.withLock { content -> Hear? in
            if let hear = content.waiting.removeValue(forKey: number) { return hear }
            if content.sendingCount > 0 { content.early[number] = outcome }
            return nil
        }
        hear?(outcome)
    }

    /// The connection has ended: everything that waits, and everything that is sent later, is `lost`.
    func connectionLost() {
        let waiting = content.withLock { content in
            content.isLost = true
            defer { content.waiting = [:] }
            return content.waiting
        }
        for hear in waiting.values { hear(.lost) }
    }
}
