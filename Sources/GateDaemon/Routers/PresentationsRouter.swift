import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// `gate.v1.Presentations`.
extension Router {
    mutating func addPresentations() {
        on(Methods.Presentations.register) { authority, request, call in
            if let refusal = authority.addStream(call.stream, .presenter, of: call.session) {
                return call.fail(refusal)
            }
            authority.openPresenter(request.abilities, call)
        }
        onCommand(Methods.Presentations.claim) {
            .claim(presentation: $0.id)
        } answer: {
            $0.presentation.map { ClaimResponse(presentation: $0) }
        }
        onCommand(Methods.Presentations.report) {
            .report($0.cookie, $0.input)
        } answer: { _ in
            ReportResponse()
        }
        onCommand(Methods.Presentations.complete, isSecret: true) {
            .complete($0.cookie, $0.answer)
        } answer: {
            CompleteResponse(revision: $0.revision, state: $0.modeState, result: $0.completion)
        }
        onCommand(Methods.Presentations.dismiss) {
            .dismiss($0.cookie)
        } answer: {
            DismissResponse(revision: $0.revision, state: $0.modeState)
        }
        onCommand(Methods.Presentations.awaitClosing) {
            .awaitClosing($0.cookie)
        } answer: {
            AwaitClosingResponse(revision: $0.revision, state: $0.modeState, result: $0.completion)
        }
        onCommand(Methods.Presentations.withdraw) {
            .withdraw(presentation: $0.id)
        } answer: {
            WithdrawResponse(revision: $0.revision)
        }
        on(Methods.Presentations.list) { authority, _, call in
            call.answer(
                ListPresentationsResponse(presentations: authority.durable.presentations(visibleTo: call.peer)))
        }
    }
}

extension Authority.Settled {
    /// What a right answer, or the state, led to, for a requester that presents its own.
    fileprivate var completion: CompleteResponse.Result? {
        switch reply {
        case .presentation(let next): .next(next)
        case .granted(let grant): .grant(grant)
        case .done, .waiting, .entitled, .claimed, .form, .responded, .whatsNew, .redeemed, .count, .refused,
            .recovered:
            nil
        }
    }
}
