import GateModel
import Glibc

/// Whether root alone can change what a path leads to.
enum RootOnly {
    /// The file or folder, and each folder above it, belongs to root, and nobody else may write to it. What is not there is
    /// judged by the folder where it could be made.
    ///
    /// - Parameter path: absolute, without links.
    static func holds(_ path: String) -> Bool {
        guard path.isAbsolutePath else { return false }
        var rest = path
        while true {
            var status = stat()
            if lstat(rest.isEmpty ? "/" : rest, &status) == 0 {
                guard isRootOnly(status) else { return false }
            } else if errno != ENOENT {
                return false
            }
            guard let folder = rest.cut(atLast: "/")?.before else { return true }
            rest = folder
        }
    }

    /// An access control list that lets somebody write shows in the group's part of the mode.
    static func isRootOnly(_ status: stat) -> Bool {
        status.st_uid == 0 && status.st_mode & 0o022 == 0 && status.st_mode & S_IFMT != S_IFLNK
    }

    /// The same of a path with links in it; where they lead.
    static func resolved(_ path: String) -> (path: String, isRootOnly: Bool)? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        let text = String(cString: real)
        return (text, holds(text) && isSame(path, text))
    }

    /// Whether both lead to the same file. `/proc/PID/root` reads as `/`, and leads into the namespaces of that process.
    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (left, right) = (stat(), stat())
        return stat(path, &left) == 0 && stat(other, &right) == 0 && left.st_dev == right.st_dev
            && left.st_ino == right.st_ino
    }

    /// The folders of a search path that root alone can change, in their order.
    static func folders(of searchPath: String) -> [String] {
        searchPath.parts(between: ":").filter { folder in
            folder.isAbsolutePath && resolved(folder)?.isRootOnly == true
        }
    }
}
