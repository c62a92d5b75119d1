import Foundation
import GateModel
import GateReceipts
import GateScripting
import GateStoreKit
import ReceiptSupport

extension FuzzTarget {
    static let receiptTargets = [jws, signedJWS, customerInfo, signedCustomerInfo]

    /// What somebody submits as the App Store's. Nothing is believed but what the store has signed: the samples.
    private static let jws = FuzzTarget("jws", maximumBytes: 8192, dictionary: "receipts", testedCount: 50) { random in
        var text = random.element(of: StoreKitSamples.signed)
        if random.chance(3, in: 4) { random.mutate(&text) }
        return text
    } check: { input in
        for kind in StoreKitSamples.Kind.allCases {
            guard let statement = try StoreKitSamples.statement(kind, input) else { continue }
            try promise(StoreKitSamples.statements.contains(statement), "a forgery was believed: \(statement)")
        }
    }

    /// What stands in signed data, when the signature is good: the first byte says of what kind; a notification, a
    /// transaction and a renewal follow, with a NUL between them. Where the notification says @transaction and
    /// @renewal, it gets them, signed.
    private static let signedJWS = FuzzTarget("jws-signed", dictionary: "receipts", testedCount: 50) { random in
        let kind = UInt8.random(in: 0..<3, using: &random)
        var payloads = StoreKitSamples.payloads
        if random.chance(3, in: 4) {
            let index = Int.random(in: 0..<payloads.count, using: &random)
            if random.chance(1, in: 2) { random.mutate(&payloads[index]) } else { random.swapWords(&payloads[index]) }
        }
        return [kind] + Array(payloads.joined(separator: [0]))
    } check: { input in
        guard let first = input.first else { return }
        let parts = input.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        func part(_ index: Int) -> [UInt8] { index < parts.count ? Array(parts[index]) : [] }
        let kinds = StoreKitSamples.Kind.allCases
        let kind = kinds[Int(first) % kinds.count]
        let jws: String
        switch kind {
        case .notification:
            var text = String(decoding: part(0), as: UTF8.self)
            for (index, mark) in [(1, "@transaction"), (2, "@renewal")] where text.contains(mark) {
                text = text.replacingOccurrences(of: mark, with: try StoreKitSamples.sign(part(index)))
            }
            jws = try StoreKitSamples.sign(Array(text.utf8))
        case .transaction: jws = try StoreKitSamples.sign(part(1))
        case .renewal: jws = try StoreKitSamples.sign(part(2))
        }
        try StoreKitPromises.check(try StoreKitSamples.statement(kind, Array(jws.utf8)), of: kind)
    }

    /// An answer of RevenueCat's in a file, as `gatectl receipt check` takes it. Nothing is believed but what was
    /// signed.
    private static let customerInfo = FuzzTarget("customer-info", dictionary: "receipts", testedCount: 50) { random in
        var text = RevenueCatSamples.signed
        if random.chance(3, in: 4) { random.mutate(&text) }
        return text
    } check: { input in
        guard let answer = try? CustomerInfoResponse(json: input) else { return }
        try promise(try CustomerInfoResponse(json: answer.json()) == answer, "written and read again it is another")
        if let statement = try RevenueCatSamples.statement(answer, by: SigningAuthority.revenueCat) {
            try promise(statement == RevenueCatSamples.statement, "a forgery was believed: \(statement)")
        }
        _ = try RevenueCatSamples.statement(answer, by: SigningAuthority.credulousRevenueCat)
    }

    /// What stands in an answer that is signed: path, time, etag and body, with a NUL between them. The same signature
    /// over the same bytes never speaks of somebody else, wherever the parts are cut.
    private static let signedCustomerInfo = FuzzTarget("customer-info-signed", dictionary: "receipts", testedCount: 50)
    { random in
        var parts = RevenueCatSamples.parts
        if random.chance(3, in: 4) {
            let index = Int.random(in: 0..<parts.count, using: &random)
            if random.chance(1, in: 2) { random.mutate(&parts[index]) } else { random.swapWords(&parts[index]) }
        }
        return Choices.join(Array(parts.joined(separator: [0])), using: &random)
    } check: { input in
        var (choices, rest) = Choices.split(input)
        let parts = rest.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return }
        let (path, time, etag) = (text(parts[0]), text(parts[1]), text(parts[2]))
        let answer = SigningAuthority.answer(path: path, time: time, etag: etag, body: Array(parts[3]))
        guard let statement = try RevenueCatSamples.statement(answer, by: SigningAuthority.revenueCat) else { return }
        // The same bytes are cut at other places, by a few bytes to either side.
        let bytes = Array(path.utf8) + Array(time.utf8) + Array(etag.utf8) + answer.body
        var cuts = [path.utf8.count, path.utf8.count + time.utf8.count, bytes.count - answer.body.count]
        for index in cuts.indices { cuts[index] += choices.next(below: 33) - 16 }
        guard cuts == cuts.sorted(), cuts.allSatisfy(bytes.indices.contains) else { return }
        var other = answer
        other.path = text(bytes[..<cuts[0]])
        other.headers[0].value = text(bytes[cuts[1]..<cuts[2]])
        other.headers[1].value = text(bytes[cuts[0]..<cuts[1]])
        other.body = Array(bytes[cuts[2]...])
        if let forged = try RevenueCatSamples.statement(other, by: SigningAuthority.revenueCat) {
            try promise(forged == statement, "cut otherwise, the same signature is over \(forged)")
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
