package import GateModel
import Glibc

/// The processes of this device, as the kernel has them: brokers ask for them (B-06).
package protocol ProcessDirectory: Sendable {
    /// The name that a process gives itself. Does not block.
    ///
    /// - Returns: `nil`: no process of that user with that number started then, or it has ended.
    func program(of subject: Subject) -> String?
    /// Whether the processes of other users are to be seen at all.
    var seesOthers: Bool { get }
}

/// The processes as /proc has them.
struct SystemProcesses: ProcessDirectory {
    /// The first process is root's, and there is always one.
    var seesOthers: Bool { access("/proc/1/stat", R_OK) == 0 }

    func program(of subject: Subject) -> String? {
        // Everything is read below one folder, which stays that of this process whatever its number is used for meanwhile.
        let folder = open("/proc/\(subject.pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        guard subject.pid > 0, let status = readSmallFile("status", in: folder),
            // The number of a thread is no process's.
            Self.numbers("Tgid", of: status).first == UInt64(subject.pid),
            // The real user: the one that started it, where it is a program that others may run as its owner.
            Self.numbers("Uid", of: status).first == UInt64(subject.uid),
            let stat = readSmallFile("stat", in: folder), let process = ProcessStat(stat), !process.hasEnded,
            process.startTime == subject.startTime
        else { return nil }
        return process.name
    }

    /// The numbers in a line of /proc/PID/status.
    private static func numbers(_ name: String, of status: String) -> [UInt64] {
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line.map { $0.split(whereSeparator: { $0 == "\t" || $0 == " " }).compactMap { UInt64($0) } } ?? []
    }
}
