import GateClient
import GateModel
import Glibc

/// Where answers come from: keys of a terminal, or the lines of standard input.
enum AnswerInput: Sendable {
    case terminal(Terminal)
    case lines

    /// What came.
    enum Typed: Hashable, Sendable {
        case line(String)
        /// The end of the input, or a signal that ends the program.
        case ended
        /// Nobody waits for it any more.
        case stopped
    }

    /// The next line, read on a thread of its own, which ends with it. Cancellation stops it at once.
    ///
    /// - Parameters:
    ///   - request: what is asked for; shown on a terminal.
    ///   - deadline: counted down on a terminal.
    ///   - signal: wakes where a signal takes the question off the person.
    func next(request: String, deadline: BootTime?, signal: Wakeup) async -> Typed {
        guard let stop = Wakeup() else { return .ended }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasBegun = startThread {
                    continuation.resume(returning: read(request: request, deadline: deadline, stop, signal))
                }
                if !hasBegun { continuation.resume(returning: .ended) }
            }
        } onCancel: {
            stop.wake()
        }
    }

    private func read(request: String, deadline: BootTime?, _ stop: Wakeup, _ signal: Wakeup) -> Typed {
        switch self {
        case .lines:
            return readLine(from: STDIN_FILENO, isTerminal: false, stop, signal) { _ in -1 }
        case .terminal(let terminal):
            let typed = terminal.withSingleKeys {
                readLine(from: terminal.input, isTerminal: true, stop, signal) { text in
                    Self.drawPrompt(on: terminal, request: request, deadline: deadline, typed: text)
                }
            }
            terminal.draw("\n")
            return typed
        }
    }

    /// - Parameter draw: shows what was typed so far; returns after how many milliseconds to be called again, -1: never.
    private func readLine(
        from input: CInt, isTerminal: Bool, _ stop: Wakeup, _ signal: Wakeup, draw: (String) -> CInt
    ) -> Typed {
        var editor = LineEditor(isTerminal: isTerminal)
        while true {
            let timeout = draw(editor.text)
            var descriptors = [stop.descriptor, signal.descriptor, input].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { continue }
            if descriptors[0].revents != 0 { return .stopped }
            if descriptors[1].revents != 0 { return .ended }
            guard descriptors[2].revents != 0 else { continue }
            // One byte at a time: what comes after the line is for whoever reads after us.
            var byte: UInt8 = 0
            let count = Glibc.read(input, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            switch count > 0 ? editor.byteReceived(byte) : editor.inputEnded() {
            case .edited: continue
            case .finished(let text): return .line(text)
            case .ended: return .ended
            }
        }
    }

    /// One line, drawn over itself. A terminal that can't do that gets it once.
    private static func drawPrompt(on terminal: Terminal, request: String, deadline: BootTime?, typed: String) -> CInt {
        guard let deadline, !Colours.isDumb else {
            terminal.draw(Colours.isDumb ? "" : "\r\(request): \(typed)\u{1b}[K")
            return -1
        }
        let left = BootTime.now().duration(to: deadline)
        terminal.draw("\r\(DurationText.clock(left)) left   \(request): \(typed)\u{1b}[K")
        guard left > .zero else { return -1 }
        let milliseconds = left.millisecondsRoundedUp % 1000
        return CInt(milliseconds == 0 ? 1000 : milliseconds)
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Whether it has begun; if not, the body never runs.
private func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { box in
            guard let box else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
    guard result == 0 else {
        box.release()
        return false
    }
    pthread_detach(thread)
    return true
}
