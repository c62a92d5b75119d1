import GateModel
import Testing

@testable import GateForms

@Suite("The shapes and texts of R4")
struct PrimitiveTextTests {
    @Test("every shape that another shape names exists")
    func shapes() {
        for shape in FHIRShape.all.values {
            #expect(!shape.elements.isEmpty)
            for (key, element) in shape.elements {
                if case .shape(let name) = element.kind {
                    #expect(FHIRShape.named(name) != nil, "\(shape.name).\(key)")
                }
            }
        }
        #expect(FHIRShape.named("Questionnaire.item")?.elements["item"] != nil)
    }

    @Test("required elements and lists are those of R4")
    func cardinalities() {
        #expect(FHIRShape.named("Questionnaire")?.requiredKeys == ["resourceType", "status"])
        #expect(FHIRShape.named("Questionnaire.item")?.requiredKeys == ["linkId", "type"])
        #expect(FHIRShape.named("Questionnaire.enableWhen")?.requiredChoices == ["answer[x]"])
        #expect(FHIRShape.named("QuestionnaireResponse.answer")?.requiredChoices == [])
        #expect(FHIRShape.named("QuestionnaireResponse.item")?.elements["answer"]?.isList == true)
        #expect(FHIRShape.named("QuestionnaireResponse.item")?.elements["text"]?.isList == false)
    }

    @Test(
        "valid and invalid texts of each primitive type are told apart",
        arguments: [
            (
                .id, ["a", "A-1.b", String(repeating: "x", count: 64)],
                ["", "a_b", "é", String(repeating: "x", count: 65)]
            ),
            (.code, ["a", "a b"], [" a", "a ", "a  b", "\n"]), (.uri, ["a", "urn:x"], ["a b", "a\n"]),
            (.integer, ["0", "-1", "2147483647"], ["01", "-0", "+1", "1.0", "", "-", "2147483648", "١"]),
            (.positiveInt, ["1"], ["0", "-1"]), (.unsignedInt, ["0"], ["-1"]),
            (.decimal, ["1.0", "-0.5", "1e5"], ["1.", ".5", "01", "", "1e", "+1", "NaN"]),
            (.instant, ["2024-01-01T00:00:00Z"], ["2024", "2024-01-01"]),
            (.oid, ["urn:oid:1.2.3"], ["urn:oid:3.1", "urn:oid:1", "1.2.3", "urn:oid:1.02"]),
            (
                .uuid, ["urn:uuid:c757873d-ec9a-4326-a141-556f43239520"],
                ["urn:uuid:C757873D-ec9a-4326-a141-556f43239520", "x"]
            ),
            (
                .base64Binary, ["AAAA", "AA==", "AAA=", "AA AA", ""],
                ["A", "AA", "AA=", "A===", "AAAA=", "AB==", "=AAA", "A-_A"]
            ),
        ] as [(PrimitiveText, [String], [String])])
    func texts(_ type: PrimitiveText, _ good: [String], _ bad: [String]) {
        for text in good { #expect(type.isWellFormed(text), "\(type) \(text)") }
        for text in bad { #expect(!type.isWellFormed(text), "\(type) \(text)") }
    }

    @Test("base64 is decoded to its bytes")
    func base64() {
        #expect(Base64.bytes("AP9/".utf8) == [0x00, 0xFF, 0x7F])
        #expect(Base64.bytes("+/8=".utf8) == [0xFB, 0xFF])
        #expect(Base64.bytes("/w==".utf8) == [0xFF])
        #expect(Base64.bytes("".utf8) == [])
        #expect(Base64.bytes("/x==".utf8) == nil)
    }

    @Test("a near word is suggested, and a far one is not")
    func nearestWord() {
        let words = ["linkId", "required", "repeats", "text"]
        #expect(NearestWord.of("linkid", among: words) == "linkId")
        #expect(NearestWord.of("link_id", among: words) == "linkId")
        #expect(NearestWord.of("requierd", among: words) == "required")
        #expect(NearestWord.of("colour", among: words) == nil)
        #expect(NearestWord.of("", among: words) == nil)
        #expect(NearestWord.of(String(repeating: "x", count: 10_000), among: words) == nil)
    }
}
