import GateForms
import GateModel
import SQLite

// Columns with FHIR JSON.
//
// A later version may accept more here than this one, but never less: else it would take a store for damaged.

extension Format<[UInt8]> {
    /// More bytes than the wire carries.
    private static let byteCounts = 1...(4 << 20)

    static let json = Format(
        .text(byteCounts), "a resource", value: { Array($0.utf8) },
        base: { byteCounts.contains($0.count) ? String(validating: $0, as: UTF8.self) : nil })
}

extension Format where Value: Equatable & Sendable {
    /// A resource. It is written, read back and compared before it is stored.
    fileprivate convenience init(
        _ noun: String, reader: @escaping @Sendable ([UInt8]) -> Value?, writer: @escaping @Sendable (Value) -> [UInt8]
    ) {
        self.init(
            .json, noun, value: reader,
            base: { value in
                let json = writer(value)
                return reader(json) == value ? json : nil
            })
    }
}

extension Format<[FormValue]> {
    static let answers = Format(
        "answers in a form",
        reader: { json in
            guard let (values, attachments) = try? ResponseReader().answers(json), !values.isEmpty, attachments.isEmpty
            else { return nil }
            return values
        }, writer: { ResponseWriter.answers($0) })
}

extension Format<QuestionnaireResponse> {
    static let response = Format(
        "a response to a form",
        reader: { json in
            let reading = ResponseReader().response(json)
            guard reading.attachments.isEmpty, !reading.issues.contains(where: { $0.severity == .error }) else {
                return nil
            }
            return reading.response
        }, writer: { ResponseWriter.json($0) })
}
