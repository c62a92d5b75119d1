import ArgumentParser
import GateClient
import GateModel
import GateTexts

/// One verb of gatectl, which ArgumentParser makes from the command line.
protocol Verb: ParsableCommand, Sendable {
    var connection: ConnectionOptions { get }

    func perform(_ session: Session) async throws(GateError)

    /// Called after an error was printed. Verbs that a desktop starts show it there, if nobody reads what is printed.
    func showOnDesktop(_ error: GateError)
}

/// The client and the output that a verb works with.
struct Session: Sendable {
    let gate: GateClient
    let output: Output
}

extension Verb {
    func showOnDesktop(_ error: GateError) {}

    /// - Throws: the status to exit with. The error was printed already.
    func runAndReport() async throws(ExitCode) {
        let session = Session(gate: GateClient(connection.client), output: Output(isJSON: connection.json))
        do throws(GateError) {
            if let timeout = connection.timeout {
                try await perform(session, within: timeout)
            } else {
                try await perform(session)
            }
        } catch {
            session.output.report(error)
            showOnDesktop(error)
            throw ExitCode(error.exitStatus)
        }
    }

    /// After `timeout`, the verb is cancelled, which also withdraws what it asked of the daemon.
    private func perform(_ session: Session, within timeout: Duration) async throws(GateError) {
        let result = await withTaskGroup(of: Result<Void, GateError>?.self) { group in
            group.addTask {
                do throws(GateError) {
                    try await perform(session)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            throw GateError(
                .deadlineExceeded, .unspecified,
                saying: localized(
                    "Gave up after {duration} (`--timeout`).", ["duration": DurationWords.short(timeout)]))
        }
        try result.get()
    }
}
