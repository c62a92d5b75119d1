import ArgumentParser
import GateClient
import GateGuardians
import GateHousehold
import GateModel
import GateTexts
import Glibc

/// Invites one more device.
struct InviteVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite one more device: prints a code for it, and waits until it has joined.",
        discussion: """
            The code is good once, and for ten minutes. As root, on the device that has the household's key, while gated and the broker run.
            """)

    @Option(help: "The grown-up who commands other devices from the new one.", transform: String.name)
    var guardian: String?

    @Flag(help: "Print JSON for programs, one object a line. Errors stay sentences on standard error.")
    var json = false

    @OptionGroup var options: DeviceOptions

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        let keeping = try directory.keeping()
        let inviting = try await Inviting(
            keeping, folder: directory.folder, joinPort: try directory.joinPort(), over: session.link, now: .now())
        show(inviting.code, session)
        let guardian = guardian
        var device: HouseholdID?
        let (request, hasConfirmed) = try await inviting.newcomer(
            clock: { .now() }, sleep: FoundingSession.sleep
        ) { request throws(FoundingError) in
            // The newest one: another command may have changed the household since.
            let (answer, list) = try directory.alone { () throws(FoundingError) in
                var keeping = try directory.keeping()
                var random = SystemRandomNumberGenerator()
                let result: (answer: JoinAnswer, files: [HouseholdFile])
                do {
                    result = try keeping.admit(request, guardian: guardian, now: .now(), using: &random)
                } catch {
                    throw .badFile(path: directory.folder)
                }
                try directory.replace(result.files)
                return (result.answer, keeping.signedList)
            }
            if case .refused(let refusal) = answer {
                session.note(
                    localized(
                        "{name} was refused: {problem}",
                        ["name": request.name, "problem": FoundingText.sentence(.refused(refusal))]))
            } else {
                if case .admitted(let admission) = answer { device = admission.device }
                await session.bringIntoForce(list)
            }
            return answer
        }
        guard !json else {
            return session.line(
                FoundingJSON.line(
                    FoundingJSON.Joined(
                        household: keeping.settings.household.description, device: device?.description,
                        name: request.name, hasConfirmed: hasConfirmed)))
        }
        session.line(
            hasConfirmed
                ? localized("{name} is in the household.", ["name": request.name])
                : localized(
                    "{name} is on the list, but has not said that it has joined. Look there; if it failed, revoke it here: `gatectl household revoke`.",
                    ["name": request.name]))
    }

    private func show(_ code: JoinCode, _ session: FoundingSession) {
        guard !json else {
            let expires = WallTime.now().advanced(by: JoinCode.life).unixMilliseconds
            return session.line(
                FoundingJSON.line(FoundingJSON.Invited(code: code.text, expiresUnixMilliseconds: expires)))
        }
        session.line(code.text)
        guard isatty(STDOUT_FILENO) == 1 else { return }
        session.note("")
        if let drawn = QRCode(Array(code.text.utf8)) {
            var size = winsize()
            let drawing = QRDrawing(code: drawn, ink: .halfBlocks)
            if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, Int(size.ws_col) >= drawing.columns {
                for line in drawing.lines { session.note(line) }
            }
        }
        session.note(localized("On the new device, as root: gatectl household join --name NAME"))
        session.note(localized("The code is good once, and for ten minutes. Waiting …"))
    }
}
