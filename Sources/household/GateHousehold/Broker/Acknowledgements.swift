import Synchronization

/// Publications that wait for the broker's word, by the numbers that libmosquitto gives them.
final class Acknowledgements: Sendable {
    typealias Hear = @Sendable (PublishOutcome) -> Void

    /// How handing over to libmosquitto has ended.
    enum Sent {
        case number(CInt)
        case refused(String)
        case lost
    }

    private struct Content {
        var waiting: [CInt: Hear] = [:]
        /// The broker can be quicker than this program, which then learns the number after the outcome.
        var early: [CInt: PublishOutcome] = [:]
        var sendingCount = 0
        var isLost = false
    }

    private let content = Mutex(Content())

    /// - Parameters:
    ///   - hear: is called once.
    ///   - send: hands the publication over.
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

    /// The last word: nothing is acknowledged any more.
    func connectionLost() {
        let waiting = content.withLock { content in
            content.isLost = true
            defer { content.waiting = [:] }
            return content.waiting
        }
        for hear in waiting.values { hear(.lost) }
    }
}
