import CGateStatus
import Foundation
import ProcessSupport

extension RunningGate {
    /// The file of its status page.
    var page: String { directory + "/status" }

    /// The revision and the deadline of the mode, as the daemon answers a call.
    func told() throws -> (revision: PageReader.Revision, deadline: UInt64) {
        let answer = try gatectl("status", "--json").output
        guard let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any],
            let revision = object["revision"] as? [String: String], let state = object["state"] as? [String: String],
            let epoch = revision["epoch"].flatMap(UInt64.init), let number = revision["number"].flatMap(UInt64.init)
        else { throw ProcessFailure("no status: \(answer)") }
        let deadline = state["deadlineBoottimeNanoseconds"].flatMap(UInt64.init) ?? .max
        return (PageReader.Revision(epoch: epoch, number: number), deadline)
    }
}

/// A program that has mapped the daemon's page, and keeps that page even if another replaces it.
final class PageReader {
    struct Revision: Hashable {
        let epoch: UInt64
        let number: UInt64
    }

    private var reader = gate_status_reader()
    private let path: String
    /// The number of the file that is mapped.
    private(set) var mapped: Int?

    init(_ gate: RunningGate) throws {
        path = gate.page
        try reopen(gate)
    }

    deinit { gate_status_close(&reader) }

    /// Maps the page that is at the path now.
    func reopen(_ gate: RunningGate) throws {
        let problem = gate_status_open(&reader, path, geteuid())
        guard problem == GATE_STATUS_OPENED else { throw ProcessFailure("no page: \(problem.rawValue)") }
        mapped = try file().number
    }

    var status: gate_status { gate_status_read(&reader) }

    var revision: Revision { Revision(epoch: status.epoch, number: status.number) }

    /// The owner of the page: the daemon that answers for it.
    var owner: UInt32 { reader.page.pointee.owner }

    /// What the file system says of a file. `stat` can't be used here: `gate_status.h` includes it as well, so it depends
    /// on the order of the build which module the compiler takes it from.
    struct File {
        let attributes: [FileAttributeKey: Any]
        var number: Int? { attributes[.systemFileNumber] as? Int }
        var size: Int? { attributes[.size] as? Int }
        var permissions: Int? { attributes[.posixPermissions] as? Int }
        var isRegular: Bool { attributes[.type] as? FileAttributeType == .typeRegular }
        var owner: Int? { attributes[.ownerAccountID] as? Int }
    }

    /// The file that is at the path now.
    func file() throws -> File { File(attributes: try FileManager.default.attributesOfItem(atPath: path)) }
}
