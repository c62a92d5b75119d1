import GateCore
import GateModel
import GateProtocol

/// The methods of `gate.v1.Watch`: streams of changes and of the journal.
struct WatchRouter: ServiceRouter {
    let sessions: Sessions
    let publisher: Publisher
    private var pipeline: CommandPipeline { sessions.pipeline }

    func addMethods(to router: inout Router) {
        router.on(Methods.Watch.watch) { request, call in
            guard !request.topics.isEmpty else {
                return call.fail(
                    .invalid("topics", "'topics' is empty. Name at least one topic, like TOPIC_MODE."))
            }
            guard !pipeline.durable.isOverdue(pipeline.clock) else {
                return call.fail(.recordingHangs)
            }
            if let refusal = sessions.addStream(call.stream, .watch, of: call.session) {
                return call.fail(refusal)
            }
            publisher.watches.add(
                call.stream, of: call.session, topics: Topics(request.topics), after: request.after,
                state: pipeline.durable)
        }
        router.on(Methods.Watch.audit) { request, call in
            let refusal =
                call.refusalToNonAdministrator(to: "read the journal")
                ?? request.after.flatMap { refusalToResume(after: $0) }
                ?? sessions.addStream(call.stream, .audit, of: call.session)
            if let refusal { return call.fail(refusal) }
            publisher.audits.open(call.number, request, as: call.streamKey, of: call.session, in: sessions)
        }
    }

    /// Refuses to continue the journal from a revision of a store that was replaced since. If the journal was pruned
    /// past the revision, that is noticed when it is read.
    private func refusalToResume(after: Revision) -> GateError? {
        let durable = pipeline.durable.revision
        guard after.epoch == durable.epoch, after.number <= durable.number else {
            return GateError(
                .outOfRange, .compacted,
                "Revision \(after) is not of this store (epoch \(durable.epoch)). Read the journal from its "
                    + "beginning.", parameters: ["oldest": "0"])
        }
        return nil
    }
}
