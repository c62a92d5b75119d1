import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import Glibc

struct CallVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Call any method, with JSON in and out.",
        discussion: "Every message of a stream is a line. For example: gatectl call gate.v1.Mode/GetMode '{}'")

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("In full: gate.v1.Mode/GetMode.", valueName: "service/method"),
        completion: .custom { _, _, _ in MethodNames.all })
    var method: String

    @Argument(help: "The request as proto3 JSON; - reads it from standard input.")
    var json = "{}"

    func perform(_ session: Session) async throws(GateError) {
        let description = try MethodNames.find(method)
        let text = json == "-" ? try Self.standardInput() : json
        let payload = try MessageJSON.bytes(from: text, as: description.input)
        if description.isServerStream {
            let messages = try await session.gate.openStream(
                service: description.service, method: description.name, payload: payload)
            for try await message in messages {
                session.output.json(try MessageJSON.text(of: message, as: description.output))
            }
        } else {
            let answer = try await session.gate.call(
                service: description.service, method: description.name, payload: payload,
                timeout: session.gate.options.callTimeout)
            session.output.json(try MessageJSON.text(of: answer, as: description.output))
        }
    }

    /// All of it, up to what a frame can carry.
    private static func standardInput() throws(GateError) -> String {
        let maximumBytes = 4 << 20
        var bytes: [UInt8] = []
        while bytes.count <= maximumBytes {
            let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = max(0, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
            }
            if chunk.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk
        }
        throw GateError(.invalidArgument, .invalidRequest, "The request is longer than 4 MiB.")
    }
}

/// The methods, by the names that `call` takes.
enum MethodNames {
    static var all: [String] {
        ServiceCatalog.all.flatMap { service in service.methods.map { "\(service.name)/\($0.name)" } }
    }

    /// - Throws: `UNIMPLEMENTED`, naming those that may have been meant.
    static func find(_ name: String) throws(GateError) -> MethodDescription {
        let parts = name.parts(between: "/")
        if parts.count == 2,
            let description = ServiceCatalog.find(service: parts[0], method: parts[1])
        {
            return description
        }
        let nearest = NearestNames.of(name, among: all)
        let hint =
            nearest.isEmpty
            ? "The services are \(ServiceCatalog.all.map(\.name).joined(separator: ", "))."
            : "Did you mean \(nearest.joined(separator: ", "))?"
        throw GateError(.unimplemented, .invalidRequest, "There is no method '\(name)'. \(hint)")
    }
}
