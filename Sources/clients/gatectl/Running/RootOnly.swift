import CProcess
import GateModel
import Glibc

/// Decides whether only root can change what a path leads to.
enum RootOnly {
    /// The kernel follows no more links than this either.
    private static let maximumLinks = 40

    /// Whether every folder, link and file on this absolute path belongs to root, is writable only for root, and is on
    /// a file system of the device and not of a user's medium. False if it does not exist.
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

    /// Checks the last part only, and if that is a link, what it leads to.
    private static func isRootOnly(at place: String, links: Int) -> Bool {
        var status = stat()
        guard lstat(place, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFLNK else { return isRootOnly(status) && isOfSystem(place, status) }
        guard status.st_uid == 0, let target = target(of: place) else { return false }
        return holds(target, links: links - 1)
    }

    /// The target of a link as an absolute path; `nil` if it can't be read.
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

    /// Access control lists need no look: one that lets others write also shows in the group's bits of the mode.
    static func isRootOnly(_ status: stat) -> Bool {
        status.st_uid == 0 && status.st_mode & 0o022 == 0 && status.st_mode & S_IFMT != S_IFLNK
    }

    /// Whether this is on a file system of the device. On a user's own medium, such as a stick, root's ownership means
    /// nothing, since its blocks can be written directly; such media are mounted with `nosuid`. Names in /proc are not
    /// trusted either, because each process decides where those in its own folder lead.
    private static func isOfSystem(_ place: String, _ status: stat) -> Bool {
        may_be_brought_along(place) == 0 || systemDevices.contains(status.st_dev)
    }

    private static let systemDevices: Set<dev_t> = Set(
        ["/", "/usr"].compactMap { folder in
            var status = stat()
            return stat(folder, &status) == 0 ? status.st_dev : nil
        })

    /// Whether only root can change what a path leads to, also by making a file that does not exist yet. The path may
    /// contain `..`. For a relative path the result is false, because it begins in the working folder.
    /// - Parameter isFollowedAsThisUser: whether the path will be followed with no more rights than this process has.
    ///   Then a folder of root's whose contents this user can't reach counts as closed; otherwise it does not.
    static func isClosedToOthers(_ path: String, isFollowedAsThisUser: Bool) -> Bool {
        guard path.isAbsolutePath, holds("/") else { return false }
        var folder = ""
        for part in path.parts(between: "/") where !part.isEmpty && part != "." {
            if part == ".." {
                folder = folder.cut(atLast: "/")?.before ?? ""
                continue
            }
            let place = "\(folder)/\(part)"
            var status = stat()
            guard lstat(place, &status) == 0 else {
                // The file does not exist, and nobody but root can make it in this folder.
                return errno == ENOENT || errno == EACCES && isFollowedAsThisUser && hidesContents(folder)
            }
            guard isRootOnly(at: place, links: maximumLinks), let real = realPath(place) else { return false }
            folder = real == "/" ? "" : real
        }
        return true
    }

    /// Whether the mode of a folder of root's keeps all but root and perhaps a group from what is in it. Other reasons
    /// for EACCES, such as a security module, may hold for this program alone.
    private static func hidesContents(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder.isEmpty ? "/" : folder, &status) == 0 && status.st_mode & S_IXOTH == 0
    }

    /// The path with all links resolved, and whether only root can change what it leads to.
    static func resolved(_ path: String) -> (path: String, isRootOnly: Bool)? {
        realPath(path).map { ($0, holds(path)) }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folders of a search path that only root can change, in their order, with links resolved.
    static func folders(of searchPath: String) -> [String] {
        // A search path can't hold a folder with a colon in its name.
        searchPath.parts(between: ":").filter(\.isAbsolutePath).compactMap { resolved($0) }
            .filter { $0.isRootOnly && !$0.path.hasByte(":") }.map(\.path)
    }
}
