import GateCore
import GateModel

/// Makes sure that the core learns of peers and calls that have ended, even if a commit fails. A failed commit takes
/// the state back to what is durable, and that may still contain what has ended since. Confined to the event loop.
final class Reconciliation {
    /// Closed peers that the core may still remember, by connection.
    private(set) var departed: [UInt64: Peer] = [:]
    /// Facts that were reported and lost with a failed commit.
    private var unheard: [(fact: Command, peer: Peer)] = []
    private var isScheduled = false

    var isEmpty: Bool { departed.isEmpty && unheard.isEmpty }

    /// Ends what a closed peer asked for or showed, if the core remembers the peer. With `hasUnsettledCommands`, a
    /// failed commit could take the core back to a state that remembers it.
    func peerDeparted(_ peer: Peer, hasUnsettledCommands: Bool, by pipeline: CommandPipeline) {
        guard !pipeline.context.isStopping else { return }
        if hasUnsettledCommands || pipeline.durable.connections.contains(peer.connection) {
            departed[peer.connection] = peer
        }
        guard pipeline.head.connections.contains(peer.connection) else { return }
        pipeline.report(.daemon(.peerDisconnected), as: peer)
    }

    func lost(_ fact: Command, of peer: Peer, by pipeline: CommandPipeline) {
        unheard.append((fact, peer))
        goOnLater(by: pipeline)
    }

    /// Drops the peers that the core has forgotten. It does so only while everything that was applied is durable,
    /// because then a failed commit can't bring one back.
    func forgetDeparted(by pipeline: CommandPipeline) {
        guard !departed.isEmpty, pipeline.isIdle else { return }
        let remembered = pipeline.durable.connections
        departed = departed.filter { remembered.contains($0.key) }
    }

    /// Reports everything again after `reconcileInterval`, and not earlier: a full disk stays full for a while.
    func goOnLater(by pipeline: CommandPipeline) {
        guard !isScheduled, !isEmpty, !pipeline.context.isStopping else { return }
        isScheduled = true
        pipeline.context.later(pipeline.limits.reconcileInterval) { [self] in goOn(by: pipeline) }
    }

    private func goOn(by pipeline: CommandPipeline) {
        isScheduled = false
        guard !pipeline.context.isStopping else { return }
        let facts = unheard
        unheard = []
        let departed = departed
        // The facts of a closed peer end with `peerDisconnected`.
        for (fact, peer) in facts where departed[peer.connection] == nil { pipeline.report(fact, as: peer) }
        for connection in pipeline.head.connections.sorted() {
            if let peer = departed[connection] { pipeline.report(.daemon(.peerDisconnected), as: peer) }
        }
    }
}
