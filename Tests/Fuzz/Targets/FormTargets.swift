import GateCore
import GateForms
import GateModel
import GateScripting

extension FuzzTarget {
    static let formTargets = [fhirJSON, questionnaire, response, answers, form, pattern, scalars]

    /// JSON that is read says the same when it is written and read again; broken JSON is refused with its place.
    private static let fhirJSON = FuzzTarget("fhir-json", maximumBytes: 32_768, dictionary: "json") {
        $0.formResource()
    } check: { input in
        let node: FHIRNode
        do throws(FormProblem) {
            node = try FHIRNode(json: input)
        } catch {
            try promise(error.severity == .error && !error.message.isEmpty, "refused without a word")
            let lineCount = 1 + input.count { $0 == 0x0A }
            try promise(
                error.place.map { (1...lineCount).contains($0.line) && $0.column >= 1 } ?? true,
                "refused at \(String(describing: error.place)) of \(lineCount) lines")
            return
        }
        let written = node.json()
        let again = try FHIRNode(json: written)
        try promise(again.json() == written && again.isSame(as: node), "read, written and read again it is another")
    }

    /// A questionnaire is there exactly where nothing is an error, and what is kept of it as JSON is the same form.
    private static let questionnaire = FuzzTarget("questionnaire", maximumBytes: 8192, dictionary: "fhir") {
        $0.formResource()
    } check: { input in
        guard let node = try? FHIRNode(json: input) else { return }
        let reader = QuestionnaireReader(fallbackName: "file")
        let (questionnaire, problems) = reader.questionnaire(node)
        try promise((questionnaire == nil) == problems.contains { $0.severity == .error }, "a form in spite of errors")
        try promise(problems.count <= 100 && problems.allSatisfy { !$0.message.isEmpty }, "problems without words")
        guard let form = reader.form(node).form else { return }
        let kept = reader.questionnaire(try FHIRNode(json: form.json)).questionnaire
        try promise(kept == questionnaire && kept == form.questionnaire, "what is kept of it is another form")
    }

    /// A response that is understood says the same when it is written and read again.
    private static let response = FuzzTarget("response", maximumBytes: 8192, dictionary: "fhir") {
        $0.formResource()
    } check: { input in
        let reading = ResponseReader(digest: FormInputs.digest).response(input)
        try promise(reading.issues.allSatisfy { !$0.message.isEmpty && !$0.path.isEmpty }, "issues without words")
        _ = try FHIRNode(json: OutcomeWriter.json(reading.issues))
        let hasErrors = reading.issues.contains { $0.severity == .error }
        guard let response = reading.response else {
            try promise(hasErrors, "nothing is wrong, and there is no response")
            return
        }
        guard !hasErrors else { return }
        let again = ResponseReader().response(ResponseWriter.json(response))
        try promise(again.response == response, "read, written and read again it is another")
        try promise(!again.issues.contains { $0.severity == .error }, "what was written has errors: \(again.issues)")
    }

    /// Answers that are understood say the same when they are written and read again.
    private static let answers = FuzzTarget("answers", dictionary: "fhir") { random in
        var input = Array(FormInputs.answers.utf8)
        if random.chance(1, in: 8) { input = random.formResource() }
        if random.chance(9, in: 10) { random.mutate(&input) }
        return input
    } check: { input in
        let read: (values: [FormValue], attachments: [AttachmentDigest: [UInt8]])
        do throws(FormProblem) {
            read = try ResponseReader(digest: FormInputs.digest).answers(input)
        } catch {
            try promise(error.severity == .error && !error.message.isEmpty, "refused without a word")
            return
        }
        try promise(read.attachments.allSatisfy { FormInputs.digest($1) == $0 }, "a document under another name")
        let again = try ResponseReader().answers(ResponseWriter.answers(read.values))
        try promise(again.values == read.values && again.attachments.isEmpty, "read, written and read again: others")
    }

    /// A form with a response to it, and what somebody types into it: up to two NULs stand between them.
    private static let form = FuzzTarget("form", maximumBytes: 8192, dictionary: "fhir") { random in
        Array(random.formParts().joined(separator: [0]))
    } check: { input in
        let parts = input.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map { Array($0) }
        try FormPromises(
            questionnaire: parts[0], response: parts.dropFirst().first ?? [],
            text: String(decoding: parts.dropFirst(2).first ?? [], as: UTF8.self)
        )?.check()
    }

    /// A pattern is understood or refused at a place, and matches any text to an end.
    private static let pattern = FuzzTarget("pattern", maximumBytes: 256, dictionary: "pattern") { random in
        Array(random.pattern().utf8) + [0] + random.text()
    } check: { input in
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let source = String(decoding: parts[0], as: UTF8.self)
        let pattern: TextPattern
        do throws(TextPattern.Mistake) {
            pattern = try TextPattern(source)
        } catch {
            try promise(!error.message.isEmpty, "refused without a word")
            try promise((0...source.unicodeScalars.count).contains(error.offset), "refused at \(error.offset)")
            return
        }
        try promise(pattern.source.utf8.elementsEqual(source.utf8), "another source: \(pattern.source)")
        let text = parts.dropFirst().first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        // The same pattern in a group of its own means the same, if there is room for one more group.
        let grouped = try? TextPattern("(?:\(source))")
        for text in [text, "", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "\n"] {
            let matches = pattern.matches(text)
            guard let grouped, text.unicodeScalars.count <= grouped.maximumTextLength else { continue }
            try promise(grouped.matches(text) == matches, "\(source) of \(text) is another thing within brackets")
        }
    }

    /// Dates, numbers and durations that are understood are written as what means the same.
    private static let scalars = FuzzTarget("scalars", maximumBytes: 128, dictionary: "scalars") { random in
        var text = Array(random.element(of: FormInputs.scalarTexts).utf8)
        if random.chance(3, in: 4) { random.mutate(&text) }
        return text
    } check: { input in
        let text = String(decoding: input, as: UTF8.self)
        if let value = FormDate(text) { try promise(FormDate(value.text) == value, "the date \(value)") }
        if let value = FormDateTime(text) { try promise(FormDateTime(value.description) == value, "\(value)") }
        if let value = FormTime(text) { try promise(FormTime(value.description) == value, "the time \(value)") }
        if let value = FormDecimal(text) {
            try promise(FormDecimal(value.description) == value, "the number \(value)")
            try promise(FormDecimal.compare(value, value) == 0, "the number \(value) is not itself")
            try promise(value.decimalPlaces >= 0, "the number \(value) has fewer than no places")
        }
        if let value = CivilDate(text) { try promise(CivilDate(value.description) == value, "the day \(value)") }
        if let value = FormPath(text: text) { try promise(FormPath(text: value.description) == value, "\(value)") }
        if let value = Duration(shortText: text) {
            try promise(Duration(shortText: value.shortText) == value, "the duration \(value)")
        }
        if let value = AttachmentDigest(hexText: text) {
            try promise(AttachmentDigest(hexText: value.description) == value, "the digest \(value)")
        }
    }
}

extension FHIRNode {
    /// Whether two nodes are the same wherever they stand.
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
