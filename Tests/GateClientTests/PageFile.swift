import GateModel
import Glibc
import Synchronization

/// A status page that a test has made, byte by byte as docs/status-page.md says.
final class PageFile: @unchecked Sendable {
    /// What one copy of the state says; times in nanoseconds since the boot.
    struct Copy {
        var epoch: UInt64 = 7
        var number: UInt64 = 42
        var modeDeadline = UInt64.max
        var subscriptionDeadline = UInt64.max
        /// 0 child, 1 verifying, 2 parent.
        var mode: UInt32 = 0
        var subscriptionActive: UInt32 = 0
    }

    static let byteCount = 4096
    /// The thread id of a living owner.
    static let living: UInt32 = 4321
    static let died: UInt32 = 0x4000_0000

    private enum Offset {
        static let version = 8
        static let byteCount = 12
        static let bootID = 16
        static let owner = 64
        static let sequence = 128
        static let copies = 192
        static let copyBytes = 64
    }

    private let bytes: UnsafeMutableRawPointer

    /// Puts it into place as a daemon does: whole, under its name.
    init(at path: String, _ copy: Copy = Copy(), owner: UInt32 = living) {
        let new = path + ".new"
        let file = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        precondition(file >= 0 && fchmod(file, 0o644) == 0 && ftruncate(file, Self.byteCount) == 0)
        guard let mapped = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), mapped != MAP_FAILED
        else { preconditionFailure("the page can't be mapped") }
        close(file)
        bytes = mapped
        for (index, character) in "gatestat".utf8.enumerated() { put(character, index) }
        version = 1
        put(UInt32(Self.byteCount), Offset.byteCount)
        sayBootID(Self.bootID)
        write(copy)
        self.owner = owner
        rename(new, path)
    }

    deinit { munmap(bytes, Self.byteCount) }

    var version: UInt32 {
        get { get(Offset.version) }
        set { put(newValue, Offset.version) }
    }

    /// Sets the size that the page gives itself.
    func sayByteCount(_ count: UInt32) { put(count, Offset.byteCount) }
    /// Sets the id of the boot: 36 characters.
    func sayBootID(_ id: String) {
        for (index, character) in id.utf8.enumerated() { put(character, Offset.bootID + index) }
    }

    /// Of this boot, as the kernel writes it.
    private static let bootID: String = {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 36)
        precondition(read(file, &bytes, bytes.count) == bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }()

    func spoilMagic() { put(UInt8(ascii: "X"), 0) }

    var owner: UInt32 {
        get { word(Offset.owner).pointee.load(ordering: .acquiring) }
        set { word(Offset.owner).pointee.store(newValue, ordering: .releasing) }
    }

    private var sequence: UInt32 {
        get { word(Offset.sequence).pointee.load(ordering: .acquiring) }
        set { word(Offset.sequence).pointee.store(newValue, ordering: .releasing) }
    }

    /// The next state, as a daemon writes it: into the copy that is not valid, which is valid from then on.
    func write(_ copy: Copy) {
        writeInvalidCopy(copy)
        sequence &+= 1
    }

    /// Leaves a copy half-written, as a writer that stopped does.
    func writeInvalidCopy(_ copy: Copy) {
        let start = Offset.copies + Int((sequence &+ 1) & 1) * Offset.copyBytes
        // No store below may be seen before the number that made this copy invalid.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        store(copy.epoch, start)
        store(copy.number, start + 8)
        store(copy.modeDeadline, start + 16)
        store(copy.subscriptionDeadline, start + 24)
        word(start + 32).pointee.store(copy.mode, ordering: .relaxed)
        word(start + 36).pointee.store(copy.subscriptionActive, ordering: .relaxed)
    }

    private func put<Value: BitwiseCopyable>(_ value: Value, _ offset: Int) {
        bytes.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }

    private func get<Value: BitwiseCopyable>(_ offset: Int) -> Value {
        bytes.load(fromByteOffset: offset, as: Value.self)
    }

    private func store(_ value: UInt64, _ offset: Int) {
        (bytes + offset).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .relaxed)
    }

    private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (bytes + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
    }
}

/// Calls the body with the path of a page that is not there yet, in a folder of its own.
func withPagePath(_ body: (String) async throws -> Void) async rethrows {
    var template = Array("/tmp/gate-page-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("there is no folder for a page") }
    let folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    defer {
        unlink(folder + "/status")
        unlink(folder + "/elsewhere")
        rmdir(folder)
    }
    try await body(folder + "/status")
}
