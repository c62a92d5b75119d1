import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct RestoreVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: localized("Restore a backup, in place of what Gate keeps (administrators)."),
        discussion: """
            The file is checked as a whole before anything changes, and then all of it is in force at once. The mode is child \
            afterwards, nobody is signed in, and open questions are closed. The journal goes on. What an old file must not undo \
            stays: lockouts and counted guesses, codes that were used, claims that are newer or were revoked since. \
            People whom only the file has are not confirmed, and count only after an administrator has confirmed them, \
            unless this device has no people of its own. Choices of the file that could lower a gate are left out and \
            named.
            """)

    @Argument(help: "What `gatectl backup` has written.")
    var file: String

    @Flag(help: "Only say whether it could be restored, and what is in it.")
    var check = false

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let backup = try BackupFile.reading(file)
        var restoring = try await session.gate.beginRestore(checkOnly: check)
        var piece: [UInt8]
        var response: RestoreResponse
        repeat {
            piece = try backup.read(BackupRestoring.maximumPieceByteCount)
            response = try await restoring.take(piece)
        } while !piece.isEmpty
        let contents = response.contents?.text ?? ""
        let text =
            response.revision.map {
                RevisionText.row($0, localized("restored: {contents}", ["contents": contents]))
            } ?? localized("nothing was changed; in it: {contents}", ["contents": contents])
        try session.output.result(response, text + leftOut(response.leftOutChoices))
    }

    /// A line about the choices of the backup that were left out; empty if there are none.
    private func leftOut(_ choices: [String]) -> String {
        guard !choices.isEmpty else { return "" }
        return "\n"
            + localized(
                "Choices of the backup that could lower a gate were left out: {names}. `gatectl gates` shows what counts now, and `sudo gatectl gates set` changes it.",
                ["names": ListText.together(choices)])
    }
}

extension BackupSummary {
    fileprivate var text: String {
        let secrets = [hasPasscode ? localized("a passcode") : nil, hasTOTP ? localized("an authenticator") : nil]
            .compactMap(\.self)
        let parts =
            [
                localized("accounts: {count}", ["count": "\(accountCount)"]),
                localized("claims: {count}", ["count": "\(claimCount)"]),
                localized("responses: {count}", ["count": "\(responseCount)"]),
                secrets.isEmpty ? localized("no secret is set up") : ListText.together(secrets),
                version.isEmpty
                    ? localized("of an earlier Gate") : localized("of Gate {version}", ["version": version]),
            ] + (madeAt.map { [localized("made {time}", ["time": WallTimeText.shown($0)])] } ?? [])
        return ListText.remarks(parts)
    }
}
