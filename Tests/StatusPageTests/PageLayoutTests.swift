import CGateStatus
import Testing

@Suite("The layout of the status page")
struct PageLayoutTests {
    @Test("every word stands where docs/status-page.md says")
    func offsets() {
        #expect(GATE_STATUS_BYTES == 4096)
        #expect(GATE_STATUS_VERSION == 1)
        #expect(GATE_STATUS_MAGIC == "gatestat")
        #expect(GATE_STATUS_OWNER_ID == 0x3fff_ffff && GATE_STATUS_OWNER_DIED == 0x4000_0000)
        typealias Page = gate_status_page
        #expect(MemoryLayout<Page>.size == 320)
        #expect(MemoryLayout<Page>.offset(of: \.magic) == 0)
        #expect(MemoryLayout<Page>.offset(of: \.version) == 8)
        #expect(MemoryLayout<Page>.offset(of: \.byte_count) == 12)
        #expect(MemoryLayout<Page>.offset(of: \.boot_id) == 16)
        #expect(MemoryLayout<Page>.offset(of: \.owner) == 64)
        #expect(MemoryLayout<Page>.offset(of: \.sequence) == 128)
        #expect(MemoryLayout<Page>.offset(of: \.copies) == 192)
        typealias Copy = gate_status_copy
        #expect(MemoryLayout<Copy>.size == 64)
        #expect(MemoryLayout<Copy>.offset(of: \.epoch) == 0)
        #expect(MemoryLayout<Copy>.offset(of: \.number) == 8)
        #expect(MemoryLayout<Copy>.offset(of: \.mode_deadline) == 16)
        #expect(MemoryLayout<Copy>.offset(of: \.subscription_deadline) == 24)
        #expect(MemoryLayout<Copy>.offset(of: \.mode) == 32)
        #expect(MemoryLayout<Copy>.offset(of: \.subscription_active) == 36)
        #expect(GATE_STATUS_CHILD.rawValue == 0)
        #expect(GATE_STATUS_VERIFYING.rawValue == 1)
        #expect(GATE_STATUS_PARENT.rawValue == 2)
    }
}
