import GateModel

/// Digits of base32 in groups of five. The last of each group checks the other four, so that a typing mistake is found
/// and named by its group. The check digit is a sum over the field of 32 elements, in which each place and the group's
/// number have a factor of their own: it always finds one wrong digit, two swapped digits or groups, and any other
/// mistake in 31 of 32 cases.
enum CheckedGroups {
    static let length = 5

    /// The groups of these digits, with hyphens between them. Traps unless the digits fill whole groups.
    static func text(of digits: [UInt8]) -> String {
        precondition(digits.count.isMultiple(of: length - 1), "each group is whole")
        return stride(from: 0, to: digits.count, by: length - 1).map { start in
            let group = digits[start..<start + length - 1]
            guard let check = check(of: group, number: start / (length - 1)) else {
                preconditionFailure("all are digits")
            }
            return String(decoding: group + [check], as: UTF8.self)
        }.joined(separator: "-")
    }

    /// `wrong` is the index of the first group with a mistake, from 0; `nil` if none has one.
    static func digits(of groups: [[UInt8]]) -> (digits: [UInt8], wrong: Int?) {
        let wrong = groups.indices.first { number in
            let group = groups[number]
            return group.count != length || check(of: group.dropLast(), number: number) != group.last
        }
        return (groups.flatMap { $0.dropLast() }, wrong)
    }

    /// `nil` if one of the bytes is no digit.
    private static func check(of group: ArraySlice<UInt8>, number: Int) -> UInt8? {
        var sum = times2(UInt8(truncatingIfNeeded: number + 1) & 31)
        for digit in group {
            guard let value = Base32.value(of: digit) else { return nil }
            sum = times2(sum ^ value)
        }
        return Base32.digit(sum)
    }

    /// Doubles in the field of 32 elements, by the polynomial x⁵ + x² + 1.
    private static func times2(_ value: UInt8) -> UInt8 {
        let doubled = value << 1
        return doubled < 32 ? doubled : doubled ^ 0b100101
    }
}
