import GateForms
import GateProtocol
import TTRPCTransport
import Testing

@testable import GateClient

private let setMethod = "gate.v1.Questionnaires/SetAnswer"
private let meanwhile = GateError(.aborted, .changedMeanwhile, "Somebody else has changed it.")
private let us = FormTarget(name: "order")

@Suite("Filling in a form")
struct FormSessionTests {
    @Test("opening a form returns it with the answers so far")
    func open() async throws {
        try await withOrder(order(name: "Tim")) { _, form async throws in
            #expect(form.name == "order" && form.holder == .account("anna") && form.revision == 1)
            #expect(try form.questionnaire == orderForm())
            #expect(form.questionnaireJSON == orderJSON)
            #expect(form.response.items.count == 8)
            #expect(try form.value(at: "name", as: String.self) == "Tim")
            #expect(try form.text(at: "name") == "Tim")
            #expect(form.next(after: "name") == "delivered" && form.previous(before: "delivered") == "name")
        }
    }

    @Test("an answer is sent with the known revision, and the changed draft is read afterwards")
    func set() async throws {
        try await withOrder { server, form in
            async let change = form.set("delivered", to: true)
            let set = try await server.expect(setMethod)
            #expect(
                try SetAnswerRequest(decoding: set.request.payload)
                    == SetAnswerRequest(
                        target: us, atRevision: 1, path: "delivered", answers: Array(#"[{"valueBoolean":true}]"#.utf8)))
            await set.respond(SetAnswerResponse(revision: here, change: changed(to: 2, cleared: ["street"])))
            try await server.read(order(delivered: true), at: 2)
            #expect(try await change.cleared == ["street"])
            #expect(form.revision == 2)
            #expect(form.next(after: "delivered") == "street")
        }
    }

    @Test("an answer that changed nothing is not followed by a read")
    func unchanged() async throws {
        try await withOrder { server, form in
            async let change = form.set("name", to: ["Tim"])
            try await server.expect(setMethod).respond(
                SetAnswerResponse(revision: here, change: changed(to: 1, isChanged: false)))
            #expect(try await !change.isChanged)
            async let cleared = form.clear("name")
            let clear = try await server.expect(setMethod)
            #expect(try SetAnswerRequest(decoding: clear.request.payload).answers == Array("[]".utf8))
            await clear.respond(SetAnswerResponse(revision: here, change: changed(to: 1, isChanged: false)))
            _ = try await cleared
        }
    }

    @Test("an answer of a wrong type is refused before it is sent")
    func typedErrors() async throws {
        let response = order(
            drivers: [driver("Anna", licences: [licence(motorcycles), licence(cars)])], count: .integer(7))
        try await withOrder(response) { _, form async throws in
            func reason(_ set: () async throws(GateError) -> Void) async -> GateError.Reason? {
                do throws(GateError) { try await set() } catch { return error.reason }
                return nil
            }
            #expect(await reason { () async throws(GateError) in try await form.set("name", to: 7) } == .badAnswer)
            #expect(
                await reason { () async throws(GateError) in try await form.set("licence", to: ["C"]) } == .badAnswer)
            #expect(
                await reason { () async throws(GateError) in try await form.set("nonsense", to: "x") } == .unknown)
            #expect(
                await reason { () async throws(GateError) in try await form.suggest("address", answer: "x") }
                    == .badAnswer)
        }
    }

    @Test("reading an answer as another type is refused, and so is reading one of several as a single answer")
    func typedReading() async throws {
        let response = order(
            drivers: [driver("Anna", licences: [licence(motorcycles), licence(cars, since: "2010-05")])],
            count: .integer(7))
        try await withOrder(response) { _, form async throws in
            #expect(try form.value(at: "count", as: Int.self) == 7)
            #expect(try form.value(at: "weight", as: FormDecimal.self) == nil)
            #expect(try form.values(at: "licence", as: String.self) == ["A", "B"])
            #expect(try form.values(at: "licence", as: FormCoding.self) == [motorcycles, cars])
            #expect(try form.value(at: "licence[1]/since", as: FormDate.self) == FormDate("2010-05"))
            let wrong = #expect(throws: GateError.self) { try form.value(at: "count", as: String.self) }
            #expect(wrong?.reason == .badAnswer)
            #expect(wrong?.message == "\"How many\" (count) is answered with a whole number, not a text.")
            let several = #expect(throws: GateError.self) { try form.value(at: "licence", as: String.self) }
            #expect(several?.message.contains("2 answers") == true)
            let unknown = #expect(throws: GateError.self) { try form.value(at: "nonsense", as: String.self) }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("if others changed other answers, the answer is sent again at the new revision")
    func changedElsewhere() async throws {
        try await withOrder { server, form in
            async let change = form.set("name", to: "Tim")
            try await server.expect(setMethod).fail(meanwhile)
            try await server.read(order(count: .integer(3)), at: 4)
            let again = try await server.expect(setMethod)
            #expect(try SetAnswerRequest(decoding: again.request.payload).atRevision == 4)
            await again.respond(SetAnswerResponse(revision: here, change: changed(to: 5)))
            try await server.read(order(name: "Tim", count: .integer(3)), at: 5)
            #expect(try await change.isChanged)
        }
    }

    @Test("if others answered or disabled the same question, theirs stands and the conflict is thrown")
    func changedHere() async throws {
        try await withOrder(order(delivered: true)) { server, form in
            let mine = Task { try await form.set("name", to: "Tim") }
            try await server.expect(setMethod).fail(meanwhile)
            try await server.read(order(name: "Tom", delivered: true), at: 2)
            await #expect(throws: meanwhile) { try await mine.value }
            #expect(try form.value(at: "name", as: String.self) == "Tom", "what is there now can be shown")

            let street = Task { try await form.set("street", to: "High Street") }
            try await server.expect(setMethod).fail(meanwhile)
            try await server.read(order(name: "Tom", delivered: false), at: 3)
            await #expect(throws: meanwhile) { try await street.value }
        }
    }

    @Test("if others removed an instance of the group, the conflict is thrown, since the index may mean another one")
    func groupGone() async throws {
        try await withOrder(order(drivers: [driver("Anna"), driver(nil), driver(nil)])) { server, form in
            let mine = Task { try await form.set("driver[1]/driver-name", to: "Tim") }
            try await server.expect(setMethod).fail(meanwhile)
            try await server.read(order(drivers: [driver(nil), driver(nil)]), at: 2)
            await #expect(throws: meanwhile) { try await mine.value }
        }
    }

    @Test("an edit of the whole form is not repeated if others changed the draft meanwhile")
    func wholeForm() async throws {
        try await withOrder { server, form in
            let edits: [(String, @Sendable () async throws -> Void)] = [
                ("FillForm", { try await form.fill(from: order(name: "Tim")) }),
                ("ResetForm", { try await form.reset() }),
                ("LoadForm", { try await form.load(6) }), ("LoadForm", { try await form.reuse() }),
                ("RemoveGroup", { try await form.remove("driver[0]") }),
                ("CompleteForm", { try await form.complete() }),
            ]
            for (index, (name, edit)) in edits.enumerated() {
                let task = Task { try await edit() }
                try await server.expect("gate.v1.Questionnaires/\(name)").fail(meanwhile)
                try await server.read(order(count: .integer(Int32(index))), at: UInt64(index + 2))
                await #expect(throws: meanwhile) { try await task.value }
                #expect(form.revision == UInt64(index + 2))
            }
        }
    }

    @Test("each call sends its request with the revision it is for")
    func verbs() async throws {
        try await withOrder { server, form in
            let unchanged = changed(to: 1, isChanged: false)
            async let suggested = form.suggest("count", answer: 3)
            let suggest = try await server.expect("gate.v1.Questionnaires/SuggestAnswer")
            #expect(
                try SuggestAnswerRequest(decoding: suggest.request.payload)
                    == SuggestAnswerRequest(
                        target: us, atRevision: 1, path: "count", answers: Array(#"[{"valueInteger":3}]"#.utf8)))
            await suggest.respond(SuggestAnswerResponse(revision: here, change: unchanged))
            _ = try await suggested

            async let announced = form.suggest("count", pendingFor: .milliseconds(1500))
            let announce = try await server.expect("gate.v1.Questionnaires/SuggestAnswer")
            #expect(
                try SuggestAnswerRequest(decoding: announce.request.payload)
                    == SuggestAnswerRequest(
                        target: us, atRevision: 1, path: "count", answers: [], pendingMilliseconds: 1500))
            await announce.respond(SuggestAnswerResponse(revision: here, change: unchanged))
            _ = try await announced

            async let filled = form.fill(from: order(name: "Tim"))
            let fill = try await server.expect("gate.v1.Questionnaires/FillForm")
            let sent = ResponseReader().response(try FillFormRequest(decoding: fill.request.payload).response)
            #expect(sent.response == order(name: "Tim"))
            await fill.respond(FillFormResponse(revision: here, change: unchanged))
            _ = try await filled

            async let removed = form.remove("driver[1]")
            let remove = try await server.expect("gate.v1.Questionnaires/RemoveGroup")
            #expect(
                try RemoveGroupRequest(decoding: remove.request.payload)
                    == RemoveGroupRequest(target: us, atRevision: 1, path: "driver[1]"))
            await remove.respond(RemoveGroupResponse(revision: here, change: unchanged))
            _ = try await removed

            async let reused = form.reuse()
            let reuse = try await server.expect("gate.v1.Questionnaires/LoadForm")
            #expect(
                try LoadFormRequest(decoding: reuse.request.payload)
                    == LoadFormRequest(target: us, atRevision: 1, responseID: nil))
            await reuse.respond(LoadFormResponse(revision: here, change: unchanged))
            _ = try await reused

            async let saved = form.save()
            try await server.expect("gate.v1.Questionnaires/SaveForm").respond(
                SaveFormResponse(revision: here, responseID: 6))
            #expect(try await saved == ResponseChange(id: 6, revision: here))

            async let completed = form.complete()
            let complete = try await server.expect("gate.v1.Questionnaires/CompleteForm")
            #expect(
                try CompleteFormRequest(decoding: complete.request.payload)
                    == CompleteFormRequest(target: us, atRevision: 1))
            await complete.respond(CompleteFormResponse(revision: here, responseID: 7))
            #expect(try await completed == ResponseChange(id: 7, revision: here))

            async let discarded = form.discard()
            try await server.expect("gate.v1.Questionnaires/DiscardForm").respond(DiscardFormResponse(revision: here))
            #expect(try await discarded == DiscardedForm(name: "order", revision: here))
        }
    }

    @Test("a verdict lists its issues, and has none if all is well")
    func verdict() async throws {
        let missing = FormIssue(
            .error, .required, at: "QuestionnaireResponse.item[1]", linkID: nil, "\"Name\" is missing.")
        try await withOrder { server, form in
            for issues in [[missing], []] {
                async let verdict = form.validate()
                let validate = try await server.expect("gate.v1.Questionnaires/ValidateForm")
                #expect(try ValidateFormRequest(decoding: validate.request.payload).response == nil)
                let outcome = OutcomeWriter.json(issues)
                await validate.respond(ValidateFormResponse(outcome: outcome, isValid: issues.isEmpty))
                #expect(try await verdict == FormVerdict(isValid: issues.isEmpty, issues: issues, outcomeJSON: outcome))
            }
        }
    }

    @Test("an issue names its item if the outcome does")
    func linkID() throws {
        let outcome = """
            {"resourceType": "OperationOutcome", "issue": [{"extension": [
              {"url": "https://gate.example/fhir/StructureDefinition/link-id", "valueString": "name"}],
              "severity": "warning", "code": "value", "diagnostics": "Odd.", "expression": ["a.b"]},
              {"severity": "error", "code": "exception", "diagnostics": "This version does not know that code."}]}
            """
        let verdict = try FormVerdict(outcome: Array(outcome.utf8), isValid: true)
        #expect(verdict.issues == [FormIssue(.warning, .value, at: "a.b", linkID: "name", "Odd.")])
    }

    @Test("a form that can't be read is reported as the daemon's mistake")
    func unreadable() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let opening = Task { try await gate.forms.open("order") }
            let broken = FormDraftMessage(summary: orderSummary(1), response: [0x7B])
            try await server.expect("gate.v1.Questionnaires/OpenForm").respond(
                OpenFormResponse(revision: here, draft: broken))
            try await server.expect("gate.v1.Questionnaires/GetQuestionnaire").respond(
                GetQuestionnaireResponse(questionnaire: orderJSON))
            let error = await #expect(throws: GateError.self) { try await opening.value }
            #expect(error?.code == .internal)
            try await server.stop()
        }
    }
}
