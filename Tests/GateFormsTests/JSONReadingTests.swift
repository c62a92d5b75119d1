import GateForms
import GateModel
import Testing

@Suite("JSON of resources")
struct JSONReadingTests {
    private func content(_ text: String) throws -> FHIRNode.Content {
        try FHIRNode(json: Array(text.utf8)).content
    }

    @Test("each kind of value is read as what it is")
    func kinds() throws {
        #expect(try content("true") == .boolean(true))
        #expect(try content(" false\n") == .boolean(false))
        #expect(try content("null") == .null)
        #expect(try content(#""a""#) == .string("a"))
        #expect(try content("[]") == .array([]))
        #expect(try content("{}") == .object([]))
    }

    @Test(
        "a number keeps its text",
        arguments: ["0", "-0", "1.50", "1.5", "-12.25", "1e3", "1E+3", "1.0e-10", "123456789012345678901234567890"])
    func numbers(_ text: String) throws {
        #expect(try content(text) == .number(text))
        #expect(try FHIRNode(json: Array(text.utf8)).json() == Array(text.utf8))
    }

    @Test("escapes are decoded, and surrogate pairs joined")
    func escapes() throws {
        #expect(try content(#""\"\\\/\b\f\n\r\t\u0041\u00e9""#) == .string("\"\\/\u{8}\u{C}\n\r\tAé"))
        #expect(try content(#""\ud83d\ude00\u20ac""#) == .string("😀€"))
        #expect(try content(#""\uDBFF\uDFFF""#) == .string("\u{10FFFF}"))
    }

    @Test("a text from outside has so many combining marks in a row, written out or as escapes, and no more")
    func marks() throws {
        func read(_ count: Int, _ mark: String, isFromOutside: Bool = true) throws {
            let text = String(repeating: mark, count: count)
            _ = try FHIRNode(json: Array(#"{"a": "e\#(text)", "\#(text)": "é"}"#.utf8), isFromOutside: isFromOutside)
        }
        for mark in ["\u{301}", #"\u0301"#] {
            try read(CombiningMarks.maximumCount, mark)
            #expect(throws: FormProblem.self) { try read(CombiningMarks.maximumCount + 1, mark) }
            try read(5000, mark, isFromOutside: false)
        }
    }

    @Test("every value and every key knows its line, and its column in characters")
    func places() throws {
        let root = try FHIRNode(json: Array("{\n  \"é😀\": [1,\r\n\"b\"], \"c\": {\"d\": null}}".utf8))
        guard case .object(let entries) = root.content, case .array(let list) = entries[0].value.content else {
            Issue.record("this is an object with a list")
            return
        }
        #expect(root.place == .init(line: 1, column: 1))
        #expect(entries[0].keyPlace == .init(line: 2, column: 3))
        #expect(entries[0].value.place == .init(line: 2, column: 9))
        #expect(list.map(\.place) == [.init(line: 2, column: 10), .init(line: 3, column: 1)])
        #expect(entries[1].keyPlace == .init(line: 3, column: 7))
        #expect(entries[1].value.place == .init(line: 3, column: 12))
    }

    @Test("a byte order mark in front is passed over, and counts as nothing")
    func byteOrderMark() throws {
        let node = try FHIRNode(json: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8))
        #expect(node.place == .init(line: 1, column: 1))
    }

    @Test(
        "malformed JSON is refused at the place where it goes wrong",
        arguments: [
            "«", "   «", "{«", "[«", "[1«", "[1,«]", "[1 «2]", "[«,1]", "{«a: 1}", #"{"a" «1}"#, #"{"a": «}"#,
            #"{"a": 1,«}"#, #"{"a": 1 «"b": 2}"#, #"{"a"«"#, #"{"a":«"#, #"{"a": 1«"#, "«tru", "«True", "«nulL",
            "«'a'", "«01", "«-", "«1.", "«.5", "«+1", "«1e", "«1e+", "«- 1", "«1.2.3", "0«x10",
            "«NaN", "«Infinity", "1 «2", "{} «{}", "«// no", #""a«"#, "\"a«\n\"", "\"a«\u{1}\"", "\"a«\t\"", #""«\x""#,
            #""«\u12""#, #""«\u12g4""#, #""«\ud800""#, #""«\udc00""#, #""«\ud800\u0041""#, #""«\ud800\ud800""#, #""\"#,
            #"{"a": 1, «"a": 2}"#, #"{"a": 1, «"\u0061": 2}"#, "«]", "«}", "[1«}", "{«]", "{\"a\": [1, 2«}",
        ])
    func malformed(_ text: String) throws {
        let marked = MarkedText(text)
        let problem = #expect(throws: FormProblem.self) { try FHIRNode(json: marked.bytes) }
        if let place = marked.place { #expect(problem?.place == place) }
        #expect(problem?.severity == .error)
        #expect(problem?.message.hasSuffix(".") ?? false)
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0x80]])
    func notUTF8(_ bytes: [UInt8]) {
        #expect(throws: FormProblem.self) { try FHIRNode(json: [0x22] + bytes + [0x22]) }
        #expect(throws: FormProblem.self) { try FHIRNode(json: bytes) }
    }

    @Test("every incomplete resource is refused, and none traps")
    func beginnings() {
        let bytes = Array(#"{"a": [1.5e3, "\ud83d\ude00é", true, null], "b": {"c": false}}"#.utf8)
        for count in 0..<bytes.count {
            #expect(throws: FormProblem.self) { try FHIRNode(json: Array(bytes[..<count])) }
        }
    }

    @Test("a repeated key is found among few keys and among many")
    func manyKeys() throws {
        let keys = (0..<40).map { "\"k\($0)\": 1" }
        _ = try FHIRNode(json: Array("{\(keys.joined(separator: ", "))}".utf8))
        for twice in [0, 10, 15, 16, 17, 39] {
            for count in [twice + 1, 40] {
                let text = (keys.prefix(count) + [keys[twice]]).joined(separator: ", ")
                #expect(throws: FormProblem.self) { try FHIRNode(json: Array("{\(text)}".utf8)) }
            }
        }
    }

    @Test("nesting goes as deep as the deepest form, and no deeper")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try FHIRNode(json: nested(160))
        #expect(throws: FormProblem.self) { try FHIRNode(json: nested(161)) }
        #expect(throws: FormProblem.self) { try FHIRNode(json: Array(repeating: UInt8(ascii: "["), count: 1_000_000)) }
        let objects = String(repeating: #"{"a":"#, count: 500_000)
        #expect(throws: FormProblem.self) { try FHIRNode(json: Array(objects.utf8)) }
    }

    @Test("a text over the limit is refused unread")
    func size() throws {
        let bytes = Array(#""aaaaaaaa""#.utf8)
        _ = try FHIRNode(json: bytes, maximumBytes: 10)
        let problem = #expect(throws: FormProblem.self) { try FHIRNode(json: bytes, maximumBytes: 9) }
        #expect(problem?.message.contains("9 bytes") ?? false)
    }

    @Test("an error message has no control characters, and is short")
    func quietMessages() throws {
        let key = "\\u001b[2J" + String(repeating: "x", count: 1000)
        let problem = #expect(throws: FormProblem.self) {
            try FHIRNode(json: Array("{\"\(key)\": 1, \"\(key)\": 2}".utf8))
        }
        let message = try #require(problem?.message)
        #expect(!message.contains("\u{1b}"))
        #expect(message.count < 200)
    }
}

@Suite("Writing JSON")
struct JSONWritingTests {
    private func text(_ content: FHIRNode.Content) -> String {
        String(decoding: FHIRNode(content).json(), as: UTF8.self)
    }

    @Test("a tree is written without white space and with only the necessary escapes")
    func canonical() throws {
        let source = #" { "b" : [ 1.50 , "\u00e9\/\u0001\n\"\\" ] , "a" : { } , "c" : null } "#
        let written = try FHIRNode(json: Array(source.utf8)).json()
        #expect(String(decoding: written, as: UTF8.self) == #"{"b":[1.50,"é/\u0001\n\"\\"],"a":{},"c":null}"#)
        #expect(try FHIRNode(json: written).json() == written)
    }

    @Test("a plain scalar is written as its element's type")
    func plain() {
        func element(_ key: String, _ text: String) -> String {
            self.text(.object([.init(key: key, value: FHIRNode(.plain(text)))]))
        }
        #expect(element("required", "true") == #"{"required":true}"#)
        #expect(element("required", "yes") == #"{"required":"yes"}"#)
        #expect(element("maxLength", "10") == #"{"maxLength":10}"#)
        #expect(element("maxLength", "010") == #"{"maxLength":"010"}"#)
        #expect(element("valueDecimal", "1.50") == #"{"valueDecimal":1.50}"#)
        #expect(element("valueString", "1.50") == #"{"valueString":"1.50"}"#)
        #expect(element("valueBoolean", "false") == #"{"valueBoolean":false}"#)
        #expect(element("version", "2") == #"{"version":"2"}"#)
        #expect(element("text", "true") == #"{"text":"true"}"#)
        #expect(element("linkId", "1") == #"{"linkId":"1"}"#)
        #expect(element("value", "5") == #"{"value":"5"}"#)
    }

    @Test("'value' is a number in a quantity, and a text elsewhere")
    func plainQuantities() {
        let value = FHIRNode(.object([.init(key: "value", value: FHIRNode(.plain("75")))]))
        #expect(text(.object([.init(key: "valueQuantity", value: value)])) == #"{"valueQuantity":{"value":75}}"#)
        #expect(text(.object([.init(key: "answerQuantity", value: value)])) == #"{"answerQuantity":{"value":75}}"#)
        let list = FHIRNode(.array([value]))
        #expect(text(.object([.init(key: "identifier", value: list)])) == #"{"identifier":[{"value":"75"}]}"#)
    }
}
