import Testing

@Suite("Logic and comparison of expressions")
struct LogicTests {
    private static let values = ["true", "false", "{}"]

    /// By row and column: true, false, empty.
    static let tables: [(String, [String])] = [
        ("and", ["true", "false", "{}", "false", "false", "false", "{}", "false", "{}"]),
        ("or", ["true", "true", "true", "true", "false", "{}", "true", "{}", "{}"]),
        ("xor", ["false", "true", "{}", "true", "false", "{}", "{}", "{}", "{}"]),
        ("implies", ["true", "false", "{}", "true", "true", "true", "true", "{}", "{}"]),
    ]

    @Test("logic has three values, as the specification's tables say", arguments: tables)
    func threeValues(_ name: String, _ expected: [String]) throws {
        for (row, left) in Self.values.enumerated() {
            for (column, right) in Self.values.enumerated() {
                #expect(
                    try result("\(left) \(name) \(right)") == expected[row * 3 + column], "\(left) \(name) \(right)")
            }
        }
    }

    static let comparisons: [(String, String)] = [
        ("1 = 1.0", "true"), ("1.10 = 1.1", "true"), ("{} = {}", "{}"), ("1 = {}", "{}"), ("1 = 'a'", "false"),
        ("(1 | 2) = (1 | 2)", "true"), ("(1 | 2) = (2 | 1)", "false"), ("(1 | 2) = 1", "false"), ("1 != 2", "true"),
        ("{} ~ {}", "true"), ("1 ~ {}", "false"), ("(1 | 2) ~ (2 | 1)", "true"), ("'a B' ~ 'A\\tb'", "true"),
        ("'a  b' ~ 'a b'", "false"), ("1 / 3 ~ 0.3", "true"), ("23 ~ 23 '1'", "true"), ("1 !~ 2", "true"),
        ("@2012 = @2012-01", "{}"), ("@2012-01 ~ @2012", "false"), ("@2012 = @2013-01", "false"),
        ("@2018-03 > @2018-03-01", "{}"),
        ("@2018-03 > @2018-02-01", "true"), ("@2018-03-01T10 < @2018-03-01T10:30", "{}"),
        ("@T10:30:00 = @T10:30:00.0", "true"),
        ("@2018-01-01T16:00:00+11:00 < @2018-01-01T15:00:00.0+10:00", "false"),
        ("@2018-01-01T16:00:00+12:00 < @2018-01-01T15:00:00.0+10:00", "true"),
        ("@2018-01-01T16:00:00Z = @2018-01-01T16:00:00", "{}"),
        ("@2018-01-01T16:00:00Z < @2018-01-03T16:00:00", "true"),
        ("now() > today()", "{}"), ("now() > @2026-02-28", "true"), ("'a' < 'b'", "true"), ("'b' <= 'a'", "false"),
        ("1 year = 12 months", "true"), ("1 year = 1 'a'", "{}"), ("1 year ~ 1 'a'", "true"),
        ("7 days = 1 'wk'", "true"),
        ("6 months > 1 year", "false"), ("1 year > 1 'a'", "{}"), ("10 seconds > 1 's'", "true"),
        ("1 'm' = 100 'cm'", "true"),
        ("1 'm' = 1 's'", "{}"), ("1 'm' < 1 'furlong'", "{}"), ("4 'g' ~ 4040 'mg'", "true"),
        ("4 'g' = 4040 'mg'", "false"),
        ("1 in (1 | 2)", "true"), ("{} in (1 | 2)", "{}"), ("1 in {}", "false"), ("(1 | 2) contains 2", "true"),
        ("{} contains 2", "false"), ("(1 | 2) contains {}", "{}"), ("(1 | 1.0 | 2).count()", "2"), ("({} | 3)", "3"),
    ]

    @Test(
        "comparisons agree with the specification; values of different precision are neither equal nor less",
        arguments: comparisons)
    func comparing(_ source: String, _ expected: String) throws {
        #expect(try result(source) == expected)
    }

    static let calculations: [(String, String)] = [
        ("0.1 + 0.2", "0.3"), ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("4 / 2", "2"), ("2 / 4", "0.5"),
        ("1 / 3", "0.3333333333333333"),
        ("12 / 0", "{}"), ("5 div 2", "2"), ("5.5 div 0.7", "7"), ("5 div 0", "{}"), ("-5 div 2", "-2"),
        ("5.5 mod 0.7", "0.6"),
        ("5 mod 0", "{}"), ("1 + {}", "{}"), ("2147483647 + 1", "{}"), ("-(5)", "-5"), ("+5", "5"), ("'a' + 'b'", "ab"),
        ("'a' + {}", "{}"), ("'a' & {} & 'b'", "ab"), ("3 * 2 'cm'", "6 'cm'"), ("120 'm' / 60 's'", "2 'm/s'"),
        ("70 'kg' / (2 'm' * 2 'm')", "17.5 'kg/m2'"), ("2 minutes + 60 seconds", "180 seconds"),
        ("1 year + 12 months", "{}"),
        ("2 + 2 'cm'", "{}"), ("99999999999999999999.0 * 99999999999999999999.0", "{}"),
        ("0.00000001 * 0.00000001", "0.0000000000000001"), ("12345678901234567890.0 + 0.5", "12345678901234567890.5"),
    ]

    @Test("arithmetic is exact, and a result that does not fit is nothing", arguments: calculations)
    func calculating(_ source: String, _ expected: String) throws {
        #expect(try result(source) == expected)
    }
}
