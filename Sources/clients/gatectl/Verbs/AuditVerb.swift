import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct AuditVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: localized("Print the journal of who did what (administrators)."))

    @OptionGroup var connection: ConnectionOptions

    @Flag(name: .shortAndLong, help: "Stay, and print new entries.")
    var follow = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Print only this many of the newest entries.", valueName: "number"))
    var last: Int?

    func validate() throws {
        if let last, !(1...Int(Int32.max)).contains(last) {
            throw ValidationError("--last needs a number from 1.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        for try await batch in session.gate.control.auditBatches(last: last, following: follow) {
            if session.output.isJSON {
                let message = AuditResponse(revision: batch.revision, entries: batch.entries)
                session.output.line(try message.json())
            } else {
                for entry in batch.entries {
                    session.output.line(AuditLine(entry: entry).text(colours: session.output.colours))
                }
            }
        }
    }
}
