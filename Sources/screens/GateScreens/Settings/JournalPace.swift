package import GateModel

/// Limits how often the window is drawn and parts are fetched again because the journal has new entries. Programs can
/// make entries as fast as they like, so everything that comes within a second is handled together.
package struct JournalPace: Hashable, Sendable {
    /// The least time between two results of `taken`.
    package static let pause = Duration.seconds(1)

    /// The parts to fetch again; `nil` if no entries came.
    private var waiting: Set<SettingsPart>?
    /// The earliest time at which `taken` returns parts again; `nil` if it has not returned any yet.
    private var next: BootTime?

    package init() {}

    /// Entries came.
    ///
    /// - Parameter parts: the parts that they have changed.
    package mutating func came(_ parts: Set<SettingsPart>) { waiting = (waiting ?? []).union(parts) }

    /// Takes the parts to fetch now, after which everything has to be drawn; `nil` if there is nothing to do yet.
    package mutating func taken(at now: BootTime) -> Set<SettingsPart>? {
        guard let parts = waiting, next.map({ $0 <= now }) ?? true else { return nil }
        waiting = nil
        next = now.advanced(by: Self.pause)
        return parts
    }

    /// When to call `taken` again; `nil` if no parts wait.
    package var due: BootTime? { waiting == nil ? nil : next }
}

/// The pause before a connection that broke is tried again. It doubles each time, until the connection has lasted.
package struct RetryPause: Hashable, Sendable {
    package static let shortest = Duration.seconds(1)
    /// The longest pause. A connection that has lasted as long begins with the shortest one again.
    package static let longest = Duration.seconds(60)

    private var pause = RetryPause.shortest

    package init() {}

    /// The pause to make after a connection that has lasted so long.
    package mutating func next(afterLasting lasted: Duration) -> Duration {
        if lasted >= Self.longest { pause = Self.shortest }
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}
