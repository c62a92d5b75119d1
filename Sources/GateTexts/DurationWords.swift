/// A time in a sentence: `1 hour 30 minutes`, `3 seconds`.
package enum DurationWords {
    /// Rounded up to whole seconds.
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
}
