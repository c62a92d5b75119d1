import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension RandomWalk {
    /// Checks the queue after each step.
    func checkQueue(_ state: GateState) {
        let queued = state.queue.open.filter { state.requests[$0.request]?.presentsItself == false }
        let asked = queued.filter { !$0.isCover }
        #expect(state.queue.open.count == state.requests.open.count, "each request has one presentation")
        #expect(queued.count == state.queue.queuedCount && asked.count <= 24)
        #expect(queued.dropLast().allSatisfy { !$0.isCover }, "the cover is the last")
        // Each presenter is a screen with one presentation, and nothing waits while a presenter that it is for is free.
        let holders = queued.compactMap { $0.holder?.peer.connection }
        #expect(Set(holders).count == holders.count, "a presenter shows one at a time")
        for (connection, presenter) in state.queue.presenters {
            let abilities = presenter.abilities
            let shown = state.queue.presentation(forPresenter: connection)
            #expect(shown?.stage != .waiting)
            guard shown == nil else { continue }
            for open in queued where open.stage == .waiting && open.step.isQuestion && !open.step.isForGrownUpPresenters
            {
                #expect(!abilities.kinds.contains(open.step.kind) || !abilities.styles.contains(open.style))
            }
        }
        let ownRequesters = asked.filter(\.asked.device.isEmpty).compactMap { state.requests[$0.request]?.requester }
        #expect(ownRequesters.count { !$0.isAdministrator && !$0.isGrownUpPresenter } <= 12)
        #expect(ownRequesters.count { !$0.isAdministrator } <= 16 && ownRequesters.count <= 20)
        #expect(queued.map(\.rank) == queued.map(\.rank).sorted(), "the mode comes next, for everybody")
        for open in state.queue.open {
            // No presentation waits for a screen that does not exist.
            let isShowable =
                open.check != nil || open.isCover
                // Guardians were asked, and may still answer.
                || (open.isAskedElsewhere && state.hasGuardiansElsewhere)
                // It was paid for, or somebody signed in: its requester is about to wait for it, and gets the result.
                || (open.step.isClosedByState && state.requests[open.request]?.presentsItself == true)
                || (state.requests[open.request].map { state.canShow(open, of: $0) } ?? false)
            #expect(isShowable, "nobody can show \(open.name)")
            if let holder = open.holder, open.step.isForGrownUpPresenters {
                #expect(holder.peer.isGrownUpPresenter || state.requests[open.request]?.presentsItself == true)
            }
        }
    }
}
