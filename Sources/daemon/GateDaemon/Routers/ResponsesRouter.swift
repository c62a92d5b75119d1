import GateCore
import GateForms
import GateModel
import GateProtocol

/// The methods of `gate.v1.Questionnaires` for kept responses, and for forms that somebody else is asked to fill in.
struct ResponsesRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let forms: FormThread

    func addMethods(to router: inout Router) {
        router.on(Methods.Questionnaires.save) { request, call in
            let target = request.target
            forms.submit(.saveForm(target), for: call, preparing: .keep(.inProgress), on: target) { settled in
                settled.responseID.map { SaveFormResponse(revision: settled.revision, responseID: $0) }
            }
        }
        router.on(Methods.Questionnaires.load) { request, call in
            let (target, id) = (request.target, request.responseID)
            forms.submit(
                .loadForm(target, at: request.atRevision, response: id), for: call, preparing: .load(id), on: target
            ) { settled in
                settled.formChange.map { LoadFormResponse(revision: settled.revision, change: $0) }
            }
        }
        router.on(Methods.Questionnaires.complete) { request, call in
            let target = request.target
            forms.submit(
                .completeForm(target, at: request.atRevision), for: call, preparing: .keep(.completed), on: target
            ) { settled in
                settled.responseID.map { CompleteFormResponse(revision: settled.revision, responseID: $0) }
            }
        }
        router.onCommand(Methods.Questionnaires.withdrawResponse) {
            .forms(.withdrawResponse($0.responseID))
        } answer: {
            WithdrawResponseResponse(revision: $0.revision)
        }
        router.on(Methods.Questionnaires.request) { request, call in self.request(request, call) }
        router.onRead(Methods.Questionnaires.listResponses) { request, call throws(GateError) in
            let responses = pipeline.durable.responses(visibleTo: call.peer).filter {
                request.name == nil || $0.name == request.name
            }
            let page = try Page(of: responses, for: request, pipeline.limits) { PageKey(number: $0.id) }
            return ListResponsesResponse(page.elements, nextPageToken: page.nextToken)
        }
        router.on(Methods.Questionnaires.getResponse) { request, call throws(GateError) in
            let kept = try pipeline.durable.response(request.responseID, for: call.peer)
            // Measuring the response would take as long as writing it.
            forms.work(of: .max, for: call) {
                GetResponseResponse(summary: kept.summary, response: ResponseWriter.json(kept.response))
            } then: {
                call.answer($0)
            }
        }
    }
}

extension ResponsesRouter {
    private func request(_ request: RequestFormRequest, _ call: Call<RequestFormResponse>) {
        let submit = { (own: AppForm?) in
            pipeline.submit(.forms(.requestForm(name: request.name, own: own)), for: call) { settled in
                settled.responseID.map { RequestFormResponse(revision: settled.revision, responseID: $0) }
            }
        }
        guard let json = request.questionnaire else { return submit(nil) }
        forms.readOwn(json, named: request.name, for: call) { submit($0) }
    }
}

extension CommittedReply {
    fileprivate var responseID: UInt64? {
        guard case .responded(let id) = reply else { return nil }
        return id
    }
}

extension PageKey {
    /// A key that sorts by number. Numbers are padded to one length.
    init(number: UInt64) {
        let digits = String(number)
        self.init(name: String(repeating: "0", count: 20 - digits.utf8.count) + digits)
    }
}
