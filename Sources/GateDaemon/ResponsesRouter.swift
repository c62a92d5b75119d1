import GateCore
import GateForms
import GateModel
import GateProtocol

/// The methods of `gate.v1.Questionnaires` that are about what is kept, and about forms that somebody else fills in.
extension Router {
    mutating func addResponses() {
        onCommand(Methods.Questionnaires.save) {
            .saveForm(FormTarget($0.target))
        } answer: { settled in
            settled.responseID.map { SaveFormResponse(revision: settled.revision, responseID: $0) }
        }
        onCommand(Methods.Questionnaires.load) {
            .loadForm(FormTarget($0.target), at: $0.atRevision, response: $0.responseID)
        } answer: { settled in
            guard case .form(let change) = settled.reply else { return nil }
            return LoadFormResponse(revision: settled.revision, change: FormChangeMessage(change))
        }
        onCommand(Methods.Questionnaires.complete) {
            .completeForm(FormTarget($0.target), at: $0.atRevision)
        } answer: { settled in
            settled.responseID.map { CompleteFormResponse(revision: settled.revision, responseID: $0) }
        }
        onCommand(Methods.Questionnaires.withdrawResponse) {
            .withdrawResponse($0.responseID)
        } answer: {
            WithdrawResponseResponse(revision: $0.revision)
        }
        onCommand(Methods.Questionnaires.request) {
            .requestForm(name: $0.name)
        } answer: { settled in
            settled.responseID.map { RequestFormResponse(revision: settled.revision, responseID: $0) }
        }
        onList(Methods.Questionnaires.listResponses) { authority, request, call throws(GateError) in
            let responses = authority.durable.responses(visibleTo: call.peer).filter {
                request.name == nil || $0.name == request.name
            }
            let page = try Page(
                of: responses, size: request.pageSize, after: request.pageToken, limit: authority.limits.pageSize,
                hasGroups: false
            ) { PageKey(number: $0.id) }
            return ListResponsesResponse(responses: page.elements, nextPageToken: page.nextToken)
        }
        onList(Methods.Questionnaires.getResponse) { authority, request, call throws(GateError) in
            let kept = try authority.durable.response(request.responseID, for: call.peer)
            return GetResponseResponse(summary: kept.summary, response: ResponseWriter.json(kept.response))
        }
    }
}

extension Authority.Settled {
    fileprivate var responseID: UInt64? {
        guard case .responded(let id) = reply else { return nil }
        return id
    }
}

extension PageKey {
    /// By number: all of one length, so that they sort as text.
    fileprivate init(number: UInt64) {
        let digits = String(number)
        self.init(name: String(repeating: "0", count: 20 - digits.utf8.count) + digits)
    }
}
