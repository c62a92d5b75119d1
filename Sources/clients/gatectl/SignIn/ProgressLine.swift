import GateModel
import GateTexts
import Glibc

/// Says on the terminal that something takes a moment, in a line of its own: it is empty before and after, so that nothing
/// jumps (F-68).
struct ProgressLine: Sendable {
    /// `nil`: nobody would see it.
    private let descriptor: CInt?
    private let strokes: [String]

    /// As the button of a sign-in reads meanwhile (F-66).
    static var text: String { localized("Please wait") }
    static let interval = Duration.milliseconds(120)

    /// On standard error where that is a terminal: what a verb prints as its result has no progress in it.
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
