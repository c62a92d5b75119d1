import TTRPC

@testable import TTRPCTransport

/// A frame as a test writes or reads it.
struct Frame: Hashable, CustomStringConvertible {
    var type: FrameType
    var flags: FrameFlags = []
    var streamID: UInt32
    var data: [UInt8] = []

    static func request(
        _ method: String, _ streamID: UInt32, _ payload: [UInt8] = [], flags: FrameFlags = [], timeout: Duration? = nil,
        service: String = "test.Script"
    ) -> Frame {
        let envelope = RequestEnvelope(service: service, method: method, payload: payload, timeout: timeout)
        return Frame(type: .request, flags: flags, streamID: streamID, data: envelope.encoded())
    }

    static func response(_ streamID: UInt32, _ payload: [UInt8]) -> Frame {
        Frame(type: .response, streamID: streamID, data: ResponseEnvelope(payload: payload).encoded())
    }

    static func message(_ streamID: UInt32, _ data: [UInt8]) -> Frame {
        Frame(type: .data, streamID: streamID, data: data)
    }

    static func endOfData(_ streamID: UInt32) -> Frame {
        Frame(type: .data, flags: .endOfData, streamID: streamID)
    }

    var bytes: [UInt8] {
        FrameHeader(length: UInt32(data.count), streamID: streamID, type: type, flags: flags).encoded() + data
    }

    /// The status in a response frame.
    var status: Status? {
        guard type == .response else { return nil }
        return data.withUnsafeBytes { try? ResponseEnvelope(decoding: $0) }?.status
    }

    var description: String { "\(type) \(streamID) flags \(flags.rawValue) \(status.map(\.description) ?? "\(data)")" }
}

/// The frames in `bytes`, which must hold whole ones.
func frames(in bytes: [UInt8]) -> [Frame] {
    var assembler = FrameAssembler(maximumFrameBytes: .max)
    var frames: [Frame] = []
    bytes.withUnsafeBytes { bytes in
        assembler.append(bytes)
        while case .frame(let header, let data) = assembler.next() {
            frames.append(Frame(type: header.type, flags: header.flags, streamID: header.streamID, data: Array(data)))
        }
        assembler.settle()
    }
    return frames
}
