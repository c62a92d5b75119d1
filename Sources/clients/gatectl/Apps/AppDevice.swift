import CProcess
import GateModel
import GateTexts
import Glibc

/// The files of the device, and the folders of Gate's records about apps. With another `root`, it is a copy of a device
/// for tests.
///
/// A path may lead elsewhere at any time. So a file is changed through a descriptor that was opened folder by folder,
/// without following links.
struct AppDevice {
    /// Empty for the device itself; otherwise an absolute path without a slash at its end.
    var root = ""

    static let recordFolder = "/var/lib/gate-apps"
    static let listFile = "/run/gated/apps"
    /// The list as the last run has read it. Its folder is made at boot.
    static let seenFile = (folder: "/run/gate-apps", name: "seen")
    static let menuFolder = "/usr/share/applications"
    static let serviceFolder = "/usr/share/dbus-1/services"
    static let ourMenuFolder = "/usr/local/share/applications"
    static let ourServiceFolder = "/usr/local/share/dbus-1/services"
    /// Menu entries of apps that are not files of packages.
    static let sandboxFolders = [
        "flatpak": "/var/lib/flatpak/exports/share/applications", "snap": "/var/lib/snapd/desktop/applications",
    ]
    private static let programFolders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/games", "/usr/games"]
    /// Folders of programs that packages have.
    static let packagedProgramFolders = ["/usr/games", "/usr/bin"]

    private static let maximumTextBytes = 16 << 20
    /// More than `gated` writes: a policy has at most 1,000 gated actions.
    static let maximumListBytes = 1 << 20
    /// O_PATH of fcntl.h, which Swift's Glibc module lacks.
    private static let onlyPath: CInt = 0o10000000

    func record(_ name: String, _ file: AppStep.RecordFile) -> String {
        "\(Self.recordFolder)/\(name)/\(file.rawValue)"
    }

    /// The title that the app had in the menu when it was guarded; its name if it has no record.
    func title(of name: String) -> String {
        guard name.isDottedName, let text = text(record(name, .app)), let summary = AppSummary(text: text),
            !summary.title.isEmpty
        else { return name }
        return summary.title
    }

    func text(_ path: String) -> String? {
        access(root + path, F_OK) == 0 ? SystemFile.text(of: root + path, limit: Self.maximumTextBytes) : nil
    }

    /// The list of guarded apps; `nil` if there is none. The user that the daemon runs as can put a link in its place,
    /// so links are not followed: otherwise root could read others' secrets and show them as names of apps.
    var listText: String? {
        let path = root + Self.listFile
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return SystemFile.text(of: path, limit: Self.maximumListBytes, followsLink: false)
    }

    /// Writes a file as a whole, synced. Missing folders are made.
    func write(_ text: String, to path: String) throws(GateError) {
        try makeFolders(of: path)
        try SystemFile.write(text, to: root + path)
    }

    func makeFolders(of path: String) throws(GateError) {
        for folder in missingFolders(of: path) {
            guard mkdir(root + folder, 0o755) == 0, chmod(root + folder, 0o755) == 0 else {
                throw Self.failure(folder)
            }
            SystemFile.synchronizeFolder(of: root + folder)
        }
    }

    /// The folders on the way to a file that are not there, the outermost first.
    func missingFolders(of path: String) -> [String] {
        var folder = ""
        return path.parts(between: "/").dropFirst().dropLast().compactMap { part in
            folder += "/" + part
            return access(root + folder, F_OK) == 0 ? nil : folder
        }
    }

    func remove(_ path: String) throws(GateError) { try SystemFile.remove(root + path) }

    /// The names in a folder, in order; empty if there is none.
    func names(in folder: String) -> [String] {
        guard let handle = opendir(root + folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.compareBytes($1) < 0 }
    }

    /// The paths of files below a folder, also in its folders, relative to it.
    func files(below folder: String, suffix: String, depth: Int = 4) -> [String] {
        names(in: folder).flatMap { name -> [String] in
            if name.ends(withBytesOf: suffix) { return [name] }
            var status = stat()
            guard depth > 0, lstat("\(root)\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                return []
            }
            return files(below: "\(folder)/\(name)", suffix: suffix, depth: depth - 1).map { "\(name)/\($0)" }
        }
    }

    // MARK: - Paths

    /// The path with all links resolved, within the root; `nil` if it leads nowhere.
    func realPath(_ path: String) -> String? {
        var rest = path.parts(between: "/")[...]
        var real = ""
        var links = 0
        while let part = rest.popFirst() {
            if part.isEmpty || part == "." { continue }
            if part == ".." {
                real = real.cut(atLast: "/")?.before ?? ""
                continue
            }
            var status = stat()
            guard lstat("\(root)\(real)/\(part)", &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                real += "/\(part)"
                continue
            }
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("\(root)\(real)/\(part)", &bytes, bytes.count)
            links += 1
            guard count > 0, links <= 40, let target = String(validating: bytes.prefix(count), as: UTF8.self) else {
                return nil
            }
            if target.isAbsolutePath { real = "" }
            rest = target.parts(between: "/") + rest
        }
        return real.isEmpty ? "/" : real
    }

    /// The real path of a program, by its path or by its name in the usual folders; `nil` if it is not there.
    func program(_ name: String) -> String? {
        let places = name.hasByte("/") ? [name] : Self.programFolders.map { "\($0)/\(name)" }
        return places.lazy.compactMap(realPath).first
    }

    /// The names that a package may have for a real path: where /bin is a link to /usr/bin, older packages name the
    /// link.
    static func aliases(of path: String) -> [String] {
        let merged = ["/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/lib64/"].contains { path.starts(withBytesOf: $0) }
        return merged ? [path, String(path.dropFirst(4))] : [path]
    }

    // MARK: - Files by descriptor

    /// What is at a path: no link is followed, except those of folders, as the packages name them.
    func look(_ path: String) -> (state: FileState, isFolder: Bool)? {
        guard let descriptor = opened(path) else { return nil }
        defer { close(descriptor) }
        return Self.look(descriptor)
    }

    /// The kind of code in a file; `nil` if it has no code, or is not a regular file.
    func kind(of path: String) -> CodeKind? {
        guard let descriptor = opened(path) else { return nil }
        defer { close(descriptor) }
        guard let found = Self.look(descriptor), !found.isFolder else { return nil }
        var file: CInt = -2
        defer { if file >= 0 { close(file) } }
        return CodeKind(path: path, mode: found.state.mode) { offset, count in
            if file == -2 { file = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            guard file >= 0 else { return [] }
            var bytes = [UInt8](repeating: 0, count: count)
            let read = pread(file, &bytes, count, off_t(offset))
            return Array(bytes.prefix(max(0, read)))
        }
    }

    /// Whether a file has capabilities, which a change of its owner would take away.
    func hasCapabilities(_ path: String) -> Bool {
        guard let descriptor = opened(path) else { return false }
        defer { close(descriptor) }
        guard let found = Self.look(descriptor), found.state.mode & 0o6000 == 0 else { return false }
        let file = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if file >= 0 { close(file) } }
        return file >= 0 && has_rights_of_its_own(file) != 0
    }

    /// Whether others than a mode names may use a file or folder, or new files of a folder.
    func hasAccessList(_ path: String) -> Bool {
        guard let descriptor = opened(path) else { return false }
        defer { close(descriptor) }
        return has_access_list("/proc/self/fd/\(descriptor)") != 0
    }

    /// Takes a file from others. The owner comes first: whatever happens next, the group says that Gate did it.
    func hold(_ path: String, _ state: FileState) throws(GateError) {
        try change(path) { place in
            chown(place, state.uid, state.gid) == 0 && chmod(place, mode_t(state.mode)) == 0
        }
    }

    /// Gives a file back. Set-id bits come last, since a change of the owner takes them away.
    func giveBack(_ path: String, _ state: FileState) throws(GateError) {
        try change(path) { place in
            chmod(place, mode_t(state.mode & 0o1777)) == 0 && chown(place, state.uid, state.gid) == 0
                && chmod(place, mode_t(state.mode)) == 0
        }
    }

    private func change(_ path: String, _ body: (String) -> Bool) throws(GateError) {
        guard let descriptor = opened(path) else {
            // It is gone meanwhile, as in an upgrade.
            if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return }
            throw Self.failure(path)
        }
        defer { close(descriptor) }
        guard Self.look(descriptor) != nil else { return }
        // A descriptor that was opened with O_PATH can be changed only by this name.
        guard body("/proc/self/fd/\(descriptor)") else { throw Self.failure(path) }
    }

    /// Opens a path only to look at it and to change its owner and mode; `nil` if it is not there. The path is taken
    /// without the links of its folders, and then walked along without following any.
    private func opened(_ path: String) -> CInt? {
        guard let (before, name) = path.cut(atLast: "/"), !name.isEmpty,
            let folder = before.isEmpty ? "" : realPath(before)
        else {
            errno = ENOENT
            return nil
        }
        var place = open(root.isEmpty ? "/" : root, Self.onlyPath | O_DIRECTORY | O_CLOEXEC)
        for part in folder.parts(between: "/") where !part.isEmpty {
            guard place >= 0 else { return nil }
            let next = openat(place, part, Self.onlyPath | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let problem = errno
            close(place)
            errno = problem
            place = next
        }
        guard place >= 0 else { return nil }
        let file = openat(place, name, Self.onlyPath | O_NOFOLLOW | O_CLOEXEC)
        let problem = errno
        close(place)
        errno = problem
        return file >= 0 ? file : nil
    }

    /// `nil` for a link and for anything else that is neither a regular file nor a folder.
    private static func look(_ descriptor: CInt) -> (state: FileState, isFolder: Bool)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return nil }
        let state = FileState(uid: status.st_uid, gid: status.st_gid, mode: UInt16(status.st_mode & 0o7777))
        return (state, kind == S_IFDIR)
    }

    private static func failure(_ path: String) -> GateError {
        GateError(
            .unavailable, .unspecified,
            saying: localized(
                "{path} can't be changed: {reason}", ["path": path, "reason": String(cString: strerror(errno))]))
    }
}
