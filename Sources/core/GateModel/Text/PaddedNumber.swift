extension BinaryInteger {
    /// The number in decimal digits, with zeros in front up to this width: 7 becomes "07".
    package func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
