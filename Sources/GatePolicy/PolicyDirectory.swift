import Glibc

/// A configuration directory: what is to be read in it, once it is known that nobody else can write to it.
struct PolicyDirectory {
    let path: String
    let trustedOwners: Set<UInt32>

    private var opening: TrustedOpening { TrustedOpening(owners: trustedOwners) }

    /// In the order in which they are read.
    ///
    /// - Throws: every file that can't be read or trusted.
    func sources() throws(PolicyError) -> [PolicySource] {
        var problems: [PolicyProblem] = []
        var sources: [PolicySource] = []
        // The directory itself may be reached over a link; what lies in it may not.
        if let directory = directory(path, at: path, in: AT_FDCWD, mayBeLink: true, &problems) {
            defer { close(directory) }
            for name in ["policy.yaml", PolicySource.providersName] {
                guard let source = source(name, "\(path)/\(name)", in: directory, &problems) else { continue }
                sources.append(source)
            }
            for name in ["policy.d", "questions.d"] {
                guard let child = self.directory(name, at: "\(path)/\(name)", in: directory, &problems) else {
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
                problems.append(PolicyProblem(file, FileRefusal("can't be opened", errno)))
                continue
            }
            defer { close(descriptor) }
            do throws(FileRefusal) {
                var status = stat()
                guard fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
                    throw FileRefusal(message: "This is a directory, not a policy file.")
                }
                let bytes = try TrustedOpening.bytes(of: descriptor, limit: limit)
                if let source = source(file, bytes, &problems) { sources.append(source) }
            } catch {
                problems.append(PolicyProblem(file, error))
            }
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        return sources
    }

    // MARK: - Opening

    private static let limit = (bytes: PolicyLimits.fileBytes, message: "The file is larger than 1 MiB. Split it.")

    /// - Returns: `nil` where it is not there, or where a problem was reported.
    private func directory(
        _ name: String, at path: String, in parent: CInt, mayBeLink: Bool = false, _ problems: inout [PolicyProblem]
    ) -> CInt? {
        do throws(FileRefusal) {
            return try opening.directory(name, in: parent, path: path, mayBeLink: mayBeLink)
        } catch {
            problems.append(PolicyProblem(path, error))
            return nil
        }
    }

    /// - Returns: `nil` where it is not there, or where a problem was reported.
    private func source(
        _ name: String, _ path: String, in directory: CInt, _ problems: inout [PolicyProblem]
    ) -> PolicySource? {
        do throws(FileRefusal) {
            let bytes = try opening.bytes(of: name, in: directory, path: path, limit: Self.limit)
            return bytes.flatMap { Self.source(path, $0, &problems) }
        } catch {
            problems.append(PolicyProblem(path, error))
            return nil
        }
    }

    // MARK: - Reading

    /// The files of a directory that end in `.yaml`, by name. Hidden ones, and what editors and package managers leave
    /// behind, are not read.
    private func names(in directory: CInt, _ path: String, _ problems: inout [PolicyProblem]) -> [String] {
        let copy = fcntl(directory, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            problems.append(PolicyProblem(path, FileRefusal("can't be read", errno)))
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
            if name == PolicySource.providersName {
                problems.append(
                    PolicyProblem(
                        file: "\(path)/\(name)", message: "This file stands beside policy.yaml. Move it there."))
            } else if name.hasSuffix(".yaml") {
                names.append(name)
            } else if name.hasSuffix(".yml") {
                problems.append(
                    PolicyProblem(
                        file: "\(path)/\(name)", message: "Policy files end in .yaml; this one would not be read."))
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func source(_ path: String, _ bytes: [UInt8], _ problems: inout [PolicyProblem]) -> PolicySource? {
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
}

extension PolicyProblem {
    fileprivate init(_ file: String, _ refusal: FileRefusal) {
        self.init(file: file, message: refusal.message)
    }
}
