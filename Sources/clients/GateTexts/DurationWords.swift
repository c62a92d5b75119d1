import GateModel

/// Durations as people read them.
package enum DurationWords {
    /// For use in a sentence: `1 hour 30 minutes`, `3 seconds`. Rounded up to whole seconds, and not below 0.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let whole = Int(max(0, attoseconds > 0 ? seconds + 1 : seconds))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        var parts: [String] = []
        if hours > 0 { parts.append(localized("{count} hour", plural: "{count} hours", count: hours)) }
        if minutes > 0 { parts.append(localized("{count} minute", plural: "{count} minutes", count: minutes)) }
        if rest > 0 || parts.isEmpty {
            parts.append(localized("{count} second", plural: "{count} seconds", count: rest))
        }
        return parts.joined(separator: " ")
    }

    /// Like `text`, but in English the short form `1h30m`.
    package static func short(_ duration: Duration) -> String {
        Localization.isTranslating ? text(duration) : duration.shortText
    }

    /// The duration in whole minutes, or in whole seconds if it is shorter than a minute. It is rounded down: nobody has
    /// used more time than is said, or plans with time that is not there.
    package static func minutes(_ duration: Duration) -> Duration {
        let seconds = duration.components.seconds
        return .seconds(seconds < 60 ? seconds : seconds / 60 * 60)
    }

    /// The remaining time for a line that is read in passing: `0:59`, `1:00:00`. In whole seconds, rounded up.
    package static func clock(_ duration: Duration) -> String {
        let (begun, attoseconds) = duration.components
        let whole = max(0, attoseconds > 0 ? begun + 1 : begun)
        let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, (whole % 60).padded(to: 2))
        return hours > 0
            ? "\(hours):\(minutes.padded(to: 2)):\(seconds)" : "\(minutes):\(seconds)"
    }

    /// For example `14:59 left`.
    package static func left(_ duration: Duration) -> String { localized("{time} left", ["time": clock(duration)]) }

    /// The remaining time behind other words in a line, with two spaces before it.
    package static func leftBehind(_ duration: Duration) -> String {
        localized("  {time} left", ["time": clock(duration)])
    }
}
