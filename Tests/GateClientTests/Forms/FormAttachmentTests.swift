import GateProtocol
import TTRPCTransport
import Testing

@testable import GateClient

private let uploadMethod = "gate.v1.Questionnaires/Upload"
private let downloadMethod = "gate.v1.Questionnaires/Download"
private let pieceByteCount = 48 << 10

private func digest(_ byte: UInt8) throws -> AttachmentDigest {
    try #require(AttachmentDigest(bytes: [UInt8](repeating: byte, count: 32)))
}

@Suite("Uploading and downloading a form's documents")
struct FormAttachmentTests {
    @Test("a document is uploaded in pieces under the number of the first, and the last piece is marked")
    func upload() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let bytes = (0..<2 * pieceByteCount + 1).map { UInt8(truncatingIfNeeded: $0) }
            async let uploading = gate.forms.upload(bytes)
            var received: [UInt8] = []
            for (index, uploadID) in ([0, 9, 9] as [UInt64]).enumerated() {
                let exchange = try await server.expect(uploadMethod)
                let request = try UploadRequest(decoding: exchange.request.payload)
                received += request.piece
                #expect(request.uploadID == uploadID && request.isLast == (index == 2))
                await exchange.respond(UploadResponse(uploadID: 9, digest: index == 2 ? try digest(1) : nil))
            }
            #expect(received == bytes)
            #expect(try await uploading == digest(1))
            try await server.stop()
        }
    }

    @Test("an empty document, or one of exactly one piece, is uploaded in one piece", arguments: [0, pieceByteCount])
    func onePiece(byteCount: Int) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let uploading = gate.forms.upload([UInt8](repeating: 1, count: byteCount))
            let exchange = try await server.expect(uploadMethod)
            let request = try UploadRequest(decoding: exchange.request.payload)
            #expect(request.isLast && request.piece.count == byteCount)
            await exchange.respond(UploadResponse(uploadID: 1, digest: try digest(1)))
            #expect(try await uploading == digest(1))
            try await server.stop()
        }
    }

    @Test("if the daemon refuses a piece, the upload fails and no more pieces are sent")
    func refused() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let uploading = Task { try await gate.forms.upload([UInt8](repeating: 1, count: 2 * pieceByteCount)) }
            let limit = GateError(.resourceExhausted, .limit, "Too much.")
            try await server.expect(uploadMethod).fail(limit)
            await #expect(throws: limit) { try await uploading.value }
            async let pinging = gate.control.ping()
            try await server.expect("gate.v1.Control/Ping").respond(PingResponse(echo: [], revision: here))
            _ = try await pinging
            try await server.stop()
        }
    }

    @Test("a document is downloaded in pieces until it has its full size")
    func download() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let downloading = gate.forms.download(digest(1))
            for (offset, piece) in [(0, [1, 2]), (2, [3])] as [(UInt64, [UInt8])] {
                let exchange = try await server.expect(downloadMethod)
                #expect(
                    try DownloadRequest(decoding: exchange.request.payload)
                        == DownloadRequest(digest: digest(1), offset: offset))
                await exchange.respond(DownloadResponse(piece: piece, byteCount: 3))
            }
            #expect(try await downloading == [1, 2, 3])
            try await server.stop()
        }
    }

    @Test("an empty piece of an unfinished download is an error")
    func emptyPiece() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let downloading = Task { try await gate.forms.download(try digest(1)) }
            try await server.expect(downloadMethod).respond(DownloadResponse(piece: [], byteCount: 3))
            let error = await #expect(throws: GateError.self) { try await downloading.value }
            #expect(error?.code == .internal)
            try await server.stop()
        }
    }

    @Test("a new document is added to those of a question that takes several")
    func attach() async throws {
        let first = FormAttachment(mediaType: "text/plain", byteCount: 1, digest: try digest(7))
        try await withOrder(order(proofs: [first])) { server, form in
            async let attaching = form.attach("proof", bytes: [1, 2], mediaType: "image/png", title: "proof.png")
            try await server.expect(uploadMethod).respond(UploadResponse(uploadID: 1, digest: try digest(8)))
            let set = try await server.expect("gate.v1.Questionnaires/SetAnswer")
            let answers = String(
                decoding: try SetAnswerRequest(decoding: set.request.payload).answers, as: UTF8.self)
            let urns = answers.split(separator: "\"").filter { $0.hasPrefix("urn:sha256:") }
            #expect(try urns.map(String.init) == [digest(7).urn, digest(8).urn])
            #expect(answers.contains(#""title":"proof.png""#) && answers.contains(#""size":2"#))
            await set.respond(SetAnswerResponse(revision: here, change: changed(to: 1, isChanged: false)))
            _ = try await attaching
        }
    }
}
