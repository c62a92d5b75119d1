import ArgumentParser
import GateModel
import GateTexts

struct DoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: localized("Find problems of this installation, and say how to solve them."))

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var policy: PolicyOptions

    func perform(_ session: Session) async throws(GateError) {
        let facts = await InstallationFacts.gather(
            session.gate, serverUser: connection.serverUser, policy: policy)
        for finding in facts.findings {
            session.output.line(session.output.isJSON ? finding.json : finding.line)
        }
        let failures = facts.findings.count { $0.isFailure }
        guard failures == 0 else {
            throw GateError(
                .failedPrecondition, .unspecified, failures == 1 ? "One check failed." : "\(failures) checks failed.")
        }
    }
}
