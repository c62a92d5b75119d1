import Testing

@testable import GateClient

private func item(_ kind: QuestionnaireItem.Kind, options: [FormValue] = []) -> QuestionnaireItem {
    QuestionnaireItem(linkID: "q", kind: kind, text: "Question", options: options.map { QuestionnaireAnswerOption($0) })
}

private func value(_ answer: some FormAnswer, for item: QuestionnaireItem) -> Result<FormValue, GateError> {
    do throws(GateError) {
        return .success(try answer.formValue(for: item))
    } catch {
        return .failure(error)
    }
}

@Suite("Answers with the types of a program")
struct FormAnswerTests {
    @Test("a String answers questions for text, web addresses and choices")
    func string() {
        #expect(value("a", for: item(.string)) == .success(.string("a")))
        #expect(value("a", for: item(.text)) == .success(.string("a")))
        #expect(value("https://a.example", for: item(.url)) == .success(.uri("https://a.example")))
        let choice = item(.choice, options: [.coding(motorcycles), .coding(cars), .string("None")])
        #expect(value("B", for: choice) == .success(.coding(cars)), "by its code")
        #expect(value("Cars", for: choice) == .success(.coding(cars)), "by what people read")
        #expect(value("None", for: choice) == .success(.string("None")))
        let open = item(.openChoice, options: [.coding(cars)])
        #expect(value("B", for: open) == .success(.coding(cars)))
        #expect(value("Tractors", for: open) == .success(.string("Tractors")))
    }

    @Test("a value that is not offered is refused with the options")
    func notOffered() {
        guard case .failure(let error) = value("C", for: item(.choice, options: [.coding(motorcycles), .coding(cars)]))
        else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == .invalidArgument && error.reason == .badAnswer)
        #expect(error.message.contains("choose one of A, B"), "\(error.message)")
    }

    @Test("a number answers whole and decimal questions, within 32 bits, and a choice of numbers")
    func number() throws {
        #expect(value(7, for: item(.integer)) == .success(.integer(7)))
        #expect(value(7, for: item(.decimal)) == .success(.decimal(try #require(FormDecimal("7")))))
        #expect(value(7, for: item(.choice, options: [.integer(7)])) == .success(.integer(7)))
        #expect(value(1 << 31, for: item(.integer)).reason == .badAnswer)
        #expect(value(7, for: item(.choice, options: [.coding(cars)])).reason == .badAnswer)
    }

    /// One of each type, and the kind of question that takes it.
    private static let ofEachKind: [(any FormAnswer, QuestionnaireItem.Kind)] = [
        (true, .boolean), (7, .integer), (FormDecimal("1.50")!, .decimal), (FormDate("2024-02")!, .date),
        (FormDateTime("2024-02-29T10:00:00Z")!, .dateTime), (FormTime("10:00:00")!, .time), ("a", .string),
        (cars, .choice), (FormQuantity(value: FormDecimal("75"), unit: "kW"), .quantity),
        (FormReference(reference: "Patient/17"), .reference),
        (
            FormAttachment(
                mediaType: "image/png", byteCount: 1,
                digest: AttachmentDigest(bytes: [UInt8](repeating: 1, count: 32))!), .attachment
        ),
    ]

    @Test("each type comes back as it was given", arguments: ofEachKind.indices)
    func roundTrip(index: Int) throws {
        func check<Answer: FormAnswer & Equatable>(_ answer: Answer, _ kind: QuestionnaireItem.Kind)
            throws
        {
            #expect(Answer(formValue: try answer.formValue(for: item(kind))) == answer)
        }
        let (answer, kind) = Self.ofEachKind[index]
        guard let comparable = answer as? any FormAnswer & Equatable else {
            Issue.record("\(answer) can't be compared")
            return
        }
        try check(comparable, kind)
    }

    @Test(
        "an answer of another type is refused with the type that the question takes, and groups take none",
        arguments: ofEachKind.indices)
    func refused(index: Int) {
        let (answer, taken) = Self.ofEachKind[index]
        for kind in QuestionnaireItem.Kind.allCases where kind != taken {
            switch (taken, kind) {
            case (.string, .text), (.string, .url), (.string, .openChoice), (.integer, .decimal), (.date, .dateTime),
                (.choice, .openChoice):
                continue
            default: break
            }
            guard case .failure(let error) = value(answer, for: item(kind)) else {
                Issue.record("\(kind) took \(answer)")
                continue
            }
            #expect(error.code == .invalidArgument && error.reason == .badAnswer)
            #expect(error.message.contains("\"Question\" (q)"), "\(error.message)")
        }
    }

    @Test("a date answers a question for a date with time, and a whole number one for a decimal")
    func wider() throws {
        let date = try #require(FormDate("2024-02-29"))
        #expect(value(date, for: item(.dateTime)) == .success(.dateTime(FormDateTime(date))))
        #expect(FormDecimal(formValue: .integer(7))?.text == "7")
    }

    @Test("reading a value as another type gives nil")
    func reading() {
        #expect(Int(formValue: .string("7")) == nil && String(formValue: .integer(7)) == nil)
        #expect(Bool(formValue: .string("true")) == nil && FormDate(formValue: .string("2024")) == nil)
        #expect(String(formValue: .coding(cars)) == "B" && String(formValue: .coding(FormCoding(display: "X"))) == "X")
    }
}
