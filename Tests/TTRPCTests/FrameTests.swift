import Testing

@testable import TTRPC

@Suite("Frames")
struct FrameTests {
    /// From the protocol's description: length, stream id, type, flags; all big-endian.
    static let goldenHeaders: [(hex: String, header: FrameHeader)] = [
        ("00000013 00000001 01 00", FrameHeader(length: 19, streamID: 1, type: .request)),
        ("00000013 00000003 01 01", FrameHeader(length: 19, streamID: 3, type: .request, flags: .remoteClosed)),
        ("00000013 00000003 01 02", FrameHeader(length: 19, streamID: 3, type: .request, flags: .remoteOpen)),
        ("00000000 00000001 02 00", FrameHeader(length: 0, streamID: 1, type: .response)),
        ("00000000 00000003 03 00", FrameHeader(length: 0, streamID: 3, type: .data)),
        ("00000000 00000003 03 05", FrameHeader(length: 0, streamID: 3, type: .data, flags: .endOfData)),
        (
            "00400000 fffffffd 03 01",
            FrameHeader(length: 4 << 20, streamID: 0xFFFF_FFFD, type: .data, flags: .remoteClosed)
        ),
        (
            "01020304 05060708 09 f0",
            FrameHeader(
                length: 0x0102_0304, streamID: 0x0506_0708, type: .unknown(9), flags: FrameFlags(rawValue: 0xF0))
        ),
    ]

    @Test("headers have the published layout", arguments: goldenHeaders.indices)
    func goldenHeader(index: Int) {
        let (text, header) = FrameTests.goldenHeaders[index]
        #expect(header.encoded() == hex(text))
        #expect(hex(text).withUnsafeBytes { FrameHeader(decoding: $0) } == header)
    }

    @Test("fewer than ten bytes are no header")
    func shortHeader() {
        for count in 0..<10 {
            #expect([UInt8](repeating: 0, count: count).withUnsafeBytes { FrameHeader(decoding: $0) } == nil)
        }
    }

    @Test("every type keeps its number")
    func typeNumbers() {
        for rawValue in UInt8.min...UInt8.max { #expect(FrameType(rawValue: rawValue).rawValue == rawValue) }
        #expect(FrameType.request.rawValue == 1)
        #expect(FrameType.response.rawValue == 2)
        #expect(FrameType.data.rawValue == 3)
    }
}

@Suite("The frame decoder")
struct FrameDecoderTests {
    private static let frame = hex("00000003 00000001 01 00 aabbcc")
    private static let header = FrameHeader(length: 3, streamID: 1, type: .request)

    @Test("a whole frame is found, and the bytes after it are left")
    func wholeFrame() {
        var decoder = FrameDecoder(maximumFrameBytes: 3)
        #expect((Self.frame + [1, 2]).withUnsafeBytes { decoder.next($0) } == .frame(Self.header, byteCount: 13))
        #expect(decoder.isBetweenFrames)
    }

    @Test("every cut of a frame asks for more and consumes nothing")
    func cuts() {
        for length in 0..<Self.frame.count {
            var decoder = FrameDecoder(maximumFrameBytes: 3)
            let step = Self.frame[..<length].withUnsafeBytes { decoder.next($0) }
            #expect(step == .needMore(byteCount: length < 10 ? 10 : 13))
            #expect(decoder.isBetweenFrames)
        }
    }

    @Test("a frame without data is valid")
    func emptyFrame() {
        var decoder = FrameDecoder(maximumFrameBytes: 0)
        let step = hex("00000000 00000003 03 05").withUnsafeBytes { decoder.next($0) }
        #expect(step == .frame(FrameHeader(length: 0, streamID: 3, type: .data, flags: .endOfData), byteCount: 10))
    }

    @Test("exactly 4 MiB of data pass, one byte more is too large")
    func limit() {
        var decoder = FrameDecoder(maximumFrameBytes: ConnectionLimits.protocolFrameBytes)
        #expect(
            hex("00400000 00000001 01 00").withUnsafeBytes { decoder.next($0) }
                == .needMore(byteCount: 10 + (4 << 20)))
        #expect(
            hex("00400001 00000001 01 00").withUnsafeBytes { decoder.next($0) }
                == .tooLarge(FrameHeader(length: (4 << 20) + 1, streamID: 1, type: .request), byteCount: 10))
        #expect(!decoder.isBetweenFrames)
    }

    @Test("data of a frame that is too large is discarded as it comes, and then the next frame is found")
    func discarding() {
        var decoder = FrameDecoder(maximumFrameBytes: 2)
        let header = FrameHeader(length: 3, streamID: 1, type: .request)
        #expect(Self.frame.withUnsafeBytes { decoder.next($0) } == .tooLarge(header, byteCount: 10))
        #expect(hex("").withUnsafeBytes { decoder.next($0) } == .needMore(byteCount: 1))
        #expect(hex("aa").withUnsafeBytes { decoder.next($0) } == .discarded(byteCount: 1))
        #expect(!decoder.isBetweenFrames)
        let rest = hex("bbcc 00000000 00000003 02 00")
        #expect(rest.withUnsafeBytes { decoder.next($0) } == .discarded(byteCount: 2))
        #expect(decoder.isBetweenFrames)
        #expect(
            rest[2...].withUnsafeBytes { decoder.next($0) }
                == .frame(FrameHeader(length: 0, streamID: 3, type: .response), byteCount: 10))
    }

    @Test("the largest length is handled without a trap")
    func largestLength() {
        var decoder = FrameDecoder(maximumFrameBytes: ConnectionLimits.protocolFrameBytes)
        let header = FrameHeader(length: .max, streamID: .max, type: .unknown(255), flags: FrameFlags(rawValue: 255))
        let step = [UInt8](repeating: 0xFF, count: 10).withUnsafeBytes { decoder.next($0) }
        #expect(step == .tooLarge(header, byteCount: 10))
    }
}

@Suite("Table of streams")
struct StreamTableTests {
    @Test("the table finds streams in any order of insertion, and no others")
    func anyOrder() {
        var table = StreamTable<UInt32>()
        let ids: [UInt32] = [7, 1, 9, 3, 5, .max, 11]
        for id in ids { #expect(table.insert(id * 1, for: id) == true) }
        for id in ids {
            #expect(table[id] == id)
            #expect(table.insert(0, for: id) == false)
        }
        #expect(table[2] == nil)
        #expect(table[13] == nil)
        #expect(table.remove(13) == nil)
        #expect(table.streamIDs == ids.sorted())
        for id in ids { #expect(table.remove(id) == id) }
        #expect(table.count == 0)
        #expect(table[1] == nil)
    }
}
