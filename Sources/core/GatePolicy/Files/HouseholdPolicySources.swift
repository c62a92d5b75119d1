package import GateModel
import Glibc

extension PolicyReader {
    /// The files of a household's policy, in the order in which they are read.
    ///
    /// - Throws: all files that no device would read.
    package static func sources(of policy: HouseholdPolicy) throws(PolicyError) -> [PolicySource] {
        var problems: [PolicyProblem] = []
        var sources: [(place: Int, source: PolicySource)] = []
        for file in policy.files {
            let name = policy.name(of: file).replacingHidden
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let place = PolicyDirectory.folders.firstIndex(where: { $0.name == parts[0] })
            else {
                problems.append(PolicyProblem(file: name, message: folderMessage, kind: .structure))
                continue
            }
            let kind = PolicyDirectory.folders[place].kind
            if let message = refusal(ofName: parts[1], kind) {
                problems.append(PolicyProblem(file: name, message: message, kind: .structure))
                continue
            }
            var source = PolicySource(name: name, text: file.text)
            source.readAs = kind
            source.layer = .household
            sources.append((place, source))
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        return sources.sorted {
            $0.place != $1.place
                ? $0.place < $1.place : $0.source.name.utf8.lexicographicallyPrecedes($1.source.name.utf8)
        }.map(\.source)
    }

    /// Reads a directory that is to become the policy of all devices of a household: `policy.d`, `questions.d`,
    /// `questionnaires.d` and `release-notes.d`, in the order of the file names.
    ///
    /// - Parameter trustedOwners: the uids that directories and files may belong to, writable for nobody else.
    /// - Throws: all files that can't be read or trusted, and all that no device would read.
    package static func householdFiles(
        directory: String, trustedOwners: Set<UInt32>
    ) throws(PolicyError) -> [HouseholdPolicy.File] {
        var reading = HouseholdPolicyDirectory(path: directory, opening: TrustedOpening(owners: trustedOwners))
        reading.read()
        guard reading.problems.isEmpty else { throw PolicyError(problems: reading.problems) }
        return reading.files
    }

    fileprivate static let folderMessage =
        "A policy for all devices has the folders \(PolicyDirectory.folders.map(\.name).joined(separator: ", ")), with files in them, "
        + "and nothing else. Move this away."

    /// Why a file with this name would not be read; `nil` if it would be.
    fileprivate static func refusal(ofName name: String, _ kind: PolicySource.Kind) -> String? {
        guard !name.hasPrefix("."), name.isNameLine(atMost: HouseholdPolicy.maximumPathByteCount) else {
            return "A file of this name would not be read. Move it away, or give it another name."
        }
        if kind == .policy, PolicySource.namesOfOneFile.contains(name) {
            return "Each device has its own \(name). Move this away."
        }
        return kind.suffixes.contains(where: name.hasSuffix) ? nil : kind.suffixMessage
    }
}

private struct HouseholdPolicyDirectory {
    let path: String
    let opening: TrustedOpening
    var files: [HouseholdPolicy.File] = []
    var problems: [PolicyProblem] = []

    mutating func read() {
        guard let directory = directory(path, in: AT_FDCWD, at: path, mayBeLink: true) else { return }
        defer { close(directory) }
        for name in names(in: directory, at: path) {
            let childPath = "\(path)/\(name)"
            guard let kind = PolicyDirectory.folders.first(where: { $0.name == name })?.kind else {
                problems.append(
                    PolicyProblem(
                        file: childPath.replacingHidden, message: PolicyReader.folderMessage, kind: .structure))
                continue
            }
            guard let child = self.directory(name, in: directory, at: childPath) else { continue }
            defer { close(child) }
            for file in names(in: child, at: childPath) { read(file, of: name, kind, in: child) }
        }
    }

    private mutating func read(_ name: String, of folder: String, _ kind: PolicySource.Kind, in directory: CInt) {
        let filePath = "\(path)/\(folder)/\(name)".replacingHidden
        if let message = PolicyReader.refusal(ofName: name, kind) {
            problems.append(PolicyProblem(file: filePath, message: message, kind: .structure))
            return
        }
        do throws(FileRefusal) {
            guard let bytes = try opening.bytes(of: name, in: directory, path: filePath, limit: kind.limit),
                let source = PolicyDirectory.source(filePath, bytes, &problems)
            else { return }
            files.append(HouseholdPolicy.File(path: "\(folder)/\(name)", text: source.text))
        } catch {
            problems.append(PolicyProblem(filePath, error))
        }
    }

    private mutating func directory(
        _ name: String, in parent: CInt, at path: String, mayBeLink: Bool = false
    ) -> CInt? {
        do throws(FileRefusal) {
            if let found = try opening.directory(name, in: parent, path: path, mayBeLink: mayBeLink) { return found }
            problems.append(PolicyProblem(path, FileRefusal(message: "There is no such directory.")))
        } catch {
            problems.append(PolicyProblem(path, error))
        }
        return nil
    }

    private mutating func names(in directory: CInt, at path: String) -> [String] {
        do throws(FileRefusal) {
            // A policy can't have more files. One too many is enough to report that.
            return try TrustedOpening.names(in: directory, atMost: HouseholdPolicy.maximumFiles + 1)
        } catch {
            problems.append(PolicyProblem(path, error))
            return []
        }
    }
}
