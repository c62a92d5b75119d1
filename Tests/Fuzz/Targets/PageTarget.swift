import CGateStatus
import CStatusPage
import Foundation
import GateScripting
import Glibc

extension FuzzTarget {
    /// A status page of any bytes: nobody reads more out of it than a living daemon can have said.
    static let statusPage = FuzzTarget("status-page", maximumBytes: 512) { random in
        var state = gate_status_copy(
            epoch: 7, number: 42, mode_deadline: random.chance(1, in: 2) ? .max : random.integer(),
            subscription_deadline: random.chance(1, in: 2) ? .max : random.integer(),
            mode: .random(in: 0..<4, using: &random),
            subscription_active: .random(in: 0..<3, using: &random), reserved: (0, 0, 0))
        var page = gate_status_page()
        status_page_fill(&page, "", &state)
        page.owner = random.chance(3, in: 4) ? 4711 : UInt32(truncatingIfNeeded: random.integer())
        if random.chance(1, in: 2) { status_page_write(&page, &state) }
        var bytes = withUnsafeBytes(of: page) { Array($0) }
        if random.chance(1, in: 2) { random.mutate(&bytes) }
        return bytes
    } check: { input in
        var page = gate_status_page()
        withUnsafeMutableBytes(of: &page) { $0.copyBytes(from: input.prefix($0.count)) }
        var isReadable = withUnsafeBytes(of: page.magic) { $0.elementsEqual(GATE_STATUS_MAGIC.utf8) }
        isReadable = isReadable && page.version == GATE_STATUS_VERSION && page.byte_count == GATE_STATUS_BYTES

        let file = try PageFile(input)
        var reader = gate_status_reader()
        let problem = gate_status_open(&reader, file.path, geteuid())
        defer { gate_status_close(&reader) }
        try promise((problem == GATE_STATUS_OPENED) == isReadable, "the page was opened with \(problem)")
        try promise((reader.page != nil) == isReadable, "what is mapped is not what was opened")
        let before = gate_status_clock(CLOCK_BOOTTIME)
        let status = gate_status_read(&reader)
        try PagePromises(page: page, isReadable: isReadable, before: before).check(status)
    }
}

/// What may be read out of a page.
private struct PagePromises {
    let page: gate_status_page
    let isReadable: Bool
    /// A time before the page was read.
    let before: UInt64

    func check(_ status: gate_status) throws {
        let isOwned =
            page.owner & UInt32(GATE_STATUS_OWNER_ID) != 0 && page.owner & UInt32(GATE_STATUS_OWNER_DIED) == 0
        let copy = page.sequence & 1 == 0 ? page.copies.0 : page.copies.1
        try promise(status.is_live == (isReadable && isOwned), "live, or not: \(status)")
        if status.mode != GATE_STATUS_CHILD {
            try promise(status.is_live && status.mode.rawValue == copy.mode, "a mode that nobody said: \(status)")
            try promise(copy.mode <= GATE_STATUS_PARENT.rawValue, "a mode that there is not: \(status)")
            try promise(copy.mode_deadline > before, "a mode past its deadline: \(status)")
        }
        if status.subscription_active {
            try promise(status.is_live && copy.subscription_active == 1, "a subscription that nobody said: \(status)")
            try promise(copy.subscription_deadline > before, "a subscription past its deadline: \(status)")
        }
        // And an unlimited state is read.
        let isElevated = (GATE_STATUS_VERIFYING.rawValue...GATE_STATUS_PARENT.rawValue).contains(copy.mode)
        if status.is_live, isElevated, copy.mode_deadline == .max {
            try promise(status.mode.rawValue == copy.mode, "a mode was not heard: \(status)")
        }
    }
}

/// A file of a page's size, in memory; gone with this value.
private final class PageFile {
    let path: String

    init(_ bytes: [UInt8]) throws {
        var name = Array("/dev/shm/gate-fuzz-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard file >= 0 else { throw BrokenPromise(description: "\(path) can't be made: \(errno)") }
        defer { close(file) }
        let written = write(file, bytes, min(bytes.count, Int(GATE_STATUS_BYTES)))
        guard written >= 0, ftruncate(file, Int(GATE_STATUS_BYTES)) == 0, fchmod(file, 0o644) == 0 else {
            throw BrokenPromise(description: "\(path) can't be written: \(errno)")
        }
    }

    deinit { unlink(path) }
}
