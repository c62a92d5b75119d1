import Foundation
import GateModel
import ProcessSupport
import ReceiptSupport
import RevenueCatSupport
import Testing

/// `gatectl receipt check`, with no daemon anywhere.
@Suite("Checking receipts from the shell", .serialized, .waitsForProcesses)
struct ReceiptCheckTests {
    @Test("a signed transaction, renewal info and notification are printed as JSON (0)")
    func storeKit() throws {
        let folder = try Folder()
        let store = try SignedTransactions()
        try folder.write(store.chain.root.derBytes, to: "root.cer")
        let pem = try "-----BEGIN CERTIFICATE-----\n\(store.chain.root.base64)\n-----END CERTIFICATE-----\n"
        try folder.write(Array(pem.utf8), to: "root.pem")
        let transaction = try store.transaction(expiresAt: SignedTransactions.monthLater)
        let renewal = try store.renewalInfo(isInBillingRetry: true)
        let files = [
            ("transaction", transaction, #""item":"gate.premium""#), ("renewal", renewal, #""isInBillingRetry":true"#),
            ("notification", try store.notification(transaction: transaction), "002e14d5-51f5-4503-b5a8-c3a1af68eb20"),
        ]
        for (name, text, field) in files {
            try folder.write(Array(text.utf8), to: name)
            for root in ["root.cer", "root.pem"] {
                let result = try folder.check("--root", root, "--bundle-id", store.bundleID, name)
                #expect(result.status == 0 && result.errors.isEmpty, "\(name): \(result.errors)")
                #expect(result.output.contains(field), "\(result.output)")
                _ = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            }
        }
        // Each file is checked by itself, even if another is wrong.
        try folder.write(Array("nonsense".utf8), to: "bad")
        let mixed = try folder.check("--root", "root.cer", "--bundle-id", store.bundleID, "bad", "transaction")
        #expect(mixed.status == 65 && mixed.output.contains("gate.premium") && mixed.errors.contains("bad"))
    }

    @Test("a transaction that differs from what the store signed is refused with the check's name (65)")
    func tamperedTransactions() throws {
        let folder = try Folder()
        let store = try SignedTransactions()
        try folder.write(store.chain.root.derBytes, to: "root.cer")
        let good = try store.transaction(expiresAt: nil)
        try folder.write(Array(good.utf8), to: "good")
        let parts = good.split(separator: ".").map(String.init)
        let payload = String(decoding: try #require(Data(base64URL: parts[1])), as: UTF8.self)
        let other = payload.replacing("gate.premium", with: "gate.platinum")
        try folder.write(Array("\(parts[0]).\(Data(other.utf8).base64URL).\(parts[2])".utf8), to: "payload")
        var sandbox = store
        sandbox.environment = .sandbox
        try folder.write(Array(try sandbox.transaction(expiresAt: nil).utf8), to: "sandbox")
        try folder.write(Array(try SignedTransactions().transaction(expiresAt: nil).utf8), to: "stranger")
        try folder.write(Array("\(parts[0]).\(parts[1])".utf8), to: "unsigned")

        let bundle = ["--root", "root.cer", "--bundle-id", store.bundleID]
        for (words, check) in [
            (bundle + ["payload"], "signature"), (bundle + ["sandbox"], "environment"),
            (bundle + ["stranger"], "chain"),
            (["--root", "root.cer", "--bundle-id", "com.example.other", "good"], "bundle-id"),
            (bundle + ["--provider", "storekit", "unsigned"], "malformed"),
            (bundle + ["--provider", "revenuecat", "good"], "public-key"),
            (["--root", "good", "--bundle-id", store.bundleID, "good"], "root"), (bundle + ["missing"], "missing"),
        ] {
            let result = try folder.check(words)
            #expect(result.status == 65 && result.output.isEmpty, "\(words): \(result.output)")
            #expect(result.errors.contains(check), "\(words): \(result.errors)")
        }
        #expect(try folder.check(bundle + ["--environment", "Sandbox", "sandbox"]).status == 0)
    }

    @Test("customer info with a good signature is printed (0), and refused if anything in it was changed (65)")
    func revenueCat() throws {
        let folder = try Folder()
        let signing = SignedCustomerInfo()
        let good = try signing.answer(
            path: "/v1/subscribers/anna", nonce: Array("123456789012".utf8), etag: "e1", entitlement: "pro")
        try folder.write(good.json(), to: "good")
        let key = Data(signing.rootKey).base64EncodedString()
        let words = ["--provider", "revenuecat", "--public-key", SignedCustomerInfo.publicKey, "--root-key", key]
        let result = try folder.check(words + ["good"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(#""appUser":"anna""#) && result.output.contains(#""item":"pro""#))

        var tampered: [String: SignedCustomerInfo.Answer] = [:]
        func tamper(_ name: String, _ change: (inout SignedCustomerInfo.Answer) -> Void) {
            var answer = good
            change(&answer)
            tampered[name] = answer
        }
        tamper("path") { $0.path = "/v1/subscribers/bert" }
        tamper("nonce") { $0.nonce = Array("123456789013".utf8) }
        tamper("body") { $0.body = $0.body.replacing("pro", with: "max") }
        tamper("time") { $0.headers["X-RevenueCat-Request-Time"] = "1" }
        tamper("etag") { $0.headers["X-RevenueCat-ETag"] = "e2" }
        tamper("signature") { $0.headers["X-Signature"] = $0.headers["X-Signature"].map { "AAAA" + $0.dropFirst(4) } }
        tamper("unsigned") { $0.headers["X-Signature"] = nil }
        for (name, answer) in tampered {
            try folder.write(answer.json(), to: name)
            let result = try folder.check(words + [name])
            #expect(result.status == 65 && result.output.isEmpty, "\(name): \(result.output)")
            #expect(result.errors.contains(": "), "\(name): \(result.errors)")
        }
        // Signed by somebody else, or for another app.
        let others = Data(SignedCustomerInfo().rootKey).base64EncodedString()
        #expect(try folder.check(words.dropLast() + [others, "good"]).status == 65)
        #expect(
            try folder.check(["--provider", "revenuecat", "--public-key", "appl_x", "--root-key", key, "good"]).status
                == 65)
    }

    @Test(
        "wrong arguments are wrong usage (64)",
        arguments: [
            [], ["--provider", "nobody", "good"], ["--provider", "manual", "good"], ["--root-key", "abc", "good"],
            ["--environment", "Moon", "good"], ["--nonsense", "good"],
        ])
    func usage(words: [String]) throws {
        let result = try Folder().check(words)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("Usage: "))
    }

    // MARK: -

    /// Some files, and `gatectl receipt check` among them.
    private final class Folder {
        private let path = NSTemporaryDirectory() + "receipts-" + UUID().uuidString.prefix(8)

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ bytes: [UInt8], to name: String) throws {
            try Data(bytes).write(to: URL(filePath: path + "/" + name))
        }

        func check(_ words: String...) throws -> ChildProcess.Result { try check(words) }

        func check(_ words: [String]) throws -> ChildProcess.Result {
            try ChildProcess(
                "/bin/sh",
                ["-c", "cd \"$0\" && exec \"$@\"", path, builtProgram("gatectl"), "receipt", "check"] + words
                    + ["--socket", path + "/nothing.sock"], hasInput: false
            ).ended()
        }
    }
}
