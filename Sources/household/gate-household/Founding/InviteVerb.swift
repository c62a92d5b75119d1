import ArgumentParser
import GateClient
import GateHousehold
import GateModel
import GateTexts
import Glibc

struct InviteVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite another device: print a code for it, and wait until it has joined.",
        discussion: """
            The code is good once, and for ten minutes. Before the new device is admitted this shows its name, its host and a check number, which the \
            new device shows, too, and asks. The broker's port for joining is open meanwhile: if the broker is on this device, this opens it. \
            As root, on the device that has the household's key, while gated and the broker run.
            """)

    @Option(help: "The grown-up who commands other devices from the new one.", transform: String.name)
    var guardian: String?

    @Flag(help: "Don't ask before the new device is admitted: for scripts. Anyone who has the code is.")
    var yes = false

    @Flag(help: "Print JSON for programs, one object a line. Errors stay sentences on standard error.")
    var json = false

    @OptionGroup var options: DeviceOptions

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        guard yes || isatty(STDIN_FILENO) == 1 else { throw FoundingError.needsTerminal }
        try await session.takeUpNewest()
        let keeping = try directory.keeping()
        try await session.withJoinPort(keeping) { joinBroker in
            try await invite(keeping, joinBroker, session)
        }
    }

    private func invite(
        _ keeping: HouseholdKeeping, _ joinBroker: JoinLink.Identity?, _ session: FoundingSession
    ) async throws {
        let directory = session.directory
        let inviting = try await Inviting(
            keeping, folder: directory.folder, joinPort: try directory.joinPort(), joinBroker: joinBroker,
            over: session.link, now: .now())
        show(inviting.code, session)
        let guardian = guardian
        var device: HouseholdID?
        let (request, hasConfirmed) = try await inviting.newcomer(
            clock: { .now() }, sleep: FoundingSession.sleep, question: yes ? nil : question(session)
        ) { request throws(FoundingError) in
            // The newest one, because another command may have changed the household since.
            let (answer, keeping) = try directory.alone { () throws(FoundingError) in
                var keeping = try directory.keeping()
                var random = SystemRandomNumberGenerator()
                let result: (answer: JoinAnswer, files: [HouseholdFile])
                do {
                    result = try keeping.admit(request, guardian: guardian, now: .now(), using: &random)
                } catch {
                    throw .badFile(path: directory.folder)
                }
                try directory.replace(result.files)
                return (result.answer, keeping)
            }
            if case .refused(let refusal) = answer {
                session.note(
                    localized(
                        "{name} was refused: {problem}",
                        ["name": request.name, "problem": FoundingText.sentence(.refused(refusal))]))
            } else {
                if case .admitted(let admission) = answer { device = admission.device }
                _ = try await session.bringIntoForce(keeping)
            }
            return answer
        }
        if json {
            session.line(
                FoundingJSON.line(
                    FoundingJSON.Joined(
                        household: keeping.settings.household.description, device: device?.description,
                        name: request.name, hasConfirmed: hasConfirmed)))
        } else {
            session.line(
                hasConfirmed
                    ? localized("{name} is in the household.", ["name": request.name])
                    : localized(
                        "{name} is on the list, but has not said that it has joined. Look there; if it failed, revoke it here: `gatectl household revoke`.",
                        ["name": request.name]))
        }
        // The same status as if nobody had answered.
        guard hasConfirmed else { throw ExitCode(FoundingText.status(.noAnswer)) }
    }

    private func question(_ session: FoundingSession) -> Inviting.Question {
        let (directory, guardian) = (session.directory, guardian)
        return Inviting.Question(
            refusal: { request throws(FoundingError) in try directory.keeping().refusal(of: request) },
            ask: { request, number, duration in
                session.note(
                    localized(
                        "{name} asks to join, from {host}. Its check number: {number}",
                        ["name": request.name, "host": request.host, "number": number.text]))
                session.note(
                    localized(
                        "The new device shows the same number. If it does not, somebody else has the code: say no."))
                let question =
                    if let guardian {
                        localized(
                            "Admit {name}? From it {guardian} may then open all devices. [y/N]",
                            ["name": request.name, "guardian": guardian])
                    } else {
                        localized("Admit {name}? [y/N]", ["name": request.name])
                    }
                return await session.isYes(question, within: duration)
            })
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
