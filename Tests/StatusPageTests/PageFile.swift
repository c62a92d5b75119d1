import CGateStatus
import CStatusPage
import Foundation
import PageReaders

extension gate_status_page {
    /// A page of a living daemon in this boot, with this state.
    static func saying(_ state: gate_status_copy, owner: UInt32 = 4711) -> gate_status_page {
        var page = gate_status_page()
        var state = state
        status_page_fill(&page, bootID, &state)
        page.owner = owner
        return page
    }

    /// The status that a reader gets who has it mapped.
    func read() -> gate_status { withUnsafePointer(to: self) { page_read_of($0) } }

    /// Of this boot.
    static let bootID = String(
        decoding: FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")?.dropLast() ?? Data(),
        as: UTF8.self)
}

extension gate_status_copy {
    /// Parent mode and a subscription for ever, at revision 7.42.
    static func parent(
        _ mode: UInt32 = GATE_STATUS_PARENT.rawValue, until deadline: UInt64 = .max, isActive: UInt32 = 1,
        subscriptionUntil subscriptionDeadline: UInt64 = .max
    ) -> gate_status_copy {
        gate_status_copy(
            epoch: 7, number: 42, mode_deadline: deadline, subscription_deadline: subscriptionDeadline, mode: mode,
            subscription_active: isActive, reserved: (0, 0, 0))
    }
}

extension gate_status {
    /// Whether this is what a reader reports who knows nothing.
    var isClosed: Bool {
        mode == GATE_STATUS_CHILD && mode_deadline == .max && !subscription_active && subscription_deadline == .max
    }
}

/// A file in a folder of its own, and somebody who reads it.
final class PageFile {
    let directory: String
    private var reader = gate_status_reader()

    var path: String { directory + "/status" }

    /// - Parameter isOnDisk: not in memory, where there is a choice.
    init(_ page: gate_status_page?, byteCount: Int = Int(GATE_STATUS_BYTES), isOnDisk: Bool = true) throws {
        let parent = isOnDisk ? NSTemporaryDirectory() : "/dev/shm"
        directory = parent + "/gate-page-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        if let page { try write(page, byteCount: byteCount) }
    }

    deinit {
        gate_status_close(&reader)
        try? FileManager.default.removeItem(atPath: directory)
    }

    func write(_ page: gate_status_page, byteCount: Int = Int(GATE_STATUS_BYTES)) throws {
        var bytes = withUnsafeBytes(of: page) { Data($0) }
        if byteCount > bytes.count { bytes.append(Data(count: byteCount - bytes.count)) }
        try bytes.prefix(byteCount).write(to: URL(filePath: path))
        try setPermissions(0o644)
    }

    func setPermissions(_ permissions: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    func open(_ server: uid_t = geteuid()) -> gate_status_problem { gate_status_open(&reader, path, server) }

    func read() -> gate_status { gate_status_read(&reader) }

    var isMapped: Bool { reader.page != nil }
}
