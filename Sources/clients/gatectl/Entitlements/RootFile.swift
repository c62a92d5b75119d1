import FoundationEssentials
import GateModel

/// A file with a certificate to check others by: in DER, as Apple hands it out, or in PEM. Whether it is one shows where it
/// is used.
struct RootFile {
    let der: [UInt8]

    private static let maximumBytes = 16 << 10

    /// - Throws: `NOT_FOUND` where the file can't be read; `INVALID_ARGUMENT` where it is longer than any certificate, or has
    ///   several.
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
