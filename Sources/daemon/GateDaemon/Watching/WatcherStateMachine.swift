import GateModel
import GateProtocol

/// The subjects that a watcher can ask for.
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

/// One watcher of state topics: up to which revision it was told. It is told of each change as it happens, or, while it
/// does not read fast enough, gets one message for everything that it missed.
///
/// The ranges of revisions in its messages follow each other without gap or overlap. However slow a watcher is, it
/// needs no more memory than this.
struct WatcherStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// It was sent everything up to this revision that concerns it. Can go to: behind.
        case live(told: UInt64)
        /// Since this revision it has missed changes of these topics. Can go to: live.
        case behind(told: UInt64, missed: Topics)
    }

    private var state: State

    /// - Parameter number: the revision that it knows when it begins to watch.
    init(told number: UInt64) {
        state = .live(told: number)
    }

    /// The revision up to which it was told everything that concerns it.
    var told: UInt64 {
        switch state {
        case .live(let told), .behind(let told, _): told
        }
    }

    enum Changed: Hashable {
        /// Send it this change, as the result of all revisions from `first` on.
        case send(first: UInt64)
        /// Send nothing: the change becomes part of a later message.
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
        /// Send the present content of these topics, as the result of all revisions from `first` on.
        case send(Topics, first: UInt64)
        /// It missed nothing.
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
