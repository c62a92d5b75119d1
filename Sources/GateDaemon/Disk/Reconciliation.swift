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
        pipeline.report(.peerDisconnected, as: peer)
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
            if let peer = departed[connection] { pipeline.report(.peerDisconnected, as: peer) }
        }
    }
}

extension Command {
    /// The command for the same fact when its commit was lost. Whether a secret was right must not be found out by filling
    /// the disk, so then it could not be checked, whatever it was.
    fileprivate var afterLostCommit: Command {
        switch self {
        case .secretChecked(let presentation, _): .secretChecked(presentation: presentation, .failed)
        case .passwordChecked(let id, _): .passwordChecked(id, .failed)
        case .toggle, .cancel, .lock, .extend, .override, .authorize, .redeem, .revoke, .clearLockouts, .setPasscode,
            .setTOTP, .removeSecret, .logIn, .logOut, .registerAccount, .changePassword, .setPassword, .removeAccount,
            .confirmAccount,
            .addClaim, .revokeClaim, .submit, .reportProvider, .reportOffers, .requestPaywall, .openForm, .labelDraft,
            .announceSuggestion, .editForm,
            .saveForm,
            .loadForm, .completeForm, .discardForm, .withdrawResponse, .savePart, .labelPart, .removePart,
            .requestForm, .showWhatsNew,
            .acknowledgeWhatsNew,
            .resetWhatsNew, .register, .unregister, .claim, .report, .complete, .dismiss, .awaitClosing, .withdraw,
            .recover, .backUp, .restore, .start, .closeForDamage,
            .deadlineReached, .peerDisconnected, .callEnded, .configure, .openHousehold, .applyList,
            .takeHouseholdPolicy, .takeDeviceKey,
            .execute,
            .sendCommand, .obeyHomeAssistant, .reachBroker, .receiveRequests, .answerRequest:
            self
        }
    }
}
