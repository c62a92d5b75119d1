import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// The methods of `gate.v1.Presentations`: showing presentations to people.
struct PresentationsRouter: ServiceRouter {
    let sessions: Sessions
    let publisher: Publisher

    func addMethods(to router: inout Router) {
        router.on(Methods.Presentations.register) { request, call in
            if let refusal = sessions.addStream(call.stream, .presenter, of: call.session) {
                return call.fail(refusal)
            }
            publisher.presenters.open(request.abilities, call, in: sessions)
        }
        router.onCommand(Methods.Presentations.claim) {
            .claim(presentation: $0.id)
        } answer: {
            $0.presentation.map { ClaimResponse(presentation: $0) }
        }
        router.on(Methods.Presentations.report) { request, call throws(GateError) in
            if request.input == .restore, !publisher.watches.hasProvider(besides: call.session) { throw .noProvider }
            sessions.pipeline.submit(.report(request.cookie, request.input), for: call) { _ in ReportResponse() }
        }
        router.onCommand(Methods.Presentations.complete, isSecret: true) {
            .complete($0.cookie, $0.answer)
        } answer: {
            CompleteResponse(revision: $0.revision, state: $0.modeState, result: $0.completion)
        }
        router.onCommand(Methods.Presentations.dismiss) {
            .dismiss($0.cookie)
        } answer: {
            DismissResponse(revision: $0.revision, state: $0.modeState)
        }
        router.onCommand(Methods.Presentations.awaitClosing) {
            .awaitClosing($0.cookie)
        } answer: {
            AwaitClosingResponse(revision: $0.revision, state: $0.modeState, result: $0.completion)
        }
        router.onCommand(Methods.Presentations.withdraw) {
            .withdraw(presentation: $0.id)
        } answer: {
            WithdrawResponse(revision: $0.revision)
        }
        router.on(Methods.Presentations.list) { _, call in
            call.answer(
                ListPresentationsResponse(presentations: sessions.pipeline.durable.presentations(visibleTo: call.peer)))
        }
    }
}

extension Settled {
    /// The result of an answer: the next presentation, or the grant, for a requester that shows its own presentations.
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
        "No program on this device asks a store now, so no payment can be looked for. `gatectl doctor` says what is wrong.",
        parameters: ["what": "provider"])
}
