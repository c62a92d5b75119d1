package import GateModel

/// Reads the release notes of an app whoever owns the file, for a program that brings its own.
package enum ReleaseNotesFile {
    /// - Parameter path: a file like those in `release-notes.d`, ending in .yaml.
    /// - Throws: everything that is wrong with it, with line and column.
    package static func read(_ path: String) throws(PolicyError) -> ReleaseNotes {
        let source = try PolicySource.resource(path, readAs: .releaseNotes)
        let notes = try PolicyReader.read([source]).configuration.releaseNotes.values.first
        guard let notes else {
            throw PolicyError(problems: [
                PolicyProblem(file: path, message: "This file has no notes. Write at least one version.", kind: .value)
            ])
        }
        return notes
    }
}
