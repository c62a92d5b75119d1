import GateExpressions
import Testing

/// Each function of nothing, of one value and of many.
@Suite("Functions of expressions")
struct FunctionTests {
    static let table: [(String, String)] = [
        ("{}.exists()", "false"), ("1.exists()", "true"), ("(1 | 2).exists()", "true"),
        ("{}.exists($this > 1)", "false"), ("(1 | 2).exists($this > 1)", "true"),
        ("(1 | 2).exists($this > 2)", "false"),
        ("{}.empty()", "true"), ("1.empty()", "false"), ("(1 | 2).empty()", "false"),
        ("{}.count()", "0"), ("1.count()", "1"), ("(1 | 2 | 3).count()", "3"),
        ("{}.first()", "{}"), ("1.first()", "1"), ("(1 | 2).first()", "1"),
        ("{}.last()", "{}"), ("1.last()", "1"), ("(1 | 2).last()", "2"),
        ("{}[0]", "{}"), ("(1 | 2)[1]", "2"), ("(1 | 2)[2]", "{}"), ("(1 | 2)[-1]", "{}"), ("(1 | 2)[{}]", "{}"),
        ("{}.all(false)", "true"), ("1.all($this = 1)", "true"), ("(1 | 2).all($this = 1)", "false"),
        ("(1 | 2).all({})", "false"),
        ("{}.where(true)", "{}"), ("(1 | 2 | 3).where($this > 1)", "2, 3"), ("(1 | 2).where({})", "{}"),
        ("(5 | 6 | 7).where($index = 1)", "6"),
        ("{}.select(1)", "{}"), ("(1 | 2).select($this * 2)", "2, 4"), ("(1 | 2).select(7 | 8)", "7, 8, 7, 8"),
        ("{}.not()", "{}"), ("true.not()", "false"), ("false.not()", "true"), ("5.not()", "false"),
        ("{}.iif(true, 1)", "1"), ("iif(true, 1, 2)", "1"), ("iif(false, 1, 2)", "2"), ("iif({}, 1, 2)", "2"),
        ("iif(false, 1)", "{}"), ("5.iif($this = 5, 'five', 'none')", "five"),
        ("{}.contains('a')", "{}"), ("'abab'.contains('ba')", "true"), ("'abab'.contains('c')", "false"),
        ("'a'.contains({})", "{}"), ("'a'.contains('')", "true"), ("'aab'.contains('ab')", "true"),
        ("{}.length()", "{}"), ("''.length()", "0"), ("'\\u0065\\u0301'.length()", "2"), ("'👪'.length()", "1"),
        ("{}.matches('a')", "{}"), ("'a'.matches({})", "{}"), ("'N8000123123'.matches('N[0-9]{8}')", "true"),
        ("'N8000123123'.matches('^N[0-9]{8}$')", "false"), ("'N8000123123'.matchesFull('N[0-9]{8}')", "false"),
        ("'a\\nb'.matches('a.b')", "true"), ("'xb'.matches('a|b')", "true"),
        ("{}.toString()", "{}"), ("1.50.toString()", "1.50"), ("4 days.toString()", "4 days"),
        ("true.toString()", "true"),
        ("75 'kW'.toString()", "75 'kW'"), ("@T14:30.toString()", "14:30"),
        ("{}.round()", "{}"), ("2.5.round()", "3"), ("(-2.5).round()", "-3"), ("3.14159.round(3)", "3.142"),
        ("7.round(2)", "7"), ("2.345 'm'.round(1)", "2.3 'm'"), ("1.round({})", "{}"),
        ("today()", "2026-03-01"), ("now()", testedNow), ("timeOfDay()", "12:30:05.250"), ("now() = now()", "true"),
        ("%ucum", "http://unitsofmeasure.org"),
    ]

    @Test("each function gives what the specification says, for no, one and several values", arguments: table)
    func values(_ source: String, _ expected: String) throws {
        #expect(try result(source) == expected)
    }

    static let sums: [(String, String)] = [
        ("{}.sum()", "{}"), ("3.sum()", "3"), ("(1 | 2 | 3).sum()", "6"),
        ("(1.0 | 2.0 | 3.0 | 4.0 | 5.0).sum()", "15.0"),
        ("(1.0 'mg' | 2.0 'mg' | 3.0 'mg').sum()", "6.0 'mg'"), ("(1 'm' | 50 'cm').sum()", "150 'cm'"),
        ("(1 'm' | 1 's').sum()", "{}"), ("(2147483647 | 1).sum()", "{}"), ("(0.1 | 0.2).sum() = 0.3", "true"),
    ]

    @Test("sum() is exact and of one type, and the sum of nothing is nothing", arguments: sums)
    func sum(_ source: String, _ expected: String) throws {
        #expect(try result(source) == expected)
    }

    static let faults = [
        "(1 | 2).not()", "(1 | 2).length()", "('a' | 'b').contains('a')", "(1 | 1.5).sum()", "('a' | 'b').sum()",
        "5.length()", "'a'.round()", "1.5.round(-1)", "('a' | 'b').matches('a')", "(1 | 2).iif(true, 1)",
        "(1 | 2).toString()", "(1 | 2).where(1 | 2)", "@2020.duration(@2021, 'years')", "@2020.duration(@T10, 'year')",
        "@2020.duration(@2021, 'hour')", "%resource + 1", "'a' + 1", "'a' - 'b'", "true < false", "1 < 'a'", "1 & 'a'",
        "(1 | 2) + 1", "-'a'", "@9999-12-31 + 1 day", "@2020 + 1", "@T10 + 1 day", "@2020-01-01 + 1 hour",
        "@2020 + 1 'a'", "today() - 9223372036854775808 days", "today() - 9223372036854775808 years",
        "@T12:00:00 + 796899343984252629854401 's'", "now() - 796899343984252629854401 's'",
    ]

    @Test("each mistake that the specification names is reported with its place", arguments: faults)
    func errors(_ source: String) throws {
        let fault = try fault(of: source)
        #expect(fault.kind == .evaluation && fault.place.line == 1 && fault.place.column >= 1 && !fault.message.isEmpty)
    }
}
