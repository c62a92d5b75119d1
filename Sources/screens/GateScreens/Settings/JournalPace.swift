package import GateModel

/// Keeps what the journal tells until it is time to look at it: askers make entries as fast as they like.
package struct JournalPace: Hashable, Sendable {
    /// How long it is between two looks.
    package static let pause = Duration.seconds(1)

    /// The parts to ask for again; `nil`: nothing has come.
    private var waiting: Set<SettingsPart>?
    /// The next look is not before; `nil`: there was none yet.
    private var next: BootTime?

    package init() {}

    /// Entries came.
    ///
    /// - Parameter parts: what they have changed.
    package mutating func came(_ parts: Set<SettingsPart>) { waiting = (waiting ?? []).union(parts) }

    /// Takes the parts to ask for now, after which all is drawn; `nil`: nothing is to be done yet.
    package mutating func taken(at now: BootTime) -> Set<SettingsPart>? {
        guard let parts = waiting, next.map({ $0 <= now }) ?? true else { return nil }
        waiting = nil
        next = now.advanced(by: Self.pause)
        return parts
    }

    /// When something that waits is to be taken; `nil`: nothing waits.
    package var due: BootTime? { waiting == nil ? nil : next }
}

/// How long to wait before something that was cut off is tried again: longer each time, until it has lasted.
package struct RetryPause: Hashable, Sendable {
    /// The shortest pause.
    package static let shortest = Duration.seconds(1)
    /// The longest pause; what has lasted for as long begins with the shortest again.
    package static let longest = Duration.seconds(60)

    private var pause = RetryPause.shortest

    package init() {}

    /// The pause to make now.
    ///
    /// - Parameter lasted: how long it went well.
    package mutating func next(afterLasting lasted: Duration) -> Duration {
        if lasted >= Self.longest { pause = Self.shortest }
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}
