import GateModel
import GateTexts
import Glibc

/// A file with secrets, one a line, that only its owner can read.
struct SecretFile {
    let path: String

    /// The most bytes of all lines together.
    static let maximumBytes = 2048

    /// The first lines of the file, without their ends.
    /// - Throws: `NOT_FOUND` if the file can't be opened; `INVALID_ARGUMENT` if others can read or change it, if it is
    ///   not this user's or root's, if it is neither a file nor a pipe, or if its lines are too few or too long.
    func lines(_ count: Int) throws(GateError) -> [GateSecret] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { close(descriptor) }
        try checkOwner(of: descriptor)
        let lines = try Self.lines(from: descriptor, atMost: count)
        guard lines.count == count else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: count == 1
                    ? localized("'{path}' is empty. Put the password into its first line.", ["path": path])
                    : localized(
                        "'{path}' has fewer than {count} lines. Give each password a line of its own.",
                        ["path": path, "count": "\(count)"]))
        }
        return lines
    }

    /// Checks the open file, not the path, which could lead to another file by now.
    private func checkOwner(of descriptor: CInt) throws(GateError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let problem = String(cString: strerror(errno))
            throw GateError(
                .notFound, .invalidRequest,
                saying: localized("'{path}' can't be looked at: {problem}.", ["path": path, "problem": problem]))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFIFO: break
        case _:
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized("'{path}' is neither a file nor a pipe.", ["path": path]))
        }
        guard status.st_mode & 0o077 == 0 else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "Others can read or change '{path}', so it is not secret. Run `chmod 600` on it, and choose another password.",
                    ["path": path]))
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{path}' belongs to user {uid}, who can read it. Use a file of your own.",
                    ["path": path, "uid": "\(status.st_uid)"]))
        }
    }

    /// Reads no further than the last of the lines.
    private static func lines(from descriptor: CInt, atMost count: Int) throws(GateError) -> [GateSecret] {
        // It never grows, so that no copy of a secret stays in memory.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(maximumBytes + 1)
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        var lines: [GateSecret] = []
        var readBytes = 0
        while lines.count < count {
            var byte: UInt8 = 0
            let length = read(descriptor, &byte, 1)
            if length < 0, errno == EINTR { continue }
            guard length > 0 else {
                if !bytes.isEmpty { lines.append(line(of: bytes)) }
                break
            }
            readBytes += 1
            guard readBytes <= maximumBytes else {
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    saying: localized("This is not a password file: its lines are too long."))
            }
            guard byte == UInt8(ascii: "\n") else {
                bytes.append(byte)
                continue
            }
            lines.append(line(of: bytes))
            bytes.withUnsafeMutableBytes { wipe($0) }
            bytes.removeAll(keepingCapacity: true)
        }
        return lines
    }

    private static func line(of bytes: [UInt8]) -> GateSecret {
        let end = bytes.last == UInt8(ascii: "\r") ? bytes.count - 1 : bytes.count
        return bytes.withUnsafeBytes { GateSecret(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    }
}
