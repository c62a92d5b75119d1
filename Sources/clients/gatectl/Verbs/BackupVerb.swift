import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct BackupVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: localized("Write everything that Gate keeps into a file (administrators)."),
        discussion: """
            Accounts, the passcode, the authenticator, what was paid for, forms and the journal, as one file that only you can \
            read: it holds password hashes and the authenticator's key, so keep it where nobody else reads it. Parent mode, \
            who is signed in, open questions and kept grants are not in it. gated goes on working meanwhile. `gatectl restore` \
            brings it back.
            """)

    @Argument(help: "A new file.")
    var file: String

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let backup = try BackupFile.making(file)
        do throws(GateError) {
            var reading = try await session.gate.beginBackup()
            while let piece = try await reading.next() { try backup.write(piece) }
            try backup.synchronize()
            try session.output.result(
                BackupResponse(backupID: 0, piece: [], byteCount: reading.byteCount),
                localized(
                    "{count} byte in {file}", plural: "{count} bytes in {file}",
                    count: Int(clamping: reading.byteCount),
                    ["file": file]))
        } catch {
            backup.remove()
            throw error
        }
    }
}
