import GateCore
import GateModel
import Logging
import NIOCore

/// The facts that the core has to hear of sooner or later, even where a commit fails: who is gone, and what has ended.
/// A commit that fails takes the state back to what is durable, which may remember what has long ended.
struct Reconciliation {
    /// Peers that are gone, for as long as the core may remember them, by connection.
    var departed: [UInt64: Peer] = [:]
    /// Facts that were told, and lost with a commit.
    var unheard: [(fact: Command, peer: Peer)] = []
    var isScheduled = false

    var isEmpty: Bool { departed.isEmpty && unheard.isEmpty }
}

extension Authority {
    /// Tells the core of something that has happened outside it; nobody waits for an answer.
    func report(_ fact: Command, as peer: Peer) {
        submit(fact, as: peer) { [self] result in
            guard case .failure(let error) = result else { return }
            if error.reason == .storeFailed {
                reconciliation.unheard.append((fact.afterLostCommit, peer))
                reconcileLater()
            } else if error.reason != .stopping {
                logger.error("the core refused a fact: \(error)")
            }
        }
    }

    /// A peer is gone, and what it asked for or showed with it. Where the core does not remember it, nothing changes.
    /// - Parameter hasUnsettledCommands: the core may have to go back to where it did remember it.
    func reportDeparture(of peer: Peer, hasUnsettledCommands: Bool) {
        guard !isStopping else { return }
        if hasUnsettledCommands || durable.connections.contains(peer.connection) {
            reconciliation.departed[peer.connection] = peer
        }
        guard head.connections.contains(peer.connection) else { return }
        report(.peerDisconnected, as: peer)
    }

    /// Everything that was applied is durable: who is still remembered now will be until a departure is recorded.
    func forgetDeparted() {
        guard !reconciliation.departed.isEmpty, isQueueIdle else { return }
        let remembered = durable.connections
        reconciliation.departed = reconciliation.departed.filter { remembered.contains($0.key) }
    }

    /// At most once in the interval: a disk that is full stays full for a while.
    func reconcileLater() {
        guard !reconciliation.isScheduled, !reconciliation.isEmpty, !isStopping else { return }
        reconciliation.isScheduled = true
        eventLoop.scheduleTask(in: TimeAmount(limits.reconcileInterval)) {
            self.assumeIsolated { $0.reconcile() }
        }
    }

    private func reconcile() {
        reconciliation.isScheduled = false
        guard !isStopping else { return }
        let facts = reconciliation.unheard
        reconciliation.unheard = []
        let departed = reconciliation.departed
        // What was a departed peer's goes with its departure.
        for (fact, peer) in facts where departed[peer.connection] == nil { report(fact, as: peer) }
        for connection in head.connections.sorted() {
            if let peer = departed[connection] { report(.peerDisconnected, as: peer) }
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
            .addClaim, .revokeClaim, .submit, .reportProvider, .requestPaywall, .openForm, .editForm, .saveForm,
            .loadForm, .completeForm, .discardForm, .withdrawResponse, .requestForm, .showWhatsNew,
            .acknowledgeWhatsNew,
            .resetWhatsNew, .register, .unregister, .claim, .report, .complete, .dismiss, .awaitClosing, .withdraw,
            .recover, .backUp, .restore, .start, .closeForDamage,
            .deadlineReached, .peerDisconnected, .callEnded, .configure:
            self
        }
    }
}
