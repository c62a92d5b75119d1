import GateModel
import GateProtocol
import Glibc
import Testing

@Suite("Secrets in memory")
struct WipingTests {
    @Test("a secret that was sent and read is wiped from memory once its last holder releases it")
    func wiped() throws {
        // The dynamic linker binds a function at its first call, and may leave the vector registers on the stack, with
        // what was copied last. So another secret goes first.
        try sendAndRead(Marker().secret(repetitions: 1))
        let marker = Marker()
        // A few repetitions stay on the stack, and many go to the heap.
        for repetitions in [1, 400] {
            var secret: GateSecret? = marker.secret(repetitions: repetitions)
            try sendAndRead(try #require(secret))
            let count = try marker.count()
            #expect(count == repetitions, "the one that is held, and no other")
            secret = nil
        }
        let count = try marker.count()
        #expect(count == 0)
    }

    private func sendAndRead(_ secret: GateSecret) throws {
        try deepInTheStack {
            let request = SetPasscodeRequest(passcode: secret)
            try request.withEncoded { bytes in
                let received = try SetPasscodeRequest(decoding: bytes)
                #expect(received == request)
            }
            try EnrolTOTPRequest(key: secret, code: secret).withEncoded { bytes in
                _ = try EnrolTOTPRequest(decoding: bytes)
            }
            try CompleteRequest(cookie: PresentationCookie(bytes: [1]), answer: .secret(secret)).withEncoded { bytes in
                _ = try CompleteRequest(decoding: bytes)
            }
            try LogInRequest(name: "anna", password: secret).withEncoded { bytes in
                _ = try LogInRequest(decoding: bytes)
            }
            let account = GatePerson(name: "anna", kind: .grownUp)
            try RegisterAccountRequest(account: account, password: secret).withEncoded { bytes in
                _ = try RegisterAccountRequest(decoding: bytes)
            }
            try ChangePasswordRequest(name: "anna", oldPassword: secret, newPassword: secret).withEncoded { bytes in
                _ = try ChangePasswordRequest(decoding: bytes)
            }
        }
    }

    @Test("the password of an account that was refused is wiped from memory")
    func refusedAccount() throws {
        try sendAndRead(Marker().secret(repetitions: 1))
        let marker = Marker()
        let account = GatePerson(name: "anna", kind: .grownUp)
        try RegisterAccountRequest(account: account, password: marker.secret(repetitions: 8)).withEncoded {
            // A second account, that of a child without a date of birth: account {child {}}.
            let refused = UnsafeMutableRawBufferPointer.allocate(byteCount: $0.count + 4, alignment: 1)
            defer {
                wipe(refused)
                refused.deallocate()
            }
            refused.copyBytes(from: $0)
            UnsafeMutableRawBufferPointer(rebasing: refused[$0.count...]).copyBytes(from: [0x0A, 2, 0x1A, 0])
            let understood = UnsafeRawBufferPointer(rebasing: refused.dropLast(4))
            let received = try RegisterAccountRequest(decoding: understood)
            #expect(received.account == account)
            #expect(throws: GateError.self) { try RegisterAccountRequest(decoding: UnsafeRawBufferPointer(refused)) }
        }
        let count = try marker.count()
        #expect(count == 0)
    }

    @Test("a secret in a message that was refused, or that named it twice, is wiped from memory")
    func refused() throws {
        try sendAndRead(Marker().secret(repetitions: 1))
        let marker = Marker()
        try CompleteRequest(cookie: PresentationCookie(bytes: []), answer: .secret(marker.secret(repetitions: 8)))
            .withEncoded {
                // The answer stands twice, and the second one counts; then one that makes no sense.
                let twice = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * $0.count + 4, alignment: 1)
                defer {
                    wipe(twice)
                    twice.deallocate()
                }
                twice.copyBytes(from: $0)
                UnsafeMutableRawBufferPointer(rebasing: twice[$0.count...]).copyBytes(from: $0)
                // swipe {direction: 9}
                UnsafeMutableRawBufferPointer(rebasing: twice[(2 * $0.count)...]).copyBytes(from: [0x2A, 2, 8, 9])
                let understood = UnsafeRawBufferPointer(rebasing: twice.dropLast(4))
                _ = try CompleteRequest(decoding: understood)
                #expect(throws: GateError.self) { try CompleteRequest(decoding: UnsafeRawBufferPointer(twice)) }
            }
        let count = try marker.count()
        #expect(count == 0)
    }
}

extension WireMessage {
    /// Encodes the message and passes the bytes to `body`; afterwards they are wiped.
    fileprivate func withEncoded(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        var bytes = encoded()
        try bytes.withUnsafeMutableBytes { bytes in
            defer { wipe(bytes) }
            try body(UnsafeRawBufferPointer(bytes))
        }
    }
}

/// Runs deep in the stack, so that later calls don't overwrite what is left there.
@inline(never)
private func deepInTheStack(_ depth: Int = 300, _ body: () throws -> Void) throws {
    guard depth > 0 else { return try body() }
    try deepInTheStack(depth - 1, body)
    // Not a tail call: each depth keeps its frame.
    _ = getpid()
}

/// Bytes that occur nowhere else, searched for in all of this process's memory.
private struct Marker {
    /// The complement of the bytes, so that this copy is not found.
    private let complement = (0..<32).map { _ in UInt8.random(in: .min ... .max) }

    func secret(repetitions: Int) -> GateSecret {
        var bytes: [UInt8] = []
        // There is room for all bytes at once, because an array that grows leaves copies behind.
        bytes.reserveCapacity(repetitions * complement.count)
        for _ in 0..<repetitions { for byte in complement { bytes.append(~byte) } }
        return GateSecret(wiping: &bytes)
    }

    /// How often the bytes occur in writable memory.
    func count() throws -> Int {
        let chunkBytes = 1 << 20
        // The buffer is mapped by itself, so that it can be left out of the search.
        let chunk = mmap(nil, chunkBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let buffer = try #require(chunk == MAP_FAILED ? nil : chunk)
        defer { munmap(buffer, chunkBytes) }
        let memory = open("/proc/self/mem", O_RDONLY)
        try #require(memory >= 0)
        defer { close(memory) }
        let own = UInt(bitPattern: buffer)..<UInt(bitPattern: buffer) + UInt(chunkBytes)

        var count = 0
        for region in try Self.writableRegions() {
            // The kernel joins neighbouring maps into one.
            for part in [region.clamped(to: 0..<own.lowerBound), region.clamped(to: own.upperBound..<UInt.max)] {
                var address = part.lowerBound
                while address < part.upperBound {
                    let wanted = min(chunkBytes, Int(part.upperBound - address))
                    let read = pread(memory, buffer, wanted, Int(bitPattern: address))
                    guard read > complement.count else { break }
                    count += occurrences(in: UnsafeRawBufferPointer(start: buffer, count: read))
                    guard read == chunkBytes else { break }
                    // Bytes at the border of two chunks are found in the next one.
                    address += UInt(read - complement.count + 1)
                }
            }
        }
        return count
    }

    private func occurrences(in bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var count = 0
        var offset = 0
        let first = CInt(~complement[0])
        while offset + complement.count <= bytes.count,
            let found = memchr(start + offset, first, bytes.count - complement.count + 1 - offset)
        {
            offset = found - UnsafeMutableRawPointer(mutating: start)
            if complement.indices.allSatisfy({ bytes[offset + $0] == ~complement[$0] }) { count += 1 }
            offset += 1
        }
        return count
    }

    private static func writableRegions() throws -> [Range<UInt>] {
        let maps = try #require(fopen("/proc/self/maps", "r"))
        defer { fclose(maps) }
        var regions: [Range<UInt>] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, CInt(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let match = text.prefixMatch(of: /([0-9a-f]+)-([0-9a-f]+) rw/),
                let start = UInt(match.1, radix: 16), let end = UInt(match.2, radix: 16), start < end
            else { continue }
            // Only a sanitizer's own memory is larger.
            guard end - start < 1 << 32 else { continue }
            regions.append(start..<end)
        }
        return regions
    }
}
