import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Lists of drafts, over the wire", .timeLimit(.minutes(10)))
struct DraftListTests {
    private static let form = """
        resourceType: Questionnaire
        id: car
        title: A car
        status: active
        item: [{linkId: holder, type: string, text: Whose}]

        """

    @Test("the pages list each draft once, by holder and id: a user's own, or all for administrators (F-84)")
    func pages() async throws {
        try await LiveGate.with(form: Self.form) { gate, _ in
            let (anna, ben) = (try await gate.connect("anna"), try await gate.connect("ben"))
            let root = try await gate.connect("root")
            let target = FormTarget(name: "car")
            for number in 1...11 {
                let person = number.isMultiple(of: 3) ? ben : anna
                let request = OpenFormRequest(target: target, beginsAnother: true, label: "customer \(number)")
                #expect(try await person.call(Methods.Questionnaires.open, request).draft.summary.draftID == number)
            }
            _ = try await ben.call(Methods.Questionnaires.open, OpenFormRequest(target: target))
            let (annas, bens): ([UInt64], [UInt64]) = ([1, 2, 4, 5, 7, 8, 10, 11], [0, 3, 6, 9])
            for size in [1, 2, 3, 5, 0] {
                for (person, ids) in [(anna, annas), (ben, bens), (root, annas + bens)] {
                    var (listed, token): ([FormSummary], String) = ([], "")
                    repeat {
                        let request = ListDraftsRequest(name: "car", pageSize: size, pageToken: token)
                        let page = try await person.call(Methods.Questionnaires.listDrafts, request)
                        #expect(size == 0 || page.elements.count <= size)
                        listed += page.elements
                        token = page.nextPageToken
                    } while !token.isEmpty && listed.count < 100
                    #expect(listed.map(\.draftID) == ids)
                    #expect(
                        listed.allSatisfy { $0.draftID == 0 ? $0.label.isEmpty : $0.label == "customer \($0.draftID)" })
                }
            }
            let none = ListDraftsRequest(name: "ship")
            #expect(try await root.call(Methods.Questionnaires.listDrafts, none).elements.isEmpty)
            let wrong = ListDraftsRequest(name: nil, pageToken: "x")
            #expect(await anna.refusal(of: Methods.Questionnaires.listDrafts, wrong)?.code == .invalidArgument)
            let others = LabelDraftRequest(target: FormTarget(name: "car", draftID: 3), label: "mine")
            #expect(await anna.refusal(of: Methods.Questionnaires.label, others)?.reason == .unknown)
        }
    }
}
