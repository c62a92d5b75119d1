import ArgumentParser
import GateClient
import GateHousehold
import GateModel
import GateTexts
import Glibc

/// The tools of a verb that founds, joins or changes a household.
struct FoundingSession: Sendable {
    let gate: GateClient
    let directory: HouseholdDirectory
    let link = JoinLink.mosquitto

    func line(_ text: String = "") {
        write(text, to: STDOUT_FILENO)
    }

    /// For what is no result.
    func note(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// A line of standard input; `nil`: its end.
    func answer(to question: String) -> String? {
        if isatty(STDIN_FILENO) == 1 { note(question) }
        return readLine(strippingNewline: true)
    }

    private func write(_ text: String, to descriptor: CInt) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    static let sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

    /// Has gated read its configuration, and hands it the list.
    func bringIntoForce(_ list: [UInt8]) async {
        do throws(GateError) {
            try await gate.control.reload()
            try await gate.household.submitList(list)
        } catch {
            note(
                localized(
                    "The files are written, but gated did not take them: {problem} Once that is mended, run: gatectl reload && gatectl household renew",
                    ["problem": RefusalText.sentence(error)]))
        }
    }
}

/// A verb that founds, joins or changes a household.
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
    /// A name of a device or a guardian, as it was typed.
    static func name(_ text: String) throws -> String {
        guard text.isNameLine(atMost: HouseholdSettings.maximumNameByteCount) else {
            throw ValidationError("A name is one line of at most \(HouseholdSettings.maximumNameByteCount) bytes.")
        }
        return text
    }
}
