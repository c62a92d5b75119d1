import Foundation
import Glibc

/// A folder that only root can change, so that what is in it counts as installed by root.
final class RootFolder {
    static let isPossible = geteuid() == 0

    let path = "/opt/gatectl-tests-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func script(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, 0o755)
        return file
    }

    @discardableResult
    func folder(_ name: String) throws -> String {
        let folder = "\(path)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        chmod(folder, 0o755)
        return folder
    }

    @discardableResult
    func link(_ name: String, to target: String) throws -> String {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
        return "\(path)/\(name)"
    }
}
