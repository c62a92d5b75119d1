package import GateModel
import Glibc

/// The processes of this device, as the kernel reports them. A broker asks on behalf of one of them.
package protocol ProcessDirectory: Sendable {
    /// The name that a process gives itself; `nil` if no process with this number and user started at this time, or if
    /// it has ended. Does not block.
    func program(of subject: Subject) -> String?
    /// Whether the processes of other users are visible at all.
    var seesOthers: Bool { get }
}

struct SystemProcesses: ProcessDirectory {
    /// Process 1 always exists and is root's.
    var seesOthers: Bool { access("/proc/1/stat", R_OK) == 0 }

    func program(of subject: Subject) -> String? {
        // All files are opened below one folder, which stays that of this process even if its number is reused.
        let folder = open("/proc/\(subject.pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        guard subject.pid > 0, let status = readSmallFile("status", in: folder),
            // A thread has a number, too, but is not a process.
            Self.numbers("Tgid", of: status).first == UInt64(subject.pid),
            // The real user, who started it. A set-user-ID program's effective user is the owner of its file.
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
