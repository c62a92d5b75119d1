import GateModel

extension WallTime {
    /// Reads a date as RevenueCat's API writes it (RFC 3339 in UTC): "2026-03-01T12:00:00Z", or with a fraction of a
    /// second, which is cut to milliseconds. `nil` for anything else, also for a leap second.
    init?(revenueCat text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 30, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let day = CivilDate(String(decoding: bytes[..<10], as: UTF8.self)), day.year > 0,
            let hour = Self.number(bytes[11..<13]), hour < 24,
            let minute = Self.number(bytes[14..<16]), minute < 60,
            let second = Self.number(bytes[17..<19]), second < 60
        else { return nil }

        var milliseconds: Int64 = 0
        if bytes.count > 20 {
            let fraction = bytes[20..<(bytes.count - 1)]
            guard bytes[19] == UInt8(ascii: "."), !fraction.isEmpty, Self.number(fraction) != nil,
                let kept = Self.number((fraction + [0x30, 0x30]).prefix(3))
            else { return nil }
            milliseconds = kept
        }
        let seconds = ((day.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
        self.init(unixMilliseconds: seconds * 1000 + milliseconds)
    }

    /// Reads at most nine decimal digits; `nil` if there is another character.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
