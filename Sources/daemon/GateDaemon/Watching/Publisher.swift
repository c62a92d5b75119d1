import GateCore
import Logging

/// Tells everyone of what is durable: the status page, presenters, watchers, and readers of the journal.
///
/// Confined to the event loop.
final class Publisher {
    private let context: LoopContext
    /// `nil` if there is no status page.
    private var page: StatusPageWriter?
    let presenters = PresenterHub()
    let watches: WatchHub
    let audits: AuditHub

    init(_ context: LoopContext, audits: AuditHub) {
        self.context = context
        self.audits = audits
        watches = WatchHub(context)
    }

    /// Makes the status page, from which every process can read what is durable. If that fails, the failure is logged.
    func openPage(in directory: String, saying durable: GateState) {
        do throws(StatusPageError) {
            page = try StatusPageWriter.make(in: directory, saying: durable.onPage(by: context.clock))
        } catch {
            context.logger.warning(
                """
                the status page could not be made, so programs that read it take the mode to be child; all others are \
                served. Make \(directory) a directory of this user alone (mode 0755) with room in it, and start gated again
                """,
                metadata: ["error": "\(error)"])
        }
    }

    func endPage() {
        page?.end()
    }

    /// Publishes what became durable together: first on the status page, then to presenters, watchers, and readers of
    /// the journal.
    /// - Parameters:
    ///   - changes: the transitions that made a new revision.
    ///   - states: the state before the first of them, and the state after each.
    ///   - durable: the state after all transitions. Some change only what is not stored, such as which peers present.
    ///   - later: the connections whose presenters are told later.
    func publish(
        _ changes: [Transition], _ states: [GateState], durable: GateState, butPresentersOf later: Set<UInt64>
    ) {
        page?.show(durable.onPage(by: context.clock))
        presenters.publish(durable) { !later.contains($0) }
        guard !changes.isEmpty else { return }
        context.statistics.transitions += UInt64(changes.count)
        watches.publish(states)
        for transition in changes { audits.publish(transition) }
    }
}
