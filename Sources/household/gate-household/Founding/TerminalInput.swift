import Dispatch
import GateModel
import Glibc

/// Reads lines that a person types.
enum TerminalInput {
    private static let interrupt = UInt8(3)
    private static let maximumByteCount = 4096

    /// The next line, which the terminal does not show; `nil` at the end of input. Control-C ends the program with
    /// status 130, after the terminal was set back.
    static func hiddenLine() -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine(strippingNewline: true) }
        var during = before
        during.c_lflag &= ~tcflag_t(ECHO | ECHONL | ISIG)
        // Control-C ends the line, since signals are off.
        withUnsafeMutableBytes(of: &during.c_cc) { $0[Int(VEOL)] = interrupt }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &during)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: maximumByteCount)
        while bytes.last != UInt8(ascii: "\n"), bytes.last != interrupt, bytes.count < maximumByteCount {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        if bytes.last == interrupt { exit(130) }
        return bytes.isEmpty ? nil : String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The next line of the terminal; `nil` if none comes in time. What was typed before is ignored.
    static func line(within duration: Duration) async -> String? {
        await withCheckedContinuation { continuation in
            // On a thread that may block: the threads of tasks are few.
            DispatchQueue.global().async {
                tcflush(STDIN_FILENO, TCIFLUSH)
                let milliseconds = CInt(clamping: max(0, duration.clampedNanoseconds / 1_000_000))
                var terminal = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                guard poll(&terminal, 1, milliseconds) == 1 else { return continuation.resume(returning: nil) }
                continuation.resume(returning: readLine(strippingNewline: true))
            }
        }
    }

    /// This system's host name, for people; "localhost" if it can't be shown as a name. It proves nothing.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isNameLine(atMost: HouseholdSettings.maximumNameByteCount) ? text : "localhost"
    }
}
