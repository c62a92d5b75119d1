import Foundation
import GatePolicy

/// A directory of its own for a test, gone afterwards.
final class ConfigurationDirectory {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        path = NSTemporaryDirectory() + "gate-policy-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try chmod(".", 0o755)
        for (name, text) in files { try write(name, Array(text.utf8)) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let folder = url(name).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if folder.path != path {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        }
        try Data(bytes).write(to: url(name))
        try chmod(name, 0o644)
    }

    func url(_ name: String) -> URL { URL(fileURLWithPath: "\(path)/\(name)") }

    func chmod(_ name: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: url(name))
    }

    func read() throws(PolicyError) -> Policy {
        try PolicyReader.read(directory: path, trustedOwners: [geteuid()])
    }

    /// The problems without the directory's path in front.
    func problems() -> [String] {
        do throws(PolicyError) {
            _ = try read()
            return []
        } catch {
            return error.problems.map { String($0.description.dropFirst(path.count + 1)) }
        }
    }
}
