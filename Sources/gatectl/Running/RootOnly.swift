import CProcess
import GateModel
import Glibc

/// Whether root alone can change what a path leads to.
enum RootOnly {
    /// More links than this behind one another lead nowhere, for the kernel as well.
    private static let maximumLinks = 40

    /// Each folder, link and file on the way belongs to root, nobody else may write to it, and it is on no file system that a user may have
    /// brought along.
    ///
    /// - Parameter path: absolute. What is not there is nobody's to promise.
    static func holds(_ path: String) -> Bool { holds(path, links: maximumLinks) }

    private static func holds(_ path: String, links: Int) -> Bool {
        guard path.isAbsolutePath, links > 0 else { return false }
        var place = "/"
        guard isRootOnly(at: place, links: links) else { return false }
        for part in path.parts(between: "/") where !part.isEmpty && part != "." {
            guard part != ".." else { return false }
            place += place == "/" ? part : "/\(part)"
            guard isRootOnly(at: place, links: links) else { return false }
        }
        return true
    }

    /// The same of the last part alone.
    private static func isRootOnly(at place: String, links: Int) -> Bool {
        var status = stat()
        guard lstat(place, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFLNK else { return isRootOnly(status) && isOfSystem(place, status) }
        guard status.st_uid == 0, let target = target(of: place) else { return false }
        return holds(target, links: links - 1)
    }

    /// Where a link leads, as an absolute path; `nil` if that can't be said without following other links.
    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, let text = String(validating: bytes.prefix(count), as: UTF8.self) else { return nil }
        guard !text.isAbsolutePath else { return text }
        guard let before = link.cut(atLast: "/")?.before, var folder = realPath(before.isEmpty ? "/" : before) else {
            return nil
        }
        var rest = text.parts(between: "/")[...]
        while rest.first == ".." {
            folder = folder.cut(atLast: "/")?.before ?? ""
            rest = rest.dropFirst()
        }
        return "\(folder)/\(rest.joined(separator: "/"))"
    }

    /// An access control list that lets somebody write shows in the group's part of the mode.
    static func isRootOnly(_ status: stat) -> Bool {
        status.st_uid == 0 && status.st_mode & 0o022 == 0 && status.st_mode & S_IFMT != S_IFLNK
    }

    /// Whether this is on a file system of the device. On one that a user may mount, such as a stick, root's name says nothing: its blocks
    /// can be written past the kernel. Those are mounted without rights (nosuid). Names in /proc lead where the process that they are about
    /// wants.
    private static func isOfSystem(_ place: String, _ status: stat) -> Bool {
        may_be_brought_along(place) == 0 || systemDevices.contains(status.st_dev)
    }

    private static let systemDevices: Set<dev_t> = Set(
        ["/", "/usr"].compactMap { folder in
            var status = stat()
            return stat(folder, &status) == 0 ? status.st_dev : nil
        })

    /// Where a path leads in the end, and whether root alone can change it on the whole way.
    static func resolved(_ path: String) -> (path: String, isRootOnly: Bool)? {
        realPath(path).map { ($0, holds(path)) }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folders of a search path that root alone can change, in their order and without links.
    static func folders(of searchPath: String) -> [String] {
        // A colon in a name would make two folders of it.
        searchPath.parts(between: ":").filter(\.isAbsolutePath).compactMap { resolved($0) }
            .filter { $0.isRootOnly && !$0.path.hasByte(":") }.map(\.path)
    }
}
