import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Answers as they were typed, over the wire", .timeLimit(.minutes(10)))
struct TypedAnswerTests {
    private static let form = """
        resourceType: Questionnaire
        id: car
        title: A car
        status: active
        item:
          - {linkId: holder, type: string, text: Whose}
          - {linkId: built, type: date, text: Built}
          - {linkId: colours, type: string, repeats: true, text: Colours}
          - {linkId: mine, type: boolean, text: Whether it is yours}
          - {linkId: weight, type: quantity, text: Weight}

        """

    private let german = WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ",", yes: "ja", no: "nein")

    private func request(_ path: String, _ texts: [String]) -> SetAnswerRequest {
        var request = SetAnswerRequest(target: FormTarget(name: "car"), atRevision: nil, path: path, answers: [])
        request.typed = TypedAnswers(texts: texts, habits: german)
        return request
    }

    @Test("a typed answer gets its question's type; for a single answer all given texts are one (F-31)")
    func types() async throws {
        try await LiveGate.with(form: Self.form) { gate, _ in
            let anna = try await gate.connect("anna")
            let set = Methods.Questionnaires.set
            // Without a draft the refusal is the same as for any other answer.
            #expect(await anna.refusal(of: set, request("holder", ["Anna"]))?.reason == .unknown)
            _ = try await anna.call(Methods.Questionnaires.open, OpenFormRequest(target: FormTarget(name: "car")))
            _ = try await anna.call(set, request("holder", ["Anna", "Maria"]))
            _ = try await anna.call(set, request("built", ["02.03.2015"]))
            _ = try await anna.call(set, request("colours", ["red", "blue"]))
            let read = try await anna.call(
                Methods.Questionnaires.read, ReadFormRequest(target: FormTarget(name: "car")))
            let response = String(decoding: read.draft.response, as: UTF8.self)
            for answer in ["Anna Maria", "2015-03-02", "red", "blue"] {
                #expect(response.contains("\"\(answer)\""), "\(answer)")
            }
            #expect(await anna.refusal(of: set, request("built", ["soon"]))?.reason == .badAnswer)
            #expect(await anna.refusal(of: set, request("wheels", ["4"]))?.code == .notFound)
            var both = request("holder", ["Anna"])
            both.answers = Array("[]".utf8)
            #expect(await anna.refusal(of: set, both)?.code == .invalidArgument)

            // Habits that a client leaves out are those of English, and blanks are no answer.
            var plain = request("mine", [" "])
            plain.typed = TypedAnswers(texts: [" "], habits: WritingHabits(yes: "", no: ""))
            #expect(await anna.refusal(of: set, plain)?.reason == .badAnswer)
            // A text of digits is read as a number up to the length that a number may have.
            #expect(
                await anna.refusal(of: set, request("weight", [String(repeating: "7", count: 60_000)]))?.reason
                    == .badAnswer)
            // To compare this with "yes" would hold up everybody for a second.
            let marks = String(repeating: "\u{315}\u{301}", count: 15_000)
            #expect(await anna.refusal(of: set, request("mine", [marks]))?.code == .invalidArgument)
            #expect(await anna.refusal(of: set, request("mine", [marks]))?.reason != .badAnswer)
            var json = SetAnswerRequest(target: FormTarget(name: "car"), atRevision: nil, path: "holder", answers: [])
            json.answers = Array(#"[{"valueString": "\#(marks)"}]"#.utf8)
            #expect(await anna.refusal(of: set, json)?.reason == .badAnswer)
            let many = request("colours", Array(repeating: "red", count: TypedAnswers.maximumCount + 1))
            #expect(await anna.refusal(of: set, many)?.code == .invalidArgument)
            var long = request("built", ["1.1.2016"])
            long.typed?.habits = WritingHabits(yes: String(repeating: "j", count: 65))
            #expect(await anna.refusal(of: set, long)?.code == .invalidArgument)

            var suggestion = SuggestAnswerRequest(
                target: FormTarget(name: "car"), atRevision: nil, path: "built", answers: [])
            suggestion.typed = TypedAnswers(texts: ["1.1.2016"], habits: german)
            _ = try await anna.call(Methods.Questionnaires.suggest, suggestion)
            let pending = try await anna.call(
                Methods.Questionnaires.read, ReadFormRequest(target: FormTarget(name: "car"))
            ).draft.pending
            #expect(pending.map { String(decoding: $0.answers, as: UTF8.self) } == [#"[{"valueDate":"2016-01-01"}]"#])
            suggestion.pendingMilliseconds = 1_000
            #expect(await anna.refusal(of: Methods.Questionnaires.suggest, suggestion)?.code == .invalidArgument)
        }
    }
}
