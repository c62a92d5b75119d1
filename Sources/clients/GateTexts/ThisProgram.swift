import GateModel
import Glibc

/// The folder of the running program. A build puts all of Gate's programs into one folder, and the packages put those
/// that people start, such as gatectl and gate-presenter, into one.
package enum ThisProgram {
    /// The path of the folder; `nil` if the kernel does not tell.
    package static var folder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return program.cut(atLast: "/")?.before
    }

    /// The path of another program in that folder; `nil` if it is not there, or can't be executed.
    package static func beside(_ name: String) -> String? {
        guard let folder else { return nil }
        let path = "\(folder)/\(name)"
        return access(path, X_OK) == 0 ? path : nil
    }
}
