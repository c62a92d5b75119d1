import Foundation
import GateModel
import GateScripting

/// Resources as an honest author and an honest app write them, to be broken.
enum FormInputs {
    /// A quick sum in place of a hash: bytes with the same sum get the same name.
    @Sendable static func digest(_ bytes: [UInt8]) -> AttachmentDigest {
        var sum = [UInt8](repeating: 0, count: AttachmentDigest.byteCount)
        for (index, byte) in bytes.enumerated() { sum[index % sum.count] &+= byte }
        guard let digest = AttachmentDigest(bytes: sum) else { preconditionFailure("it has 32 bytes") }
        return digest
    }

    /// A questionnaire with the responses to it, as in Tests/FormPairs, where every rule of forms has its file.
    struct Pair {
        let questionnaire: [UInt8]
        let responses: [[UInt8]]
    }

    static let pairs: [Pair] = RepositoryFolder.files("Tests/FormPairs", endingIn: ".json").compactMap { bytes in
        guard let file = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
            let cases = file["cases"] as? [[String: Any]]
        else { return nil }
        return Pair(
            questionnaire: text(of: file["questionnaire"]), responses: cases.map { text(of: $0["response"]) })
    }

    private static func text(of resource: Any?) -> [UInt8] {
        guard let resource, JSONSerialization.isValidJSONObject(resource),
            let text = try? JSONSerialization.data(withJSONObject: resource, options: [.sortedKeys])
        else { return [] }
        return [UInt8](text)
    }

    static let typedTexts = [
        "yes", "no", "42", "-1.50", "2015-03-02", "2015-03", "2026-01-31 18:30+01:00", "18:30", "8:30:05", "75 kW",
        "<= 5 mg", "1e3 m", "https://example.org/", "1", "Anna", "Patient/1", "", "ab12x", "AB-129é",
    ]

    static let scalarTexts =
        typedTexts + [
            "2024-02-29", "2024-02-29T12:00:00+01:00", "2024-02-29T23:59:59.999Z", "0001-01-01", "9999-12-31",
            "23:59:59.5", "-0.0", "1E400", "15e-2", "1e-9223372036854775808", "1m30s", "15m", "2562047h47m16s",
            "driver[1]/name", "a[9999]/b/c[0]",
            String(repeating: "0123456789abcdef", count: 4),
        ]

    static let resources: [String] = [questionnaire, valueSets, response, answers, scalars]

    static let questionnaire = """
        {"resourceType": "Questionnaire", "id": "club", "url": "https://example.org/club", "version": "2",
        "status": "active", "language": "en", "title": "A club é 👪", "_title": {"extension": [
        {"url": "http://hl7.org/fhir/StructureDefinition/translation", "extension": [
        {"url": "lang", "valueCode": "zh-CN"}, {"url": "content", "valueString": "俱乐部"}]}]}, "item": [
        {"linkId": "name", "type": "string", "text": "Name", "required": true, "maxLength": 40,
        "extension": [{"url": "http://hl7.org/fhir/StructureDefinition/regex",
        "valueString": "[A-Z]\\\\w{1,9}( [a-z]+)*"},
        {"url": "http://hl7.org/fhir/StructureDefinition/minLength", "valueInteger": 2}]},
        {"linkId": "plate", "type": "string", "extension": [
        {"url": "https://gate.example/fhir/StructureDefinition/mask", "valueString": "AA-99\\\\9*"}]},
        {"linkId": "born", "type": "date", "extension": [
        {"url": "http://hl7.org/fhir/StructureDefinition/maxValue", "valueDate": "2020-02-29"}]},
        {"linkId": "sports", "type": "choice", "repeats": true, "answerOption": [
        {"valueCoding": {"system": "https://example.org/s", "code": "a", "display": "A"}, "initialSelected": true},
        {"valueCoding": {"system": "https://example.org/s", "code": "b"}, "extension": [
        {"url": "http://hl7.org/fhir/StructureDefinition/questionnaire-optionExclusive", "valueBoolean": true}]}]},
        {"linkId": "member", "type": "boolean", "initial": [{"valueBoolean": false}]},
        {"linkId": "number", "type": "integer", "enableBehavior": "any", "enableWhen": [
        {"question": "member", "operator": "=", "answerBoolean": true},
        {"question": "born", "operator": "exists", "answerBoolean": false}], "extension": [
        {"url": "https://gate.example/fhir/StructureDefinition/parents", "valueString": "name"}]},
        {"linkId": "friends", "type": "group", "repeats": true, "item": [
        {"linkId": "friend", "type": "open-choice", "answerOption": [{"valueString": "Uli"}]},
        {"linkId": "weight", "type": "quantity", "item": [{"linkId": "when", "type": "dateTime"}]}]},
        {"linkId": "photo", "type": "attachment", "extension": [
        {"url": "http://hl7.org/fhir/StructureDefinition/maxSize", "valueDecimal": 0.5}]}]}
        """

    static let valueSets = """
        {"resourceType": "Questionnaire", "id": "sets", "status": "draft", "contained": [
        {"resourceType": "ValueSet", "id": "one", "status": "active", "compose": {"include": [
        {"system": "https://example.org/c", "concept": [{"code": "x", "display": "X"}, {"code": "y"}]}]}},
        {"resourceType": "ValueSet", "id": "two", "status": "active", "expansion": {"timestamp": "2020-01-01",
        "contains": [{"system": "https://example.org/c", "code": "z"}]}}],
        "item": [{"linkId": "1", "type": "choice", "answerValueSet": "#one"},
        {"linkId": "2", "type": "choice", "answerValueSet": "#two", "item": [
        {"linkId": "2.1", "type": "decimal", "initial": [{"valueDecimal": 1.50e3}]}]}]}
        """

    static let response = """
        {"resourceType": "QuestionnaireResponse", "questionnaire": "https://example.org/club|2",
        "status": "completed", "authored": "2024-02-29T12:00:00+01:00", "item": [
        {"linkId": "name", "text": "Name", "answer": [{"valueString": "Lina \\u00e9\\ud83d\\udc6a"}]},
        {"linkId": "born", "answer": [{"valueDate": "2015-06"}]},
        {"linkId": "sports", "answer": [{"valueCoding": {"system": "https://example.org/s", "code": "a"}}]},
        {"linkId": "friends", "item": [{"linkId": "friend", "answer": [{"valueString": "Uli"}]},
        {"linkId": "weight", "answer": [{"valueQuantity": {"value": 31.50, "unit": "kg", "comparator": "<"},
        "item": [{"linkId": "when", "answer": [{"valueDateTime": "2024"}]}]}]}]},
        {"linkId": "photo", "answer": [{"valueAttachment": {"contentType": "image/png", "title": "me",
        "url": "urn:sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", "size": 12}}]}]}
        """

    static let answers = """
        [{"valueString": "a"}, {"valueDecimal": -0.10}, {"valueInteger": -7}, {"valueTime": "23:59:59.5"},
        {"valueUri": "https://example.org/"}, {"valueReference": {"reference": "Patient/1", "display": "P"}},
        {"valueAttachment": {"contentType": "text/plain", "data": "aGVsbG8=", "creation": "2020"}}]
        """

    static let scalars = #"[0, -0.0, 1E400, 1e-7, true, false, null, "", "\"\\\/\b\f\n\r\t\u0000", {"a": [], "b": {}}]"#
}

extension SeededGenerator {
    /// Mostly a resource that is broken in a few places; now and then one of nothing but brackets, or any bytes.
    mutating func formResource() -> [UInt8] {
        switch Int.random(in: 0..<10, using: &self) {
        case 0: return bytes(upTo: 60)
        case 1: return tokens()
        default:
            var resource = Array((FormInputs.resources.randomElement(using: &self) ?? "").utf8)
            if chance(1, in: 4) { return resource }
            if chance(1, in: 2) { swapWords(&resource) } else { mutate(&resource) }
            return resource
        }
    }

    /// A form, a response to it, and what somebody types.
    mutating func formParts() -> [[UInt8]] {
        let pair = element(of: FormInputs.pairs)
        var parts = [pair.questionnaire, element(of: pair.responses + [Array(FormInputs.response.utf8)])]
        if chance(1, in: 4) { parts[0] = Array(FormInputs.questionnaire.utf8) }
        for index in parts.indices where chance(1, in: 2) {
            if chance(1, in: 2) { swapWords(&parts[index]) } else { mutate(&parts[index]) }
        }
        return parts.map { $0.filter { $0 != 0 } } + [Array(element(of: FormInputs.typedTexts).utf8)]
    }

    /// The tokens of JSON, in any order.
    private mutating func tokens() -> [UInt8] {
        let tokens = [
            "{", "}", "[", "]", ":", ",", "\"item\"", "\"linkId\"", "\"answer\"", "\"valueString\"", "1", "-", "1e9",
            "true", "null", "\"\\ud800\"", "\"\\u", " ", "\n", "\"Questionnaire\"", "\"resourceType\"",
        ]
        // Now and then the nesting is deeper than any stack.
        if chance(1, in: 3) {
            let depth = Int.random(in: 0...(chance(1, in: 8) ? 30_000 : 200), using: &self)
            return Array(String(repeating: chance(1, in: 2) ? "[" : "{\"item\":[", count: depth).utf8)
        }
        let count = Int.random(in: 0...200, using: &self)
        return Array((0..<count).map { _ in tokens.randomElement(using: &self) ?? "" }.joined().utf8)
    }

    /// Takes one word between quotes for another: what is broken then is the resource, and not its JSON.
    mutating func swapWords(_ resource: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            var words = String(decoding: resource, as: UTF8.self).split(
                separator: "\"", omittingEmptySubsequences: false)
            guard words.count > 3 else { return }
            let (first, second) = (
                Int.random(in: 0..<words.count / 2, using: &self) * 2 + 1,
                Int.random(in: 0..<words.count / 2, using: &self) * 2 + 1
            )
            guard words.indices.contains(first), words.indices.contains(second) else { return }
            words[first] = chance(1, in: 4) ? "x" : words[second]
            resource = Array(words.joined(separator: "\"").utf8)
        }
    }

    /// A regular expression, or what looks like one.
    mutating func pattern() -> String {
        let parts = [
            "a", "b", "é", ".", "[ab]", "[^a-z]", "[", "]", "\\d", "\\W", "\\u00e9", "\\x4", "\\", "(", ")", "(?:", "|",
            "*", "+", "?", "*?", "{2}", "{1,}", "{0,3}", "{9,1}", "{", "}", "^", "$", "(?=a)", "\\1", "\\b", "-",
            "(a|b)*",
            "(a*)*", "((a+)+)+",
        ]
        return (0..<Int.random(in: 0...12, using: &self)).map { _ in parts.randomElement(using: &self) ?? "" }.joined()
    }
}
