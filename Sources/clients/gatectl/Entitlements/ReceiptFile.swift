import FoundationEssentials
import GateModel
import GateReceipts
import GateTexts
import Glibc

/// A file with something that a provider sent: a transaction, a renewal, a notification, or customer info.
struct ReceiptFile {
    /// The kind of receipt, guessed from the fields in it. Nothing is verified here.
    enum Kind: Hashable {
        /// What StoreKit has signed.
        case storeKit(StoreReceipt.Kind)
        /// RevenueCat's customer info, with path, nonce, headers and body.
        case customerInfo

        var provider: ClaimProvider {
            switch self {
            case .storeKit: .storeKit
            case .customerInfo: .revenueCat
            }
        }
    }

    /// "-" is standard input.
    let path: String
    let bytes: [UInt8]

    /// - Throws: `NOT_FOUND` if the file can't be read; `INVALID_ARGUMENT` if it is longer than any receipt (8 MiB).
    init(path: String) throws(GateError) {
        self.init(path: path, bytes: try Self.contents(of: path))
    }

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The content of the file without the white space around it.
    var text: [UInt8] {
        let rest = bytes.drop(while: Self.isSpace)
        return Array(rest[..<((rest.lastIndex { !Self.isSpace($0) } ?? rest.startIndex - 1) + 1)])
    }

    /// - Throws: `INVALID_ARGUMENT` (`badReceipt`) if it is of none of these kinds.
    func kind() throws(GateError) -> Kind {
        let text = text
        if text.first == UInt8(ascii: "{") {
            let names = FieldNames(json: text)?.names ?? []
            if names.contains("signedPayload") { return .storeKit(.notification) }
            if names.isSuperset(of: ["path", "headers", "body"]) { return .customerInfo }
        } else if let payload = Self.payload(ofJWS: text), let names = FieldNames(json: payload)?.names {
            if names.contains("notificationUUID") || names.contains("notificationType") {
                return .storeKit(.notification)
            }
            if names.contains("transactionId") { return .storeKit(.transaction) }
            if names.contains("originalTransactionId") { return .storeKit(.renewal) }
        }
        throw GateError(
            .invalidArgument, .badReceipt,
            saying: localized(
                "'{path}' is nothing that a provider writes. Give what StoreKit signed (three parts with dots between them), a server notification, or JSON with path, nonce, headers and body of an answer of RevenueCat's.",
                ["path": path]))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    /// The second of the three parts of a JWS, decoded; `nil` if there are not three, or it is not Base64.
    private static func payload(ofJWS text: [UInt8]) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return Base64.bytes(parts[1], .either, allowing: .missingPadding)
    }

    private static func contents(of path: String) throws(GateError) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= CustomerInfoResponse.maximumJSONByteCount {
            let length = read(descriptor, &chunk, chunk.count)
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .unreadable(path) }
            guard length > 0 else { return bytes }
            bytes += chunk[..<length]
        }
        throw GateError(
            .invalidArgument, .badReceipt,
            saying: localized("'{path}' is longer than 8 MiB. No receipt is that long.", ["path": path]))
    }
}

/// The names of the fields of a JSON object. Their values are not read.
private struct FieldNames: Decodable {
    let names: Set<String>

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init?(json: [UInt8]) {
        guard let names = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = names
    }

    init(from decoder: any Decoder) throws {
        names = Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue))
    }
}
