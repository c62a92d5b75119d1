import GateCore
import GateModel
import GateProtocol

struct ReleaseNotesRouter: ServiceRouter {
    let pipeline: CommandPipeline

    func addMethods(to router: inout Router) {
        router.onCommand(Methods.ReleaseNotes.show) {
            .releaseNotes(.showWhatsNew(app: $0.app, $0.version, own: $0.notes, presenting: $0.presenting))
        } answer: { settled in
            let result =
                settled.whatsNewOutcome.map { ShowReleaseNotesResponse.Result.outcome($0) }
                ?? settled.presentation.map { .presentation($0) }
            return result.map { ShowReleaseNotesResponse(revision: settled.revision, result: $0) }
        }
        router.onRead(Methods.ReleaseNotes.get) { request, call throws(GateError) in
            GetReleaseNotesResponse(
                entry: try pipeline.durable.whatsNew(
                    in: request.app, request.version, own: request.notes, for: call.peer))
        }
        router.onCommand(Methods.ReleaseNotes.acknowledge) {
            .releaseNotes(.acknowledgeWhatsNew(app: $0.app, $0.version, own: $0.notes))
        } answer: {
            AcknowledgeReleaseNotesResponse(revision: $0.revision)
        }
        router.onCommand(Methods.ReleaseNotes.reset) {
            .releaseNotes(.resetWhatsNew(app: $0.app))
        } answer: { settled in
            settled.count.map { ResetReleaseNotesResponse(revision: settled.revision, count: $0) }
        }
        router.onRead(Methods.ReleaseNotes.list) { request, call throws(GateError) in
            let page = try Page(of: pipeline.durable.releaseNotes(for: call.peer), for: request, pipeline.limits) {
                PageKey(name: $0.notes.app)
            }
            return ListReleaseNotesResponse(
                page.elements.map { ReleaseNotesSummary($0.notes, seen: $0.seen) },
                nextPageToken: page.nextToken)
        }
    }
}

extension CommittedReply {
    fileprivate var whatsNewOutcome: WhatsNewOutcome? {
        guard case .whatsNew(let outcome) = reply else { return nil }
        return outcome
    }
}

extension ReleaseNotesSummary {
    fileprivate init(_ notes: ReleaseNotes, seen: [AppVersion]) {
        self.init(
            app: notes.app, newest: notes.entries.map(\.version).max() ?? AppVersion(0, 0, 0),
            entryCount: notes.entries.count, seen: seen)
    }
}
