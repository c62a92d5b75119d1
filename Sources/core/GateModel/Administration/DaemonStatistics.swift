/// The numbers that say how a daemon is.
public struct DaemonStatistics: Hashable, Sendable {
    /// The time since the daemon was ready, in whole milliseconds.
    public var uptime: Duration
    /// The connections that are open now.
    public var connections: Int
    /// The watches that are open now.
    public var watchers: Int
    /// Durable transitions since the start.
    public var transitions: UInt64
    /// The SQLite transactions that carried them.
    public var commits: UInt64
    /// Messages that slow watchers did not get one by one.
    public var conflated: UInt64
    /// Connections and requests that were refused for a limit.
    public var refused: UInt64
    /// Anonymous memory of the daemon, in bytes.
    public var anonymousBytes: UInt64
    /// The presenters that are registered now.
    public var presenters: Int
    /// The calls of each method that was called, by names like "gate.v1.Mode/GetMode".
    public var callsOfMethods: [StatisticsCount]
    /// The connections that ended, by reason.
    public var closed: [StatisticsCount]
    /// Microseconds from a batch of commands given to the disk until it was durable.
    public var commitMicroseconds: StatisticsHistogram
    /// Microseconds from then until all watchers were told.
    public var pushMicroseconds: StatisticsHistogram
    /// The number of commands in each commit.
    public var commandsPerCommit: StatisticsHistogram
    /// The commands that wait for the disk now.
    public var commandsWaiting: Int

    /// Unary calls and streams since the start, of all methods together.
    public var calls: UInt64 { callsOfMethods.reduce(0) { $0 &+ $1.count } }

    /// Makes statistics of these values.
    package init(
        uptime: Duration, connections: Int, watchers: Int, transitions: UInt64, commits: UInt64,
        conflated: UInt64, refused: UInt64, anonymousBytes: UInt64, presenters: Int, callsOfMethods: [StatisticsCount],
        closed: [StatisticsCount], commitMicroseconds: StatisticsHistogram, pushMicroseconds: StatisticsHistogram,
        commandsPerCommit: StatisticsHistogram, commandsWaiting: Int
    ) {
        self.uptime = uptime
        self.connections = connections
        self.watchers = watchers
        self.transitions = transitions
        self.commits = commits
        self.conflated = conflated
        self.refused = refused
        self.anonymousBytes = anonymousBytes
        self.presenters = presenters
        self.callsOfMethods = callsOfMethods
        self.closed = closed
        self.commitMicroseconds = commitMicroseconds
        self.pushMicroseconds = pushMicroseconds
        self.commandsPerCommit = commandsPerCommit
        self.commandsWaiting = commandsWaiting
    }
}
