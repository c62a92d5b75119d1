import Glibc
import Synchronization

/// The files with root certificates that `providers.yaml` names. They lie in its directory or below.
enum RootFiles {
    /// The certificates are in a configuration directory that only trusted owners can write to. Each is read once.
    case configuration(String, trustedOwners: Set<UInt32>, read: ReadRootFiles)
    /// The certificates are in the directory of the file that names them. Its owner is not checked.
    case besideFile
    /// The given files, by name. There are no others.
    case given([String: [UInt8]])

    /// - Parameters:
    ///   - path: the path as `providers.yaml` writes it.
    ///   - file: the path of the `providers.yaml` that names it.
    func bytes(of path: String, namedIn file: String) throws(FileRefusal) -> [UInt8] {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard path.utf8.count <= PolicyLimits.pathLength, !names.contains(where: Self.leadsElsewhere) else {
            throw FileRefusal(
                message:
                    "Name a file in the directory of providers.yaml or below, like roots/AppleRootCA-G3.cer, and put it "
                    + "there.")
        }
        let bytes: [UInt8]?
        switch self {
        case .configuration(let directory, let trustedOwners, let read):
            if let known = read[path] { return known }
            bytes = try Self.bytes(names, in: directory, TrustedOpening(owners: trustedOwners))
            if let bytes { read.remember(bytes, at: path) }
        case .besideFile:
            let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            bytes = try Self.bytes(
                names, in: parts.isEmpty ? "." : "\(parts.joined(separator: "/"))/", TrustedOpening(owners: nil))
        case .given(let files):
            bytes = files[path]
        }
        guard let bytes else { throw FileRefusal(message: "There is no such file. Put it there, or correct its name.") }
        return bytes
    }

    private static func leadsElsewhere(_ name: String) -> Bool {
        ["", ".", ".."].contains(name) || name.unicodeScalars.contains { $0.value < 0x20 }
    }

    private static let limit = (
        bytes: PolicyLimits.rootFileBytes,
        message: "The file is larger than 16 KiB. Take a file with one certificate."
    )

    /// Opens one directory after the other, each of which only trusted owners may be able to write to. `nil` if one of
    /// them, or the file, does not exist.
    private static func bytes(
        _ names: [String], in directory: String, _ opening: TrustedOpening
    ) throws(FileRefusal) -> [UInt8]? {
        guard var parent = try opening.directory(directory, in: AT_FDCWD, path: directory, mayBeLink: true) else {
            return nil
        }
        defer { close(parent) }
        var path = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
        for name in names.dropLast() {
            path += "/\(name)"
            guard let child = try opening.directory(name, in: parent, path: path) else { return nil }
            close(parent)
            parent = child
        }
        guard let name = names.last else { return nil }
        return try opening.bytes(of: name, in: parent, path: "\(path)/\(name)", limit: limit)
    }
}

/// The root certificates that were read already. A policy that is read again from the same files has the same
/// certificates, too, although their files may have changed meanwhile.
final class ReadRootFiles: Sendable {
    private let files = Mutex<[String: [UInt8]]>([:])

    subscript(path: String) -> [UInt8]? { files.withLock { $0[path] } }

    func remember(_ bytes: [UInt8], at path: String) { files.withLock { $0[path] = bytes } }
}
