import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// `gate.v1.Watch`.
extension Router {
    mutating func addWatch() {
        on(Methods.Watch.watch) { authority, request, call in
            guard !request.topics.isEmpty else {
                let text = "'topics' is empty. Name at least one topic, like TOPIC_MODE."
                return call.fail(GateError(.invalidArgument, .invalidRequest, text))
            }
            guard !authority.isOverdue() else {
                return call.fail(.recordingHangs)
            }
            if let refusal = authority.addStream(call.stream, .watch, of: call.session) {
                return call.fail(refusal)
            }
            authority.watches.add(
                call.streamKey, of: call.session, topics: Topics(request.topics), after: request.after,
                state: authority.durable)
        }
        on(Methods.Watch.audit) { authority, request, call in
            let refusal =
                call.refusalToNonAdministrator(to: "read the journal")
                ?? request.after.flatMap { authority.refusalToResume(after: $0) }
                ?? authority.addStream(call.stream, .audit, of: call.session)
            if let refusal { return call.fail(refusal) }
            authority.openAudit(call.number, request, as: call.streamKey, of: call.session)
        }
    }
}

extension Authority {
    /// Why the journal can't be read on from a revision: it is of a store that was replaced since. That the journal was
    /// cut shorter is found when it is read.
    func refusalToResume(after: Revision) -> GateError? {
        guard after.epoch == durable.revision.epoch, after.number <= durable.revision.number else {
            return GateError(
                .outOfRange, .compacted,
                "Revision \(after) is not of this store (epoch \(durable.revision.epoch)). Read the journal from its "
                    + "beginning.", parameters: ["oldest": "0"])
        }
        return nil
    }
}
