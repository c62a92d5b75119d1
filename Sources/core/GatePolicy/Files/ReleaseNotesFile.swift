package import GateModel

/// The release notes of an app in a file, no matter who owns it: for a program that brings its own (F-85).
package enum ReleaseNotesFile {
    /// - Parameter path: of a file as in `release-notes.d`, ending in .yaml.
    /// - Throws: everything that is wrong with it, with line and column.
    package static func read(_ path: String) throws(PolicyError) -> ReleaseNotes {
        let source = try PolicySource.resource(path, readAs: .releaseNotes)
        let notes = try PolicyReader.read([source]).configuration.releaseNotes.values.first
        guard let notes else {
            throw PolicyError(problems: [PolicyProblem(file: path, message: "There are no notes in it.", kind: .value)])
        }
        return notes
    }
}
