package import GateModel

/// Age ranges, and the choices about them, in words.
package enum AgeWords {
    /// For example `13 to 15`, `12 or younger`, `18 or older`.
    ///
    /// - Parameter range: what an app is told; `nil`: nothing.
    package static func range(_ range: AgeRange?) -> String { self.range(from: range?.low, to: range?.high) }

    private static func range(from low: Int?, to high: Int?) -> String {
        switch (low, high) {
        case (let low?, let high?): localized("{low} to {high}", ["low": "\(low)", "high": "\(high)"])
        case (let low?, nil): localized("{low} or older", ["low": "\(low)"])
        case (nil, let high?): localized("{high} or younger", ["high": "\(high)"])
        case (nil, nil): localized("nothing is told")
        }
    }

    /// For example `apps can be told: 12 or younger, 13 to 15, 16 or older`.
    package static func settings(_ settings: AgeSettings) -> String {
        guard settings.isOn else { return localized("apps are told no ages") }
        return localized("apps can be told: {ages}", ["ages": ListText.things(ranges(settings))])
    }

    /// For example `12 or younger`, `13 to 15`, `16 or older`.
    package static func ranges(_ settings: AgeSettings) -> [String] {
        settings.ranges.map { range(from: $0.low, to: $0.high) }
    }

    /// The choice about an app in words, for example `waits for an answer`.
    package static func choice(_ app: AgeApp) -> String {
        switch app.choice {
        case .ask where app.isWaiting: localized("waits for an answer", context: "an app")
        case .ask: localized("asks a grown-up", context: "an app")
        case .always: localized("is always told", context: "an app")
        case .never: localized("is never told", context: "an app")
        case .forNow: localized("is told until the half-year ends", context: "an app")
        case .notNow: localized("is not told until the half-year ends", context: "an app")
        }
    }
}
