import GateCore
import GateForms
import GateModel
import GateProtocol

/// The methods of `gate.v1.Questionnaires` that are about what is kept, and about forms that somebody else fills in.
extension Router {
    mutating func addResponses() {
        on(Methods.Questionnaires.save) { authority, request, call in
            let target = FormTarget(request.target)
            authority.submit(.saveForm(target), for: call, preparing: .keep(.inProgress), on: target) { settled in
                settled.responseID.map { SaveFormResponse(revision: settled.revision, responseID: $0) }
            }
        }
        on(Methods.Questionnaires.load) { authority, request, call in
            let (target, id) = (FormTarget(request.target), request.responseID)
            authority.submit(
                .loadForm(target, at: request.atRevision, response: id), for: call, preparing: .load(id), on: target
            ) { settled in
                settled.formChange.map { LoadFormResponse(revision: settled.revision, change: FormChangeOutcome($0)) }
            }
        }
        on(Methods.Questionnaires.complete) { authority, request, call in
            let target = FormTarget(request.target)
            authority.submit(
                .completeForm(target, at: request.atRevision), for: call, preparing: .keep(.completed), on: target
            ) { settled in
                settled.responseID.map { CompleteFormResponse(revision: settled.revision, responseID: $0) }
            }
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
        on(Methods.Questionnaires.getResponse) { authority, request, call in
            do throws(GateError) {
                let kept = try authority.durable.response(request.responseID, for: call.peer)
                // How large it is takes as long to find out as it takes to write it.
                authority.workOnForm(of: .max, for: call) {
                    GetResponseResponse(summary: kept.summary, response: ResponseWriter.json(kept.response))
                } then: {
                    call.answer($0)
                }
            } catch {
                call.fail(error)
            }
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
