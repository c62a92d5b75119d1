import CGateProtocol
package import GateModel

// control.proto: the response of GetStatistics, and its parts

extension DaemonStatistics: MappedMessage {
    init(reading message: Gate__V1__GetStatisticsResponse) throws(GateError) {
        self.init(
            uptime: .milliseconds(message.uptime_milliseconds), connections: Int(message.connections),
            watchers: Int(message.watchers), transitions: message.transitions, commits: message.commits,
            conflated: message.conflated, refused: message.refused, anonymousBytes: message.anonymous_bytes,
            presenters: Int(message.presenters),
            callsOfMethods: try [StatisticsCount](reading: message.methods, count: message.n_methods),
            closed: try [StatisticsCount](reading: message.closed, count: message.n_closed),
            commitMicroseconds: StatisticsHistogram(optional: message.commit_microseconds),
            pushMicroseconds: StatisticsHistogram(optional: message.push_microseconds),
            commandsPerCommit: StatisticsHistogram(optional: message.commands_per_commit),
            commandsWaiting: Int(message.commands_waiting))
    }

    func write(to message: inout Gate__V1__GetStatisticsResponse, in arena: inout MessageArena) {
        message.uptime_milliseconds = uptime.wireMilliseconds
        message.connections = UInt32(clamping: connections)
        message.watchers = UInt32(clamping: watchers)
        message.transitions = transitions
        message.commits = commits
        message.conflated = conflated
        message.refused = refused
        message.anonymous_bytes = anonymousBytes
        message.presenters = UInt32(clamping: presenters)
        (message.methods, message.n_methods) = arena.messages(callsOfMethods)
        (message.closed, message.n_closed) = arena.messages(closed)
        message.commit_microseconds = arena.optional(commitMicroseconds)
        message.push_microseconds = arena.optional(pushMicroseconds)
        message.commands_per_commit = arena.optional(commandsPerCommit)
        message.commands_waiting = UInt32(clamping: commandsWaiting)
    }
}

extension StatisticsCount: MessageMapping {
    init(reading message: Gate__V1__LabelledCount) {
        self.init(label: String(reading: message.label), count: message.count)
    }

    func write(to message: inout Gate__V1__LabelledCount, in arena: inout MessageArena) {
        message.label = arena.string(label)
        message.count = count
    }
}

extension MessageArena {
    /// `nil` for an empty histogram, so that it is left out of the message.
    mutating func optional(_ histogram: StatisticsHistogram) -> UnsafeMutablePointer<Gate__V1__Histogram>? {
        histogram.counts.isEmpty ? nil : message(histogram)
    }
}

extension StatisticsHistogram: MessageMapping {
    init(reading message: Gate__V1__Histogram) {
        self.init(
            counts: Array(UnsafeBufferPointer(start: message.counts, count: message.n_counts)), sum: message.sum)
    }

    /// An absent message, which older daemons and empty histograms leave, reads as an empty histogram.
    init(optional message: UnsafeMutablePointer<Gate__V1__Histogram>?) {
        self = message.map { StatisticsHistogram(reading: $0.pointee) } ?? StatisticsHistogram()
    }

    func write(to message: inout Gate__V1__Histogram, in arena: inout MessageArena) {
        (message.counts, message.n_counts) = arena.numbers(counts)
        message.sum = sum
    }
}
