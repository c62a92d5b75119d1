import GateModel
import Testing

@Suite("Decimals of forms")
struct FormDecimalTests {
    @Test(
        "decimals as FHIR writes them are read and keep their text",
        arguments: [
            "0", "-0", "7", "75", "-1.5", "1.50", "0.000", "1e3", "1E+3", "-2.5e-10", "123456789012345678901234567890",
        ])
    func reads(_ text: String) {
        #expect(FormDecimal(text)?.text == text)
    }

    @Test(
        "texts that FHIR does not write as decimals are refused",
        arguments: [
            "", " ", "+1", "01", "-01", "1.", ".5", "1.e3", "1e", "1e+", "1,5", "0x10", "NaN", "∞", "1 ", " 1", "--1",
            "1e1.5", "١", String(repeating: "9", count: 65),
        ])
    func refuses(_ text: String) {
        #expect(FormDecimal(text) == nil)
    }

    @Test("64 bytes are the most")
    func longest() {
        #expect(FormDecimal(String(repeating: "9", count: 64)) != nil)
    }

    @Test("differently written decimals are not equal, and compare as the same number")
    func sameNumber() throws {
        for texts in [["1.5", "1.50", "15e-1", "0.15E1", "150e-2"], ["0", "-0", "0.00", "0e99"], ["1000", "1e3"]] {
            let decimals = try texts.map { try #require(FormDecimal($0)) }
            #expect(Set(decimals).count == texts.count)
            for left in decimals {
                for right in decimals { #expect(FormDecimal.compare(left, right) == 0, "\(left) \(right)") }
            }
        }
    }

    /// Strictly ascending.
    static let ascending = [
        "-1e9999999999999999999999999999999999", "-1e20", "-99999999999999999999", "-10.5", "-10.05", "-1", "-0.1",
        "-1e-99999999999999999999999999999999999999", "0", "1e-99999999999999999999999999999999999999",
        "1e-99999999999999999999", "0.01", "0.0999", "0.1", "0.11", "1", "9", "9.99", "10", "11", "100",
        "99999999999999999999", "1e20", "1.1e20", "9.9e1000000000000000000", "1e1000000000000000001",
        "11e1000000000000000000", "2e1000000000000000001", "1e99999999999999999999999999999999999999",
    ]

    @Test("decimals of any size compare in order")
    func order() throws {
        let decimals = try Self.ascending.map { try #require(FormDecimal($0)) }
        for (left, one) in decimals.enumerated() {
            for (right, other) in decimals.enumerated() {
                #expect(FormDecimal.compare(one, other).signum() == (left - right).signum(), "\(one) \(other)")
            }
        }
    }

    @Test("exponents past 64 bits are exact")
    func hugeExponents() throws {
        let left = try #require(FormDecimal("10e99999999999999999999999999999999999999999"))
        let right = try #require(FormDecimal("1e100000000000000000000000000000000000000000"))
        #expect(FormDecimal.compare(left, right) == 0)
        let more = try #require(FormDecimal("10.1e99999999999999999999999999999999999999999"))
        #expect(FormDecimal.compare(more, right) == 1)
    }

    @Test("numbers chosen at random compare as whole numbers of hundredths do")
    func random() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<5_000 {
            let (left, right) = (RandomDecimal(&random), RandomDecimal(&random))
            let expected = left.millionths < right.millionths ? -1 : left.millionths > right.millionths ? 1 : 0
            let (one, other) = (try #require(FormDecimal(left.text)), try #require(FormDecimal(right.text)))
            #expect(FormDecimal.compare(one, other) == expected, "\(one) \(other)")
        }
    }

    @Test(
        "decimal places are those that remain after the exponent is applied",
        arguments: [
            ("1", 0), ("1.5", 1), ("1.50", 2), ("15e-2", 2), ("1.5e3", 0), ("1.5e1", 0), ("1.50e1", 1), ("1e-3", 3),
            ("0.000", 3), ("1e-99999999999999999999", Int.max), ("1e99999999999999999999", 0),
        ])
    func decimalPlaces(_ text: String, _ count: Int) throws {
        #expect(try #require(FormDecimal(text)).decimalPlaces == count)
    }

    @Test("whole numbers are decimals, too")
    func integers() {
        #expect(FormDecimal(0).text == "0")
        #expect(FormDecimal(-12).text == "-12")
    }
}

/// A decimal, and its value in millionths.
private struct RandomDecimal {
    var text: String
    var millionths: Int

    init(_ random: inout SeededRandom) {
        let mantissa = Int.random(in: -999...999, using: &random)
        let exponent = Int.random(in: -3...3, using: &random)
        let places = Int.random(in: 0...3, using: &random)
        millionths = mantissa
        for _ in 0..<6 + exponent - places { millionths *= 10 }
        let padded = String(repeating: "0", count: 4) + String(abs(mantissa))
        let whole = padded.dropLast(places).drop { $0 == "0" }
        text = (mantissa < 0 ? "-" : "") + (whole.isEmpty ? "0" : whole)
        if places > 0 { text += "." + padded.suffix(places) }
        if exponent != 0 || Bool.random(using: &random) { text += "e\(exponent)" }
    }
}
