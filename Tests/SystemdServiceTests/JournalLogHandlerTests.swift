import Logging
import Synchronization
import SystemdService
import Testing

@Suite("Lines of a service for systemd's journal")
struct JournalLogHandlerTests {
    private final class Written: Sendable {
        let text = Mutex("")
    }

    private func written(_ log: (Logger) -> Void) -> String {
        let written = Written()
        var logger = Logger(label: "gated") { _ in JournalLogHandler { text in written.text.withLock { $0 += text } } }
        logger.logLevel = .trace
        log(logger)
        return written.text.withLock { $0 }
    }

    @Test(
        "each level has syslog's priority, so that journalctl --priority=err finds severe messages",
        arguments: [
            (Logger.Level.critical, 2), (.error, 3), (.warning, 4), (.notice, 5), (.info, 6), (.debug, 7), (.trace, 7),
        ])
    func priorities(level: Logger.Level, priority: Int) {
        #expect(written { $0.log(level: level, "the disk is full") } == "<\(priority)>the disk is full\n")
    }

    @Test("each line of a message has its own priority")
    func lines() {
        #expect(
            written { $0.error("policy.yaml:3:1: no\npolicy.yaml:4:1: no") }
                == "<3>policy.yaml:3:1: no\n<3>policy.yaml:4:1: no\n")
    }

    @Test("metadata follows the message in order of names, and the message's values override the logger's")
    func metadata() {
        let text = written { logger in
            var logger = logger
            logger[metadataKey: "uid"] = "7"
            logger[metadataKey: "mode"] = "parent"
            logger.warning("connection refused", metadata: ["uid": "1000"])
        }
        #expect(text == "<4>connection refused mode=parent uid=1000\n")
    }

    @Test("the error that a library logs is kept")
    func error() {
        #expect(
            written { $0.warning("not yet", error: CancellationError()) }
                == "<4>not yet error.message=CancellationError() error.type=Swift.CancellationError\n")
    }
}
