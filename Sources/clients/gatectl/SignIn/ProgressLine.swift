import GateModel
import GateTexts
import Glibc

/// Shows that something takes a moment, on a line that is empty before and afterwards, so that nothing jumps.
struct ProgressLine: Sendable {
    private let descriptor: CInt?
    private let strokes: [String]

    /// The text of the line. The presenter's sign-in button says the same while a password is checked.
    static var text: String { localized("Please wait") }
    static let interval = Duration.milliseconds(120)

    /// Uses standard error if that is a terminal, so that a verb's result has no progress in it.
    init() {
        descriptor = isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : nil
        strokes = Self.strokes(TextLocale.ofEnvironment())
    }

    static func strokes(_ locale: TextLocale) -> [String] {
        locale.isUTF8 ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
    }

    func during<Success: Sendable>(
        _ body: () async throws(GateError) -> Success
    ) async throws(GateError) -> Success {
        guard let descriptor else { return try await body() }
        guard !Colours.isDumb else {
            Output.write("\(Self.text).\n", to: descriptor)
            return try await body()
        }
        let drawing = Task { [strokes] in
            var count = 0
            while !Task.isCancelled {
                Output.write("\r\(strokes[count % strokes.count]) \(Self.text)", to: descriptor)
                count += 1
                try? await Task.sleep(for: Self.interval)
            }
        }
        let result: Result<Success, GateError>
        do throws(GateError) {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        drawing.cancel()
        await drawing.value
        Output.write("\r\u{1b}[K", to: descriptor)
        return try result.get()
    }
}
