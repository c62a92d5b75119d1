import ArgumentParser
import GateClient
import GateHousehold
import GateModel
import GateTexts
import Glibc

/// What a verb that founds, joins or changes a household works with: gated, the files, the broker and the terminal.
struct FoundingSession: Sendable {
    let gate: GateClient
    let directory: HouseholdDirectory
    let link = JoinLink.mosquitto

    func line(_ text: String = "") {
        write(text, to: STDOUT_FILENO)
    }

    /// Prints on standard error what is not the verb's result.
    func note(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// Reads a line of standard input; `nil` at its end. The question is shown only on a terminal, which hides the
    /// answer if `isHidden`.
    func answer(to question: String, isHidden: Bool = false) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
        note(question)
        guard isHidden else { return readLine(strippingNewline: true) }
        let line = TerminalInput.hiddenLine()
        note("")
        return line
    }

    /// Goes on only if a line of standard input says yes.
    ///
    /// - Throws: exit status 3, after a note that nothing was changed.
    func confirm(_ question: String) throws {
        guard let typed = answer(to: question), ["yes", localized("yes")].contains(typed.lowercased()) else {
            note(localized("Nothing was changed."))
            throw ExitCode(3)
        }
    }

    /// Whether a person at the terminal says yes in time. What was typed before the question is ignored.
    func isYes(_ question: String, within duration: Duration) async -> Bool {
        note(question)
        return await TerminalInput.line(within: duration).map(Self.isYes) ?? false
    }

    /// Whether a word means yes, in English or in the person's language.
    static func isYes(_ word: String) -> Bool {
        let word = word.filter { !$0.isWhitespace }.lowercased()
        let yes = localized("yes").lowercased()
        return ["y", "yes", yes].contains(word) || (!word.isEmpty && word == yes.prefix(1))
    }

    private func write(_ text: String, to descriptor: CInt) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    static let sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

    /// Has gated reload its configuration, and passes the list to it; a note says what to do if that fails. Returns
    /// whether gated has this list already, or a newer one.
    @discardableResult
    func bringIntoForce(_ list: [UInt8]) async -> Bool {
        do throws(GateError) {
            try await gate.control.reload()
            try await gate.household.submitList(list)
        } catch {
            guard error.reason != .outdated else { return true }
            note(
                localized(
                    "The files are written, but gated did not take them: {problem} Once that is mended, run: gatectl reload && gatectl household renew",
                    ["problem": RefusalText.sentence(error)]))
        }
        return false
    }
}

protocol FoundingVerb: AsyncParsableCommand {
    var options: DeviceOptions { get }

    func perform(_ session: FoundingSession) async throws
}

extension FoundingVerb {
    func run() async throws {
        Localization.begin()
        let session = FoundingSession(
            gate: options.gate, directory: HouseholdDirectory(path: options.configDirectory))
        do {
            try session.directory.checkMayChange()
            try await perform(session)
        } catch let error as FoundingError {
            session.note("gate-household: \(FoundingText.sentence(error))")
            throw ExitCode(FoundingText.status(error))
        } catch let error as GateError {
            session.note("gate-household: \(RefusalText.sentence(error))")
            throw ExitCode(error.code == .permissionDenied ? 77 : error.code == .unavailable ? 69 : 1)
        }
    }
}

extension String {
    static func name(_ text: String) throws -> String {
        guard text.isDeviceName(atMost: HouseholdSettings.maximumNameByteCount) else {
            throw ValidationError(
                "A name is one line of at most \(HouseholdSettings.maximumNameByteCount) bytes, without commas, semicolons and brackets."
            )
        }
        return text
    }
}
