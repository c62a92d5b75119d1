import CGateStatus
import CStatusPage
import Foundation
import PageReaders
import ProcessSupport
import TestRounds
import Testing

@Suite("Reading a status page")
struct PageReadingTests {
    private static var now: UInt64 { gate_status_clock(CLOCK_BOOTTIME) }

    @Test("no read is torn or older than the one before, however fast the page is written")
    func tornReads() {
        // The thread sanitizer sees a race in one read as well as in many, and takes its time for each.
        let count: UInt64 = isThreadSanitized || !TestRounds.areAll ? 10_000_000 : 100_000_000
        let reads = page_reads_under_writer(count)
        #expect(reads.torn == 0)
        #expect(reads.backwards == 0)
        #expect(reads.whole >= count)
        // Both threads ran at the same time.
        #expect(reads.seen > 100 && reads.written > 100)
    }

    @Test("every state is read as it was written, whichever copy it is in")
    func copies() {
        var page = gate_status_page.saying(.parent())
        for number in UInt64(1)...5 {
            var state = gate_status_copy.parent(until: .max - number)
            state.number = number
            status_page_write(&page, &state)
            #expect(page.sequence == UInt32(number))
            #expect(page.read().number == number && page.read().mode_deadline == .max - number)
        }
        page.sequence = .max
        var state = gate_status_copy.parent()
        status_page_write(&page, &state)
        #expect(page.sequence == 0 && page.read().number == 42)
    }

    @Test(
        "without a living owner the mode is child and nothing is paid for",
        arguments: [0, 0x4000_0000, 0x4000_1267, 0xc000_1267, 0x8000_0000])
    func dead(owner: UInt32) {
        let status = gate_status_page.saying(.parent(), owner: owner).read()
        #expect(status.isClosed && !status.is_live && status.epoch == 0 && status.number == 0)
    }

    @Test("a process that waits for the owner's death does not make it look dead")
    func waitersBit() {
        #expect(gate_status_page.saying(.parent(), owner: 0x8000_1267).read().is_live)
    }

    @Test("after its deadline parent mode reads as child, and the subscription has a deadline of its own")
    func deadlines() {
        let (past, future) = (Self.now - 1, Self.now + 3_600_000_000_000)
        let lease = gate_status_page.saying(.parent(until: past, subscriptionUntil: future)).read()
        #expect(lease.is_live && lease.mode == GATE_STATUS_CHILD && lease.mode_deadline == .max)
        #expect(lease.subscription_active && lease.subscription_deadline == future)
        let period = gate_status_page.saying(.parent(until: future, subscriptionUntil: past)).read()
        #expect(period.mode == GATE_STATUS_PARENT && period.mode_deadline == future)
        #expect(!period.subscription_active && period.subscription_deadline == .max)
        #expect(gate_status_page.saying(.parent(until: 0, subscriptionUntil: 0)).read().isClosed)
        #expect(gate_status_page.saying(.parent(1, until: past)).read().mode == GATE_STATUS_CHILD)
        #expect(gate_status_page.saying(.parent(1, until: future)).read().mode == GATE_STATUS_VERIFYING)
    }

    @Test("a lease that ends between two reads is seen as ended")
    func deadlineComes() {
        let page = gate_status_page.saying(.parent(until: Self.now + 50_000_000))
        #expect(page.read().mode == GATE_STATUS_PARENT)
        while page.read().mode == GATE_STATUS_PARENT { usleep(1000) }
        #expect(page.read().mode == GATE_STATUS_CHILD)
    }

    @Test("an unknown mode is child, and a flag other than 1 means not paid for")
    func forgedWords() {
        for mode: UInt32 in [3, 4, 256, 0x0200_0000, .max] {
            #expect(gate_status_page.saying(.parent(mode)).read().mode == GATE_STATUS_CHILD)
        }
        for isActive: UInt32 in [0, 2, 256, 0x0100_0000, .max] {
            #expect(!gate_status_page.saying(.parent(isActive: isActive)).read().subscription_active)
        }
        // A deadline in child mode means nothing.
        #expect(gate_status_page.saying(.parent(0, until: 5, isActive: 0)).read().isClosed)
    }

    @Test("a reader finds a page that appears later, and the one that replaces it")
    func follows() throws {
        let file = try PageFile(nil)
        var reader = gate_status_reader()
        defer { gate_status_close(&reader) }
        func current() -> gate_status { gate_status_current(&reader, file.path) }
        func wait(for number: UInt64) {
            while current().number != number { usleep(1000) }
        }
        #expect(!current().is_live)
        try file.write(.saying(.parent()))
        wait(for: 42)
        #expect(mprotect(UnsafeMutablePointer(mutating: reader.page), 4096, PROT_READ | PROT_WRITE) != 0)
        // The next daemon makes a file of its own. As long as the owner of the one before lives, that one counts.
        let old = try FileHandle(forUpdating: URL(filePath: file.path))
        var next = gate_status_copy.parent()
        next.number = 43
        try FileManager.default.removeItem(atPath: file.path)
        try file.write(.saying(next))
        #expect(current().number == 42)
        var died = GATE_STATUS_OWNER_DIED
        try #require(pwrite(old.fileDescriptor, &died, 4, 64) == 4)
        #expect(gate_status_read(&reader).isClosed)
        wait(for: 43)
    }
}
