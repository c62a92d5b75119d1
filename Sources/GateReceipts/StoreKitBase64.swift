import FoundationEssentials

/// Base64 in the one spelling that its encoder writes: no white space, and no bits that say nothing. Two texts never
/// mean the same bytes.
enum StoreKitBase64 {
    /// base64url without padding (RFC 7515, section 2); `nil`: it is something else.
    static func decodeURL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: plain.append(byte)
            }
        }
        plain.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - plain.count % 4) % 4))
        return decode(plain)
    }

    /// base64 with padding (RFC 4648, section 4), as certificates come (RFC 7515, section 4.1.6); `nil`: it is
    /// something else.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        guard let decoded = Data(base64Encoded: Data(text)), decoded.base64EncodedData().elementsEqual(text) else {
            return nil
        }
        return Array(decoded)
    }
}
