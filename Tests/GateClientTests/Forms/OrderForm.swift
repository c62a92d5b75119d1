import GateClient
import GateForms
import GateProtocol

// A form with everything that moving through it and answering it has to cope with, and drafts of it.

let orderJSON = Array(
    """
    {"resourceType": "Questionnaire", "id": "order", "status": "active", "title": "Order", "item": [
      {"linkId": "intro", "type": "display", "text": "Welcome"},
      {"linkId": "name", "type": "string", "text": "Name"},
      {"linkId": "internal", "type": "group", "text": "Internal", "extension": [
        {"url": "http://hl7.org/fhir/StructureDefinition/questionnaire-hidden", "valueBoolean": true}],
        "item": [{"linkId": "token", "type": "string", "text": "Token"}]},
      {"linkId": "delivered", "type": "boolean", "text": "Delivered?"},
      {"linkId": "address", "type": "group", "text": "Address",
        "enableWhen": [{"question": "delivered", "operator": "=", "answerBoolean": true}],
        "item": [{"linkId": "street", "type": "string", "text": "Street"}]},
      {"linkId": "driver", "type": "group", "repeats": true, "text": "Driver", "item": [
        {"linkId": "driver-name", "type": "string", "text": "Driver's name"},
        {"linkId": "licence", "type": "choice", "repeats": true, "text": "Licences",
          "answerOption": [
            {"valueCoding": {"system": "urn:l", "code": "A", "display": "Motorcycles"}},
            {"valueCoding": {"system": "urn:l", "code": "B", "display": "Cars"}}],
          "item": [{"linkId": "since", "type": "date", "text": "Since"}]}]},
      {"linkId": "count", "type": "integer", "text": "How many"},
      {"linkId": "weight", "type": "decimal", "text": "Weight"},
      {"linkId": "proof", "type": "attachment", "repeats": true, "text": "Proofs"}
    ]}
    """.utf8)

let motorcycles = FormCoding(system: "urn:l", code: "A", display: "Motorcycles")
let cars = FormCoding(system: "urn:l", code: "B", display: "Cars")

func orderForm() throws -> Questionnaire {
    let (questionnaire, problems) = QuestionnaireReader(fallbackName: "order").questionnaire(
        try FHIRNode(json: orderJSON))
    guard let questionnaire else { throw problems[0] }
    return questionnaire
}

func question(_ linkID: String, _ values: FormValue...) -> QuestionnaireResponseItem {
    QuestionnaireResponseItem(linkID: linkID, answers: values.map { QuestionnaireResponseAnswer($0) })
}

func driver(_ name: String?, licences: [QuestionnaireResponseAnswer] = []) -> QuestionnaireResponseItem {
    let named = name.map { question("driver-name", .string($0)) } ?? question("driver-name")
    return QuestionnaireResponseItem(
        linkID: "driver", items: [named, QuestionnaireResponseItem(linkID: "licence", answers: licences)])
}

/// A licence, with the question that is asked below it.
func licence(_ coding: FormCoding, since: String? = nil) -> QuestionnaireResponseAnswer {
    let date = since.flatMap { FormDate($0) }
    return QuestionnaireResponseAnswer(
        .coding(coding), items: [date.map { question("since", .date($0)) } ?? question("since")])
}

/// A draft: every item that is enabled, as the daemon tells it.
func order(
    name: String? = nil, delivered: Bool? = nil, drivers: [QuestionnaireResponseItem] = [driver(nil)],
    count: FormValue? = nil,
    proofs: [FormAttachment] = []
) -> QuestionnaireResponse {
    let address = QuestionnaireResponseItem(linkID: "address", items: [question("street")])
    return QuestionnaireResponse(
        status: .inProgress,
        items: [
            QuestionnaireResponseItem(linkID: "intro"), name.map { question("name", .string($0)) } ?? question("name"),
            QuestionnaireResponseItem(linkID: "internal", items: [question("token", .string("t"))]),
            delivered.map { question("delivered", .boolean($0)) } ?? question("delivered"),
        ] + (delivered == true ? [address] : []) + drivers + [
            count.map { question("count", $0) } ?? question("count"), question("weight"),
            QuestionnaireResponseItem(
                linkID: "proof", answers: proofs.map { QuestionnaireResponseAnswer(.attachment($0)) }),
        ])
}

/// Anna's draft, at a revision of its own.
func draft(_ response: QuestionnaireResponse, at revision: UInt64) -> FormDraftMessage {
    FormDraftMessage(summary: orderSummary(revision), response: ResponseWriter.json(response))
}

func orderSummary(_ revision: UInt64) -> FormSummary {
    FormSummary(name: "order", holder: .account("anna"), revision: revision)
}

/// What a change came to.
func changed(to revision: UInt64, isChanged: Bool = true, cleared: [FormPath] = []) -> FormChange {
    FormChange(summary: orderSummary(revision), isChanged: isChanged, cleared: cleared)
}

extension ScriptedServer {
    /// Answers the two questions with which a session begins.
    @discardableResult
    func open(_ response: QuestionnaireResponse, at revision: UInt64 = 1) async throws -> Exchange {
        let open = try await expect("gate.v1.Questionnaires/OpenForm")
        await open.respond(OpenFormResponse(revision: here, draft: draft(response, at: revision)))
        try await expect("gate.v1.Questionnaires/GetQuestionnaire").respond(
            GetQuestionnaireResponse(questionnaire: orderJSON))
        return open
    }

    /// Answers the question with which a session follows a change.
    func read(_ response: QuestionnaireResponse, at revision: UInt64) async throws {
        try await expect("gate.v1.Questionnaires/ReadForm").respond(
            ReadFormResponse(revision: here, draft: draft(response, at: revision)))
    }
}

/// A session with a server that is told what to answer.
func withOrder(
    _ response: QuestionnaireResponse = order(),
    _ body: (ScriptedServer, FormSession) async throws -> Void
) async throws {
    try await withSocketPath { path in
        let server = try await ScriptedServer.start(at: path)
        let gate = client(of: path)
        async let opening = gate.forms.open("order")
        try await server.open(response)
        try await body(server, try await opening)
        try await server.stop()
    }
}
