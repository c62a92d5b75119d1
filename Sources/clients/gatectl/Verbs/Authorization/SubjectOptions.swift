import ArgumentParser
import GateModel
import GateTexts
import Glibc

struct SubjectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For a broker: the process that it asks for.",
            discussion: """
                Its user, by name or number, its number, and when it started in clock ticks since the boot (field 22 of \
                /proc/PID/stat). Without the last, the process that has the number now.
                """, valueName: "user:pid[:start]"),
        transform: SubjectText.init)
    var subject: SubjectText?

    /// `nil` if gatectl asks for itself.
    /// - Throws: `NOT_FOUND` (`unknown`) if there is no such process.
    func found() throws(GateError) -> Subject? {
        guard let subject else { return nil }
        guard let startTime = subject.startTime ?? ProcessStat(pid: subject.pid)?.startTime else {
            throw GateError(
                .notFound, .unknown, saying: localized("There is no process {number}.", ["number": "\(subject.pid)"]))
        }
        return Subject(uid: subject.uid, pid: subject.pid, startTime: startTime)
    }
}

/// `mia:4242` or `1002:4242:123456`.
struct SubjectText {
    let uid: UInt32
    let pid: Int32
    let startTime: UInt64?

    init(_ text: String) throws(ValidationError) {
        // User names contain no colon.
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let pid = Int32(parts[1]), pid > 0,
            parts.count == 2 || UInt64(parts[2]) != nil
        else {
            throw ValidationError("'\(text)' is no process. Give USER:PID or USER:PID:START, like mia:4242.")
        }
        uid = try UserText.parse(String(parts[0]))
        self.pid = pid
        startTime = parts.count == 3 ? UInt64(parts[2]) : nil
    }
}

extension ProcessStat {
    /// `nil` if there is no such process, or this user may not see it.
    fileprivate init?(pid: Int32) {
        guard let file = fopen("/proc/\(pid)/stat", "re") else { return nil }
        defer { fclose(file) }
        let line = [UInt8](unsafeUninitializedCapacity: 4096) { $1 = fread($0.baseAddress, 1, 4096, file) }
        self.init(String(decoding: line, as: UTF8.self))
    }
}
