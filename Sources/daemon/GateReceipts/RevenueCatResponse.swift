import FoundationEssentials

/// A response of RevenueCat's API as it was received. `gate-revenuecat` submits it, and `gatectl receipt check
/// --provider revenuecat` reads it from a JSON file.
public struct CustomerInfoResponse: Hashable, Sendable {
    public struct Header: Hashable, Sendable {
        /// In upper or lower case.
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public static let nonceByteCount = 12
    public static let maximumHeaderCount = 64
    /// The most bytes of a header's name and value together, and the most of the path.
    public static let maximumLineByteCount = 8_192
    public static let maximumBodyByteCount = 1 << 20
    /// The most bytes of the JSON form, in which a byte of the body may take six.
    public static let maximumJSONByteCount = 8 << 20

    /// The path of the request as it was sent: "/v1/subscribers/anna".
    public var path: String
    /// The nonce of the request (X-Nonce), 12 bytes; empty if none was sent.
    public var nonce: [UInt8]
    /// The headers of the response, at most 64.
    public var headers: [Header]
    /// Exactly the bytes received, because the signature covers them. At most 1 MiB.
    public var body: [UInt8]

    public init(path: String, nonce: [UInt8], headers: [Header], body: [UInt8]) {
        self.path = path
        self.nonce = nonce
        self.headers = headers
        self.body = body
    }

    /// The value of the header with this name, in upper or lower case; `nil` if there is none.
    ///
    /// - Throws: `malformed` if there are two, because it would not be clear which one counts.
    func header(_ name: String) throws(ReceiptError) -> String? {
        let named = headers.filter { $0.name.lowercased() == name.lowercased() }
        guard named.count <= 1 else {
            throw ReceiptError(.malformed, "The answer has the header \(name) more than once. It may have it once.")
        }
        return named.first?.value
    }

    /// - Throws: `size`.
    func checkSize() throws(ReceiptError) {
        guard body.count <= Self.maximumBodyByteCount else {
            throw ReceiptError(.size, "The body of the answer is longer than 1 MiB.")
        }
        guard headers.count <= Self.maximumHeaderCount else {
            throw ReceiptError(.size, "The answer has more than \(Self.maximumHeaderCount) headers.")
        }
        let lines = headers.map { $0.name.utf8.count + $0.value.utf8.count } + [path.utf8.count]
        guard lines.allSatisfy({ $0 <= Self.maximumLineByteCount }) else {
            throw ReceiptError(.size, "A header of the answer, or its path, is longer than 8 KiB.")
        }
    }
}

// MARK: - In a file

extension CustomerInfoResponse {
    /// Reads `{"path": "…", "nonce": "<base64>", "headers": {"X-Signature": "…", …}, "body": "…" or {"base64": "…"}}`.
    /// If `nonce` is missing, none was sent.
    ///
    /// - Throws: `size`, `malformed`.
    public init(json: [UInt8]) throws(ReceiptError) {
        guard json.count <= Self.maximumJSONByteCount else {
            throw ReceiptError(.size, "The file is longer than 8 MiB.")
        }
        let file: ResponseFile
        do {
            file = try JSONDecoder().decode(ResponseFile.self, from: Data(json))
        } catch {
            throw ReceiptError(
                .malformed,
                "The file is not JSON with \"path\", \"nonce\", \"headers\" and \"body\" of an answer of RevenueCat's.")
        }
        guard let nonce = file.nonce.map({ Data(base64Encoded: $0) }) ?? Data() else {
            throw ReceiptError(.malformed, "\"nonce\" is not base64. Give the header X-Nonce of the request.")
        }
        guard let body = file.body.bytes else {
            throw ReceiptError(.malformed, "The \"base64\" of \"body\" is not base64.")
        }
        let headers = file.headers.map { Header(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
        self.init(path: file.path, nonce: Array(nonce), headers: headers, body: body)
        try checkSize()
    }

    /// The JSON that `init(json:)` reads. If several headers have one name, it contains the last.
    public func json() -> [UInt8] {
        let text = String(validating: body, as: UTF8.self)
        let file = ResponseFile(
            path: path, nonce: Data(nonce).base64EncodedString(),
            headers: Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
            body: text.map { .text($0) } ?? .base64(Data(body).base64EncodedString()))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(file) else {
            preconditionFailure("strings alone can always be encoded")
        }
        return Array(data)
    }
}

private struct ResponseFile: Codable {
    enum Body: Codable {
        case text(String)
        case base64(String)

        private enum CodingKeys: CodingKey {
            case base64
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
            } else {
                self = .base64(
                    try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .base64))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text):
                var container = encoder.singleValueContainer()
                try container.encode(text)
            case .base64(let text):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(text, forKey: .base64)
            }
        }

        /// `nil` if the text is not base64.
        var bytes: [UInt8]? {
            switch self {
            case .text(let text): Array(text.utf8)
            case .base64(let text): Data(base64Encoded: text).map { Array($0) }
            }
        }
    }

    var path: String
    var nonce: String?
    var headers: [String: String]
    var body: Body
}
