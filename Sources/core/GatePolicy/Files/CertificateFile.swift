import FoundationEssentials

/// A file with one certificate, in DER as Apple publishes it, or in PEM.
///
/// Only common mistakes are found here: another kind of file, half a file, a bundle. Whether a signature can be checked
/// with the certificate turns out when it is used.
struct CertificateFile {
    let der: [UInt8]

    /// - Throws: a sentence that says what is wrong with the file.
    init(_ bytes: [UInt8]) throws(FileRefusal) {
        let pem = String(decoding: bytes, as: UTF8.self)
        der = pem.contains("-----BEGIN ") ? try Self.decoded(pem) : bytes
        guard Self.isOneCertificate(der) else {
            throw FileRefusal(
                message: "This is not a whole certificate. Use the file in DER or PEM exactly as it was issued.")
        }
    }

    /// Decodes a PEM file. Text around the certificate, as `openssl x509 -text` writes it, is ignored.
    private static func decoded(_ pem: String) throws(FileRefusal) -> [UInt8] {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.trimming(\.isWhitespace) }
        let begins = lines.indices.filter { lines[$0].hasPrefix("-----BEGIN ") }
        guard begins.count == 1, let begin = begins.first, lines[begin] == "-----BEGIN CERTIFICATE-----" else {
            throw FileRefusal(
                message:
                    "It does not hold exactly one certificate. Put each certificate into a file of its own.")
        }
        let rest = lines[(begin + 1)...]
        guard let end = rest.firstIndex(of: "-----END CERTIFICATE-----"),
            let data = Data(base64Encoded: rest[..<end].joined())
        else {
            throw FileRefusal(
                message: "This certificate is cut off, or is not base64. Use the file exactly as it was issued.")
        }
        return Array(data)
    }

    /// Whether the whole file is one ASN.1 sequence that begins with another one (RFC 5280, section 4.1).
    private static func isOneCertificate(_ der: [UInt8]) -> Bool {
        let sequence: UInt8 = 0x30
        guard der.count >= 4, der[0] == sequence else { return false }
        // The length is in one byte, or in as many bytes as the first one says.
        let lengthByteCount = der[1] < 0x80 ? 0 : Int(der[1] & 0x7f)
        let contents = 2 + lengthByteCount
        guard lengthByteCount <= 3, der[1] != 0x80, der.count > contents else { return false }
        let length = lengthByteCount == 0 ? Int(der[1]) : der[2..<contents].reduce(0) { $0 << 8 | Int($1) }
        return der.count == contents + length && der[contents] == sequence
    }
}

extension Substring {
    fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> Substring {
        var text = self.drop(while: isLeftOut)
        while let last = text.last, isLeftOut(last) { text.removeLast() }
        return text
    }
}
