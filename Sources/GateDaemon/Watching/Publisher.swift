import GateCore
import Logging

/// Everyone who is told what is durable: the status page, presenters, watchers, and those who read the journal.
///
/// Confined to the event loop.
final class Publisher {
    private let context: LoopContext
    /// `nil`: there is none.
    private var page: StatusPageWriter?
    let presenters = PresenterHub()
    let watches: WatchHub
    let audits: AuditHub

    init(_ context: LoopContext, audits: AuditHub) {
        self.context = context
        self.audits = audits
        watches = WatchHub(context)
    }

    /// Lets every process read what is durable. Where that can't be, the daemon serves without it.
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

    /// After a commit, before anybody else is told.
    func showOnPage(_ durable: GateState) {
        page?.show(durable.onPage(by: context.clock))
    }

    func endPage() {
        page?.end()
    }

    /// - Parameter states: before the first of the transitions that became durable together, and after each.
    func tellWatchers(_ states: [GateState]) {
        context.statistics.transitions += UInt64(states.count - 1)
        watches.publish(states)
    }
}
