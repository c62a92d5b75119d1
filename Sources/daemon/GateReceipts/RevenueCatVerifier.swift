package import GateModel

/// Verifies the signature of RevenueCat's customer info (Trusted Entitlements) without a network.
///
/// The signed parts follow each other without separators, and the requester chooses the nonce. So a part could be made
/// to look like the end of the one before, and one user's info like another's. Therefore each part must have a form
/// that can't be confused with its neighbours: the nonce has 12 bytes or is left out; the path has one segment after
/// `/v1/subscribers/`; the time 13 digits; the etag no slash; the body is JSON with a time at most a day from the
/// header's. An answer whose digits could also be divided in another way is refused.
public struct RevenueCatVerifier: Sendable {
    /// How far RevenueCat's clock may be ahead of this device's. Clocks are often wrong by a time zone, seldom by more.
    static let maximumClockSkew: Duration = .seconds(24 * 60 * 60)
    /// 2001-01-01T00:00:00Z. A clock before this time was never set, so it can't tell what is in the future.
    static let firstSetClock = WallTime(unixMilliseconds: 978_307_200_000)
    /// How far apart the times in the answer's header and body may be, since an answer may come from a cache.
    static let maximumTimesApart: Duration = .seconds(24 * 60 * 60)
    static let maximumETagByteCount = 128
    static let pathPrefix = "/v1/subscribers/"

    private let settings: RevenueCatSettings

    package init(_ settings: RevenueCatSettings) {
        self.settings = settings
    }

    /// The customer info of the user in the answer's path. An answer without a body (304, "as the etag that was sent")
    /// is refused as malformed, since it does not repeat what it confirms. The earlier answer still counts.
    ///
    /// - Parameters:
    ///   - mayBeUnsigned: whether the peer may submit unsigned answers (the policy allows it, and the peer has the role
    ///     provider). A signature that is present is checked nevertheless, if there is a root key.
    ///   - now: compared with the expiry of keys and with the answer's time.
    /// - Throws: `size`, `malformed`, `request`, `date`, `signature-missing`, `intermediate-key`,
    ///   `intermediate-expiry`, `signature`.
    package func customerInfo(
        _ response: CustomerInfoResponse, mayBeUnsigned: Bool, at now: WallTime
    ) throws(ReceiptError) -> ProviderStatement {
        try response.checkSize()
        let appUser = try Self.appUser(ofPath: response.path)
        let signedTime = try verifySignature(
            of: response, mayBeUnsigned: mayBeUnsigned && settings.acceptsUnsigned, at: now)
        guard !response.body.isEmpty else {
            throw ReceiptError(
                .malformed,
                "The answer has no body: nothing has changed since the answer before it. Submit that one.")
        }
        let info = try RevenueCatCustomerInfo(json: response.body)
        let saidAt = signedTime ?? info.requestedAt
        guard saidAt.isWithin(Self.maximumTimesApart, of: info.requestedAt) else {
            throw ReceiptError(
                .date, "X-RevenueCat-Request-Time and the body's request_date_ms are more than a day apart.")
        }
        guard saidAt <= now || now < Self.firstSetClock || saidAt.isWithin(Self.maximumClockSkew, of: now) else {
            throw ReceiptError(
                .date,
                "The answer is more than a day in the future. Set the clock of this device, then submit it again.")
        }
        if signedTime != nil { try Self.checkCut(of: response, near: info.requestedAt) }
        // Nobody pays in the sandbox.
        let entitlements = try info.entitlements(saidAt: saidAt).filter { entitlement in
            settings.acceptsSandbox || !entitlement.purchase.isForTesting
        }
        return .revenueCat(appUser: appUser, entitlements, saidAt: saidAt)
    }

    /// Digits could be moved between the user's id, the time and the etag without making the signature wrong: "bob1" at
    /// "772366400000…" instead of "bob" at "1772366400000". So the answer is refused if another division also gives a
    /// time near the body's.
    private static func checkCut(of response: CustomerInfoResponse, near requestedAt: WallTime) throws(ReceiptError) {
        guard let time = try response.header("X-RevenueCat-Request-Time") else { return }
        let etag = try response.header("X-RevenueCat-ETag") ?? ""
        for count in 1...time.utf8.count {
            let later = time.dropFirst(count) + etag.prefix(count)
            let earlier = response.path.suffix(count) + time.dropLast(count)
            for text in [String(later), String(earlier)] {
                guard let other = try? Self.time(ofHeader: text), other.isWithin(maximumTimesApart, of: requestedAt)
                else {
                    continue
                }
                throw ReceiptError(
                    .request, "The answer could be one about another user. Ask for it again, a day later at the latest."
                )
            }
        }
    }

    /// The user in the path, percent-decoded.
    /// - Throws: `request` if there is none.
    private static func appUser(ofPath path: String) throws(ReceiptError) -> String {
        let wrong = ReceiptError(
            .request, "The path is not \(pathPrefix), then the user's id, percent-encoded and of at most 128 bytes.")
        guard path.utf8.starts(with: pathPrefix.utf8) else { throw wrong }
        let segment = path.utf8.dropFirst(pathPrefix.utf8.count)
        guard let bytes = percentDecoded(Array(segment)), let user = String(validating: bytes, as: UTF8.self),
            user.isRevenueCatName, user != ".", user != ".."
        else { throw wrong }
        return user
    }

    /// `nil` if this is not a single segment of a path.
    private static func percentDecoded(_ segment: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = segment[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
                guard digits.count == 2 else { return nil }
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), ...0x20, 0x7f...: return nil
            case _: bytes.append(byte)
            }
        }
        return bytes
    }

    /// Verifies the signature, if one is required or can be verified. Returns the time in the answer's header; `nil` if
    /// there is none, which is possible only if no signature was verified.
    private func verifySignature(
        of response: CustomerInfoResponse, mayBeUnsigned: Bool, at now: WallTime
    ) throws(ReceiptError) -> WallTime? {
        let requestTime = try response.header("X-RevenueCat-Request-Time")
        let time = try requestTime.map { text throws(ReceiptError) in try Self.time(ofHeader: text) }
        guard let header = try response.header("X-Signature") else {
            guard mayBeUnsigned else {
                throw ReceiptError(
                    .signatureMissing,
                    "The answer has no X-Signature. Send X-Nonce with the request, and submit all headers of the answer."
                )
            }
            return time
        }
        guard let rootKey = settings.rootKey else {
            guard mayBeUnsigned else {
                throw ReceiptError(
                    .intermediateKey, "There is no root key to check the signature with. Give one in providers.yaml.")
            }
            return time
        }
        guard let requestTime, let time else {
            throw ReceiptError(
                .malformed, "The answer has no X-RevenueCat-Request-Time, without which X-Signature can't be checked.")
        }
        guard response.nonce.isEmpty || response.nonce.count == CustomerInfoResponse.nonceByteCount else {
            throw ReceiptError(
                .request, "The nonce is not \(CustomerInfoResponse.nonceByteCount) bytes, nor is it left out.")
        }
        let payload = SignedPayload(
            publicKey: settings.publicKey, nonce: response.nonce, path: response.path, requestTime: requestTime,
            etag: try Self.etag(of: response), body: response.body)
        try RevenueCatSignature(header: header).verify(payload, root: rootKey, at: now)
        return time
    }

    private static func time(ofHeader text: String) throws(ReceiptError) -> WallTime {
        // Numbers of 13 digits: from 2001 to 2286.
        guard text.utf8.count == 13, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.first != 0x30,
            let milliseconds = Int64(text)
        else {
            throw ReceiptError(.malformed, "X-RevenueCat-Request-Time is not a number of milliseconds since 1970.")
        }
        return WallTime(unixMilliseconds: milliseconds)
    }

    private static func etag(of response: CustomerInfoResponse) throws(ReceiptError) -> String {
        guard let etag = try response.header("X-RevenueCat-ETag") else { return "" }
        let isPlain = etag.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            case _: false
            }
        }
        guard isPlain, etag.utf8.count <= maximumETagByteCount else {
            throw ReceiptError(
                .malformed,
                "X-RevenueCat-ETag is not up to \(maximumETagByteCount) letters, digits, dashes and underscores.")
        }
        return etag
    }
}

extension WallTime {
    fileprivate func isWithin(_ duration: Duration, of other: WallTime) -> Bool {
        let (difference, overflow) = unixMilliseconds.subtractingReportingOverflow(other.unixMilliseconds)
        return !overflow && difference.magnitude <= UInt64(duration.millisecondsRoundedUp)
    }
}

extension String {
    /// Whether this can be the id of a user or the name of an entitlement: 1 to 128 bytes in one line.
    var isRevenueCatName: Bool {
        !isEmpty && utf8.count <= 128
            && unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) && !Self.ends(line: $0)
            }
    }

    private static func ends(line scalar: UnicodeScalar) -> Bool {
        scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
