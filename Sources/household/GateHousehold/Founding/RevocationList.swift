import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A list of revoked certificates (RFC 5280, section 5). swift-certificates has none.
struct RevocationList {
    let issuer: DistinguishedName
    let issuerKey: ArraySlice<UInt8>
    let serialNumbers: [Certificate.SerialNumber]
    let issued: Date
    let until: Date

    /// The signed list in PEM.
    func signed(with key: P256.Signing.PrivateKey) throws -> [UInt8] {
        var content = DER.Serializer()
        try serialize(into: &content)
        let signature = try key.signature(for: content.serializedBytes).derRepresentation
        var list = DER.Serializer()
        try list.appendConstructedNode(identifier: .sequence) { coder throws in
            coder.serializeRawBytes(content.serializedBytes)
            try Self.algorithm(&coder)
            try coder.serialize(ASN1BitString(bytes: Array(signature)[...]))
        }
        return Array((PEMDocument(type: "X509 CRL", derBytes: list.serializedBytes).pemString + "\n").utf8)
    }

    /// The serial numbers on a list in PEM; `nil` if it has another form, or was signed with another key.
    static func serialNumbers(
        in pem: [UInt8], signedBy key: P256.Signing.PublicKey
    ) -> [Certificate.SerialNumber]? {
        guard let document = try? PEMDocument(pemString: String(decoding: pem, as: UTF8.self)),
            document.discriminator == "X509 CRL", let list = try? DER.parse(document.derBytes)
        else { return nil }
        return try? DER.sequence(list, identifier: .sequence) { parts throws in
            guard let content = parts.next(), let algorithm = parts.next(), let seal = parts.next(),
                case let bits = try ASN1BitString(derEncoded: seal), bits.paddingBits == 0,
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: bits.bytes),
                key.isValidSignature(signature, for: content.encodedBytes)
            else { throw Unreadable() }
            return try DER.sequence(content, identifier: .sequence) { try numbers(&$0, algorithm) }
        }
    }

    private struct Unreadable: Error {}

    private static func numbers(
        _ parts: inout ASN1NodeCollection.Iterator, _ algorithm: ASN1Node
    ) throws -> [Certificate.SerialNumber] {
        // Version, algorithm, issuer and two times; then the certificates, if there are any, and the extensions.
        guard parts.next() != nil, parts.next()?.encodedBytes == algorithm.encodedBytes else { throw Unreadable() }
        for _ in 0..<3 where parts.next() == nil { throw Unreadable() }
        var numbers: [Certificate.SerialNumber] = []
        while let part = parts.next() {
            guard part.identifier == .sequence, case .constructed(let entries) = part.content else { continue }
            for entry in entries {
                guard case .constructed(let fields) = entry.content,
                    let number = fields.first(where: { $0.identifier == .integer }),
                    case .primitive(let bytes) = number.content
                else { throw Unreadable() }
                numbers.append(Certificate.SerialNumber(bytes: bytes))
            }
        }
        return numbers
    }

    private func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
            // Version 2.
            try coder.serialize(1)
            try Self.algorithm(&coder)
            try coder.serialize(issuer)
            try Self.time(issued, &coder)
            try Self.time(until, &coder)
            // An empty sequence is not allowed here.
            if !serialNumbers.isEmpty {
                try coder.appendConstructedNode(identifier: .sequence) { coder throws in
                    for number in serialNumbers {
                        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
                            // DER's integers have a sign: a number with a high first bit needs a zero byte before it.
                            let sign: [UInt8] = (number.bytes.first ?? 0) < 0x80 ? [] : [0]
                            coder.appendPrimitiveNode(identifier: .integer) {
                                $0.append(contentsOf: sign + number.bytes)
                            }
                            try Self.time(issued, &coder)
                        }
                    }
                }
            }
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder throws in
                try coder.appendConstructedNode(identifier: .sequence) { coder throws in
                    try Self.serialize(
                        Certificate.Extension(AuthorityKeyIdentifier(keyIdentifier: issuerKey), critical: false), &coder
                    )
                    // The number of the list, which grows with each list.
                    try Self.serialize(
                        Certificate.Extension(
                            oid: [2, 5, 29, 20], critical: false,
                            value: Self.integer(Int64(issued.timeIntervalSince1970))[...]),
                        &coder)
                }
            }
        }
    }

    private static func integer(_ number: Int64) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(number)
        return coder.serializedBytes
    }

    private static func serialize(_ part: Certificate.Extension, _ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
            try coder.serialize(part.oid)
            try coder.serialize(ASN1OctetString(contentBytes: part.value))
        }
    }

    /// ECDSA with SHA-256.
    private static func algorithm(_ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder throws in
            try coder.serialize([1, 2, 840, 10045, 4, 3, 2] as ASN1ObjectIdentifier)
        }
    }

    private static func time(_ date: Date, _ coder: inout DER.Serializer) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hours = parts.hour,
            let minutes = parts.minute, let seconds = parts.second
        else { preconditionFailure("a moment has a date") }
        if (1950..<2050).contains(year) {
            try coder.serialize(
                UTCTime(year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: seconds))
        } else {
            try coder.serialize(
                GeneralizedTime(
                    year: year, month: month, day: day, hours: hours, minutes: minutes, seconds: seconds,
                    fractionalSeconds: 0))
        }
    }
}
