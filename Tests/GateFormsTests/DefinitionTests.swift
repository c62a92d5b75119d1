import GateForms
import GateModel
import Testing

@Suite("Definitions that mean the same in every form (F-72)")
struct DefinitionTests {
    private static func item(_ definition: String, type: String = "string") -> String {
        #"{"linkId": "q", "type": "\#(type)", "definition": «"\#(definition)"}"#
    }

    @Test(
        "F-72: a definition that is not a whole URI is refused with its place",
        arguments: ["person", "/person", "example.org/person", ":person", "https:", "1a:b", "#person"])
    func relative(text: String) throws {
        try RefusedForm(Self.item(text), linkID: "q", at: "item[0].definition", "'definition' is a whole URI")
            .expectRefusal()
    }

    @Test("F-72: a definition that is too long is refused")
    func long() throws {
        let text = "urn:" + String(repeating: "x", count: 509)
        try RefusedForm(Self.item(text), linkID: "q", at: "item[0].definition", "at most 512 bytes").expectRefusal()
    }

    @Test(
        "F-72: groups and questions keep their definition, also one with a fragment",
        arguments: ["https://example.org/person", "urn:oid:1.2.3", "https://example.org/person#person.name"])
    func read(text: String) throws {
        let json = """
            {"linkId": "g", "type": "group", "text": "G", "definition": "\(text)", "item": [
                {"linkId": "q", "type": "string", "text": "Q", "definition": "\(text)"},
                {"linkId": "d", "type": "display", "text": "D", "definition": "\(text)"}]}
            """
        let group = try #require(try Form.items(json).first)
        #expect(group.definition == text && group.items.map(\.definition) == [text, nil])
    }

    @Test("F-72: an answered item's definition is read from a response and written again")
    func response() throws {
        let json =
            #"{"resourceType":"QuestionnaireResponse","status":"in-progress","item":"#
            + #"[{"linkId":"q","definition":"urn:a","text":"Q","answer":[{"valueString":"x"}]}]}"#
        let response = try #require(ResponseReader().response(Array(json.utf8)).response)
        #expect(response.items.first?.definition == "urn:a")
        #expect(String(decoding: ResponseWriter.json(response), as: UTF8.self) == json)
    }
}
