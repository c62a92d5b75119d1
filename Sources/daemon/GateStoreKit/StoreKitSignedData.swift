import GateModel
import GateReceipts

/// A compact JWS of the App Store (RFC 7515, section 7.1), split into its parts. Only the form that Apple writes is
/// accepted. Nothing is verified yet.
struct StoreKitSignedData {
    /// The most bytes of one piece of signed data, including white space and JSON around it. Apple's have a few
    /// kilobytes; a notification that contains two more stays below 32 KiB.
    static let maximumByteCount = 256 * 1024
    static let certificateCount = 3

    /// The certificate whose key signed: DER in base64.
    let leaf: String
    /// The certificate of the authority that vouches for the leaf. The root, which comes third, does not count.
    let intermediate: String
    let payload: [UInt8]
    let signature: [UInt8]
    /// The first two segments as they were written, with the dot between them: what the signature covers.
    let signedBytes: [UInt8]

    /// - Throws: `size`, `malformed`, `algorithm`, `certificate-count`.
    init(_ bytes: [UInt8]) throws(ReceiptError) {
        let jws = try Self.trimmed(bytes)
        let segments = jws.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard segments.count == 3 else {
            throw ReceiptError(
                .malformed, "This is not signed data of StoreKit's: that has three segments with dots between them.")
        }
        guard let headerBytes = Base64.bytes(segments[0], .url), !headerBytes.isEmpty,
            let payload = Base64.bytes(segments[1], .url), !payload.isEmpty,
            let signature = Base64.bytes(segments[2], .url)
        else {
            throw ReceiptError(
                .malformed, "A segment is not base64url without padding. Submit the bytes exactly as Apple sent them.")
        }
        let header = try StoreKitJSON.decode(Header.self, from: headerBytes, as: "The header")
        guard header.algorithm == "ES256" else {
            throw ReceiptError(.algorithm, "Apple signs with ES256, and this was not. Don't submit it.")
        }
        guard !header.isCritical else {
            throw ReceiptError(.algorithm, "The header demands what Gate does not know (crit), which Apple never does.")
        }
        guard header.certificates.count == Self.certificateCount else {
            throw ReceiptError(
                .certificateCount,
                "The App Store sends three certificates with what it signs, and here are \(header.certificates.count). "
                    + "(What Xcode signs by itself comes with one, and is never taken.)")
        }
        leaf = header.certificates[0]
        intermediate = header.certificates[1]
        self.payload = payload
        self.signature = signature
        signedBytes = Array(jws[segments[0].startIndex..<segments[1].endIndex])
    }

    /// Removes white space from both ends, since files often have some.
    static func trimmed(_ bytes: [UInt8]) throws(ReceiptError) -> ArraySlice<UInt8> {
        guard bytes.count <= maximumByteCount else {
            throw ReceiptError(.size, "It is longer than 256 KiB, which nothing is that the App Store signs.")
        }
        func isWhiteSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
        guard let first = bytes.firstIndex(where: { !isWhiteSpace($0) }),
            let last = bytes.lastIndex(where: { !isWhiteSpace($0) })
        else { return [] }
        return bytes[first...last]
    }
}

extension StoreKitSignedData {
    private struct Header: Decodable {
        var algorithm: String?
        var certificates: [String]
        var isCritical: Bool

        private enum CodingKeys: String, CodingKey {
            case alg, x5c, crit
        }

        init(from decoder: any Decoder) throws {
            let header = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try header.decodeIfPresent(String.self, forKey: .alg)
            certificates = try header.decodeIfPresent([String].self, forKey: .x5c) ?? []
            isCritical = header.contains(.crit)
        }
    }
}
