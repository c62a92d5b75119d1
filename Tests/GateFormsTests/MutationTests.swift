import GateForms
import GateModel
import Testing

/// A random generator with the same numbers each time (xorshift64*).
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Valid resources changed at random: each is read or refused, and nothing traps.
@Suite("Mutations of resources")
struct MutationTests {
    private static let questionnaire = """
        {"resourceType": "Questionnaire", "id": "q", "status": "active", "url": "https://example.org/q", "version": "1",
         "contained": [{"resourceType": "ValueSet", "id": "v", "status": "active", "compose": {"include":
            [{"system": "s", "concept": [{"code": "x", "display": "X"}, {"code": "y"}]}]}}],
         "extension": [\(Extension.gate("completed-by", #""valueCode": "grown-up""#))], "item": [
         {"linkId": "g", "type": "group", "repeats": true, "extension": [
            \(Extension.standard("questionnaire-minOccurs", #""valueInteger": 2"#))], "item": [
            {"linkId": "a", "type": "choice", "answerValueSet": "#v",
                "initial": [{"valueCoding": {"system": "s", "code": "x"}}]},
            {"linkId": "b", "type": "string", "maxLength": 10, "extension": [\(Extension.parents("a")),
                \(Extension.standard("regex", #""valueString": "[a-z]{1,5}""#))]}]},
         {"linkId": "c", "type": "decimal", "repeats": true, "enableBehavior": "all", "enableWhen": [
            {"question": "b", "operator": "=", "answerString": "x"},
            {"question": "a", "operator": "exists", "answerBoolean": true}],
          "initial": [{"valueDecimal": 1.5}], "extension": [
            \(Extension.standard("minValue", #""valueDecimal": 1"#)),
            \(Extension.standard("maxValue", #""valueDecimal": 2"#))]},
         {"linkId": "d", "type": "quantity", "item": [{"linkId": "e", "type": "attachment", "extension": [
            \(Extension.standard("maxSize", #""valueDecimal": 0.5"#)),
            \(Extension.standard("mimeType", #""valueCode": "a/b""#))]}]},
         {"linkId": "f", "type": "integer", "answerOption": [
            {"valueInteger": 1, "initialSelected": true}, {"valueInteger": 2}]}]}
        """
    private static let response = """
        {"resourceType": "QuestionnaireResponse", "status": "completed", "questionnaire": "https://example.org/q|1",
         "authored": "2024-05-31T12:00:00+02:00", "item": [{"linkId": "g", "item": [{"linkId": "a", "answer": [
         {"valueCoding": {"system": "s", "code": "x"}}]}, 
         {"linkId": "b", "text": "\\ud83d\\ude00", "_text": {"id": "x"},
         "answer": [{"valueString": "x"}]}]}, 
         {"linkId": "d", "answer": [{"valueQuantity": {"value": 75.0, "unit": "kW"},
         "item": [{"linkId": "e", "answer": [
         {"valueAttachment": {"contentType": "a/b", "data": "AAAA", "size": 3}}]}]}]},
         {"linkId": "t", "answer": [{"valueDate": "2024-02"}, {"valueDateTime": "2024"}, {"valueTime": "10:00:00"}]}]}
        """

    private static func digest(_ bytes: [UInt8]) -> AttachmentDigest {
        guard let digest = AttachmentDigest(bytes: Array(repeating: UInt8(truncatingIfNeeded: bytes.count), count: 32))
        else { preconditionFailure("these are 32 bytes") }
        return digest
    }

    /// Some bytes changed, taken out, put in or repeated.
    private func mutated(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var bytes = bytes
        let interesting = Array("{}[]\",:\\u0-1.eE tfn_«\u{1F600}".utf8)
        for _ in 0..<Int.random(in: 1...4, using: &dice) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &dice)
            let end = min(bytes.count, index + Int.random(in: 1...24, using: &dice))
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &dice)
            case 1: bytes[index] = interesting.randomElement(using: &dice) ?? 0
            case 2: bytes.removeSubrange(index..<end)
            case 3: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &dice))
            default: bytes.insert(interesting.randomElement(using: &dice) ?? 0, at: index)
            }
        }
        return bytes
    }

    /// A tree with one of its values put in place of another, taken out, or made something else.
    private func mutated(_ node: FHIRNode, _ dice: inout Dice) -> FHIRNode {
        var all: [FHIRNode] = []
        collect(node, into: &all)
        let target = Int.random(in: all.indices, using: &dice)
        let contents: [FHIRNode.Content] = [
            .null, .string(""), .string("a"), .number("-1"), .number("1e9999"), .boolean(true), .array([]), .object([]),
            .plain("true"), .plain(""), .array([FHIRNode(.null)]),
            all[Int.random(in: all.indices, using: &dice)].content,
        ]
        let content = contents[Int.random(in: contents.indices, using: &dice)]
        var countdown = target
        return replacing(node, &countdown, content)
    }

    private func collect(_ node: FHIRNode, into all: inout [FHIRNode]) {
        all.append(node)
        switch node.content {
        case .object(let entries): for entry in entries { collect(entry.value, into: &all) }
        case .array(let elements): for element in elements { collect(element, into: &all) }
        case .string, .number, .boolean, .null, .plain: break
        }
    }

    /// - Parameter countdown: how many nodes still come before the one to be replaced.
    private func replacing(_ node: FHIRNode, _ countdown: inout Int, _ content: FHIRNode.Content) -> FHIRNode {
        countdown -= 1
        guard countdown >= 0 else { return countdown == -1 ? FHIRNode(content, place: node.place) : node }
        switch node.content {
        case .object(let entries):
            let changed = entries.map { entry in
                FHIRNode.Entry(
                    key: entry.key, keyPlace: entry.keyPlace, value: replacing(entry.value, &countdown, content))
            }
            return FHIRNode(.object(changed), place: node.place)
        case .array(let elements):
            return FHIRNode(.array(elements.map { replacing($0, &countdown, content) }), place: node.place)
        case .string, .number, .boolean, .null, .plain: return node
        }
    }

    @Test("the resources to be mutated are valid before")
    func originals() throws {
        let read = try Form.read(Self.questionnaire)
        #expect(read.problems.isEmpty)
        let reading = ResponseReader(digest: Self.digest).response(Array(Self.response.utf8))
        #expect(reading.issues.map(\.severity) == [.warning])
    }

    @Test(
        "a questionnaire with random bytes changed is read or refused without a trap",
        arguments: 1...8 as ClosedRange<UInt64>)
    func questionnaireBytes(_ seed: UInt64) {
        var dice = Dice(state: seed)
        for _ in 0..<100 {
            guard let node = try? FHIRNode(json: mutated(Array(Self.questionnaire.utf8), &dice)) else { continue }
            expectVerdict(on: node)
        }
    }

    @Test("a questionnaire with wrong elements is read or refused", arguments: 1...8 as ClosedRange<UInt64>)
    func questionnaireElements(_ seed: UInt64) throws {
        var dice = Dice(state: seed)
        let original = try FHIRNode(json: Array(Self.questionnaire.utf8))
        for _ in 0..<100 { expectVerdict(on: mutated(original, &dice)) }
    }

    private func expectVerdict(on node: FHIRNode) {
        let (form, problems) = QuestionnaireReader(fallbackName: "x").form(node)
        #expect((form == nil) == problems.contains { $0.severity == .error })
        #expect(problems.count <= 100)
        if let form {
            let again = (try? FHIRNode(json: form.json)).map(QuestionnaireReader(fallbackName: "y").questionnaire)
            #expect(again?.questionnaire == form.questionnaire)
        }
    }

    @Test("a response with random changes is read or refused without a trap", arguments: 1...8 as ClosedRange<UInt64>)
    func responses(_ seed: UInt64) throws {
        var dice = Dice(state: seed)
        let original = try FHIRNode(json: Array(Self.response.utf8))
        for round in 0..<200 {
            let bytes =
                round.isMultiple(of: 2) ? mutated(Array(Self.response.utf8), &dice) : mutated(original, &dice).json()
            let reading = ResponseReader(digest: Self.digest).response(bytes)
            #expect(reading.response != nil || reading.issues.contains { $0.severity == .error })
            guard let response = reading.response, !reading.issues.contains(where: { $0.severity == .error }) else {
                continue
            }
            #expect(ResponseReader().response(ResponseWriter.json(response)).response == response)
        }
    }
}
