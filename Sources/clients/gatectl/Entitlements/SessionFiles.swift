import GateModel

extension Session {
    /// Runs `body` for each file, and goes on after a failure. If there are several files, each failure is printed at
    /// once, with the name of its file.
    /// - Throws: the error of a single file; of several, `summary` with the code and reason of the first failure.
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
