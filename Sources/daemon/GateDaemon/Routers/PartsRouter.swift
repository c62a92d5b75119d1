import GateCore
import GateForms
import GateModel
import GateProtocol

/// The methods of `gate.v1.Questionnaires` for parts: answers that several forms share.
struct PartsRouter: ServiceRouter {
    let pipeline: CommandPipeline
    let forms: FormThread

    func addMethods(to router: inout Router) {
        router.onRead(Methods.Questionnaires.listParts) { request, call throws(GateError) in
            let parts = pipeline.durable.parts(visibleTo: call.peer).filter {
                request.definition == nil || $0.definition == request.definition
            }
            let page = try Page(of: parts, for: request, pipeline.limits) { PageKey(number: $0.id) }
            return ListPartsResponse(page.elements, nextPageToken: page.nextToken)
        }
        router.on(Methods.Questionnaires.getPart) { request, call throws(GateError) in
            let part = try pipeline.durable.part(request.partID, for: call.peer)
            forms.work(of: .max, for: call) {
                GetPartResponse(
                    summary: part.summary,
                    response: ResponseWriter.json(QuestionnaireResponse(status: .inProgress, items: [part.content])))
            } then: {
                call.answer($0)
            }
        }
        router.on(Methods.Questionnaires.savePart) { request, call throws(GateError) in
            let (target, path) = (request.target, try FormPath(reading: request.path))
            forms.submit(
                .savePart(target, path, over: request.partID, label: request.label), for: call, preparing: .part(path),
                on: target
            ) { settled in
                guard case .keptPart(let id) = settled.reply else { return nil }
                return SavePartResponse(revision: settled.revision, partID: id)
            }
        }
        router.on(Methods.Questionnaires.labelPart) { request, call in
            forms.submitInOrder(.labelPart(request.partID, label: request.label), for: call) {
                LabelPartResponse(revision: $0.revision)
            }
        }
        router.on(Methods.Questionnaires.removePart) { request, call in
            forms.submitInOrder(.removePart(request.partID), for: call) { RemovePartResponse(revision: $0.revision) }
        }
        router.on(Methods.Questionnaires.takeParts) { request, call throws(GateError) in
            let (target, path) = (request.target, try FormPath(reading: request.path))
            let edit = FormEdit.take(path, parts: request.partIDs)
            forms.submit(
                .editForm(target, at: request.atRevision, edit), for: call, preparing: .edit(edit), on: target
            ) { settled in
                settled.formChange.map { TakePartsResponse(revision: settled.revision, change: $0) }
            }
        }
    }
}
