extension String {
    /// A hash of the bytes that is the same in every run and version, so it can be stored: 16 hexadecimal digits. Texts
    /// with the same hash are easy to make (64-bit FNV-1a), so nothing may depend on their being rare.
    var stableHash: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
