import Foundation
import ProcessSupport

/// A `gated` whose state, a copy of that of a gate which has stopped, lies on a small file system in memory. It is full but for
/// what the daemon needs to open its store. Others see it through the daemon's own view of the files.
final class SmallDisk {
    private let daemon: ChildProcess
    private let directory: String

    /// Only root may mount, and not in every container.
    static let isPossible =
        geteuid() == 0
        && (try? ChildProcess("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"], hasInput: false)
            .ended().status) == 0

    private static let script = """
        set -e
        from=$1 to=$2 && shift 2
        mkdir "$to"
        mount -t tmpfs -o size=2m,mode=0700 none "$to"
        cp -p "$from"/gate.sqlite* "$to"
        left=$(df --output=avail --block-size=1K "$to" | tail -n 1)
        dd if=/dev/zero of="$to/rubbish" bs=1K count=$((left - 64)) status=none
        exec "$@"
        """

    init(_ gate: RunningGate) throws {
        let small = gate.directory + "/small"
        let words = gate.daemonArguments.map { $0 == gate.stateDirectory ? small : $0 }
        daemon = try ChildProcess(
            "/usr/bin/unshare",
            ["-m", "/bin/sh", "-c", Self.script, "sh", gate.stateDirectory, small, builtProgram("gated")] + words,
            hasInput: false)
        directory = "/proc/\(daemon.pid)/root\(small)"
    }

    /// Waits until the daemon says this.
    func says(_ text: String) throws {
        while let line = try daemon.nextLineAnywhere() {
            if line.text.contains(text) { return }
        }
        throw daemon.failure("it never says “\(text)”")
    }

    func makeRoom() throws { try FileManager.default.removeItem(atPath: directory + "/rubbish") }

    func names(_ isWanted: (String) -> Bool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter(isWanted)
    }

    func bytes(of name: String) throws -> Data { try Self.bytes(directory + "/" + name) }

    static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
}
