import GateClient
import GateCore
import GateModel
import GateProtocol
import GateTexts
import Glibc

// Secrets are never arguments, and never printed, except the key that goes into an authenticator.

extension Session {
    /// Asks for a new passcode and sets it. On a terminal it is typed twice, and asked again until the daemon takes it.
    func setPasscode(asking prompt: LinePrompt) async throws(GateError) -> SetPasscodeResponse {
        try await set(try await newPasscode(asking: prompt), orAsk: prompt)
    }

    /// If the daemon refuses the passcode, another one is asked for on the terminal; `nil`: nobody can be asked.
    func set(_ passcode: GateSecret, orAsk prompt: LinePrompt?) async throws(GateError) -> SetPasscodeResponse {
        var passcode = passcode
        while true {
            do throws(GateError) {
                return try await gate.call(Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: passcode))
            } catch {
                guard error.code == .invalidArgument, let prompt, prompt.terminal != nil else { throw error }
                prompt.say(RefusalText.sentence(error))
                passcode = try await newPasscode(asking: prompt)
            }
        }
    }

    /// Asks for a new passcode, on a terminal until it was typed twice the same. Nothing is set.
    func newPasscode(asking prompt: LinePrompt) async throws(GateError) -> GateSecret {
        while true {
            let passcode = try await prompt.secret(localized("New passcode (six digits or more; it is not shown)"))
            guard prompt.terminal != nil else { return passcode }
            guard PasswordSource.newLengths.contains(passcode.byteCount) else {
                prompt.say(PasswordSource.passcodeLengths)
                continue
            }
            if passcode.byteCount < 6 { prompt.say(Self.worth(ofDigits: passcode.byteCount)) }
            if try await prompt.secret(localized("Type it again")) == passcode { return passcode }
            prompt.say(localized("They don't match. Try again."))
        }
    }

    static func worth(ofDigits count: Int) -> String {
        let odds = { GuessingOdds.probabilityEver(ofPasscodeWithDigits: $0) }
        return OddsWords.worth(ofDigits: count, odds: odds(count), better: odds(6)) + " "
            + localized("Type it again to keep it, or something else to choose another one.")
    }

    /// Shows a new key, and asks for a code that the authenticator makes of it, as proof that it has the key.
    func enrolTOTP(asking prompt: LinePrompt) async throws(GateError) -> EnrolTOTPResponse {
        let enrolment = AuthenticatorKey(account: Self.hostName)
        guard let terminal = prompt.terminal else {
            let link = String(decoding: enrolment.link, as: UTF8.self)
            output.line(output.isJSON ? "{\"link\":\(JSONString.quoted(link))}" : link)
            return try await enrol(enrolment, code: try await prompt.line(localized("Code")))
        }
        // On the alternate screen, so that the key can't be scrolled back to later.
        let screen = TOTPScreen(enrolment: enrolment, terminal: terminal)
        screen.enter()
        defer { screen.leave() }
        var triesLeft = 3
        while true {
            let code = try await prompt.line(localized("The six digits that it shows now"))
            do throws(GateError) {
                return try await enrol(enrolment, code: code)
            } catch {
                triesLeft -= 1
                guard error.reason == .wrongAnswer, triesLeft > 0 else { throw error }
                prompt.say(localized("That is not its code. Is the clock of the phone right? Wait for the next code."))
            }
        }
    }

    /// Sends the key and the code. Spaces in the code are dropped, since authenticators show codes in groups.
    private func enrol(_ enrolment: AuthenticatorKey, code: String) async throws(GateError) -> EnrolTOTPResponse {
        let code = GateSecret(code.utf8.filter { $0 != UInt8(ascii: " ") })
        return try await gate.call(Methods.Secrets.enrolTOTP, EnrolTOTPRequest(key: enrolment.key, code: code))
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, name.count - 1) == 0 else { return "device" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

struct TOTPScreen {
    let enrolment: AuthenticatorKey
    let terminal: Terminal

    func enter() {
        let head = Colours.isDumb ? "" : "\u{1b}[?1049h\u{1b}[2J\u{1b}[H"
        let (columns, rows) = terminal.size
        terminal.draw(head + lines(columns: columns, rows: rows).joined(separator: "\n") + "\n")
    }

    func leave() {
        if !Colours.isDumb { terminal.draw("\u{1b}[?1049l") }
    }

    /// The QR code is included only if all of it fits, with a line for the key and two for the question.
    func lines(columns: Int, rows: Int) -> [String] {
        let key = localized("Key: {key}", ["key": enrolment.groupedKey])
        guard let code = QRCode(enrolment.link) else { return [key] }
        let drawing = QRDrawing(code: code, ink: ink)
        guard drawing.columns <= columns, drawing.lines.count + 3 <= rows else {
            return [localized("This terminal is too small for a QR code. Type the key into the authenticator."), key]
        }
        return drawing.lines + [key]
    }

    private var ink: QRDrawing.Ink {
        if Colours.isDumb { return .plain }
        return TextLocale.ofEnvironment().isUTF8 ? .halfBlocks : .colouredSpaces
    }
}
