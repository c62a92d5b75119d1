import FoundationEssentials
import GateModel

/// A file with a root certificate, by which other certificates are checked: in DER, as Apple publishes it, or in PEM.
/// Whether it really is a certificate shows only when it is used.
struct RootFile {
    let der: [UInt8]

    private static let maximumBytes = 16 << 10

    /// - Throws: `NOT_FOUND` if the file can't be read; `INVALID_ARGUMENT` if it is longer than any certificate (16
    ///   KiB), or is not exactly one certificate in PEM.
    init(path: String) throws(GateError) {
        try self.init(path: path, bytes: try ReceiptFile(path: path).bytes)
    }

    init(path: String, bytes: [UInt8]) throws(GateError) {
        guard bytes.count <= Self.maximumBytes else {
            throw GateError(.invalidArgument, .invalidRequest, "'\(path)' is longer than 16 KiB, and no root is.")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("-----BEGIN ") else {
            der = bytes
            return
        }
        let parts = text.split(separator: "-----BEGIN CERTIFICATE-----", omittingEmptySubsequences: false)
        let bodies = parts.dropFirst().map { $0.split(separator: "-----END CERTIFICATE-----").first ?? "" }
        guard bodies.count == 1, let body = bodies.first,
            let data = Data(base64Encoded: body.filter { !$0.isWhitespace })
        else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                "'\(path)' is not one certificate in PEM. Put each certificate into a file of its own.")
        }
        der = Array(data)
    }
}
