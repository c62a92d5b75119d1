import GateModel
import Glibc

/// A configuration directory. Its files are read only if nobody but the trusted owners can write to them.
struct PolicyDirectory {
    let path: String
    let trustedOwners: Set<UInt32>

    private var opening: TrustedOpening { TrustedOpening(owners: trustedOwners) }

    static let folders: [(name: String, kind: PolicySource.Kind)] = [
        ("policy.d", .policy), ("questions.d", .policy), ("questionnaires.d", .questionnaire),
        ("release-notes.d", .releaseNotes),
    ]

    /// Returns the files in the order in which they are read, and warnings about files that are not read.
    ///
    /// - Throws: all files that can't be read or trusted.
    func sources() throws(PolicyError) -> (sources: [PolicySource], warnings: [PolicyProblem]) {
        var problems: [PolicyProblem] = []
        var warnings: [PolicyProblem] = []
        var sources: [PolicySource] = []
        // The directory itself may be a symbolic link, but nothing in it may.
        if let directory = directory(path, at: path, in: AT_FDCWD, mayBeLink: true, &problems) {
            defer { close(directory) }
            for name in PolicySource.namesInDirectory {
                let kind = PolicySource.Kind(path: name)
                guard let source = source(name, "\(path)/\(name)", kind, in: directory, &problems) else { continue }
                sources.append(source)
            }
            for (name, kind) in Self.folders {
                guard let child = self.directory(name, at: "\(path)/\(name)", in: directory, &problems) else {
                    continue
                }
                defer { close(child) }
                // One file too many is enough to report that there are too many.
                for file in names(in: child, "\(path)/\(name)", kind, &problems, &warnings)
                    .prefix(kind.maximumCount + 1)
                {
                    let filePath = "\(path)/\(name)/\(file)"
                    guard let source = source(file, filePath, kind, in: child, &problems) else { continue }
                    sources.append(source)
                }
            }
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        return (sources, warnings)
    }

    /// Returns the files of this directory, if it is that of the shipped layer. Those that can't be read or trusted are
    /// broken, like those with mistakes.
    func shippedSources() -> (sources: [PolicySource], broken: [BrokenPolicyFile]) {
        var problems: [PolicyProblem] = []
        var warnings: [PolicyProblem] = []
        var sources: [PolicySource] = []
        if let directory = directory(path, at: path, in: AT_FDCWD, mayBeLink: true, &problems) {
            defer { close(directory) }
            let names = names(in: directory, path, .policy, &problems, &warnings)
            for name in names.dropFirst(PolicyLimits.files).prefix(PolicyLimits.problems) {
                problems.append(
                    PolicyProblem(
                        file: "\(path)/\(name)",
                        message:
                            "This file is not read, since \(PolicyLimits.files) files come before it. Put some of them "
                            + "together, or remove a package that brings one.", kind: .tooLong,
                        parameters: ["maximum": "\(PolicyLimits.files)"]))
            }
            for name in names.prefix(PolicyLimits.files) {
                guard var source = source(name, "\(path)/\(name)", .policy, in: directory, &problems) else { continue }
                source.layer = .shipped
                sources.append(source)
            }
        }
        return (
            sources,
            problems.map { BrokenPolicyFile(file: $0.file, layer: .shipped, problems: [$0], mayNameMore: true) }
        )
    }

    /// Reads these files whoever owns them.
    ///
    /// - Parameter kind: what is in the files; `nil`: what their names say.
    static func sources(
        files: [String], readAs kind: PolicySource.Kind? = nil
    ) throws(PolicyError) -> [PolicySource] {
        var problems: [PolicyProblem] = []
        var sources: [PolicySource] = []
        for file in files {
            let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else {
                problems.append(PolicyProblem(file, FileRefusal(openingNamedFile: errno)))
                continue
            }
            defer { close(descriptor) }
            do throws(FileRefusal) {
                var status = stat()
                guard fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
                    throw FileRefusal(message: "This is a directory. Name the files in it.")
                }
                let limit = (kind ?? PolicySource.Kind(path: file)).limit
                let bytes = try TrustedOpening.bytes(of: descriptor, limit: limit)
                if var source = source(file, bytes, &problems) {
                    source.readAs = kind
                    sources.append(source)
                }
            } catch {
                problems.append(PolicyProblem(file, error))
            }
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        return sources
    }

    // MARK: - Opening

    /// - Returns: `nil` if there is no such directory, or a problem was reported. The caller closes the descriptor.
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

    /// - Returns: `nil` if there is no such file, or a problem was reported.
    private func source(
        _ name: String, _ path: String, _ kind: PolicySource.Kind, in directory: CInt, _ problems: inout [PolicyProblem]
    ) -> PolicySource? {
        do throws(FileRefusal) {
            let bytes = try opening.bytes(of: name, in: directory, path: path, limit: kind.limit)
            return bytes.flatMap { Self.source(path, $0, &problems) }
        } catch {
            problems.append(PolicyProblem(path, error))
            return nil
        }
    }

    // MARK: - Reading

    /// The names of the files in a directory that end as files of this kind do, sorted. Hidden files, and those that
    /// editors and package managers leave behind, are skipped. A file that was probably meant to be read is reported.
    private func names(
        in directory: CInt, _ path: String, _ kind: PolicySource.Kind, _ problems: inout [PolicyProblem],
        _ warnings: inout [PolicyProblem]
    ) -> [String] {
        var names: [String] = []
        do throws(FileRefusal) {
            for name in try TrustedOpening.names(in: directory) where !name.hasPrefix(".") {
                if kind == .policy, PolicySource.namesOfOneFile.contains(name) {
                    problems.append(
                        PolicyProblem(
                            file: "\(path)/\(name)", message: "This file stands beside policy.yaml. Move it there.",
                            kind: .structure))
                } else if kind.suffixes.contains(where: name.hasSuffix) {
                    names.append(name)
                } else if name.hasSuffix(".yml") {
                    problems.append(
                        PolicyProblem(file: "\(path)/\(name)", message: kind.suffixMessage, kind: .structure))
                } else if kind == .questionnaire || kind == .releaseNotes, !Self.isLeftBehind(name) {
                    warnings.append(
                        PolicyProblem(file: "\(path)/\(name)", message: kind.suffixMessage, kind: .structure))
                }
            }
        } catch {
            problems.append(PolicyProblem(path, error))
        }
        return names
    }

    /// Whether an editor or a package manager left the file behind, or somebody renamed it so that it is not read.
    private static func isLeftBehind(_ name: String) -> Bool {
        ["~", ".bak", ".orig", ".rej", ".swp", ".tmp", ".example", ".disabled"].contains(where: name.hasSuffix)
            || [".dpkg-", ".rpm", ".pacnew", ".pacsave"].contains(where: name.contains)
    }

    static func source(_ path: String, _ bytes: [UInt8], _ problems: inout [PolicyProblem]) -> PolicySource? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            // Everything before the first invalid byte can be decoded, which gives its line and column.
            let readable = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\u{FFFD}" }
            let lines = readable.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            problems.append(
                PolicyProblem(
                    file: path, line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1,
                    message: "This is not UTF-8. Save the file as UTF-8 text.", kind: .structure))
            return nil
        }
        return PolicySource(name: path, text: text)
    }
}

extension PolicyProblem {
    init(_ file: String, _ refusal: FileRefusal) {
        self.init(file: file, message: refusal.message, kind: .security)
    }
}
