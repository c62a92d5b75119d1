import GateModel
import GateProtocol

/// The subjects of a watch's message.
struct Topics: OptionSet, Hashable {
    let rawValue: UInt8

    static let mode = Topics(rawValue: 1 << 0)
    static let presentations = Topics(rawValue: 1 << 1)
    static let signIn = Topics(rawValue: 1 << 2)
    static let entitlements = Topics(rawValue: 1 << 3)
    static let forms = Topics(rawValue: 1 << 4)
}

extension Topics {
    init(_ topics: Set<WatchTopic>) {
        self = topics.reduce(into: []) { $0.insert(Topics($1)) }
    }

    private init(_ topic: WatchTopic) {
        switch topic {
        case .mode: self = .mode
        case .presentations: self = .presentations
        case .signIn: self = .signIn
        case .entitlements: self = .entitlements
        case .forms: self = .forms
        }
    }
}

/// One watcher of state topics: up to which revision it was told, and whether it gets each change as it happens, or,
/// while it does not read fast enough, one message for all that it missed.
///
/// The ranges of what it is told follow each other without a gap and without an overlap. However slow a watcher is, this
/// is all the memory it needs.
struct WatcherStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// It has been sent everything up to this revision that concerns it. Can go to: behind.
        case live(told: UInt64)
        /// It has missed changes of these topics since this revision. Can go to: live.
        case behind(told: UInt64, missed: Topics)
    }

    private var state: State

    /// - Parameter number: what it knows when it begins to watch.
    init(told number: UInt64) {
        state = .live(told: number)
    }

    /// It knows of everything up to this revision, or has yet to be told of something before it.
    var told: UInt64 {
        switch state {
        case .live(let told), .behind(let told, _): told
        }
    }

    enum Changed: Hashable {
        /// Send it this change, as all that there was from the first revision on.
        case send(first: UInt64)
        /// Nothing: the change is part of what it gets later.
        case conflate
    }

    /// A change of some of its topics is durable.
    mutating func changed(_ topics: Topics, number: UInt64, isBacklogged: Bool) -> Changed {
        switch state {
        case .live(let told) where isBacklogged:
            state = .behind(told: told, missed: topics)
            return .conflate
        case .live(let told):
            state = .live(told: number)
            return .send(first: told + 1)
        case .behind(let told, let missed):
            state = .behind(told: told, missed: missed.union(topics))
            return .conflate
        }
    }

    enum Drained: Hashable {
        /// Send it what these topics say now, as the result of every revision from the first one on.
        case send(Topics, first: UInt64)
        /// Nothing: it missed nothing.
        case nothing
    }

    /// The kernel has taken everything that was queued for it.
    /// - Parameter number: the newest revision.
    mutating func drained(number: UInt64) -> Drained {
        switch state {
        case .live:
            return .nothing
        case .behind(let told, let missed):
            state = .live(told: number)
            return .send(missed, first: told + 1)
        }
    }
}
