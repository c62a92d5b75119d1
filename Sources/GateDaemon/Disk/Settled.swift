import GateCore
import GateModel

extension Authority {
    /// The material of an answer: the reply, and the durable state that it is true in.
    struct Settled {
        /// Never `waiting`.
        let reply: Reply
        let revision: Revision
        let state: GateState
    }

    /// A change that somebody is about to be told, with the durable state before and after.
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
