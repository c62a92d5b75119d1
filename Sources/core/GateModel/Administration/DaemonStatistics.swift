/// Counters and measurements of a running daemon. Counts begin at zero when the daemon starts.
public struct DaemonStatistics: Hashable, Sendable {
    /// The time since the daemon was ready, in whole milliseconds.
    public var uptime: Duration
    /// The number of connections that are open now.
    public var connections: Int
    /// The number of watches that are open now.
    public var watchers: Int
    /// The number of durable transitions since the start.
    public var transitions: UInt64
    /// The number of SQLite transactions since the start. One can hold several transitions.
    public var commits: UInt64
    /// The number of messages that slow watchers did not get one by one, because they were merged into a later message.
    public var conflated: UInt64
    /// The number of connections and requests that were refused because of a limit.
    public var refused: UInt64
    /// Anonymous memory of the daemon, in bytes; 0 if the kernel does not say.
    public var anonymousBytes: UInt64
    /// The number of presenters that are registered now.
    public var presenters: Int
    /// How often each method was called, labelled like "gate.v1.Mode/GetMode". Methods that nobody called are left out.
    public var callsOfMethods: [StatisticsCount]
    /// How many connections ended, by reason: "peer-left", "write-deadline" and so on.
    public var closed: [StatisticsCount]
    /// The time from handing a batch of commands to the disk until the batch is durable, in microseconds.
    public var commitMicroseconds: StatisticsHistogram
    /// The time from when a batch is durable until all watchers were sent it, in microseconds, if there are any
    /// watchers.
    public var pushMicroseconds: StatisticsHistogram
    /// The number of commands in each commit.
    public var commandsPerCommit: StatisticsHistogram
    /// The number of commands that are waiting for the disk now.
    public var commandsWaiting: Int

    /// The number of unary calls and streams since the start, of all methods together.
    public var calls: UInt64 { callsOfMethods.reduce(0) { $0 &+ $1.count } }

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
