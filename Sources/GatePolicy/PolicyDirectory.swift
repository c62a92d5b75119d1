import Glibc

/// A configuration directory: what is to be read in it, once it is known that nobody else can write to it.
///
/// What is checked is what is then read: each file is opened once, in a directory that is open.
struct PolicyDirectory {
    let path: String
    let trustedOwners: Set<UInt32>

    /// In the order in which they are read.
    ///
    /// - Throws: every file that can't be read or trusted.
    func sources() throws(PolicyError) -> [PolicySource] {
        var problems: [PolicyProblem] = []
        var sources: [PolicySource] = []
        // The directory itself may be reached over a link; what lies in it may not.
        if let directory = open(path, at: AT_FDCWD, O_DIRECTORY, &problems) {
            defer { close(directory) }
            if let source = source("policy.yaml", "\(path)/policy.yaml", in: directory, &problems) {
                sources.append(source)
            }
            for name in ["policy.d", "questions.d"] {
                guard let child = open("\(path)/\(name)", name, at: directory, O_DIRECTORY | O_NOFOLLOW, &problems)
                else {
                    continue
                }
                defer { close(child) }
                for file in names(in: child, "\(path)/\(name)", &problems) {
                    // Enough to say that there are too many.
                    guard sources.count <= PolicyLimits.files else { break }
                    guard let source = source(file, "\(path)/\(name)/\(file)", in: child, &problems) else { continue }
                    sources.append(source)
                }
            }
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        return sources
    }

    /// Without a question of whose they are.
    static func sources(files: [String]) throws(PolicyError) -> [PolicySource] {
        var problems: [PolicyProblem] = []
        var sources: [PolicySource] = []
        for file in files {
            let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else {
                problems.append(problem(file, "can't be opened", errno))
                continue
            }
            defer { close(descriptor) }
            if let source = text(descriptor, file, &problems) { sources.append(source) }
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        return sources
    }

    // MARK: - Opening

    private func source(
        _ name: String, _ path: String, in directory: CInt, _ problems: inout [PolicyProblem]
    ) -> PolicySource? {
        // Not waiting: somebody may have put a pipe there.
        guard let descriptor = open(path, name, at: directory, O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, &problems) else {
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            problems.append(PolicyProblem(file: path, message: "This is no ordinary file. Move it away."))
            return nil
        }
        return Self.text(descriptor, path, &problems)
    }

    /// - Returns: `nil` where it is not there, or where a problem was reported.
    private func open(
        _ path: String, _ name: String? = nil, at directory: CInt, _ flags: CInt, _ problems: inout [PolicyProblem]
    ) -> CInt? {
        let descriptor = openat(directory, name ?? path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: break
            // How both look where O_DIRECTORY or O_NOFOLLOW forbids it.
            case ELOOP: problems.append(PolicyProblem(file: path, message: Self.linkMessage))
            case ENOTDIR:
                problems.append(
                    PolicyProblem(file: path, message: "This is no directory, or only a link to one. Move it away."))
            default: problems.append(Self.problem(path, "can't be opened", errno))
            }
            return nil
        }
        guard let message = distrust(of: descriptor, path) else { return descriptor }
        problems.append(PolicyProblem(file: path, message: message))
        close(descriptor)
        return nil
    }

    private static let linkMessage =
        "This is a symbolic link, and who can change what it leads to is unknown. Put the file itself here."

    /// Why it can't be believed; `nil` where it can.
    private func distrust(of descriptor: CInt, _ path: String) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            return "It can't be examined: \(String(cString: strerror(errno)))."
        }
        guard trustedOwners.contains(status.st_uid) else {
            let owners = trustedOwners.sorted().map(String.init).joined(separator: " or ")
            return
                "It belongs to uid \(status.st_uid), who could change the policy; it must belong to uid \(owners). Look at "
                + "what is in it, then run: chown \(trustedOwners.min() ?? 0) '\(path)'"
        }
        guard status.st_mode & 0o022 == 0 else {
            return "Others may write to it, and so could change the policy. Look at what is in it, then run: "
                + "chmod go-w '\(path)'"
        }
        return nil
    }

    // MARK: - Reading

    /// The files of a directory that end in `.yaml`, by name. Hidden ones, and what editors and package managers leave
    /// behind, are not read.
    private func names(in directory: CInt, _ path: String, _ problems: inout [PolicyProblem]) -> [String] {
        let copy = fcntl(directory, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            problems.append(Self.problem(path, "can't be read", errno))
            if copy >= 0 { close(copy) }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            if name.hasSuffix(".yaml") { names.append(name) }
            if name.hasSuffix(".yml") {
                problems.append(
                    PolicyProblem(
                        file: "\(path)/\(name)", message: "Policy files end in .yaml; this one would not be read."))
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func text(_ descriptor: CInt, _ path: String, _ problems: inout [PolicyProblem]) -> PolicySource? {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            problems.append(PolicyProblem(file: path, message: "This is a directory, not a policy file."))
            return nil
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                problems.append(problem(path, "can't be read", errno))
                return nil
            }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            guard bytes.count <= PolicyLimits.fileBytes else {
                problems.append(PolicyProblem(file: path, message: "The file is larger than 1 MiB. Split it."))
                return nil
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            // Up to the first byte that can't be read, everything can.
            let readable = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\u{FFFD}" }
            let lines = readable.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            problems.append(
                PolicyProblem(
                    file: path, line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1,
                    message: "This is not UTF-8. Save the file as UTF-8 text."))
            return nil
        }
        return PolicySource(name: path, text: text)
    }

    private static func problem(_ path: String, _ what: String, _ number: CInt) -> PolicyProblem {
        PolicyProblem(file: path, message: "It \(what): \(String(cString: strerror(number))).")
    }
}
