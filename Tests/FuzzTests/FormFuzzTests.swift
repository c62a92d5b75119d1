import GateForms
import GateModel
import GateScripting
import Testing

extension FuzzTests {
    @Suite("Forms")
    struct FormFuzzTests {
        @Sendable private static func digest(_ bytes: [UInt8]) -> AttachmentDigest {
            var sum = [UInt8](repeating: 0, count: AttachmentDigest.byteCount)
            for (index, byte) in bytes.enumerated() { sum[index % sum.count] &+= byte }
            guard let digest = AttachmentDigest(bytes: sum) else { preconditionFailure("it has 32 bytes") }
            return digest
        }

        @Test(
            "JSON that is read says the same when it is written and read again; broken JSON is refused with its place")
        func json() throws {
            try FuzzRun.run("fhir-json", iterations: 3000) { fuzzCase in
                let input = fuzzCase.random.formResource()
                fuzzCase.trying(input)
                let node: FHIRNode
                do throws(FormProblem) {
                    node = try FHIRNode(json: input)
                } catch {
                    #expect(error.severity == .error && !error.message.isEmpty, "\(fuzzCase)")
                    return
                }
                let written = node.json()
                let again = try FHIRNode(json: written)
                #expect(again.json() == written && again.isSame(as: node), "\(input); \(fuzzCase)")
            }
        }

        @Test(
            "a questionnaire is there exactly where nothing is an error, and every problem is a sentence about a place")
        func questionnaires() throws {
            try FuzzRun.run("questionnaire", iterations: 1500) { fuzzCase in
                let input = fuzzCase.random.formResource()
                fuzzCase.trying(input)
                guard let node = try? FHIRNode(json: input) else { return }
                let reader = QuestionnaireReader(fallbackName: "file")
                let (questionnaire, problems) = reader.questionnaire(node)
                #expect((questionnaire == nil) == problems.contains { $0.severity == .error }, "\(fuzzCase)")
                #expect(problems.count <= 100 && problems.allSatisfy { !$0.message.isEmpty }, "\(fuzzCase)")
                // What is kept of it as JSON is the same form.
                guard let form = reader.form(node).form else { return }
                let kept = reader.questionnaire(try FHIRNode(json: form.json)).questionnaire
                #expect(kept == questionnaire && kept == form.questionnaire, "\(fuzzCase)")
            }
        }

        @Test("a response that is understood says the same when it is written and read again")
        func responses() throws {
            try FuzzRun.run("response", iterations: 2000) { fuzzCase in
                let input = fuzzCase.random.formResource()
                fuzzCase.trying(input)
                let reading = ResponseReader(digest: Self.digest).response(input)
                #expect(reading.issues.allSatisfy { !$0.message.isEmpty && !$0.path.isEmpty }, "\(fuzzCase)")
                #expect((try? FHIRNode(json: OutcomeWriter.json(reading.issues))) != nil, "\(fuzzCase)")
                guard let response = reading.response else {
                    #expect(reading.issues.contains { $0.severity == .error }, "\(fuzzCase)")
                    return
                }
                guard !reading.issues.contains(where: { $0.severity == .error }) else { return }
                let written = ResponseWriter.json(response)
                let again = ResponseReader().response(written)
                #expect(again.response == response, "\(input); \(fuzzCase)")
                #expect(!again.issues.contains { $0.severity == .error }, "\(again.issues); \(fuzzCase)")
            }
        }

        @Test("answers that are understood say the same when they are written and read again")
        func answers() throws {
            try FuzzRun.run("answers", iterations: 2000) { fuzzCase in
                var input = Array(FormFuzzFixtures.answers.utf8)
                if fuzzCase.random.chance(1, in: 8) { input = fuzzCase.random.formResource() }
                if fuzzCase.random.chance(9, in: 10) { fuzzCase.random.mutate(&input) }
                fuzzCase.trying(input)
                do throws(FormProblem) {
                    let (values, attachments) = try ResponseReader(digest: Self.digest).answers(input)
                    let written = ResponseWriter.answers(values)
                    let again = try ResponseReader().answers(written)
                    #expect(again.values == values && again.attachments.isEmpty, "\(input); \(fuzzCase)")
                    #expect(attachments.allSatisfy { Self.digest($1) == $0 }, "\(fuzzCase)")
                } catch {
                    #expect(error.severity == .error && !error.message.isEmpty, "\(fuzzCase)")
                }
            }
        }

        @Test("a pattern is understood or refused at a place, and matches any text without an end that nobody sees")
        func patterns() throws {
            try FuzzRun.run("pattern", iterations: 3000) { fuzzCase in
                let source = fuzzCase.random.pattern()
                fuzzCase.trying(Array(source.utf8))
                do throws(TextPattern.Mistake) {
                    let pattern = try TextPattern(source)
                    #expect(pattern.source == source, "\(fuzzCase)")
                    let texts =
                        ["", "a", "ab", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "é", "\n"]
                        + [String(decoding: fuzzCase.random.text(), as: UTF8.self)]
                    for text in texts {
                        #expect(pattern.matches(text) == pattern.matches(text), "\(fuzzCase)")
                        // The same in a group of its own.
                        if let grouped = try? TextPattern("(?:\(source))") {
                            #expect(grouped.matches(text) == pattern.matches(text), "\(source) of \(text); \(fuzzCase)")
                        }
                    }
                } catch {
                    #expect(!error.message.isEmpty, "\(fuzzCase)")
                    #expect((0...source.unicodeScalars.count).contains(error.offset), "\(source); \(fuzzCase)")
                }
            }
        }
    }
}

extension FHIRNode {
    /// Wherever it stands.
    fileprivate func isSame(as other: FHIRNode) -> Bool {
        switch (content, other.content) {
        case (.object(let ours), .object(let theirs)):
            ours.count == theirs.count
                && zip(ours, theirs).allSatisfy { $0.key == $1.key && $0.value.isSame(as: $1.value) }
        case (.array(let ours), .array(let theirs)):
            ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.isSame(as: $1) }
        case (.string(let ours), .string(let theirs)), (.number(let ours), .number(let theirs)):
            ours.utf8.elementsEqual(theirs.utf8)
        case (.boolean(let ours), .boolean(let theirs)): ours == theirs
        case (.null, .null): true
        case (.object, _), (.array, _), (.string, _), (.number, _), (.boolean, _), (.null, _), (.plain, _): false
        }
    }
}
