import Foundation
import GateModel
import Glibc
import ProcessSupport
import Synchronization
import Testing

@testable import GateHousehold

/// A real mosquitto with TLS, client certificates and an access list, and the certificates of a household, in a folder of its own.
final class RealBroker: Sendable {
    static let mosquitto = "/usr/sbin/mosquitto"

    /// Whether tests with a real broker can run. `make test-household` demands it: where it is missing they fail.
    /// Not beside all other tests, which leave these too little of the machine.
    static let isThere = ProcessInfo.processInfo.environment["GATE_BROKER"] == "needed"
    static let hint: Comment = "make test-household installs mosquitto, and runs these"

    let directory: URL
    let port: UInt16
    private let process = Mutex<ChildProcess?>(nil)

    /// - Parameter persists: whether it keeps what is retained over a restart.
    init(persists: Bool = false) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("gate-broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        port = try Self.freePort()
        try Self.run(
            "req -x509 -newkey ed25519 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=household"
                + " -addext basicConstraints=critical,CA:TRUE", in: directory)
        try certificate("server", commonName: "localhost", extensions: "subjectAltName=DNS:localhost")
        let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("examples/household")
        // The example that people copy is the one that is tested.
        let rules = try String(contentsOf: examples.appendingPathComponent("gate.acl"), encoding: .utf8)
            .replacingOccurrences(of: "HOUSEHOLD", with: SampleHousehold.household.description)
        try Data(rules.utf8).write(to: file("acl"))
        let configuration = try String(contentsOf: examples.appendingPathComponent("gate.conf"), encoding: .utf8)
            .replacingOccurrences(of: "/etc/mosquitto/gate/", with: directory.path + "/")
            .replacingOccurrences(of: "listener 8883", with: "listener \(port) localhost")
        let persistence = persists ? "persistence true\npersistence_location \(directory.path)/\n" : ""
        let user = geteuid() == 0 ? "user root\n" : ""
        try Data((configuration + persistence + user).utf8).write(to: file("mosquitto.conf"))
        for device in [SampleHousehold.me, SampleHousehold.other, SampleHousehold.third] {
            try certificate(
                device.description, commonName: device.description, extensions: "extendedKeyUsage=clientAuth")
        }
        try certificate("publisher", commonName: "publisher", extensions: "extendedKeyUsage=clientAuth")
        try start()
    }

    deinit {
        process.withLock { $0?.kill() }
        try? FileManager.default.removeItem(at: directory)
    }

    func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

    func start() throws {
        let child = try ChildProcess(Self.mosquitto, ["-c", file("mosquitto.conf").path], hasInput: false)
        process.withLock { $0 = child }
        try eventually("mosquitto listens") {
            guard child.isRunning else { throw child.failure("it has ended") }
            return Self.listens(port)
        }
    }

    func kill() { process.withLock { $0?.kill() } }

    func signal(_ number: Int32) { process.withLock { $0?.signal(number) } }

    /// - Parameter signer: the name of the authority's files.
    func certificate(_ name: String, commonName: String, extensions: String, signer: String = "ca") throws {
        try Data(extensions.utf8).write(to: file("\(name).ext"))
        try Self.run(
            "req -newkey ed25519 -nodes -keyout \(name).key -out \(name).csr -subj /CN=\(commonName)", in: directory)
        try Self.run(
            "x509 -req -in \(name).csr -CA \(signer).pem -CAkey \(signer).key -CAcreateserial -days 2 -out \(name).pem"
                + " -extfile \(name).ext", in: directory)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file("\(name).key").path)
    }

    func settings(
        _ device: HouseholdID, host: String = "localhost", certificate: String? = nil, authority: String = "ca.pem"
    ) -> HouseholdSettings {
        let name = certificate ?? device.description
        return HouseholdSettings(
            household: SampleHousehold.household, device: device, name: "Device \(device.description.prefix(1))",
            publicKey: Array(repeating: 1, count: 32),
            broker: .init(
                host: host, port: port, authority: authority, certificate: "\(name).pem", key: "\(name).key"))
    }

    func link(_ settings: HouseholdSettings) -> BrokerLink {
        MosquittoConnection.link(.init(settings, directory: directory.path))
    }

    /// A configuration directory for the program.
    func configuration(_ device: HouseholdID) throws -> String {
        let folder = file("etc-\(device)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = """
            household: \(SampleHousehold.household)
            device: \(device)
            name: Device \(device.description.prefix(1))
            key: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
            broker:
              host: localhost
              port: \(port)
              authority: ../ca.pem
              certificate: ../\(device).pem
              key: ../\(device).key

            """
        try Data(text.utf8).write(to: folder.appendingPathComponent("household.yaml"))
        for path in [folder.path, folder.appendingPathComponent("household.yaml").path] { chmod(path, 0o755) }
        return folder.path
    }

    /// mosquitto_pub, or what else a client does with a certificate of the household.
    @discardableResult
    func publish(_ topic: String, file: URL, as name: String, isRetained: Bool = false) throws -> ChildProcess.Result {
        try ChildProcess(
            "/usr/bin/mosquitto_pub",
            [
                "-V", "5", "-h", "localhost", "-p", "\(port)", "--cafile", self.file("ca.pem").path, "--cert",
                self.file("\(name).pem").path, "--key", self.file("\(name).key").path, "-q", "1", "-t", topic, "-f",
                file.path,
            ] + (isRetained ? ["-r"] : []), hasInput: false
        ).ended()
    }

    static func run(_ words: String, in directory: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = words.split(separator: " ").map(String.init)
        process.currentDirectoryURL = directory
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ProcessFailure("openssl \(words): \(text)") }
    }

    static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw ProcessFailure("there is no free port") }
        return UInt16(bigEndian: address.sin_port)
    }

    static func listens(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// One bare connection to the broker, and the messages that it gets.
final class Listener: Sendable {
    private struct Heard: Sendable {
        var events: [BrokerEvent] = []
        var messages: [BrokerMessage] = []
    }

    private let heard = Mutex(Heard())
    private let opened = Mutex<BrokerConnection?>(nil)

    init(_ link: BrokerLink) {
        let connection = link.open { [weak self] event in
            self?.heard.withLock { $0.events.append(event) }
            if event == .connected { self?.connection?.listen(true) }
        }
        opened.withLock { $0 = connection }
    }

    deinit { connection?.close() }

    var connection: BrokerConnection? { opened.withLock { $0 } }

    var isConnected: Bool { heard.withLock { $0.events.contains(.connected) } }

    /// The reason why it has ended.
    var loss: String? {
        heard.withLock { heard in
            heard.events.lazy.compactMap { if case .lost(let reason) = $0 { reason } else { nil } }.first
        }
    }

    /// All messages that have come.
    func messages() -> [BrokerMessage] {
        while let new = connection?.takeMessages(1000), !new.isEmpty { heard.withLock { $0.messages += new } }
        return heard.withLock { $0.messages }
    }

    /// The newest message on a topic.
    func newest(_ topic: HouseholdTopic, in household: HouseholdID = SampleHousehold.household) -> [UInt8]? {
        messages().last { $0.topic == topic.text(in: household) }?.payload
    }

    func publish(_ publication: Publication) async -> PublishOutcome? {
        guard let connection else { return nil }
        return await withCheckedContinuation { continuation in
            connection.publish(publication) { continuation.resume(returning: $0) }
        }
    }
}

/// Takes connections at a port of this device, and says nothing.
final class MuteServer: Sendable {
    private let descriptor: CInt
    private let client = Mutex<CInt>(-1)

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        var address = RealBroker.address(port)
        let isListening = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 4) == 0
            }
        }
        guard isListening else { throw ProcessFailure("port \(port) is taken: \(String(cString: strerror(errno)))") }
    }

    deinit {
        client.withLock { _ = close($0) }
        close(descriptor)
    }

    var hasClient: Bool {
        client.withLock { client in
            if client < 0 { client = accept(descriptor, nil, nil) }
            return client >= 0
        }
    }
}
