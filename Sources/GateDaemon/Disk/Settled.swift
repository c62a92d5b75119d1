import GateCore
import GateModel

extension Authority {
    /// What an answer is made of: the reply, and the state that it is true in, which is durable.
    struct Settled {
        /// Never `waiting`.
        let reply: Reply
        let revision: Revision
        let state: GateState
    }

    /// What somebody is about to be told, and the durable state before and after.
    struct Witnessed {
        let outcome: Result<Transition, GateError>
        let before: GateState
        let after: GateState
        let peer: Peer

        init(_ outcome: Result<Transition, GateError>, _ before: GateState, _ after: GateState, _ peer: Peer) {
            (self.outcome, self.before, self.after, self.peer) = (outcome, before, after, peer)
        }
    }
}
