package import GateCore
package import GateModel

/// Tests ask for one part of what a presenter is told.
extension GateState {
    package func presentation(forPresenter connection: UInt64) -> PresentationSummary? {
        queue.presentation(forPresenter: connection)
    }

    package func elsewhere(forPresenter connection: UInt64) -> PresentationElsewhere? {
        queue.elsewhere(forPresenter: connection)
    }

    package func isCovered(forPresenter connection: UInt64) -> Bool { queue.offer(to: connection).isCovered }
}

extension PresentationQueue {
    package func presentation(forPresenter connection: UInt64) -> PresentationSummary? {
        offer(to: connection).presentation
    }

    package func elsewhere(forPresenter connection: UInt64) -> PresentationElsewhere? {
        offer(to: connection).elsewhere
    }
}
