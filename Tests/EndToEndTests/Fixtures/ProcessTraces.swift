import Foundation
import Glibc
import ProcessSupport
import Testing

/// The traces that a process leaves where others could find them.
struct ProcessTraces {
    let pid: Int32

    var commandLine: [UInt8] { file("cmdline") }
    var environment: [UInt8] { file("environ") }

    private func file(_ name: String) -> [UInt8] {
        // This file has no size of its own, so it is read to its end.
        guard let handle = FileHandle(forReadingAtPath: "/proc/\(pid)/\(name)") else { return [] }
        defer { try? handle.close() }
        return Array((try? handle.readToEnd()) ?? Data())
    }

    /// How often each of these stands in the memory that the process can write to: what a core dump of it would have.
    func counts(of texts: [String]) throws -> [String: Int] {
        let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw ProcessFailure("The memory of \(pid) can't be read.") }
        defer { close(memory) }
        var counts: [String: Int] = [:]
        var regionCount = 0
        for line in linesOfFile("/proc/\(pid)/maps") {
            guard let match = line.firstMatch(of: #/^([0-9a-f]+)-([0-9a-f]+) (\S+)/#), match.3.hasPrefix("rw"),
                let start = Int(match.1, radix: 16), let end = Int(match.2, radix: 16)
            else { continue }
            regionCount += 1
            var bytes = Data(count: end - start)
            let length = bytes.withUnsafeMutableBytes { Self.read($0, from: memory, at: start) }
            for text in texts { counts[text, default: 0] += bytes.prefix(length).occurrences(of: text) }
        }
        guard regionCount > 0 else { throw ProcessFailure("\(pid) has no memory.") }
        return counts
    }

    /// As many of these bytes as can be read.
    private static func read(_ bytes: UnsafeMutableRawBufferPointer, from memory: CInt, at start: Int) -> Int {
        var length = 0
        while length < bytes.count {
            let count = pread(memory, bytes.baseAddress?.advanced(by: length), bytes.count - length, start + length)
            guard count > 0 else { break }
            length += count
        }
        return length
    }
}

extension Data {
    /// How often this stands in it.
    func occurrences(of text: String) -> Int {
        let needle = Array(text.utf8)
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let first = needle.first else { return 0 }
            var (count, offset) = (0, 0)
            while offset + needle.count <= bytes.count,
                let found = memchr(start + offset, CInt(first), bytes.count - offset - needle.count + 1)
            {
                if memcmp(found, needle, needle.count) == 0 { count += 1 }
                offset = UnsafeRawPointer(found) - start + 1
            }
            return count
        }
    }
}
