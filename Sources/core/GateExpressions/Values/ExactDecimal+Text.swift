package import GateModel

extension ExactDecimal {
    /// Reads a number as FHIR writes it: -12.50, 1.5e3. `nil` if it is not a number or has too many digits.
    package init?(text: String) {
        var rest = Substring(text).utf8
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var exponent = 0
        if let mark = rest.firstIndex(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }) {
            // A larger exponent would give any number except zero too many digits.
            guard let power = Int8(String(rest[rest.index(after: mark)...]) ?? "") else { return nil }
            exponent = Int(power)
            rest = rest[..<mark]
        }
        let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        var digits: Int128 = 0
        for byte in parts.joined() {
            guard (0x30...0x39).contains(byte), digits < Self.limit else { return nil }
            digits = digits * 10 + Int128(byte - 0x30)
        }
        var places = (parts.count == 2 ? parts[1].count : 0) - exponent
        while places < 0, digits < Self.limit { (digits, places) = (digits * 10, places + 1) }
        guard places >= 0 else { return nil }
        // Zeros beyond the last place that there is room for are dropped.
        while places > Self.maximumPlaces, digits % 10 == 0 { (digits, places) = (digits / 10, places - 1) }
        self.init(digits: isNegative ? -digits : digits, places: places)
    }

    /// As FHIR writes it, with all its places: "1.50".
    package var text: String {
        let digits = String(digits.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        let sign = self.digits < 0 ? "-" : ""
        return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
    }

    /// The same number as an answer of a form.
    package var formDecimal: FormDecimal? { FormDecimal(text) }
}

extension ExactDecimal: CustomStringConvertible {
    package var description: String { text }
}
