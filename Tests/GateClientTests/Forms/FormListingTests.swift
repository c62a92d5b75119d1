import GateForms
import GateProtocol
import TTRPCTransport
import Testing

@testable import GateClient

@Suite("Lists of forms, drafts and responses")
struct FormListingTests {
    private let kept = ResponseSummary(
        id: 6, name: "order", version: nil, holder: .account("anna"), status: .completed,
        savedAt: WallTime(unixMilliseconds: 5))

    private func withServer(_ body: (ScriptedServer, GateClient) async throws -> Void) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            try await body(server, client(of: path))
            try await server.stop()
        }
    }

    @Test("forms are listed over all pages (F-27)")
    func list() async throws {
        try await withServer { server, gate in
            let forms = ["a", "b"].map {
                QuestionnaireSummary(name: $0, title: "", version: nil, url: nil, itemCount: 1, isForGrownUps: false)
            }
            async let listed = gate.forms.list()
            try await server.expect("gate.v1.Questionnaires/ListQuestionnaires").respond(
                ListQuestionnairesResponse([forms[0]], nextPageToken: "after a"))
            let second = try await server.expect("gate.v1.Questionnaires/ListQuestionnaires")
            #expect(try ListQuestionnairesRequest(decoding: second.request.payload).pageToken == "after a")
            await second.respond(ListQuestionnairesResponse([forms[1]], nextPageToken: ""))
            #expect(try await listed == forms)
        }
    }

    @Test(
        "all pages of drafts are read; if the daemon keeps only one draft for each form, the client says so (F-84)"
    )
    func drafts() async throws {
        try await withServer { server, gate in
            let drafts = (0...1).map {
                FormSummary(name: "order", holder: .account("anna"), revision: 3, draftID: $0, label: "Anna, Golf")
            }
            async let listed = gate.forms.drafts(of: "order")
            let first = try await server.expect("gate.v1.Questionnaires/ListDrafts")
            #expect(try ListDraftsRequest(decoding: first.request.payload).name == "order")
            await first.respond(ListDraftsResponse([drafts[0]], nextPageToken: "after order"))
            let second = try await server.expect("gate.v1.Questionnaires/ListDrafts")
            #expect(try ListDraftsRequest(decoding: second.request.payload).pageToken == "after order")
            await second.respond(ListDraftsResponse([drafts[1]], nextPageToken: ""))
            #expect(try await listed == drafts)

            let beginning = Task { try await gate.forms.begin("order") }
            let open = try await server.expect("gate.v1.Questionnaires/OpenForm")
            #expect(try OpenFormRequest(decoding: open.request.payload).beginsAnother)
            await open.fail(
                GateError(
                    .unimplemented, .notBuilt, "A later capability.", parameters: ["capability": "drafts"]))
            let refusal = await #expect(throws: GateError.self) { try await beginning.value }
            #expect(refusal?.code == .unimplemented && refusal?.parameters["capability"] == "drafts")
        }
    }

    @Test("a form is returned as a value and as its original JSON")
    func get() async throws {
        try await withServer { server, gate in
            async let form = gate.forms.description(of: "order")
            let get = try await server.expect("gate.v1.Questionnaires/GetQuestionnaire")
            #expect(try GetQuestionnaireRequest(decoding: get.request.payload).name == "order")
            await get.respond(GetQuestionnaireResponse(questionnaire: orderJSON))
            #expect(try await form == FormDescription(questionnaire: orderForm(), json: orderJSON))
        }
    }

    @Test("a form that can't be read is the daemon's mistake", arguments: ["", "{}", "[]", "{\"resourceType\": 1}"])
    func unreadable(json: String) async throws {
        try await withServer { server, gate in
            let getting = Task { try await gate.forms.description(of: "order") }
            try await server.expect("gate.v1.Questionnaires/GetQuestionnaire").respond(
                GetQuestionnaireResponse(questionnaire: Array(json.utf8)))
            let error = await #expect(throws: GateError.self) { try await getting.value }
            #expect(error?.code == .internal)
        }
    }

    @Test("kept responses can be listed, read and withdrawn (F-39)")
    func responses() async throws {
        try await withServer { server, gate in
            async let listed = gate.forms.responses(to: "order")
            let list = try await server.expect("gate.v1.Questionnaires/ListResponses")
            #expect(try ListResponsesRequest(decoding: list.request.payload) == ListResponsesRequest(name: "order"))
            await list.respond(ListResponsesResponse([kept], nextPageToken: ""))
            #expect(try await listed == [kept])

            async let one = gate.forms.response(6)
            try await server.expect("gate.v1.Questionnaires/GetResponse").respond(
                GetResponseResponse(summary: kept, response: ResponseWriter.json(order(name: "Tim"))))
            #expect(try await one == KeptResponse(summary: kept, response: order(name: "Tim")))

            async let withdrawn = gate.forms.withdrawResponse(6)
            let withdraw = try await server.expect("gate.v1.Questionnaires/WithdrawResponse")
            #expect(try WithdrawResponseRequest(decoding: withdraw.request.payload).responseID == 6)
            await withdraw.respond(WithdrawResponseResponse(revision: here))
            #expect(try await withdrawn == ResponseChange(id: 6, revision: here))
        }
    }

    @Test("a response can be validated without a draft")
    func validate() async throws {
        try await withServer { server, gate in
            async let verdict = gate.forms.validate(order(name: "Tim"), against: "order")
            let validate = try await server.expect("gate.v1.Questionnaires/ValidateForm")
            #expect(
                try ValidateFormRequest(decoding: validate.request.payload)
                    == ValidateFormRequest(
                        target: FormTarget(name: "order"), response: ResponseWriter.json(order(name: "Tim"))))
            await validate.respond(ValidateFormResponse(outcome: OutcomeWriter.json([]), isValid: true))
            #expect(try await verdict.isValid)
        }
    }
}
