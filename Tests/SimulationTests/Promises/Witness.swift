import GateCore
import GateModel

@testable import GateDaemon

/// Records what the daemon tells and answers.
final class Witness {
    private(set) var told: [Witnessed] = []
    private(set) var history = History()
    private(set) var broken: [String] = []
    private var answers: [(peer: Peer, reply: Reply)] = []
    private var possessions = Possessions()

    func takeAnswers() -> [(peer: Peer, reply: Reply)] {
        defer { answers = [] }
        possessions.forgetLost()
        return answers
    }

    func saw(_ told: Witnessed) {
        self.told.append(told)
        guard case .success(let transition) = told.outcome, transition.isChange else { return }
        history.published(told.after)
        if transition.restored != nil {
            possessions.lose(allBut: told.after.presentations(visibleTo: .daemon).map(\.id))
        }
    }

    /// Another daemon has started, so that earlier cookies and grants are invalid.
    func daemonStarted() {
        possessions = Possessions()
    }

    /// - Parameters:
    ///   - moment: when the call came.
    ///   - confirmed: the last revision that is on the disk.
    func answered(
        _ command: Command, of peer: Peer, at moment: BootTime, _ result: Result<CommittedReply, GateError>,
        confirmed: Revision
    ) {
        guard case .success(let settled) = result else { return }
        answers.append((peer, settled.reply))
        if settled.revision.number > confirmed.number { broken.append("\(command) was answered before it was durable") }
        do {
            if let last = history.last {
                try hold(settled.revision.number <= last.number, "\(command) was answered before it was published")
            }
            try possessions.used(by: command, of: peer, at: moment, settled.reply)
            try possessions.given(settled.reply, to: peer, at: moment)
            try checkRevocation(command, of: peer, settled.state)
        } catch {
            broken.append("\(error)")
        }
    }

    /// A grant that was revoked is gone once the revocation was confirmed. The yeses to asks stay.
    private func checkRevocation(_ command: Command, of peer: Peer, _ state: GateState) throws {
        guard case .authorization(.revoke(let uid, let gatedAction)) = command else { return }
        let left = state.records.keptGrants.keys.contains { key in
            key.ask == nil && key.uid == uid ?? peer.uid && (gatedAction ?? key.gatedAction) == key.gatedAction
        }
        try hold(!left, "a kept grant survived being revoked")
    }
}
