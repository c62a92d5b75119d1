import GateCore
import GateModel

/// The facts that the core has to hear of sooner or later, even where a commit fails: who is gone, and what has ended.
/// A commit that fails takes the state back to what is durable, which may remember what has long ended.
///
/// Confined to the event loop.
final class Reconciliation {
    /// Peers that are gone, for as long as the core may remember them, by connection.
    private(set) var departed: [UInt64: Peer] = [:]
    /// Facts that were told, and lost with a commit.
    private var unheard: [(fact: Command, peer: Peer)] = []
    private var isScheduled = false

    var isEmpty: Bool { departed.isEmpty && unheard.isEmpty }

    /// A peer is gone, and what it asked for or showed with it. Where the core does not remember it, nothing changes.
    /// - Parameter hasUnsettledCommands: the core may have to go back to where it did remember it.
    func peerDeparted(_ peer: Peer, hasUnsettledCommands: Bool, by pipeline: CommandPipeline) {
        guard !pipeline.context.isStopping else { return }
        if hasUnsettledCommands || pipeline.durable.connections.contains(peer.connection) {
            departed[peer.connection] = peer
        }
        guard pipeline.head.connections.contains(peer.connection) else { return }
        pipeline.report(.daemon(.peerDisconnected), as: peer)
    }

    /// A fact was told, and lost with its commit.
    func lost(_ fact: Command, of peer: Peer, by pipeline: CommandPipeline) {
        unheard.append((fact.afterLostCommit, peer))
        goOnLater(by: pipeline)
    }

    /// Everything that was applied is durable: who is still remembered now will be until a departure is recorded.
    func forgetDeparted(by pipeline: CommandPipeline) {
        guard !departed.isEmpty, pipeline.isIdle else { return }
        let remembered = pipeline.durable.connections
        departed = departed.filter { remembered.contains($0.key) }
    }

    /// At most once in the interval: a disk that is full stays full for a while.
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
        // What was a departed peer's goes with its departure.
        for (fact, peer) in facts where departed[peer.connection] == nil { pipeline.report(fact, as: peer) }
        for connection in pipeline.head.connections.sorted() {
            if let peer = departed[connection] { pipeline.report(.daemon(.peerDisconnected), as: peer) }
        }
    }
}

extension Command {
    fileprivate var afterLostCommit: Command {
        if case .daemon(let fact) = self { .daemon(fact.afterLostCommit) } else { self }
    }
}
