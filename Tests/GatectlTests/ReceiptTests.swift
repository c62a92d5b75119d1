import ArgumentParser
import Foundation
import GateClient
import GateModel
import Testing

@testable import gatectl

/// A JWS in a provider's form, with an invalid signature.
private func jws(_ payload: String) -> String {
    func part(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }
    return "\(part(#"{"alg":"ES256"}"#)).\(part(payload)).AAAA"
}

private func kind(_ text: String) throws(GateError) -> ReceiptFile.Kind {
    try ReceiptFile(path: "f", bytes: Array(text.utf8)).kind()
}

@Suite("Files with a provider's receipts")
struct ReceiptFileTests {
    @Test("transactions, renewal info and notifications are told apart by the fields of their payload")
    func storeKit() throws {
        let transaction = #"{"transactionId":"2","originalTransactionId":"1","productId":"monthly","bundleId":"o~?ÿ"}"#
        #expect(try kind(jws(transaction)) == .storeKit(.transaction))
        #expect(try kind("\n \(jws(transaction)) \r\n") == .storeKit(.transaction))
        #expect(try kind(jws(#"{"originalTransactionId":"1","autoRenewStatus":1}"#)) == .storeKit(.renewal))
        #expect(try kind(jws(#"{"notificationType":"TEST","notificationUUID":"u"}"#)) == .storeKit(.notification))
        #expect(try kind(#"{"signedPayload":"a.b.c"}"#) == .storeKit(.notification))
    }

    @Test("customer info is JSON with a request and its answer")
    func revenueCat() throws {
        #expect(try kind(#"{"path":"/v1/subscribers/a","nonce":"","headers":{},"body":"{}"}"#) == .customerInfo)
        #expect(try kind(#" {"path":"/v1/subscribers/a","headers":{},"body":{"base64":"e30="}}"#) == .customerInfo)
    }

    @Test(
        "any other file is refused, and the message repeats nothing of it",
        arguments: [
            "", " ", "{}", "[]", "secret", "a.b", "a.b.c.d", "....", jws("{}"), jws("[1]"), jws("no"),
            #"{"path":"x"}"#, "{\"signedPayload\"",
        ])
    func nothing(text: String) {
        let error = #expect(throws: GateError.self) { try kind(text) }
        #expect(error?.reason == .badReceipt && error?.exitStatus == 65)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("white space around a receipt is ignored")
    func text() {
        #expect(ReceiptFile(path: "f", bytes: Array(" \na.b.c\r\n".utf8)).text == Array("a.b.c".utf8))
        #expect(ReceiptFile(path: "f", bytes: Array(" \n".utf8)).text == [])
    }

    @Test("a root file is a certificate in DER or PEM")
    func roots() throws {
        #expect(try RootFile(path: "f", bytes: [0x30, 1, 2]).der == [0x30, 1, 2])
        let pem = "A root\n-----BEGIN CERTIFICATE-----\nMAEC\nAwQ=\n-----END CERTIFICATE-----\n"
        #expect(try RootFile(path: "f", bytes: Array(pem.utf8)).der == [0x30, 1, 2, 3, 4])
        for wrong in [pem + pem, pem.replacing("MAEC", with: "M!EC"), "-----BEGIN PRIVATE KEY-----\nMAEC\n"] {
            let error = #expect(throws: GateError.self) { try RootFile(path: "f", bytes: Array(wrong.utf8)) }
            #expect(error?.exitStatus == 65 && error?.message.contains("MAEC") == false)
        }
        #expect(throws: GateError.self) { try RootFile(path: "f", bytes: Array(repeating: 0x30, count: 20_000)) }
    }
}

@Suite("The verb receipt check")
struct ReceiptCheckTests {
    private func check(_ contents: [String], _ arguments: [String]) async throws -> GateError? {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for (index, text) in contents.enumerated() {
            let file = folder.appending(path: "file\(index)")
            try Data(text.utf8).write(to: file)
            paths.append(file.path)
        }
        let verb = try ReceiptCheckVerb.parse(arguments + ["--config-directory", folder.path] + paths)
        let session = Session(
            gate: GateClient(verb.connection.client), output: Output(isJSON: false, colours: .none))
        do throws(GateError) {
            try await verb.perform(session)
            return nil
        } catch {
            return error
        }
    }

    private let unsigned = #"{"path":"/v1/subscribers/anna","nonce":"","headers":{},"body":"{}"}"#
    private let key = Data(repeating: 1, count: 32).base64EncodedString()

    @Test("unsigned customer info fails the check \"signature-missing\" with status 65")
    func unsignedCustomerInfo() async throws {
        let error = try await check(
            [unsigned], ["--provider", "revenuecat", "--public-key", "appl_x", "--root-key", key])
        #expect(error?.exitStatus == 65 && error?.message.hasPrefix("signature-missing: ") == true)
    }

    @Test("a malformed receipt fails a named check of the provider that was given")
    func malformed() async throws {
        let root = "/etc/ssl/certs/none"
        let error = try await check(["a.b"], ["--provider", "storekit", "--bundle-id", "x", "--root", root])
        #expect(error?.exitStatus == 65 && error?.message.contains(root) == true)
        let other = try await check([unsigned], ["--provider", "storekit", "--bundle-id", "x"])
        #expect(other?.message.hasPrefix("malformed: ") == true)
    }

    @Test("without roots or keys the error says which options to give")
    func nothingBelieved() async throws {
        let storeKit = try await check([jws(#"{"transactionId":"1"}"#)], [])
        #expect(storeKit?.message.contains("--root and --bundle-id") == true)
        let revenueCat = try await check([unsigned], ["--public-key", "appl_x"])
        #expect(revenueCat?.message.contains("--root-key") == true)
    }

    @Test("each of several files is checked, even after one that failed")
    func several() async throws {
        let error = try await check(
            [unsigned, "nothing"], ["--public-key", "appl_x", "--root-key", key])
        #expect(error?.exitStatus == 65 && error?.message.hasPrefix("Not everything") == true)
    }
}
