import GateCore
import GateForms
import GateModel
import SQLite

// The formats that the tables of forms have in common.

extension Format<FormHolder> {
    private static let account = "account:"
    private static let user = "user:"

    /// The holder of a form or of seen news: `account:anna`; `user:1000`; `user:100000:1000` for a uid that is billed
    /// to another user.
    static let holder = Format(
        .line(1...(account.utf8.count + GatePerson.maximumNameByteCount)), "a holder that is an account or a user",
        value: { text in
            if let name = rest(of: text, after: account) { return name.isEmpty ? nil : .account(name) }
            let numbers = rest(of: text, after: user)?.split(separator: ":", omittingEmptySubsequences: false) ?? []
            let holder: FormHolder? =
                switch numbers.compactMap({ UInt32($0) }) {
                case let uid where uid.count == 1: .user(uid[0])
                case let both where both.count == 2: .subordinate(both[0], of: Owner(stored: both[1]))
                default: nil
                }
            // A number has only one spelling.
            return holder.flatMap { Format<FormHolder>.text(of: $0) == text ? $0 : nil }
        }, base: text(of:))

    /// The text after a prefix, compared by bytes: an accent at its beginning would be one character with the colon.
    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// - Returns: `nil` for an account without a name.
    @Sendable private static func text(of holder: FormHolder) -> String? {
        switch holder.kind {
        case .account(let name): name.isEmpty ? nil : account + name
        case .user(let uid): "\(user)\(uid)" + (holder.otherOwner.map { ":\($0.number)" } ?? "")
        }
    }
}

// MARK: - FHIR JSON
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
