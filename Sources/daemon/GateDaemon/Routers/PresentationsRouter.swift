import GateCore
import GateModel
import GateProtocol

struct PresentationsRouter: ServiceRouter {
    let sessions: Sessions
    let publisher: Publisher
    let subjects: Subjects

    func addMethods(to router: inout Router) {
        router.on(Methods.Presentations.register) { request, call in
            if let refusal = sessions.addStream(call.stream, .presenter, of: call.session) {
                return call.fail(refusal)
            }
            publisher.presenters.open(request.abilities, call, in: sessions)
        }
        router.onCommand(Methods.Presentations.claim) {
            .presentations(.claim(presentation: $0.id))
        } answer: {
            $0.presentation.map { ClaimResponse(presentation: $0) }
        }
        router.on(Methods.Presentations.report) { request, call throws(GateError) in
            if request.input == .restore, !publisher.watches.hasProvider(besides: call.session) { throw .noProvider }
            sessions.pipeline.submit(.presentations(.report(request.cookie, request.input)), for: call) { _ in
                ReportResponse()
            }
        }
        let pipeline = sessions.pipeline
        router.on(Methods.Presentations.complete, isSecret: true) { request, call in
            pipeline.submit(.presentations(.complete(request.cookie, request.answer)), for: call) { settled in
                if let gone = gone(settled) { return call.fail(gone) }
                call.answer(
                    CompleteResponse(
                        revision: settled.revision, state: settled.modeState, result: settled.completion))
            }
        }
        router.onCommand(Methods.Presentations.dismiss) {
            .presentations(.dismiss($0.cookie))
        } answer: {
            DismissResponse(revision: $0.revision, state: $0.modeState)
        }
        router.on(Methods.Presentations.awaitClosing) { request, call in
            pipeline.submit(.presentations(.awaitClosing(request.cookie)), for: call) { settled in
                if let gone = gone(settled) { return call.fail(gone) }
                call.answer(
                    AwaitClosingResponse(
                        revision: settled.revision, state: settled.modeState, result: settled.completion))
            }
        }
        router.onCommand(Methods.Presentations.withdraw) {
            .presentations(.withdraw(presentation: $0.id))
        } answer: {
            WithdrawResponse(revision: $0.revision)
        }
        router.on(Methods.Presentations.list) { _, call in
            call.answer(
                ListPresentationsResponse(presentations: pipeline.durable.presentations(visibleTo: call.peer)))
        }
    }

    private func gone(_ settled: CommittedReply) -> GateError? {
        guard case .granted(let grant) = settled.reply else { return nil }
        return subjects.gone(sessions.pipeline.durable.subject(of: grant))
    }
}

extension CommittedReply {
    /// The result of an answer: the next presentation, or the grant, if the requester shows its own presentations.
    fileprivate var completion: CompleteResponse.Result {
        switch reply {
        case .presentation(let next): .next(next)
        case .granted(let grant): .grant(grant)
        case .done, .waiting, .entitled, .claimed, .form, .responded, .keptPart, .whatsNew, .redeemed, .count, .refused,
            .challenge, .obeyed, .sending, .answering,
            .recovered:
            .done
        }
    }
}

extension GateError {
    fileprivate static let noProvider = GateError(
        .failedPrecondition, .notSetUp,
        "No program on this device can ask a store now, so Gate did not look for the purchase. `gatectl doctor` says what is wrong.",
        parameters: ["what": "provider"])
}
