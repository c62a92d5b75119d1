import GateModel

extension Session {
    /// Does something with each of the files, whatever comes of the others. Where there are several, each failure is told
    /// with its file.
    ///
    /// - Parameter summary: said in the end where it went wrong with one of several.
    /// - Throws: what the first one threw that did.
    func eachFile(
        _ paths: [String], _ summary: String, _ body: (String) async throws(GateError) -> Void
    ) async throws(GateError) {
        var first: GateError?
        for path in paths {
            do throws(GateError) {
                try await body(path)
            } catch {
                guard paths.count > 1 else { throw error }
                var failure = error
                failure.message = "\(path): \(error.message)"
                output.report(failure)
                first = first ?? failure
            }
        }
        if let first { throw GateError(first.code, first.reason, summary) }
    }
}
