/// The UCUM units of length, mass, volume, time and power that Gate can convert.
enum UnitTable {
    /// A unit as a multiple of a base unit.
    struct Scale {
        /// "m", "g", "L", "ms" or "W".
        var base: String
        var factor: ExactDecimal
    }

    /// `nil` for a unit that Gate can't convert, and that therefore equals only itself.
    static func scale(of code: String) -> Scale? { table[code] }

    /// UCUM is case-sensitive: `mg` is a milligram, and `Mg` a thousand kilograms.
    private static let table: [String: Scale] = {
        var table: [String: Scale] = [:]
        for (base, units) in others {
            for (code, factor) in units {
                table[code] = ExactDecimal(text: factor).map { Scale(base: base, factor: $0) }
            }
        }
        for (code, base) in [("m", "m"), ("g", "g"), ("L", "L"), ("l", "L"), ("W", "W")] {
            for (prefix, factor) in prefixes {
                table[prefix + code] = ExactDecimal(text: factor).map { Scale(base: base, factor: $0) }
            }
        }
        return table
    }()

    private static let prefixes = [
        ("", "1"), ("n", "0.000000001"), ("u", "0.000001"), ("m", "0.001"), ("c", "0.01"), ("d", "0.1"), ("da", "10"),
        ("h", "100"), ("k", "1000"), ("M", "1000000"), ("G", "1000000000"),
    ]

    private static let others: [(base: String, units: [(code: String, factor: String)])] = [
        ("m", [("[in_i]", "0.0254"), ("[ft_i]", "0.3048"), ("[yd_i]", "0.9144"), ("[mi_i]", "1609.344")]),
        ("g", [("[oz_av]", "28.349523125"), ("[lb_av]", "453.59237"), ("t", "1000000")]),
        (
            "ms",
            [
                ("ms", "1"), ("s", "1000"), ("min", "60000"), ("h", "3600000"), ("d", "86400000"), ("wk", "604800000"),
                ("mo", "2629800000"), ("a", "31557600000"),
            ]
        ),
        ("W", [("[HP]", "745.69987158227022")]),
    ]
}
