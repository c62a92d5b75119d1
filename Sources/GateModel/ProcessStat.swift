/// The line of /proc/PID/stat, as far as it is needed here.
package struct ProcessStat: Hashable {
    /// How the process calls itself.
    package let name: String
    /// Nobody runs it any more: it waits for its parent to take notice.
    package let hasEnded: Bool
    /// In clock ticks since the boot.
    package let startTime: UInt64

    /// - Returns: `nil`: it is not such a line.
    package init?(_ line: String) {
        // The name may have brackets, spaces and line ends in it; nothing after it has.
        guard let begin = line.firstIndex(of: "("), let end = line.lastIndex(of: ")"), begin < end else { return nil }
        // From the third field on.
        let fields = line[line.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let startTime = UInt64(fields[19]) else { return nil }
        name = String(line[line.index(after: begin)..<end])
        hasEnded = ["Z", "X", "x"].contains(fields[0])
        self.startTime = startTime
    }
}
