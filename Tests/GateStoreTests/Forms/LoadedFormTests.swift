import GateCore
import GateForms
import GateModel
import Testing

@testable import GateStore

@Suite("The store keeps drafts and responses of every form that loads")
struct LoadedFormTests {
    private static func changes(_ questionnaire: Questionnaire, _ draft: FormDraft, id: UInt64) -> [RecordChange] {
        let key = FormDraftKey(holder: .user(1000), name: questionnaire.name)
        let time = WallTime(unixMilliseconds: 1_767_225_600_000)
        var changes: [RecordChange] = [.draftSet(key, FormDraftRecord(revision: 1, openedAt: time))]
        changes += draft.rows.map { .draftRowSet(key, $0.key, $0.value) }
        let responses = [
            draft.response(.inProgress, authored: nil, includingUnanswered: true),
            draft.response(.completed, authored: "2026-01-01T00:00:00Z", includingUnanswered: false),
        ]
        for (index, response) in responses.enumerated() {
            let summary = ResponseSummary(
                id: 2 * id + UInt64(index), name: questionnaire.name, version: questionnaire.version,
                holder: key.holder,
                status: response.status, savedAt: time)
            changes.append(.responseSet(ResponseRecord(summary: summary, response: response)))
        }
        return changes
    }

    private static func initialValues(_ item: QuestionnaireItem) -> [FormValue] {
        item.initial.isEmpty ? item.options.filter(\.isInitiallySelected).map(\.value) : item.initial
    }

    @Test(
        "drafts, rows and responses of random forms come back, with all initial values",
        arguments: 1...8)
    func loadedForms(seed: Int) throws {
        let scene = try Scene()
        var forms = OddForm(random: SplitMix(state: UInt64(seed)))
        var (store, records, _) = try scene.open()
        var loadedCount = 0
        for number in 1...400 {
            let json = forms.json(id: "trial-\(number)")
            guard let node = try? FHIRNode(json: json),
                let questionnaire = QuestionnaireReader(fallbackName: "x").form(node).form?.questionnaire
            else { continue }
            loadedCount += 1
            let text = String(decoding: json, as: UTF8.self)
            let draft = FormDraft.opened(CompiledForm(questionnaire))
            for item in questionnaire.items where item.kind.isQuestion {
                #expect(draft.values(at: FormPath(item.linkID)) == Self.initialValues(item), "\(text)")
            }
            let transition = records.next(Self.changes(questionnaire, draft, id: UInt64(number)), entries: 0)
            #expect(throws: Never.self, "\(text)") {
                try store.commit([transition])
                records.apply(transition)
            }
        }
        store.close()
        let reopened = try scene.open()
        #expect(reopened.outcome == .opened)
        #expect(reopened.records == records)
        #expect(loadedCount >= 40, "\(loadedCount)")
        store = reopened.store
        store.close()
    }
}
