extension AttachmentDigest {
    private static let urnPrefix = "urn:sha256:"

    /// The digest as 64 hexadecimal digits in lower case.
    public var hexText: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }

    /// Reads 64 hexadecimal digits in upper or lower case. `nil` if the text is anything else.
    public init?(hexText: String) {
        guard hexText.utf8.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in hexText.utf8 {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x41...0x46: value = digit - 0x41 + 10
            case 0x61...0x66: value = digit - 0x61 + 10
            case _: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(bytes: bytes)
    }

    /// How an answer names the document: "urn:sha256:" followed by the digits.
    package var urn: String { Self.urnPrefix + hexText }

    /// `nil` unless the text is "urn:sha256:" followed by 64 hexadecimal digits.
    package init?(urn: String) {
        guard urn.hasPrefix(Self.urnPrefix) else { return nil }
        self.init(hexText: String(urn.dropFirst(Self.urnPrefix.count)))
    }
}

extension AttachmentDigest: CustomStringConvertible {
    public var description: String { hexText }
}
