import CommandSupport
import GateCore
import GateModel
import GateProtocol
import TTRPC
import Testing

@testable import GateDaemon

/// The frames that a presenter receives, in order.
@Suite("The order of messages to a presenter")
struct ReplyOrderTests {
    private final class Screen {
        let device: SimulatedDevice
        let connection: SimulatedConnection
        let stream: UInt32

        init(on device: SimulatedDevice) throws {
            self.device = device
            let peer = try #require(try device.connect(uid: 1002, roles: [.app, .presenter, .grownUpPresenter]))
            connection = try #require(device.connections[peer.connection])
            stream = connection.nextStream()
            let abilities = PresenterAbilities(
                kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))
            connection.send(
                Methods.Presentations.register, RegisterPresenterRequest(abilities: abilities), stream: stream)
            _ = try heard()
        }

        /// The frames that have come, once everything is durable.
        func heard() throws -> [(header: FrameHeader, data: [UInt8])] {
            device.daemon.loop.run()
            while device.isCommitting || device.daemon.passwords.hasWork {
                device.daemon.passwords.doNext()
                device.daemon.loop.run()
                if device.isCommitting { device.endCommit() }
            }
            return connection.receive()
        }

        /// Makes a call. Returns what came first: its answer, or a message on the stream.
        func call<Request, Response: WireMessage>(
            _ method: Method<Request, Response>, _ request: Request
        ) throws -> (heard: [String], response: Response?) {
            let id = connection.nextStream()
            connection.send(method, request, stream: id)
            var order: [String] = []
            var response: Response?
            for (header, data) in try heard() {
                if header.streamID == id {
                    let envelope = try data.withUnsafeBytes { try ResponseEnvelope(decoding: $0) }
                    order.append(envelope.status == nil ? "answer" : "refusal")
                    if envelope.status == nil { response = try Response(decoding: envelope.payload) }
                } else {
                    let now = try data.withUnsafeBytes { try RegisterPresenterResponse(decoding: $0) }.presentation
                    order.append(now.map { "\($0.stage)" } ?? "nothing")
                }
            }
            return (order, response)
        }
    }

    private func claimed(_ configuration: Configuration) throws -> (Screen, Presentation) {
        let device = try SimulatedDevice(seed: 1, configuration: configuration)
        let screen = try Screen(on: device)
        let asking = try #require(try device.connect(uid: 1001, roles: .app))
        device.submit(.toggle(presenting: .elsewhere), as: asking)
        _ = try screen.heard()
        let claim = try screen.call(Methods.Presentations.claim, ClaimRequest(id: 1))
        // After a claim the presentation is told as held, because an old offer could be taken for a new one.
        #expect(claim.heard == ["claimed", "answer"])
        return (screen, try #require(claim.response).presentation)
    }

    private static let sums = {
        var configuration = Configuration.builtIn
        configuration.modeChallenge = ChallengeRule(.arithmeticChoice)
        return configuration
    }()

    @Test("a presenter hears that its answer was wrong before its screen is cleared")
    func wrong() throws {
        let (screen, question) = try claimed(Self.sums)
        let heard = try screen.call(
            Methods.Presentations.complete, CompleteRequest(cookie: question.cookie, answer: .text("0"))
        ).heard
        #expect(heard == ["refusal", "nothing"])
    }

    @Test("a presenter gets the reply to its dismissal before its screen is cleared")
    func dismissed() throws {
        let (screen, question) = try claimed(Self.sums)
        let heard = try screen.call(Methods.Presentations.dismiss, DismissRequest(cookie: question.cookie)).heard
        #expect(heard == ["answer", "nothing"])
    }

    @Test("a presenter is told of a change by somebody else as it happens")
    func withdrawn() throws {
        let (screen, _) = try claimed(Self.sums)
        screen.device.submitAsDaemon(.override(.child, nil, reason: "bedtime"))
        let heard = try screen.heard()
        #expect(heard.count == 1 && heard.first?.header.streamID == screen.stream)
    }
}
